use rayon::prelude::*;
use thalweg_columns::Shape;
use thalweg_columns::flow::FlowSlices;
use thalweg_columns::grid::{is_tall, world_cell};

use super::constants::{DISC, FARTHEST, FLAT, SKIN, THIN, UNITS};
use super::{MergeSlices, ThickenParams, ThickenSlices};
use crate::solver::stages::advect::{Centres, Field, trace};

/// A particle after its move.
struct Ball {
    place: [f32; 3],
    radius: f32,
}

fn along(point: [f32; 3], by: f32, way: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| point[axis] + by * way[axis])
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt().max(1e-6);
    v.map(|c| c / length)
}

/// The axis along which the level set rises most to both sides.
fn sharpest(bends: [f32; 3]) -> [f32; 3] {
    if bends[0] > bends[1] && bends[0] > bends[2] {
        [1.0, 0.0, 0.0]
    } else if bends[1] > bends[2] {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    }
}

/// The particles of a cell, if it is thin.
fn balls(p: &ThickenParams, flow: &FlowSlices<'_>, point: [f32; 3], phi: f32, out: &mut Vec<Ball>) {
    let (mut n, mut bends) = ([0.0; 3], [0.0; 3]);
    for axis in 0..3 {
        let [mut low, mut high] = [point, point];
        low[axis] -= 1.0;
        high[axis] += 1.0;
        let [low, high] = [low, high].map(|place| flow.phi_at(place));
        (n[axis], bends[axis]) = (high - low, high + low);
    }
    let n = if n[0] * n[0] + n[1] * n[1] + n[2] * n[2] < FLAT { sharpest(bends) } else { unit(n) };
    let [left, right] = [-2.0 * THIN, 2.0 * THIN].map(|by| flow.phi_at(along(point, by, n)));
    if left <= 0.0 || right <= 0.0 {
        return;
    }
    let middle = along(point, THIN * (phi / (left - phi) - phi / (right - phi)), n);
    let a = unit(cross(n, if n[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] }));
    let b = cross(n, a);
    let field = Centres { shape: flow.shape, heights: flow.heights, values: flow.velocity };
    for [s, t] in DISC {
        let place = along(along(middle, s, a), t, b);
        let radius = -flow.phi_at(place);
        if radius > 0.0 {
            let place = trace(flow.shape, place, p.cells_per_speed, field.at(place), &field);
            out.push(Ball { place, radius });
        }
    }
}

pub(super) fn thicken(p: &ThickenParams, s: ThickenSlices<'_>) {
    let shape = Shape { nx: p.nx as usize, nz: p.nz as usize, regular: p.samples as usize - 2 };
    let n = shape.samples();
    let flow = FlowSlices { shape, heights: s.heights, phi: s.phi, velocity: s.centres, solid: &[] };
    let columns = (0..shape.columns()).into_par_iter().with_min_len(16);
    let balls: Vec<Vec<Ball>> = columns
        .map(|column| {
            let mut out = Vec::new();
            let heights = s.heights[column];
            for sample in if is_tall(heights) { 2 } else { 0 }..n {
                let phi = s.phi[column * n + sample];
                if (-THIN..=0.0).contains(&phi) {
                    let [i, k] = [column % shape.nx, column / shape.nx].map(|c| c as f32);
                    balls(p, &flow, [i, world_cell(heights, sample) as f32, k], phi, &mut out);
                }
            }
            out
        })
        .collect();
    for ball in balls.iter().flatten() {
        write(&shape, s.heights, ball, s.keys);
    }
}

/// Tells the cells around a particle how near it is.
fn write(shape: &Shape, heights: &[[i32; 2]], ball: &Ball, keys: &mut [u32]) {
    let (n, reach) = (shape.samples() as i32, ball.radius + SKIN);
    let range = |axis: usize| (ball.place[axis] - reach).ceil() as i32..=(ball.place[axis] + reach).floor() as i32;
    for k in range(2).filter(|k| (0..shape.nz as i32).contains(k)) {
        for i in range(0).filter(|i| (0..shape.nx as i32).contains(i)) {
            let column = i as usize + shape.nx * k as usize;
            let [bottom, top] = heights[column];
            let first = if top - bottom > 2 { 2 } else { 0 };
            for y in range(1) {
                let sample = y - top + 2;
                if sample < first || sample >= n {
                    continue;
                }
                let [dx, dy, dz] = [i as f32 - ball.place[0], y as f32 - ball.place[1], k as f32 - ball.place[2]];
                let away = (dx * dx + dy * dy + dz * dz).sqrt() - ball.radius;
                if away <= SKIN {
                    let at = column * n as usize + sample as usize;
                    keys[at] = keys[at].max(((FARTHEST - away) * UNITS) as u32);
                }
            }
        }
    }
}

pub(super) fn merge(p: &ThickenParams, s: MergeSlices<'_>) {
    let len = (p.nx * p.nz * p.samples) as usize;
    s.moved[..len].par_iter_mut().zip(s.keys).with_min_len(4096).for_each(|(phi, key)| {
        if *key > 0 {
            *phi = phi.min(FARTHEST - *key as f32 / UNITS);
        }
    });
}
