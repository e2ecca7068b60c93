//! Pictures of height-field water, as a hydraulic engineer would draw them.
//!
//! Dry ground is shaded relief, water is coloured by a field and shaded by the slope of its surface, with a crisp
//! shoreline, axes, a colour bar and a scale bar. A domain one cell thick is drawn from the side. Three-dimensional
//! water is cut vertically by [`draw_section`]. Any numbers give a picture: those that are not finite are magenta.

mod annotations;
mod cells;
mod layout;
mod map;
mod section;
mod side;
#[cfg(test)]
mod tests;

use crate::canvas::Canvas;
use crate::colour::ColourMap;
use crate::image::Image;
use layout::{Axis, Style};

pub use section::{SectionView, draw_section};

/// What [`PlanView::values`] holds, which decides the colours and the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Water depth, m. Pale to dark blue.
    Depth,
    /// Speed of the water, m/s. Indigo through green to pale yellow.
    Speed,
    /// Height of the water surface, m. Blue troughs and red crests; the middle of the range is
    /// the still level.
    Surface,
    /// Greatest depth so far, m. Colours of the depth.
    MaxDepth,
    /// Greatest speed so far, m/s. Colours of the speed.
    MaxSpeed,
    /// Highest water surface so far, m. Colours of the surface.
    MaxSurface,
    /// Time of the first wetting, s. Early is dark red, late is pale.
    Arrival,
    /// Time of the highest surface so far, s. The same colours.
    PeakTime,
}

impl FieldKind {
    fn label(self) -> &'static str {
        match self {
            Self::Depth => "depth (m)",
            Self::Speed => "speed (m/s)",
            Self::Surface => "surface (m)",
            Self::MaxDepth => "greatest depth (m)",
            Self::MaxSpeed => "greatest speed (m/s)",
            Self::MaxSurface => "highest surface (m)",
            Self::Arrival => "arrival (s)",
            Self::PeakTime => "time of the peak (s)",
        }
    }

    fn colours(self) -> ColourMap {
        match self {
            Self::Depth | Self::MaxDepth => ColourMap::depth(),
            Self::Speed | Self::MaxSpeed => ColourMap::speed(),
            Self::Surface | Self::MaxSurface => ColourMap::surface(),
            Self::Arrival | Self::PeakTime => ColourMap::time(),
        }
    }
}

/// One state of the water, and how to show it.
///
/// Arrays hold one value per cell, x fastest: cell (i, k) is at `i + nx * k`. The picture has x to
/// the right and z up the page. Values that an array lacks count as not finite.
#[derive(Debug, Clone, Copy)]
pub struct PlanView<'a> {
    /// Cells along x.
    pub nx: usize,
    /// Cells along z.
    pub nz: usize,
    /// Size of a cell, m.
    pub cell: f64,
    /// x and z of the domain's lower corner, m.
    pub origin: [f64; 2],
    /// Height of the ground, m.
    pub bed: &'a [f32],
    /// Depth of the water, m.
    pub depth: &'a [f32],
    /// What `values` is.
    pub field: FieldKind,
    /// The field that colours the water; only its wet cells matter.
    pub values: &'a [f32],
    /// Values at the two ends of the colour bar. What lies beyond gets the end's colour.
    pub range: [f32; 2],
    /// Ground is drawn dry where the depth is no more than this, m.
    pub dry_depth: f32,
    /// Heading, shortened if it does not fit.
    pub title: &'a str,
    /// Simulated time, s.
    pub time: f64,
    /// Width of the whole picture in pixels, held to 160..=8192.
    pub width: usize,
}

impl PlanView<'_> {
    /// Where `value` lies between the ends of the colour bar, 0 to 1.
    fn position_in_range(&self, value: f32) -> f32 {
        let [lo, hi] = self.range;
        if hi > lo { (value - lo) / (hi - lo) } else { 0.5 }
    }

    /// Size of the domain along x and z, m; never zero.
    fn extent(&self) -> [f64; 2] {
        let cell = if self.cell.is_finite() && self.cell > 0.0 { self.cell } else { 1.0 };
        [self.nx.max(1) as f64 * cell, self.nz.max(1) as f64 * cell]
    }
}

/// Draws the water from above; from the side if the domain is one cell thick.
#[must_use]
pub fn draw(view: &PlanView<'_>) -> Image {
    let style = Style::for_width(view.width);
    let [x_extent, z_extent] = view.extent();
    let x_axis = Axis::along("x", view.origin[0], x_extent);
    let z_axis = Axis::along("z", view.origin[1], z_extent);
    if view.nz == 1 {
        side::draw(view, &style, x_axis)
    } else if view.nx == 1 {
        side::draw(view, &style, z_axis)
    } else {
        draw_from_above(view, &style, x_axis, z_axis)
    }
}

fn draw_from_above(view: &PlanView<'_>, style: &Style, x: Axis, z: Axis) -> Image {
    let page = layout::map_page(style, &x, &z, view.range);
    let mut canvas = Canvas::new(page.size[0], page.size[1], layout::PAPER);
    map::draw(&mut canvas, view, page.map);
    annotations::heading(&mut canvas, style, &page, view.title, view.time);
    annotations::axes(&mut canvas, style, &page, &x, &z);
    annotations::colour_bar(&mut canvas, style, &page, view);
    annotations::scale_bar(&mut canvas, style, &page, x.length());
    let stretch = (page.map.h as f64 / z.length()) / (page.map.w as f64 / x.length());
    if stretch > 1.05 {
        annotations::remark(&mut canvas, style, &page, &format!("z stretched × {}", factor(stretch)));
    } else if stretch < 0.95 {
        let text = format!("x stretched × {}", factor(1.0 / stretch));
        annotations::remark(&mut canvas, style, &page, &text);
    }
    canvas.image
}

/// A ratio in two digits or so.
fn factor(ratio: f64) -> String {
    if ratio >= 10.0 { format!("{ratio:.0}") } else { format!("{ratio:.1}") }
}
