//! A vertical cut through three-dimensional water: sky, water, tall cells, ground, obstacles.

use super::layout::{Axis, PAPER, Style, section_page};
use super::{annotations, factor};
use crate::canvas::{Canvas, Rect};
use crate::colour::{NOT_FINITE, Rgb, linear_from_hex, mix};
use crate::image::Image;

const SKY: u32 = 0xffffff;
const WATER: u32 = 0x4a9bd9;
const TALL_WATER: u32 = 0x1f5f9e;
const WATER_LINE: u32 = 0x12304f;
const GROUND: u32 = 0xa3855f;
const GROUND_LINE: u32 = 0x4a3b2c;
const OBSTACLE: u32 = 0x9aa0a6;
const OBSTACLE_LINE: u32 = 0x50565c;
const TALL_TOP: u32 = 0xf28c28;

/// A vertical cut, and how to show it.
///
/// Arrays over cells are x fastest: cell (i, y) is at `i + nx * y`, and values are those of the middles of cells.
/// Values that an array lacks count as not finite.
#[derive(Debug, Clone, Copy)]
pub struct SectionView<'a> {
    /// Cells along x.
    pub nx: usize,
    /// Cells up.
    pub ny: usize,
    /// Edge of a cell, m.
    pub cell: f64,
    /// x and elevation of the lower corner, m.
    pub origin: [f64; 2],
    /// Distance to the surface of the water, m, negative in water.
    pub water: &'a [f32],
    /// Distance to the nearest obstacle, m, negative inside.
    pub obstacles: &'a [f32],
    /// Elevation of the ground per column, m.
    pub ground: &'a [f32],
    /// Elevation at which the tall cell of a column ends, m; `None` where there is none.
    pub tall_tops: &'a [Option<f32>],
    /// Heading, shortened if it does not fit.
    pub title: &'a str,
    /// Simulated time, s.
    pub time: f64,
    /// Width of the whole picture in pixels, held to 160..=8192.
    pub width: usize,
}

/// The two values beside a place along an axis, and their weights.
type Between = [(usize, f32); 2];

/// Between which of `count` values a place lies, in cells from the lower corner.
fn between(at: f32, count: usize) -> Between {
    let at = (at - 0.5).clamp(0.0, count.saturating_sub(1) as f32);
    let low = (at as usize).min(count.saturating_sub(2));
    [(low, 1.0 - at + low as f32), ((low + 1).min(count.saturating_sub(1)), at - low as f32)]
}

/// A field over the cells of a cut, all of them.
struct Cells {
    nx: usize,
    values: Vec<f32>,
}

impl Cells {
    /// What is not there is no number; infinities would make NaNs of their differences.
    fn new(view: &SectionView<'_>, field: &[f32]) -> Self {
        let value = |at: usize| field.get(at).map_or(f32::NAN, |v| v.clamp(-1e9, 1e9));
        Self { nx: view.nx, values: (0..view.nx * view.ny).map(value).collect() }
    }

    /// The mean around a place of the cells that count; of all if none does.
    fn sample(&self, counts: impl Fn(usize) -> bool, across: &Between, up: &Between) -> f32 {
        let mean = |counts: &dyn Fn(usize) -> bool| {
            let (mut sum, mut weights) = (0.0, 0.0);
            for (j, v) in up {
                for (i, u) in across {
                    let (at, weight) = (i + self.nx * j, u * v);
                    if weight > 0.0 && counts(at) {
                        sum += weight * self.values.get(at).copied().unwrap_or(f32::NAN);
                        weights += weight;
                    }
                }
            }
            (weights > 0.0).then(|| sum / weights)
        };
        mean(&counts).or_else(|| mean(&|_| true)).unwrap_or(f32::NAN)
    }
}

impl SectionView<'_> {
    /// The ground between the middles of columns, in cells over the lower corner.
    fn ground_at(&self, x: f32) -> f32 {
        let at = (x - 0.5).clamp(0.0, self.nx.saturating_sub(1) as f32);
        let get = |i: usize| self.ground.get(i.min(self.nx.saturating_sub(1))).copied().unwrap_or(f32::NAN);
        let low = at as usize;
        self.in_cells(get(low) + (get(low + 1) - get(low)) * (at - low as f32))
    }

    fn tall_top(&self, x: f32) -> Option<f32> {
        let column = (x.max(0.0) as usize).min(self.nx.saturating_sub(1));
        self.tall_tops.get(column).copied().flatten().map(|top| self.in_cells(top))
    }

    fn in_cells(&self, elevation: f32) -> f32 {
        ((f64::from(elevation) - self.origin[1]) / self.edge()) as f32
    }

    fn edge(&self) -> f64 {
        if self.cell.is_finite() && self.cell > 0.0 { self.cell } else { 1.0 }
    }
}

