//! Colour maps: a few control points each, joined in OKLab so that equal steps look equal.

/// Linear-light RGB, each 0 to 1. Shading and blending happen here.
pub(crate) type Rgb = [f32; 3];

/// Numbers that are not finite: a colour that is in none of the maps.
pub(crate) const NOT_FINITE: [u8; 3] = [255, 0, 255];

/// A map from 0..1 to colour, as a table fine enough not to show.
pub(crate) struct ColourMap {
    table: Vec<Rgb>,
}

/// Depth: shallow is pale, deep is dark.
const DEPTH: [u32; 6] = [0xdff3f3, 0xa6d8e6, 0x5fb2d6, 0x2f83bf, 0x1b559a, 0x0d2c5f];

/// Speed: rest is indigo, then teal and green, the fastest glows.
const SPEED: [u32; 7] = [0x2b1a5e, 0x2f4a8c, 0x20809b, 0x2fae8a, 0x86cd5c, 0xe2df4e, 0xfff7c2];

/// Surface: troughs blue, crests red, still water a pale sea grey.
const SURFACE: [u32; 9] = [0x14245c, 0x2a55a0, 0x5b93cb, 0xa8cfe2, 0xeaf1ee, 0xf3c9a5, 0xe08a62, 0xb9403f, 0x6a1230];

/// Times: what came first is dark, what came last is pale.
const TIME: [u32; 6] = [0x5c1033, 0x9b2042, 0xcf4b3f, 0xe98a4c, 0xf4c477, 0xfbf0c4];

/// Dry ground by height: meadow, loam, rock, scree. Muted, so that water stands out.
const LAND: [u32; 5] = [0xa9ad84, 0xc9bb8f, 0xb7976c, 0x94765d, 0xd6d0c8];

impl ColourMap {
    pub(crate) fn depth() -> Self {
        Self::through(&DEPTH)
    }

    pub(crate) fn speed() -> Self {
        Self::through(&SPEED)
    }

    pub(crate) fn surface() -> Self {
        Self::through(&SURFACE)
    }

    pub(crate) fn time() -> Self {
        Self::through(&TIME)
    }

    pub(crate) fn land() -> Self {
        Self::through(&LAND)
    }

    /// Evenly spaced control points, given as `0xRRGGBB`.
    fn through(points: &[u32]) -> Self {
        const SIZE: usize = 512;
        let lab: Vec<_> = points.iter().map(|&hex| oklab_from_linear(linear_from_hex(hex))).collect();
        let table = (0..SIZE)
            .map(|i| {
                let x = i as f32 / (SIZE - 1) as f32 * (lab.len() - 1) as f32;
                let low = (x as usize).min(lab.len() - 2);
                let (a, b) = (lab[low], lab[low + 1]);
                let mixed = mix(a, b, x - low as f32);
                linear_from_oklab(mixed).map(|c| c.clamp(0.0, 1.0))
            })
            .collect();
        Self { table }
    }

    /// The colour at `t`; beyond 0..1 the end colours, NaN counts as 0.
    pub(crate) fn at(&self, t: f32) -> Rgb {
        let last = self.table.len() - 1;
        self.table[((t.clamp(0.0, 1.0) * last as f32 + 0.5) as usize).min(last)]
    }
}

/// `a` at 0, `b` at 1.
pub(crate) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

/// `0xRRGGBB` to linear light.
pub(crate) fn linear_from_hex(hex: u32) -> Rgb {
    [16, 8, 0].map(|shift| {
        let c = (hex >> shift & 255) as f32 / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
}

/// Linear light to sRGB bytes, through a table: `powf` for every pixel would cost more than all else.
pub(crate) struct Encoder {
    table: Vec<u8>,
}

impl Encoder {
    const STEPS: usize = 4096;

    pub(crate) fn new() -> Self {
        let table = (0..=Self::STEPS)
            .map(|i| {
                let c = i as f32 / Self::STEPS as f32;
                let s = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
                (s * 255.0 + 0.5) as u8
            })
            .collect();
        Self { table }
    }

    pub(crate) fn srgb(&self, colour: Rgb) -> [u8; 3] {
        colour.map(|c| self.table[(c.clamp(0.0, 1.0) * Self::STEPS as f32 + 0.5) as usize])
    }
}

/// B. Ottosson, "A perceptual color space for image processing", 2020.
fn oklab_from_linear([r, g, b]: Rgb) -> [f32; 3] {
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

fn linear_from_oklab([l, a, b]: [f32; 3]) -> Rgb {
    let cube = |x: f32| x * x * x;
    let (l, m, s) = (
        cube(l + 0.396_337_78 * a + 0.215_803_76 * b),
        cube(l - 0.105_561_346 * a - 0.063_854_17 * b),
        cube(l - 0.089_484_18 * a - 1.291_485_5 * b),
    );
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(c: Rgb) -> f32 {
        oklab_from_linear(c)[0]
    }

    #[test]
    fn oklab_and_srgb_round_trip() {
        let encoder = Encoder::new();
        for hex in [0x000000, 0xffffff, 0x123456, 0xfe8001, 0x00ff00, 0x7f7f7f] {
            let linear = linear_from_hex(hex);
            let [r, g, b] = encoder.srgb(linear_from_oklab(oklab_from_linear(linear)));
            let back = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b);
            for shift in [0, 8, 16] {
                let (x, y) = (hex >> shift & 255, back >> shift & 255);
                assert!(x.abs_diff(y) <= 2, "{hex:06x} came back as {back:06x}");
            }
        }
    }

    #[test]
    fn sequential_maps_change_lightness_one_way() {
        let steps = |map: &ColourMap| -> Vec<f32> { (0..=64).map(|i| lightness(map.at(i as f32 / 64.0))).collect() };
        assert!(steps(&ColourMap::depth()).windows(2).all(|w| w[1] < w[0]));
        assert!(steps(&ColourMap::speed()).windows(2).all(|w| w[1] > w[0]));
    }

    #[test]
    fn the_diverging_map_is_lightest_in_the_middle() {
        let map = ColourMap::surface();
        let middle = lightness(map.at(0.5));
        for i in 0..=64 {
            assert!(lightness(map.at(i as f32 / 64.0)) <= middle + 1e-4);
        }
    }

    #[test]
    fn outside_and_nan_are_safe() {
        let map = ColourMap::depth();
        assert_eq!(map.at(-5.0), map.at(0.0));
        assert_eq!(map.at(f32::INFINITY), map.at(1.0));
        let _ = map.at(f32::NAN);
    }
}
