use rayon::prelude::*;
use thalweg_compute::{WORKGROUP, fold};

use super::{
    CONTRAST, COUNT, EdgesParams, GatherRaysSlices, HEAD, ListEdgesSlices, OF_PIXELS, OF_RAYS, PlanEdgesSlices,
};
use crate::constants::edges::BEND;

pub(super) fn list_edges(p: &EdgesParams, s: ListEdgesSlices<'_>) {
    let (width, height) = (p.width as usize, p.height as usize);
    let seen = |x: usize, y: usize| seen(s.image[x + width * y], p.exposure);
    let rows: Vec<Vec<u32>> = (0..height)
        .into_par_iter()
        .map(|y| {
            let is_edge = |x: &usize| {
                let own = seen(*x, y);
                let across = [seen(x.saturating_sub(1), y), seen((x + 1).min(width - 1), y)];
                let down = [seen(*x, y.saturating_sub(1)), seen(*x, (y + 1).min(height - 1))];
                let contrast = |[a, b]: [[f32; 2]; 2]| (a[0] - own[0]).abs().max((b[0] - own[0]).abs());
                let ends =
                    |[a, b]: [[f32; 2]; 2]| (a[1] + b[1] - 2.0 * own[1]).abs() > BEND * own[1].max(a[1]).max(b[1]);
                let most = contrast(across).max(contrast(down));
                most > p.anywhere || (most > CONTRAST && (ends(across) || ends(down)))
            };
            (0..width).filter(is_edge).map(|x| (x + width * y) as u32).collect()
        })
        .collect();
    let mut count = 0;
    for row in rows {
        s.list[HEAD + count..][..row.len()].copy_from_slice(&row);
        count += row.len();
    }
    s.args[COUNT] = count as u32;
}

pub(super) fn plan_edges(p: &EdgesParams, s: PlanEdgesSlices<'_>) {
    let (count, more) = (s.args[COUNT], p.samples.max(2) - 1);
    // A sum for every ray where there is room, or one for all.
    let sums = if u64::from(count) * u64::from(more) <= u64::from(p.width * p.height) { more } else { 1 };
    s.list[..HEAD].copy_from_slice(&[count, sums]);
    // A picture of so many pixels that this fails has no memory.
    let groups = |threads: u32| fold(threads.div_ceil(WORKGROUP).into()).unwrap_or_default();
    s.args[OF_RAYS..][..3].copy_from_slice(&groups(count * sums));
    s.args[OF_PIXELS..][..3].copy_from_slice(&groups(count));
}

pub(super) fn gather_rays(p: &EdgesParams, s: GatherRaysSlices<'_>) {
    let (count, sums) = (s.list[0] as usize, s.list[1] as usize);
    for (at, rays) in s.list[HEAD..][..count].iter().zip(s.rays.chunks_exact(sums)) {
        let [r, g, b, away] = s.image[*at as usize];
        let sum = rays.iter().fold([r, g, b], |sum, ray| [0, 1, 2].map(|n| sum[n] + ray[n]));
        let [r, g, b] = sum.map(|v| v / p.samples.max(1) as f32);
        s.image[*at as usize] = [r, g, b, away];
    }
}

/// Luminance squeezed between 0 and 1, much as the eye will see it, and the inverse of the distance along the axis of
/// the camera.
fn seen([r, g, b, away]: [f32; 4], exposure: f32) -> [f32; 2] {
    let y = (0.2126 * r + 0.7152 * g + 0.0722 * b) * exposure;
    [(y / (1.0 + y)).sqrt(), 1.0 / away.max(1e-3)]
}