/// Draws a vertical cut, in true proportions as far as they are legible.
#[must_use]
pub fn draw_section(view: &SectionView<'_>) -> Image {
    let style = Style::for_width(view.width);
    let low = if view.origin[1].is_finite() { view.origin[1] } else { 0.0 };
    let along = Axis::along("x", view.origin[0], view.nx.max(1) as f64 * view.edge());
    let up = Axis::elevation(low, low + view.ny.max(1) as f64 * view.edge());
    let page = section_page(&style, &along, &up);
    let mut canvas = Canvas::new(page.size[0], page.size[1], PAPER);
    fill(&mut canvas, &style, view, page.map);
    annotations::heading(&mut canvas, &style, &page, view.title, view.time);
    annotations::axes(&mut canvas, &style, &page, &along, &up);
    annotations::scale_bar(&mut canvas, &style, &page, along.length());
    let stretch = (page.map.h as f64 / up.length()) / (page.map.w as f64 / along.length());
    let mut remarks = Vec::new();
    if !(0.95..=1.05).contains(&stretch) {
        remarks.push(format!("vertical exaggeration × {}", factor(stretch)));
    }
    if view.tall_tops.iter().any(Option::is_some) {
        remarks.push("orange: tops of tall cells".to_owned());
    }
    annotations::remark(&mut canvas, &style, &page, &remarks.join(", "));
    canvas.image
}

/// What is the same for a column of pixels.
struct Line {
    /// Where the pixels left of it, its own and those right of it lie between columns.
    across: [Between; 3],
    ground: f32,
    tall: Option<f32>,
    /// The line of the tops goes up and down between columns, and to the ground where tall cells end.
    tops: Option<[f32; 2]>,
}

fn fill(canvas: &mut Canvas, style: &Style, view: &SectionView<'_>, map: Rect) {
    let [sky, water, tall_water, water_line] = [SKY, WATER, TALL_WATER, WATER_LINE].map(linear_from_hex);
    let [ground_ink, ground_line, solid_ink, solid_line] =
        [GROUND, GROUND_LINE, OBSTACLE, OBSTACLE_LINE].map(linear_from_hex);
    let tall_top = linear_from_hex(TALL_TOP);
    let per_cell = [map.w as f32 / view.nx.max(1) as f32, map.h as f32 / view.ny.max(1) as f32];
    let half_line = 0.7 * style.unit;
    // Distances are in m, and covered parts of a pixel need them in pixels.
    let pixels = per_cell[1] / view.edge() as f32;
    let inside = |distance: f32| (0.5 - distance).clamp(0.0, 1.0);
    let on_line = |distance: f32| (half_line + 0.5 - distance.abs()).clamp(0.0, 1.0);
    let over = |under: Rgb, ink: Rgb, share: f32| if share > 0.0 { mix(under, ink, share) } else { under };
    let (waters, solids) = (Cells::new(view, view.water), Cells::new(view, view.obstacles));
    // The level set is not valid inside obstacles: it would show a gap of air around them.
    let is_outside = |at: usize| view.obstacles.get(at).is_none_or(|distance| *distance > 0.0);
    let lines = (0..map.w).map(|px| {
        let x = (px as f32 + 0.5) / per_cell[0];
        let (ground, tall) = (view.ground_at(x), view.tall_top(x));
        let next = view.tall_top(x + 1.0 / per_cell[0]);
        let tops = (tall.is_some() || next.is_some()).then(|| [tall, next].map(|top| top.unwrap_or(ground)));
        let across = [-1.0, 0.0, 1.0].map(|aside: f32| between(x + aside / per_cell[0], view.nx));
        Line { across, ground, tall, tops }
    });
    let lines: Vec<Line> = lines.collect();
    for py in 0..map.h {
        let y = (map.h as f32 - py as f32 - 0.5) / per_cell[1];
        let up = [-1.0, 0.0, 1.0].map(|aside: f32| between(y + aside / per_cell[1], view.ny));
        for (px, line) in (0..map.w).zip(&lines) {
            let Line { across, ground, tall, tops } = line;
            let value = |dx: usize, dy: usize| waters.sample(is_outside, &across[dx], &up[dy]) * pixels;
            let distance = in_plane(value(1, 1), value);
            let solid = solids.sample(|_| true, &across[1], &up[1]) * pixels;
            if !(distance.is_finite() && ground.is_finite() && solid.is_finite()) {
                canvas.fill(Rect { x: map.x + px, y: map.y + py, w: 1, h: 1 }, NOT_FINITE);
                continue;
            }
            let is_tall = tall.is_some_and(|top| y < top);
            let mut colour = over(sky, if is_tall { tall_water } else { water }, inside(distance));
            colour = over(colour, water_line, 0.8 * on_line(distance));
            if let Some([a, b]) = tops {
                let outside = (a.min(*b) - y).max(y - a.max(*b)).max(0.0) * per_cell[1];
                colour = over(colour, tall_top, on_line(outside));
            }
            colour = over(colour, solid_ink, inside(solid));
            colour = over(colour, solid_line, 0.8 * on_line(solid));
            let above_ground = (y - ground) * per_cell[1];
            colour = over(colour, ground_ink, inside(above_ground));
            colour = over(colour, ground_line, 0.8 * on_line(above_ground));
            canvas.set(map.x + px, map.y + py, colour);
        }
    }
}

