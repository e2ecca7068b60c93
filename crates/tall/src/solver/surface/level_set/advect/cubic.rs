//! The level set between samples, by cubics.

use thalweg_columns::interpolate::cell_at;
use thalweg_columns::{Heights, Shape};

use crate::solver::stages::advect::Point;

/// Level sets nearer to the surface than this are read by cubics, cells: their samples are nearer than the end of the
/// band, where distances are cut off.
pub(crate) const SHARP: f32 = 2.0;

/// Weights of four samples at -1, 0, 1, 2 for a value at `s` between the middle ones: the cubic through them.
#[inline(always)]
fn weights(s: f32) -> [f32; 4] {
    let (a, b, c) = (s + 1.0, s - 1.0, s - 2.0);
    [-s * b * c / 6.0, a * b * c / 2.0, -a * s * c / 2.0, a * s * b / 6.0]
}

/// The cubic through 4 x 4 x 4 cells around a point, kept between the eight nearest; `None` over the top of a column.
#[inline(always)]
pub(super) fn cubic_level_set(
    shape: Shape,
    heights: impl Fn(usize) -> Heights,
    phi: &[f32],
    point: Point,
) -> Option<f32> {
    let n = shape.samples();
    let (x, z) = (point[0].clamp(0.0, (shape.nx - 1) as f32), point[2].clamp(0.0, (shape.nz - 1) as f32));
    let (i, j, k) = (x as i32, point[1].floor(), z as i32);
    let [wx, wy, wz] = [weights(x - i as f32), weights(point[1] - j), weights(z - k as f32)];
    let y = j as i32;
    let (mut sum, mut low, mut high) = (0.0, f32::INFINITY, f32::NEG_INFINITY);
    for (c, wz) in wz.iter().enumerate() {
        if *wz == 0.0 {
            continue;
        }
        let row = (k + c as i32 - 1).clamp(0, shape.nz as i32 - 1) as usize * shape.nx;
        for (a, wx) in wx.iter().enumerate() {
            if *wx == 0.0 {
                continue;
            }
            let column = row + (i + a as i32 - 1).clamp(0, shape.nx as i32 - 1) as usize;
            let h = heights(column);
            let line = &phi[column * n..][..n];
            let first = y - h[1] + 1;
            if first + 3 >= n as i32 {
                return None;
            }
            let values: [f32; 4] = if first >= 2 {
                let at = first as usize;
                [line[at], line[at + 1], line[at + 2], line[at + 3]]
            } else {
                std::array::from_fn(|b| cell_at(line, h, y + b as i32 - 1))
            };
            sum += wz * wx * (wy[0] * values[0] + wy[1] * values[1] + wy[2] * values[2] + wy[3] * values[3]);
            if (a == 1 || a == 2) && (c == 1 || c == 2) {
                low = low.min(values[1].min(values[2]));
                high = high.max(values[1].max(values[2]));
            }
        }
    }
    Some(sum.clamp(low, high))
}
