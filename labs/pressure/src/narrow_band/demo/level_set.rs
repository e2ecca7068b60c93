//! Redistancing: the level set becomes a signed distance again without moving its zero.

use crate::narrow_band::grid::{FineGrid, strides, unravel};

/// Distances are kept right out to this many cells; beyond, the sign is all that matters.
const FAR: f64 = 10.0;

/// Sub-cell distances next to the surface (Russo & Smereka 2000), fast sweeping elsewhere (Zhao 2005).
pub(super) fn redistance(grid: &mut FineGrid) {
    let (cells, h, axes) = (grid.cells(), grid.spacing(), grid.dimensions());
    let stride = strides(cells);
    let old = std::mem::take(&mut grid.phi);
    let far = FAR * h;
    let mut distance = vec![far; old.len()];
    let mut fixed = vec![false; old.len()];
    for c in 0..old.len() {
        let at = unravel(cells, c);
        let mut slope = 0.0;
        for a in 0..axes {
            let lower = if at[a] > 0 { old[c - stride[a]] } else { old[c] };
            let upper = if at[a] + 1 < cells[a] { old[c + stride[a]] } else { old[c] };
            let own = old[c];
            fixed[c] |= (lower < 0.0) != (own < 0.0) || (upper < 0.0) != (own < 0.0);
            // The steepest of the three differences: the central one vanishes where two surfaces meet.
            let steepest = (0.5 * (upper - lower)).abs().max((upper - own).abs()).max((own - lower).abs());
            slope += steepest * steepest;
        }
        if fixed[c] {
            distance[c] = (h * old[c].abs() / slope.sqrt().max(1e-12)).min(far);
        }
    }
    // Two rounds: the solution near corners depends on several directions.
    for sweep in 0..1 << axes {
        let down = [0, 1, 2].map(|a| sweep >> a & 1 == 1);
        let order = |a: usize, i: usize| if down[a] { cells[a] - 1 - i } else { i };
        for k in 0..cells[2] {
            for j in 0..cells[1] {
                for i in 0..cells[0] {
                    let at = [order(0, i), order(1, j), order(2, k)];
                    let c = at[0] + stride[1] * at[1] + stride[2] * at[2];
                    if fixed[c] {
                        continue;
                    }
                    let mut nearest = [f64::INFINITY; 3];
                    for a in 0..axes {
                        let lower = if at[a] > 0 { distance[c - stride[a]] } else { far };
                        let upper = if at[a] + 1 < cells[a] { distance[c + stride[a]] } else { far };
                        nearest[a] = lower.min(upper);
                    }
                    distance[c] = distance[c].min(eikonal(nearest, h));
                }
            }
        }
    }
    grid.phi = old.iter().zip(distance).map(|(old, d)| if *old < 0.0 { -d } else { d }).collect();
}

/// Solves `Σ max(d − d_a, 0)² = h²` for the distance `d` of a cell from those of its neighbours.
fn eikonal(mut nearest: [f64; 3], h: f64) -> f64 {
    nearest.sort_by(f64::total_cmp);
    let mut d = nearest[0] + h;
    let (mut sum, mut squares) = (nearest[0], nearest[0] * nearest[0]);
    for (count, &next) in nearest.iter().enumerate().skip(1) {
        if d <= next {
            break;
        }
        sum += next;
        squares += next * next;
        let n = (count + 1) as f64;
        d = (sum + (sum * sum - n * (squares - h * h)).max(0.0).sqrt()) / n;
    }
    d
}
