//! 255 colours for a frame: median cut over a coarse histogram, with ordered dither.
//!
//! The dither depends on the pixel's place only, so what stands still does not shimmer.

/// Bits per channel of the histogram: 32,768 bins are plenty, since a box is wider than a bin.
const BITS: u32 = 5;
const SHIFT: u32 = 8 - BITS;
const BINS: usize = 1 << (3 * BITS);
const UNKNOWN: u16 = u16::MAX;

/// A palette, and where each bin of the histogram goes in it.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    /// Index per bin; filled as bins are asked for.
    nearest: Vec<u16>,
}

/// What fell into one bin.
#[derive(Clone, Copy, Default)]
struct Bin {
    count: u32,
    sum: [u32; 3],
}

impl Bin {
    fn mean(&self, channel: usize) -> u32 {
        self.sum[channel] / self.count.max(1)
    }
}

impl Palette {
    /// Colours at most; one index of the 256 is left for "as before".
    const MOST: usize = 255;

    pub(super) fn for_pixels(pixels: impl Iterator<Item = [u8; 3]>) -> Self {
        let mut histogram = vec![Bin::default(); BINS];
        for pixel in pixels {
            let bin = &mut histogram[bin_of(pixel)];
            bin.count += 1;
            for (sum, c) in bin.sum.iter_mut().zip(pixel) {
                *sum = sum.saturating_add(c.into());
            }
        }
        histogram.retain(|bin| bin.count > 0);
        Self { colours: median_cut(histogram, Self::MOST), nearest: vec![UNKNOWN; BINS] }
    }

    /// The palette's index for a colour at a place.
    pub(super) fn index(&mut self, colour: [u8; 3], x: usize, y: usize) -> u8 {
        /// Bayer's matrix, in order of brightness.
        const BAYER: [[i16; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        // ±3 of 255: less than a bin, so plain areas of black and white stay plain.
        let nudge = (BAYER[y % 4][x % 4] * 2 - 15) / 5;
        let dithered = colour.map(|c| (i16::from(c) + nudge).clamp(0, 255) as u8);
        let bin = bin_of(dithered);
        if self.nearest[bin] == UNKNOWN {
            self.nearest[bin] = self.search(dithered).into();
        }
        self.nearest[bin] as u8 // below 255
    }

    /// The index that stands for "as before".
    pub(super) fn transparent(&self) -> u8 {
        self.colours.len() as u8 // MOST at most
    }

    /// Red, green, blue of each colour, and of the transparent one.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.as_flattened().to_vec();
        bytes.extend([0; 3]);
        bytes
    }

    fn search(&self, colour: [u8; 3]) -> u8 {
        let distance = |other: &[u8; 3]| -> u32 {
            // Weights after the eye's sensitivity to red, green and blue.
            let weights = [3, 6, 1];
            let parts = (0..3).map(|i| weights[i] * u32::from(colour[i].abs_diff(other[i])).pow(2));
            parts.sum()
        };
        let best = (0..self.colours.len()).min_by_key(|&i| distance(&self.colours[i]));
        best.unwrap_or(0) as u8
    }
}

fn bin_of([r, g, b]: [u8; 3]) -> usize {
    let [r, g, b] = [r, g, b].map(|c| usize::from(c >> SHIFT));
    r << (2 * BITS) | g << BITS | b
}

/// Splits the box with the most to lose until there are enough boxes.
fn median_cut(bins: Vec<Bin>, most: usize) -> Vec<[u8; 3]> {
    if bins.is_empty() {
        return vec![[0; 3]];
    }
    let mut boxes = vec![Box3::around(bins)];
    while boxes.len() < most {
        let widest = boxes.iter().enumerate().filter(|(_, b)| b.bins.len() > 1).max_by_key(|(_, b)| b.loss);
        let Some((at, _)) = widest else { break };
        let [low, high] = boxes.swap_remove(at).split();
        boxes.push(low);
        boxes.push(high);
    }
    boxes.iter().map(Box3::mean).collect()
}

/// A box in colour space.
struct Box3 {
    bins: Vec<Bin>,
    /// Channel of largest spread.
    axis: usize,
    /// Spread times the square root of the pixels in it: rare colours count, but less.
    loss: u64,
}

impl Box3 {
    fn around(bins: Vec<Bin>) -> Self {
        let spread = |channel: usize| {
            let means = bins.iter().map(|b| b.mean(channel));
            let (lo, hi) = means.fold((u32::MAX, 0), |(lo, hi), m| (lo.min(m), hi.max(m)));
            hi.saturating_sub(lo)
        };
        let spreads = [spread(0), spread(1), spread(2)];
        let axis = (0..3).max_by_key(|&i| spreads[i]).unwrap_or(0);
        let pixels: u64 = bins.iter().map(|b| u64::from(b.count)).sum();
        Self { axis, loss: u64::from(spreads[axis]).pow(2) * (1 + pixels.isqrt()), bins }
    }

    /// In two along the axis of largest spread, at the median pixel. There are two bins at least.
    fn split(mut self) -> [Self; 2] {
        let axis = self.axis;
        self.bins.sort_unstable_by_key(|b| b.mean(axis));
        let half = self.bins.iter().map(|b| u64::from(b.count)).sum::<u64>() / 2;
        let mut seen = 0;
        let median = self.bins.iter().position(|b| {
            seen += u64::from(b.count);
            seen > half
        });
        let at = median.unwrap_or(0).clamp(1, self.bins.len() - 1);
        let high = self.bins.split_off(at);
        [Self::around(self.bins), Self::around(high)]
    }

    fn mean(&self) -> [u8; 3] {
        let count: u64 = self.bins.iter().map(|b| u64::from(b.count)).sum();
        std::array::from_fn(|i| {
            let sum: u64 = self.bins.iter().map(|b| u64::from(b.sum[i])).sum();
            ((sum + count / 2) / count.max(1)) as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let colours = [[255, 255, 255], [0, 0, 0], [38, 44, 52], [255, 0, 255]];
        let mut palette = Palette::for_pixels(colours.into_iter().cycle().take(1000));
        for (i, colour) in colours.into_iter().enumerate() {
            let index = usize::from(palette.index(colour, i, 2 * i));
            assert_eq!(palette.colours[index], colour);
        }
    }

    #[test]
    fn many_colours_come_out_close() {
        let pixels: Vec<[u8; 3]> = (0..=255_u8).flat_map(|a| (0..64_u8).map(move |b| [a, b * 4, 255 - a])).collect();
        let mut palette = Palette::for_pixels(pixels.iter().copied());
        assert!(palette.colours.len() <= 255);
        for (i, &pixel) in pixels.iter().enumerate() {
            let index = palette.index(pixel, i % 7, i / 7);
            let got = palette.colours[usize::from(index)];
            assert!(pixel.iter().zip(got).all(|(a, b)| a.abs_diff(b) < 24));
        }
    }

    #[test]
    fn no_pixels_give_a_palette_all_the_same() {
        assert_eq!(Palette::for_pixels(std::iter::empty()).bytes().len(), 6);
    }
}
