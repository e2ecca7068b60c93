//! From sRGB pixels to the planes of a video: BT.709, limited range, colour at half the resolution.

use rav1e::prelude::Plane;

use crate::Image;

/// Weights of red, green and blue in brightness (ITU-R BT.709, item 3.2).
const KR: f32 = 0.2126;
const KG: f32 = 0.7152;
const KB: f32 = 0.0722;

/// Brightness of a pixel, 16 (black) to 235 (white).
fn brightness([r, g, b]: [f32; 3]) -> f32 {
    16.0 + 219.0 / 255.0 * (KR * r + KG * g + KB * b)
}

/// Differences of blue and red to brightness, 16 to 240, grey is 128.
fn differences([r, g, b]: [f32; 3]) -> [f32; 2] {
    let y = KR * r + KG * g + KB * b;
    [(b - y) / (2.0 * (1.0 - KB)), (r - y) / (2.0 * (1.0 - KR))].map(|d| 128.0 + 224.0 / 255.0 * d)
}

/// The nearest whole number of a value from 16 to 240.
fn byte(value: f32) -> u8 {
    (value + 0.5) as u8
}

/// Fills the three planes of a frame. Sides are even: where the picture's is odd, its last column or row is
/// repeated.
pub(super) fn fill(planes: &mut [Plane<u8>; 3], image: &Image) {
    let [w, h] = [image.width, image.height];
    let [even_w, even_h] = [w, h].map(|side| side.next_multiple_of(2));
    let pixels = image.rgb.as_chunks::<3>().0;
    let row = |y: usize| &pixels[y.min(h - 1) * w..][..w];
    let mut y_plane = Vec::with_capacity(even_w * even_h);
    let mut differences_planes = [(); 2].map(|()| Vec::with_capacity(even_w * even_h / 4));
    for y in 0..even_h {
        y_plane.extend(row(y).iter().map(|pixel| byte(brightness(pixel.map(f32::from)))));
        if w < even_w {
            y_plane.extend_from_within(y_plane.len() - 1..);
        }
    }
    for y in (0..even_h).step_by(2) {
        for (above, below) in row(y).chunks(2).zip(row(y + 1).chunks(2)) {
            let four = [above[0], above[above.len() - 1], below[0], below[below.len() - 1]];
            let sum = |c: usize| four.iter().map(|pixel| u16::from(pixel[c])).sum::<u16>();
            let mean = [0, 1, 2].map(|c| f32::from(sum(c)) / 4.0);
            for (plane, value) in differences_planes.iter_mut().zip(differences(mean)) {
                plane.push(byte(value));
            }
        }
    }
    let [u_plane, v_plane] = differences_planes;
    for (plane, (bytes, stride)) in
        planes.iter_mut().zip([(y_plane, even_w), (u_plane, even_w / 2), (v_plane, even_w / 2)])
    {
        plane.copy_from_raw_u8(&bytes, stride, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of full colours as ITU-R BT.709 gives them for eight bits.
    #[test]
    fn colours_have_the_values_of_the_standard() {
        for (rgb, y, u, v) in [
            ([0.0, 0.0, 0.0], 16, 128, 128),
            ([255.0, 255.0, 255.0], 235, 128, 128),
            ([255.0, 0.0, 0.0], 63, 102, 240),
            ([0.0, 255.0, 0.0], 173, 42, 26),
            ([0.0, 0.0, 255.0], 32, 240, 118),
        ] {
            assert_eq!(brightness(rgb).round() as u8, y, "{rgb:?}");
            assert_eq!(differences(rgb).map(|d| d.round() as u8), [u, v], "{rgb:?}");
        }
    }

    /// Half a unit more or less would be another byte: every brightness that there is must be rounded as numbers are.
    #[test]
    fn values_are_rounded_to_the_nearest() {
        for n in 0..1 << 24 {
            let rgb = [n >> 16, n >> 8 & 255, n & 255].map(|c| c as f32);
            let y = brightness(rgb);
            assert_eq!(byte(y), y.round() as u8, "{rgb:?}");
            if n % 101 == 0 {
                let seen = differences(rgb.map(|c| c - 0.25));
                seen.iter().for_each(|&d| assert_eq!(byte(d), d.round() as u8, "{rgb:?}"));
            }
        }
    }
}
