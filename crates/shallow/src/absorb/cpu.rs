use super::{AbsorbParams, AbsorbSlices};
use crate::clock::word;
use crate::physics::max;

pub(super) fn absorb(p: &AbsorbParams, a: AbsorbSlices<'_>) {
    let dt = a.clock[word::DT];
    let level = a.clock[word::SIDE_VALUES + p.side as usize];
    let plane = (p.nx * p.nz) as usize;
    // A layer is a few thousand cells: one thread does.
    for n in 0..p.width * p.height {
        let (i, k) = (p.x0 + n % p.width, p.z0 + n / p.width);
        let distance = [i, p.nx - 1 - i, k, p.nz - 1 - k][p.side as usize];
        let at = (i + p.nx * k) as usize;
        let z = a.bed[at];
        let h = level - z;
        if h <= 0.0 {
            continue; // land beyond the far field's reach
        }
        let inwardness = 1.0 - (distance as f32 + 0.5) / p.layer;
        let keep = 1.0 / (1.0 + p.strength * inwardness * inwardness * dt);
        let u = 2.0 * ((p.gravity * h).sqrt() - (p.gravity * max(p.rest - z, 0.0)).sqrt());
        let inward = if p.side & 1 == 0 { 1.0 } else { -1.0 };
        let normal = at + if p.side < 2 { plane } else { 2 * plane };
        let (s_far, q_far) = (level - max(z, 0.0), inward * h * u);
        let s = s_far + keep * (a.state[at] - s_far);
        a.exchanged[(p.exchanged_start + n) as usize] += p.area * (s - a.state[at]);
        a.state[at] = s;
        a.state[normal] = q_far + keep * (a.state[normal] - q_far);
    }
}
