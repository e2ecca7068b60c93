//! Where everything goes on the page.

use crate::canvas::{Ink, Rect};
use crate::text::Typeface;
use crate::ticks::Ticks;

pub(super) const PAPER: Ink = [255, 255, 255];
pub(super) const TEXT: Ink = [38, 44, 52];
pub(super) const FAINT: Ink = [110, 118, 128];

/// Type and measures, scaled with the width of the picture.
pub(super) struct Style {
    /// Pixels per unit: 1 at a width of 960.
    pub(super) unit: f32,
    pub(super) width: usize,
    pub(super) small: Typeface,
    pub(super) large: Typeface,
}

impl Style {
    pub(super) fn for_width(width: usize) -> Self {
        let width = width.clamp(160, 8192);
        let unit = (width as f32 / 960.0).clamp(0.72, 8.0);
        Self { unit, width, small: Typeface::new(15.5 * unit), large: Typeface::new(22.0 * unit) }
    }

    /// A measure in whole pixels.
    pub(super) fn px(&self, units: f32) -> i32 {
        (units * self.unit).round() as i32
    }

    /// Thickness of rules, pixels.
    pub(super) fn rule(&self) -> i32 {
        self.px(1.0).max(1)
    }
}

/// An axis in the unit that its labels show.
pub(super) struct Axis {
    pub(super) label: String,
    /// Ends, in label units.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Metres per label unit.
    metres: f64,
}

impl Axis {
    /// A horizontal axis in metres, or in kilometres when it is long.
    pub(super) fn along(name: &str, origin: f64, extent: f64) -> Self {
        let origin = if origin.is_finite() { origin } else { 0.0 };
        let (unit, metres) = if extent >= 1e4 { ("km", 1e3) } else { ("m", 1.0) };
        Self { label: format!("{name} ({unit})"), lo: origin / metres, hi: (origin + extent) / metres, metres }
    }

    /// A vertical axis in metres.
    pub(super) fn elevation(lo: f64, hi: f64) -> Self {
        Self { label: "elevation (m)".to_owned(), lo, hi, metres: 1.0 }
    }

    /// Metres from end to end.
    pub(super) fn length(&self) -> f64 {
        (self.hi - self.lo) * self.metres
    }

    /// Ticks for an axis drawn `room` pixels long, one per `spacing` at most.
    pub(super) fn ticks(&self, room: i32, spacing: f32) -> Ticks {
        let count = (room as f32 / spacing).floor().max(1.0) as usize;
        Ticks::linear(self.lo, self.hi, count)
    }
}

/// The page: its size in pixels, and its parts.
pub(super) struct Page {
    pub(super) size: [usize; 2],
    /// The map, or the section when drawn from the side.
    pub(super) map: Rect,
    /// The colour bar.
    pub(super) bar: Rect,
    /// The bar stands beside the map, low values at the bottom; otherwise it lies below.
    pub(super) bar_upright: bool,
    /// Baseline of the axis label, the remark and the scale bar below the map.
    pub(super) foot: i32,
}

/// A page around a map of true proportions, as far as legible: a map more than ten times as long
/// as wide is stretched (the caller says so on the page).
pub(super) fn map_page(style: &Style, x: &Axis, z: &Axis, range: [f32; 2]) -> Page {
    let ratio = z.length() / x.length();
    let beside = room_for_map(style, z, range, true);
    let least = style.px(84.0);
    // A flat map would leave a bar beside it too short to read.
    let bar_upright = f64::from(beside) * ratio >= f64::from(style.px(170.0));
    let widest = room_for_map(style, z, range, bar_upright);
    let tallest = (style.width as i32 * 4 / 5).max(least);
    let h = (f64::from(widest) * ratio).min(tallest.into());
    let w = ((h / ratio) as i32).clamp(least.min(widest), widest);
    page(style, z, range, [w, (h as i32).max(least)], bar_upright)
}

/// A page around a section seen from the side, twice as wide as high.
pub(super) fn side_page(style: &Style, y: &Axis, range: [f32; 2]) -> Page {
    let w = room_for_map(style, y, range, true);
    page(style, y, range, [w, style.width as i32 * 2 / 5], true)
}

/// A page around a vertical cut of true proportions, as far as legible, without a colour bar.
pub(super) fn section_page(style: &Style, x: &Axis, y: &Axis) -> Page {
    let no_bar = [0.0, 1.0];
    let ratio = y.length() / x.length();
    let least = style.px(84.0);
    let widest = room_for_map(style, y, no_bar, false);
    let tallest = (style.width as i32 * 4 / 5).max(least);
    let h = (f64::from(widest) * ratio).min(tallest.into());
    let w = ((h / ratio) as i32).clamp(least.min(widest), widest);
    let page = page(style, y, no_bar, [w, (h as i32).max(least)], false);
    let end = (page.foot + style.px(18.0)).max(2) as usize;
    Page { size: [page.size[0], end.next_multiple_of(2)], ..page }
}

/// Pixels across that remain for the map between the labels on both sides.
fn room_for_map(style: &Style, vertical: &Axis, range: [f32; 2], bar_upright: bool) -> i32 {
    let right = if bar_upright { right_margin(style, range) } else { style.px(30.0) };
    (style.width as i32 - left_margin(style, vertical) - right).max(8)
}

fn left_margin(style: &Style, vertical: &Axis) -> i32 {
    // The spacing that most maps get; the widest label hardly depends on it.
    widest(style, &vertical.ticks(style.px(400.0), 50.0 * style.unit)) + style.px(44.0)
}

fn right_margin(style: &Style, range: [f32; 2]) -> i32 {
    let ticks = bar_ticks(style, range, style.px(300.0), true);
    widest(style, &ticks) + style.px(82.0)
}

/// Ticks of the colour bar.
pub(super) fn bar_ticks(style: &Style, range: [f32; 2], length: i32, upright: bool) -> Ticks {
    let spacing = style.unit * if upright { 42.0 } else { 90.0 };
    let count = (length as f32 / spacing).floor().clamp(2.0, 10.0) as usize;
    Ticks::linear(range[0].into(), range[1].into(), count)
}

fn widest(style: &Style, ticks: &Ticks) -> i32 {
    let widths = ticks.values.iter().map(|&v| style.small.width(&ticks.label(v)));
    widths.fold(0.0, f32::max).ceil() as i32
}

fn page(style: &Style, vertical: &Axis, range: [f32; 2], [w, h]: [i32; 2], upright: bool) -> Page {
    let left = left_margin(style, vertical);
    let spare = room_for_map(style, vertical, range, upright) - w;
    let map = Rect { x: left + spare / 2, y: style.px(50.0), w, h };
    let foot = map.bottom() + style.px(44.0);
    let (bar, end) = if upright {
        let bar = Rect { x: map.right() + style.px(24.0), y: map.y, w: style.px(16.0), h };
        (bar, foot + style.px(18.0))
    } else {
        let bar = Rect { x: map.x, y: foot + style.px(20.0), w, h: style.px(13.0) };
        (bar, bar.bottom() + style.px(56.0))
    };
    Page {
        // Even, because video encoders want that.
        size: [style.width, (end.max(2) as usize).next_multiple_of(2)],
        map,
        bar,
        bar_upright: upright,
        foot,
    }
}
