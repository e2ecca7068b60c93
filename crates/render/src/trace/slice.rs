//! What a cut through the block shows.

use glam::Vec3;

use super::mode;
use super::scene::World;
use crate::constants::colour::{DRY, SCALE, TOPS, WET};
use crate::constants::slice::{LINE, THICK};

impl World<'_> {
    /// Radiance of a point of the cut; `None` where one looks through it.
    pub(super) fn cut(&self, q: Vec3) -> Option<Vec3> {
        let wet = self.water_at(q) < 0.0;
        let colour = if self.p.mode == mode::CELLS {
            self.cells(q, wet)
        } else if wet {
            let share = (self.field_at(q) - self.p.field_low) / (self.p.field_high - self.p.field_low).max(1e-20);
            colours(share)
        } else {
            return None;
        };
        // Not lit, and divided by the exposure: the picture has the colour itself.
        Some(colour / self.p.exposure)
    }

    fn cells(&self, q: Vec3, wet: bool) -> Vec3 {
        let fill = Vec3::from(if wet { WET } else { DRY });
        let column = |x: f32| {
            let i = (x.max(0.0) as u32).min(self.p.nx - 1);
            let k = (q.z.max(0.0) as u32).min(self.p.nz - 1);
            self.ground[(i + self.p.nx * k) as usize][3]
        };
        let top = column(q.x);
        let to_side = (q.x - q.x.round()).abs();
        let neighbour = column(q.x + if q.x.fract() < 0.5 { -0.6 } else { 0.6 });
        let climbs = to_side < THICK && q.y > top.min(neighbour) - THICK && q.y < top.max(neighbour) + THICK;
        if (q.y - top).abs() < THICK || (climbs && top != neighbour) {
            return TOPS.into();
        }
        let to_line = if q.y < top { to_side } else { to_side.min((q.y - q.y.round()).abs()) };
        if to_line < LINE { fill * 0.45 } else { fill }
    }
}

/// From dark blue over green to yellow, even to the eye and in grey.
pub(super) fn colours(share: f32) -> Vec3 {
    let x = share.clamp(0.0, 1.0) * 4.0;
    let n = (x as usize).min(3);
    let f = x - n as f32;
    Vec3::from(SCALE[n]) * (1.0 - f) + Vec3::from(SCALE[n + 1]) * f
}
