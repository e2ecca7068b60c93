//! Text in pictures: an embedded font (see `assets/README.md`), drawn with anti-aliasing.

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};

/// The embedded font at one size.
pub(crate) struct Typeface {
    font: Option<FontRef<'static>>,
    size: f32,
}

impl Typeface {
    /// `size` is the height of a line, in pixels.
    pub(crate) fn new(size: f32) -> Self {
        let bytes = include_bytes!("../assets/roboto-subset.ttf");
        Self {
            font: FontRef::try_from_slice(bytes).ok(), // a test holds that it is
            size,
        }
    }

    /// Pixels across.
    pub(crate) fn width(&self, text: &str) -> f32 {
        self.glyphs(text).last().map_or(0.0, |(_, end)| end)
    }

    /// Height of a capital letter, pixels.
    pub(crate) fn cap_height(&self) -> f32 {
        self.size * 0.607 // Roboto: 1456 of 2048 per em, and 2400 a line
    }

    /// The text, shortened with an ellipsis until it is no wider than `room`.
    pub(crate) fn fitted(&self, text: &str, room: f32) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let room = room - self.width("…");
        let fits = self.glyphs(text).take_while(|&(_, end)| end <= room).count();
        let mut short: String = text.chars().take(fits).collect();
        short.truncate(short.trim_end().len());
        short.push('…');
        short
    }

    /// Calls `pixel(x, y, coverage)` for every pixel the text touches. `x` is the left end and
    /// `y` the baseline, in pixels; they may lie outside the picture, and so may the pixels.
    pub(crate) fn draw(&self, text: &str, x: f32, y: f32, mut pixel: impl FnMut(i32, i32, f32)) {
        let Some(font) = &self.font else { return };
        for (mut glyph, _) in self.glyphs(text) {
            glyph.position = point(glyph.position.x + x, y);
            if let Some(outline) = font.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|dx, dy, coverage| {
                    pixel(corner.x as i32 + dx as i32, corner.y as i32 + dy as i32, coverage);
                });
            }
        }
    }

    /// Each letter at its place from x = 0, with the place where it ends.
    fn glyphs<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (Glyph, f32)> + 'a {
        let font = self.font.as_ref();
        let mut x = 0.0;
        text.chars().filter_map(move |letter| {
            let scaled = font?.as_scaled(PxScale::from(self.size));
            let mut glyph = scaled.scaled_glyph(letter);
            glyph.position = point(x, 0.0);
            x += scaled.h_advance(glyph.id);
            Some((glyph, x))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_we_print() {
        let face = Typeface::new(16.0);
        let font = face.font.as_ref().expect("the embedded font");
        for letter in "Ag09 (m/s)−×·²³°µéßøΩηφ…–≈".chars() {
            assert_ne!(font.glyph_id(letter).0, 0, "no glyph for {letter}");
        }
    }

    #[test]
    fn long_text_is_cut_to_fit() {
        let face = Typeface::new(16.0);
        let text = "A very long title ".repeat(20);
        let cut = face.fitted(&text, 200.0);
        assert!(face.width(&cut) <= 200.0 && cut.ends_with('…'));
        assert_eq!(face.fitted("ab", 200.0), "ab");
        let _ = face.fitted("ab", -5.0);
    }

    #[test]
    fn text_leaves_ink() {
        let mut ink = 0.0;
        Typeface::new(20.0).draw("H", 3.0, 20.0, |_, _, c| ink += c);
        assert!(ink > 20.0);
    }
}
