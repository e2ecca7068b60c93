//! The map itself: relief, water and shoreline, pixel by pixel.

use super::PlanView;
use super::cells::{Cells, Look};
use crate::canvas::{Canvas, Rect};
use crate::colour::{NOT_FINITE, Rgb, linear_from_hex, mix};

/// How much of the ground's shading shows through the water. Its colour does not: a colour must
/// be found on the colour bar.
const CLARITY: f32 = 0.12;
/// Strength of the shading by waves.
const WAVE_SHADE: f32 = 0.36;
const SHORE: u32 = 0x20303c;

pub(super) fn draw(canvas: &mut Canvas, view: &PlanView<'_>, map: Rect) {
    let (w, h) = (map.w.max(0) as usize, map.h.max(0) as usize);
    if view.nx == 0 || view.nz == 0 || w == 0 || h == 0 {
        return;
    }
    let cells = Cells::prepare(view, w, h);
    let colours = view.field.colours();
    let columns: Vec<_> = (0..w).map(|x| Between::new(x, w, cells.span[0])).collect();
    // North is up: the picture's first row shows the last row of cells.
    let row = |y: usize| Between::new(h - 1 - y, h, cells.span[1]);
    let rows: Vec<_> = (0..h).map(row).collect();

    let wetness = Wetness { w, h, values: wetness_of_pixels(&cells, &columns, &rows) };
    let shore = linear_from_hex(SHORE);
    let line = 0.55 * (w as f32 / 850.0).clamp(1.0, 8.0); // half its width, pixels
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate() {
            let (px, py) = (map.x + x as i32, map.y + y as i32);
            let look = blend(&cells, column, row);
            let distance = wetness.distance_to_shore(x, y, line + 0.5);
            let water_share = (0.5 + distance).clamp(0.0, 1.0);
            let mut colour = look.land;
            if water_share > 0.0 {
                let light = look.wave * WAVE_SHADE + (look.relief - 1.0) * CLARITY;
                let water = shaded(colours.at(look.value), light);
                colour = mix(colour, water, water_share);
            }
            let line_share = (line + 0.5 - distance.abs()).clamp(0.0, 1.0);
            if line_share > 0.0 {
                colour = mix(colour, shore, 0.8 * line_share);
            }
            canvas.set(px, py, colour);
        }
    }
    mark_bad(canvas, &cells, map);
}

/// Paints over every pixel that a bad cell touches, so that every one is seen.
fn mark_bad(canvas: &mut Canvas, cells: &Cells, map: Rect) {
    let pixels = |cell: usize, span: f32, length: i32| {
        let first = (cell as f32 * length as f32 / span) as i32;
        let last = ((cell + 1) as f32 * length as f32 / span) as i32;
        (first.min(length - 1), last.clamp(first + 1, length))
    };
    for (i, _) in cells.bad.iter().enumerate().filter(|(_, bad)| **bad) {
        let (left, right) = pixels(i % cells.nx, cells.span[0], map.w);
        let (low, high) = pixels(i / cells.nx, cells.span[1], map.h);
        let area = Rect { x: map.x + left, y: map.bottom() - high, w: right - left, h: high - low };
        canvas.fill(area, NOT_FINITE);
    }
}

/// The two cells that a pixel lies between, and how far it is from the first to the second.
struct Between {
    first: usize,
    second: usize,
    share: f32,
}

impl Between {
    /// `span` is the number of cells over all the pixels; it need not be whole.
    fn new(pixel: usize, pixels: usize, span: f32) -> Self {
        let last = (span.ceil() as usize).max(1) - 1;
        let at = (pixel as f32 + 0.5) * span / pixels as f32 - 0.5;
        let at = at.clamp(0.0, last as f32);
        let first = (at as usize).min(last);
        Self { first, second: (first + 1).min(last), share: at - first as f32 }
    }
}

fn wetness_of_pixels(cells: &Cells, columns: &[Between], rows: &[Between]) -> Vec<f32> {
    let mut wetness = Vec::with_capacity(columns.len() * rows.len());
    for row in rows {
        let at = |x: usize, z: usize| cells.looks[x + cells.nx * z].wetness;
        wetness.extend(columns.iter().map(|column| {
            let low = lerp(at(column.first, row.first), at(column.second, row.first), column.share);
            let high = lerp(at(column.first, row.second), at(column.second, row.second), column.share);
            lerp(low, high, row.share)
        }));
    }
    wetness
}

/// How wet each pixel is.
struct Wetness {
    w: usize,
    h: usize,
    values: Vec<f32>,
}

impl Wetness {
    /// Pixels to the shoreline, positive on the water: the wetness over its gradient. Only the
    /// sign means anything when it is further than `reach`.
    fn distance_to_shore(&self, x: usize, y: usize, reach: f32) -> f32 {
        let at = |x: usize, y: usize| self.values[x + self.w * y];
        let here = at(x, y);
        let r = reach.ceil() as usize;
        let (x0, x1) = (x.saturating_sub(r), (x + r).min(self.w - 1));
        let (y0, y1) = (y.saturating_sub(r), (y + r).min(self.h - 1));
        let around = [at(x0, y), at(x1, y), at(x, y0), at(x, y1)];
        // Without this, a kink in the wetness is drawn as a second shoreline.
        if around.iter().all(|&v| (v > 0.0) == (here > 0.0)) {
            return 1e3_f32.copysign(here);
        }
        let gx = (around[1] - around[0]) / (x1 - x0).max(1) as f32;
        let gy = (around[3] - around[2]) / (y1 - y0).max(1) as f32;
        here / (gx * gx + gy * gy).sqrt().max(f32::MIN_POSITIVE)
    }
}

fn blend(cells: &Cells, column: &Between, row: &Between) -> Look {
    let at = |x: usize, z: usize| &cells.looks[x + cells.nx * z];
    let corners = [
        at(column.first, row.first),
        at(column.second, row.first),
        at(column.first, row.second),
        at(column.second, row.second),
    ];
    let (u, v) = (column.share, row.share);
    let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v];
    let mut sum = Look::default();
    for (corner, weight) in corners.into_iter().zip(weights) {
        sum.value += corner.value * weight;
        sum.wave += corner.wave * weight;
        sum.relief += corner.relief * weight;
        for (s, c) in sum.land.iter_mut().zip(corner.land) {
            *s += c * weight;
        }
    }
    sum
}

/// Lighter for a positive amount, darker for a negative one; the hue stays, and white is not
/// exceeded.
fn shaded(colour: Rgb, amount: f32) -> Rgb {
    let gain = 1.5 * amount;
    if gain <= 0.0 {
        return colour.map(|c| c * (1.0 + gain)); // over 1
    }
    colour.map(|c| c * (1.0 + gain) / (1.0 + gain.max(0.0) * c))
}

fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
