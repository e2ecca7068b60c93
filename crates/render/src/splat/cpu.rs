use glam::Vec3;

use super::{ONE, SplatParams, SplatSlices};
use crate::constants::splat::{DENSE, FOAM, LARGEST, LEAST, MIST, PATCH, PUFF, THIN, THROUGH};

pub(super) fn splat(p: &SplatParams, s: SplatSlices<'_>) {
    let eye = Vec3::new(p.eye_x, p.eye_y, p.eye_z);
    let right = Vec3::new(p.right_x, p.right_y, p.right_z);
    let up = Vec3::new(p.up_x, p.up_y, p.up_z);
    let forward = Vec3::new(p.forward_x, p.forward_y, p.forward_z);
    let (width, height) = (p.width as f32, p.height as f32);
    for [x, y, z, word] in s.drops[..p.count as usize].iter().copied() {
        let kind = word.floor();
        if word <= 0.0 {
            continue; // an empty slot
        }
        let (wider, dense) = match kind {
            MIST => (PUFF, THIN),
            FOAM => (PATCH, DENSE),
            _ => (1.0, 1.0),
        };
        let radius = (word - kind) * wider;
        let through = if kind == FOAM { THROUGH } else { 0.0 };
        let q = Vec3::new(x, y, z) - eye;
        let away = q.dot(forward);
        if away <= radius {
            continue;
        }
        let u = q.dot(right) / (right.length_squared() * away);
        let v = q.dot(up) / (up.length_squared() * away);
        let (px, py) = ((0.5 + 0.5 * u) * width, (0.5 - 0.5 * v) * height);
        let true_size = 0.5 * height * radius / (away * up.length());
        let size = true_size.clamp(LEAST, LARGEST);
        let cover = dense * ((true_size / size).min(1.0) * (true_size / size).min(1.0));
        let (x0, x1) = ((px - size).floor().max(0.0) as u32, (px + size).ceil().clamp(0.0, width) as u32);
        let (y0, y1) = ((py - size).floor().max(0.0) as u32, (py + size).ceil().clamp(0.0, height) as u32);
        for y in y0..y1 {
            for x in x0..x1 {
                let at = (x + p.width * y) as usize;
                if away - through > s.image[at][3] {
                    continue;
                }
                let (dx, dy) = (x as f32 + 0.5 - px, y as f32 + 0.5 - py);
                let inside = 1.0 - (dx * dx + dy * dy) / (size * size);
                if inside > 0.0 {
                    s.spray[at] = s.spray[at].wrapping_add((cover * inside * ONE) as u32);
                }
            }
        }
    }
}
