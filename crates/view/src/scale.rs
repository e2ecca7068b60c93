//! How many pixels are drawn for those of the window.

use std::str::FromStr;

/// Resolution of the picture against that of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// As fine as is drawn in a twentieth of a second, and whole when nothing moves.
    #[default]
    Auto,
    /// Every pixel.
    Full,
    /// Half of the pixels across and down.
    Half,
    /// A quarter of the pixels across and down.
    Quarter,
}

/// A picture that takes longer is drawn with fewer pixels while something moves, ms.
const QUICK_MS: f64 = 50.0;

/// Fewest pixels of a side.
const FEWEST: u32 = 16;

impl Scale {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Full, Self::Half, Self::Quarter];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Full => "1",
            Self::Half => "1/2",
            Self::Quarter => "1/4",
        }
    }

    /// Pixels of a window per pixel drawn, along a side. `camera_moves`: one step coarser; `ms_per_pixel`: what pictures took of late.
    pub(crate) fn divisor(self, pixels: u64, ms_per_pixel: Option<f64>, camera_moves: bool) -> u32 {
        let own = match self {
            Self::Auto => {
                let ms = |divisor: u32| pixels as f64 / f64::from(divisor * divisor) * ms_per_pixel.unwrap_or(0.0);
                return [1, 2, 3, 4].into_iter().find(|divisor| ms(*divisor) <= QUICK_MS).unwrap_or(4);
            }
            Self::Full => 1,
            Self::Half => 2,
            Self::Quarter => 4,
        };
        if camera_moves { (2 * own).min(4) } else { own }
    }
}

/// A size made smaller.
pub(crate) fn divided(size: [u32; 2], divisor: u32) -> [u32; 2] {
    size.map(|side| (side / divisor).max(FEWEST))
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|scale| scale.name() == text);
        known.ok_or_else(|| format!("`{text}` is no scale: take auto, 1, 1/2 or 1/4"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Scale, divided};

    #[test]
    fn slow_pictures_get_fewer_pixels_and_quick_ones_all() {
        let pixels = 1_000_000;
        assert_eq!(Scale::Auto.divisor(pixels, None, false), 1, "nothing is known yet");
        assert_eq!(Scale::Auto.divisor(pixels, Some(1e-6), true), 1, "a GPU draws all of them");
        assert_eq!(Scale::Auto.divisor(pixels, Some(1e-4), false), 2);
        assert_eq!(Scale::Auto.divisor(pixels, Some(1.0), false), 4, "never fewer");
        assert_eq!(Scale::Half.divisor(pixels, Some(1.0), false), 2, "as asked for");
        assert_eq!(Scale::Half.divisor(pixels, Some(1.0), true), 4, "coarser while the camera moves");
        assert_eq!(divided([1200, 40], 4), [300, 16]);
    }

    #[test]
    fn names_are_read_back() {
        for scale in Scale::ALL {
            assert_eq!(scale.name().parse(), Ok(scale));
        }
        assert!("2".parse::<Scale>().is_err());
    }
}
