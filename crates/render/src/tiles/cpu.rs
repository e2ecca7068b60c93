use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::{FIRST, TILE, TilesParams, TilesSlices, WHOLE, WIDE, WideTilesSlices, count, wide_count};

pub(super) fn tiles(p: &TilesParams, s: TilesSlices<'_>) {
    let across = p.nx.div_ceil(TILE) as usize;
    let tiles = &mut s.table[FIRST..][..count([p.nx, p.nz])];
    tiles.par_iter_mut().enumerate().for_each(|(at, tile)| {
        let (i, k) = ((at % across) as u32, (at / across) as u32);
        let (mut ground, mut low, mut high) = (f32::MIN, f32::MAX, f32::MIN);
        for k in reach(k, p.nz, p.nz) {
            for i in reach(i, p.nx, p.nx) {
                let [bed, _, _, surface] = s.ground[(i + p.nx * k) as usize];
                ground = ground.max(bed);
                if p.height_field != 0 {
                    (low, high) = (low.min(surface), high.max(surface));
                }
            }
        }
        if p.height_field == 0 {
            for k in reach(k, p.nz, p.lattice_z) {
                for i in reach(i, p.nx, p.lattice_x) {
                    let first = (p.lattice_y * (i + p.lattice_x * k)) as usize;
                    for (j, value) in s.water[first..][..p.lattice_y as usize].iter().enumerate() {
                        // The surface may be anywhere between this value and the next one up or down.
                        if *value < 0.0 {
                            high = high.max((j as f32 + 1.5) / p.per_cell);
                        } else {
                            low = low.min((j as f32 - 0.5) / p.per_cell);
                        }
                    }
                }
            }
            // Above the last value the level set grows.
            low = low.min((p.lattice_y as f32 - 0.5) / p.per_cell);
        }
        *tile = [ground, low, high, 0.0];
    });
}

pub(super) fn wide_tiles(p: &TilesParams, s: WideTilesSlices<'_>) {
    let (across, tiles) = (p.nx.div_ceil(TILE) as usize, count([p.nx, p.nz]));
    let (wide_across, wide) = (p.nx.div_ceil(TILE * WIDE) as usize, wide_count([p.nx, p.nz]));
    let nothing = [f32::MIN, f32::MAX, f32::MIN, 0.0];
    let mut bounds = vec![nothing; wide];
    let both = |a: [f32; 4], b: [f32; 4]| [a[0].max(b[0]), a[1].min(b[1]), a[2].max(b[2]), 0.0];
    for (at, tile) in s.table[FIRST..][..tiles].iter().enumerate() {
        let own = &mut bounds[at % across / WIDE as usize + wide_across * (at / across / WIDE as usize)];
        *own = both(*own, *tile);
    }
    s.table[WHOLE] = bounds.iter().fold(nothing, |all, own| both(all, *own));
    s.table[FIRST + tiles..][..wide].copy_from_slice(&bounds);
}

/// The values that places in a tile are interpolated from.
fn reach(tile: u32, columns: u32, values: u32) -> RangeInclusive<u32> {
    let across = values as f32 / columns as f32;
    let low = ((TILE * tile) as f32 * across - 0.5).floor().max(0.0);
    let high = ((TILE * (tile + 1)) as f32 * across - 0.5).ceil();
    low as u32..=(high as u32).min(values - 1)
}
