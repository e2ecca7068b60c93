use rayon::prelude::*;

use super::{FlattenParams, FlattenSlices};
use crate::constants::flatten::STEPS;

/// A place between points: the four around it and the shares of the second of each pair.
struct Between {
    at: [usize; 4],
    share: [f32; 2],
}

fn between(points: u32, [x, z]: [f32; 2]) -> Between {
    let (low_x, low_z) = (x.floor(), z.floor());
    let last = points as i32 - 1;
    let (i, k) = (low_x as i32 & last, low_z as i32 & last);
    let (i1, k1) = ((i + 1) & last, (k + 1) & last);
    let side = points as i32;
    let at = [i + side * k, i1 + side * k, i + side * k1, i1 + side * k1].map(|at| at as usize);
    Between { at, share: [x - low_x, z - low_z] }
}

fn mixed(values: &[[f32; 4]], b: &Between) -> [f32; 4] {
    let [fx, fz] = b.share;
    std::array::from_fn(|n| {
        let front = values[b.at[0]][n] * (1.0 - fx) + values[b.at[1]][n] * fx;
        let back = values[b.at[2]][n] * (1.0 - fx) + values[b.at[3]][n] * fx;
        front * (1.0 - fz) + back * fz
    })
}

pub(super) fn flatten(p: &FlattenParams, s: FlattenSlices<'_>) {
    let side = p.points as usize;
    let area = side * side;
    let (cos, sin) = ([p.cos_0, p.cos_1, p.cos_2, p.cos_3], [p.sin_0, p.sin_1, p.sin_2, p.sin_3]);
    let per_metre = [p.per_metre_0, p.per_metre_1, p.per_metre_2, p.per_metre_3];
    let (head, count) = (p.head as usize, p.tiles as usize * area);
    let points = s.words[head..head + 4 * count].par_chunks_exact_mut(4).enumerate().with_min_len(1024);
    points.for_each(|(index, words)| {
        let (tile, at) = (index / area, index % area);
        let (moved, bent) = (&s.moved[tile * area..][..area], &s.bent[tile * area..][..area]);
        let place = [(at % side) as f32, (at / side) as f32];
        let mut rest = place;
        let mut found = moved[at];
        for _ in 0..STEPS {
            rest = [place[0] - found[0] * per_metre[tile], place[1] - found[2] * per_metre[tile]];
            found = mixed(moved, &between(p.points, rest));
        }
        let slopes = mixed(bent, &between(p.points, rest));
        words[0] = found[1];
        words[1] = cos[tile] * slopes[0] - sin[tile] * slopes[1];
        words[2] = sin[tile] * slopes[0] + cos[tile] * slopes[1];
        words[3] = found[3];
    });
}
