//! Drawing on a picture: rectangles, lines and text, clipped to it.

use crate::colour::{Encoder, Rgb};
use crate::image::Image;
use crate::text::Typeface;

/// sRGB bytes.
pub(crate) type Ink = [u8; 3];

/// A rectangle of whole pixels, `y` down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) w: i32,
    pub(crate) h: i32,
}

impl Rect {
    pub(crate) fn right(&self) -> i32 {
        self.x + self.w
    }

    pub(crate) fn bottom(&self) -> i32 {
        self.y + self.h
    }
}

/// Where a text stands relative to the point given for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

/// A picture with tools.
pub(crate) struct Canvas {
    pub(crate) image: Image,
    pub(crate) encoder: Encoder,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize, paper: Ink) -> Self {
        Self { image: Image::filled(width, height, paper), encoder: Encoder::new() }
    }

    /// Sets one pixel from linear light.
    pub(crate) fn set(&mut self, x: i32, y: i32, colour: Rgb) {
        let ink = self.encoder.srgb(colour);
        if let Some(pixel) = self.pixel(x, y) {
            *pixel = ink;
        }
    }

    /// Lays `ink` over a pixel.
    pub(crate) fn blend(&mut self, x: i32, y: i32, ink: Ink, coverage: f32) {
        let Some(pixel) = self.pixel(x, y) else {
            return;
        };
        for (under, over) in pixel.iter_mut().zip(ink) {
            let u = f32::from(*under);
            *under = (u + (f32::from(over) - u) * coverage.clamp(0.0, 1.0) + 0.5) as u8;
        }
    }

    fn pixel(&mut self, x: i32, y: i32) -> Option<&mut Ink> {
        let inside = |v: i32, n: usize| usize::try_from(v).ok().filter(|&v| v < n);
        let (x, y) = (inside(x, self.image.width)?, inside(y, self.image.height)?);
        let pixels = self.image.rgb.as_chunks_mut::<3>().0;
        pixels.get_mut(y * self.image.width + x)
    }

    pub(crate) fn fill(&mut self, area: Rect, ink: Ink) {
        for y in area.y..area.bottom() {
            for x in area.x..area.right() {
                if let Some(pixel) = self.pixel(x, y) {
                    *pixel = ink;
                }
            }
        }
    }

    /// A frame of `thickness` pixels just outside `area`.
    pub(crate) fn frame(&mut self, area: Rect, thickness: i32, ink: Ink) {
        let t = thickness;
        let Rect { x, y, w, h } = area;
        self.fill(Rect { x: x - t, y: y - t, w: w + 2 * t, h: t }, ink);
        self.fill(Rect { x: x - t, y: y + h, w: w + 2 * t, h: t }, ink);
        self.fill(Rect { x: x - t, y, w: t, h }, ink);
        self.fill(Rect { x: x + w, y, w: t, h }, ink);
    }

    /// Text on one line; `y` is the baseline.
    pub(crate) fn text(&mut self, face: &Typeface, text: &str, at: (f32, f32), align: Align, ink: Ink) {
        let width = face.width(text);
        let x = match align {
            Align::Left => at.0,
            Align::Centre => at.0 - width / 2.0,
            Align::Right => at.0 - width,
        };
        face.draw(text, x, at.1, |x, y, c| self.blend(x, y, ink, c));
    }

    /// Text that reads upwards, centred on `at`; `at.0` is the baseline.
    pub(crate) fn text_upwards(&mut self, face: &Typeface, text: &str, at: (f32, f32), ink: Ink) {
        let width = face.width(text);
        let (x0, y0) = (at.0.round() as i32, at.1.round() as i32);
        face.draw(text, -width / 2.0, 0.0, |x, y, c| self.blend(x0 + y, y0 - x, ink, c));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_outside_is_clipped() {
        let mut canvas = Canvas::new(4, 4, [255; 3]);
        let area = Rect { x: -10, y: -10, w: 12, h: 12 };
        canvas.fill(area, [0; 3]);
        canvas.frame(area, 2, [9; 3]);
        canvas.text(&Typeface::new(30.0), "Wide", (-5.0, 3.0), Align::Left, [0; 3]);
        canvas.text_upwards(&Typeface::new(30.0), "Wide", (2.0, 50.0), [0; 3]);
        assert_eq!(canvas.image.rgb.len(), 48);
        assert_eq!(canvas.image.pixel(0, 0), Some([0; 3]));
    }
}
