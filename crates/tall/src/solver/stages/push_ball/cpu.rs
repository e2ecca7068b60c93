use rayon::prelude::*;
use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::interpolate::SideSpan;

use super::{PushBallParams, PushBallSlices};

impl PushBallParams {
    /// A velocity along an axis after the push, at a point in cells; `None` outside the ball.
    fn pushed(&self, axis: usize, point: [f32; 3], speed: f32) -> Option<f32> {
        let away = [point[0] - self.centre_x, point[1] - self.centre_y, point[2] - self.centre_z];
        let squared = (away[0] * away[0] + away[1] * away[1] + away[2] * away[2]) / (self.radius * self.radius);
        let share = 1.0 - squared;
        let wanted = [self.velocity_x, self.velocity_y, self.velocity_z][axis];
        (share > 0.0).then_some(speed + share * share * (wanted - speed))
    }
}

pub(super) fn push_ball(p: &PushBallParams, s: PushBallSlices<'_>) {
    let (nx, nz, n) = (p.nx as usize, p.nz as usize, p.samples as usize);
    let columns = nx * nz;
    s.faces[..3 * columns * n].par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (plane, column) = (index / columns, index % columns);
        let (i, k, own) = (column % nx, column / nx, s.heights[column]);
        let (x, z) = (i as f32, k as f32);
        let mut push = |entry: usize, point: [f32; 3]| {
            if let Some(speed) = p.pushed(plane, point, line[entry]) {
                line[entry] = speed;
            }
        };
        if plane == 1 {
            for entry in (0..n).filter(|entry| !(*entry == 1 && is_tall(own))) {
                let y = if entry == 0 { own[1] + n as i32 - 2 } else { world_cell(own, entry) };
                push(entry, [x + 0.5, y as f32, z + 0.5]);
            }
            return;
        }
        let other = match plane {
            0 if i > 0 => column - 1,
            2 if k > 0 => column - nx,
            _ => return, // a side of the domain
        };
        let span = SideSpan::new(s.heights[other], own, n);
        let runs = span.run[1] - span.run[0] > 2;
        for entry in (0..n).filter(|entry| span.has(*entry) && !(runs && *entry < 2)) {
            let y = span.cell_of(entry) as f32 + 0.5;
            push(entry, if plane == 0 { [x, y, z + 0.5] } else { [x + 0.5, y, z] });
        }
    });
}
