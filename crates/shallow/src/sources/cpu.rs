use super::{SourceParams, SourceSlices};
use crate::clock::word;
use crate::physics::{add_dithered, depth, max, min};

pub(super) fn add_sources(p: &SourceParams, a: SourceSlices<'_>) {
    let added = a.clock[word::DT] * a.clock[word::SOURCE_RATES + p.source as usize];
    let dither = a.clock[word::DITHER];
    let plane = (p.nx * p.nz) as usize;
    for n in 0..p.width * p.height {
        let (i, k) = (p.x0 + n % p.width, p.z0 + n / p.width);
        if !p.covers(i, k) {
            continue;
        }
        let at = (i + p.nx * k) as usize;
        let (s, z) = (a.state[at], a.bed[at]);
        let new = max(add_dithered(s, added, dither), min(z, 0.0));
        if added < 0.0 {
            let keep = depth(new, z) / max(depth(s, z), 1e-12);
            a.state[at + plane] *= keep;
            a.state[at + 2 * plane] *= keep;
        }
        a.state[at] = new;
        a.exchanged[(p.exchanged_start + n) as usize] += p.area * (new - s);
    }
}