/// Least change of the distance per pixel: flatter than that it is no surface that could be placed.
const FLATTEST: f32 = 0.1;

/// Distance to the surface in the plane of the picture, pixels. `distance` is the one in space, which is less where
/// water meets the cut at a flat angle: its edge would be a blur. `value` is the distance in space a pixel before (0),
/// at (1) or behind (2) a place along both axes.
fn in_plane(distance: f32, value: impl Fn(usize, usize) -> f32) -> f32 {
    if distance.abs() > 8.0 {
        return distance;
    }
    let slope = 0.5 * (value(2, 1) - value(0, 1)).hypot(value(1, 2) - value(1, 0));
    distance / slope.clamp(FLATTEST, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 x 20 cells of 0.1 m: ground of 0.3 m, tall cells to 0.7 m in the left half, water to 1.2 m, a block at the
    /// right.
    fn picture(spoil: impl Fn(&mut Vec<f32>)) -> Image {
        let cells = || (0..20).flat_map(|y| (0..40).map(move |i| (i as f32 * 0.1 + 0.05, y as f32 * 0.1 + 0.05)));
        let mut water: Vec<f32> = cells().map(|(_, y)| y - 1.2).collect();
        spoil(&mut water);
        let obstacles: Vec<f32> = cells().map(|(x, y)| (3.0 - x).max(x - 3.5).max(y - 1.6)).collect();
        let tall_tops: Vec<_> = (0..40).map(|i| (i < 20).then_some(0.7 + 5.0)).collect();
        draw_section(&SectionView {
            nx: 40,
            ny: 20,
            cell: 0.1,
            origin: [0.0, 5.0],
            water: &water,
            obstacles: &obstacles,
            ground: &[5.3; 40],
            tall_tops: &tall_tops,
            title: "A cut",
            time: 0.5,
            width: 640,
        })
    }

    fn share(image: &Image, ink: u32) -> f64 {
        let wanted = [(ink >> 16) as u8, (ink >> 8) as u8, ink as u8];
        let near = |p: &[u8; 3]| p.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
        image.rgb.as_chunks::<3>().0.iter().filter(|p| near(p)).count() as f64 / (image.width * image.height) as f64
    }

    #[test]
    fn every_part_has_its_colour_and_its_share() {
        let image = picture(|_| ());
        let ground = share(&image, GROUND);
        assert!(ground > 0.05, "{ground}");
        // Parts of the domain relative to its ground, which fills 0.15 of it.
        for (ink, wanted) in [(TALL_WATER, 0.1), (WATER, 0.45 - 0.1 - 0.125 * 0.45), (OBSTACLE, 0.125 * 0.65)] {
            let found = share(&image, ink) / ground * 0.15;
            assert!((found - wanted).abs() < 0.03, "{ink:x}: {found} instead of {wanted}");
        }
        assert!(share(&image, TALL_TOP) > 0.0, "the tops are marked");
        assert!((share(&image, 0xff00ff)).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_finite_shows() {
        let image = picture(|water| water[300] = f32::NAN);
        assert!(image.rgb != picture(|_| ()).rgb);
        let ink = NOT_FINITE;
        assert!(image.rgb.as_chunks::<3>().0.contains(&ink));
        let empty = SectionView {
            nx: 0,
            ny: 0,
            cell: f64::NAN,
            origin: [f64::NAN; 2],
            water: &[],
            obstacles: &[],
            ground: &[],
            tall_tops: &[],
            title: "",
            time: f64::NAN,
            width: 0,
        };
        assert!(draw_section(&empty).width >= 160);
    }
}
