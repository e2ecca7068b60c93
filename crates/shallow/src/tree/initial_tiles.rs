//! The tree at the start: the coarsest tiles that fit into the domain, and neighbours that differ by one level at most.

use std::collections::BTreeSet;

use super::layout::TILE;
use super::map::TilePlace;

/// Tiles that cover `size` finest cells.
pub(crate) fn cover(size: [u32; 2], levels: u32) -> Vec<TilePlace> {
    let span = |level: u32| (TILE as u32) << (levels - 1 - level);
    let mut open: Vec<TilePlace> = Vec::new();
    let roots = size.map(|n| n.div_ceil(span(0)));
    for z in 0..roots[1] {
        open.extend((0..roots[0]).map(|x| TilePlace { level: 0, x, z }));
    }
    let mut tiles = BTreeSet::new();
    while let Some(place) = open.pop() {
        let s = span(place.level);
        let (x, z) = (place.x * s, place.z * s);
        if x >= size[0] || z >= size[1] {
            continue;
        }
        if x + s <= size[0] && z + s <= size[1] {
            tiles.insert(place);
        } else {
            open.extend((0..4).map(|n| place.child(n))); // ends: the domain is whole tiles of the finest level
        }
    }
    balance(&mut tiles, size, levels);
    tiles.into_iter().collect()
}

/// Splits tiles until neighbours, also across corners, differ by one level at most.
fn balance(tiles: &mut BTreeSet<TilePlace>, size: [u32; 2], levels: u32) {
    for level in (2..levels).rev() {
        let fine: Vec<TilePlace> = tiles.iter().copied().filter(|t| t.level == level).collect();
        for place in fine {
            for dz in -1..2i64 {
                for dx in -1..2i64 {
                    let (x, z) = (i64::from(place.x) + dx, i64::from(place.z) + dz);
                    let span = i64::from((TILE as u32) << (levels - 1 - level));
                    if x < 0 || z < 0 || (x + 1) * span > i64::from(size[0]) || (z + 1) * span > i64::from(size[1]) {
                        continue;
                    }
                    split_down(tiles, TilePlace { level, x: x as u32, z: z as u32 });
                }
            }
        }
    }
}

/// Splits what holds a place until it is at most one level coarser.
fn split_down(tiles: &mut BTreeSet<TilePlace>, place: TilePlace) {
    let mut holder = place;
    let mut path = Vec::new();
    while !tiles.contains(&holder) {
        if holder.level == 0 {
            return; // finer tiles hold it
        }
        path.push(holder);
        holder = holder.parent();
    }
    while holder.level + 1 < place.level {
        tiles.remove(&holder);
        tiles.extend((0..4).map(|n| holder.child(n)));
        match path.pop() {
            Some(next) => holder = next,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_domains_are_covered_once_and_balanced() {
        for (size, levels) in [([16, 16], 1), ([16 * 37, 16 * 5], 5), ([16 * 64, 16 * 64], 6), ([16 * 17, 16 * 33], 4)]
        {
            let tiles = cover(size, levels);
            let area: u64 = tiles.iter().map(|t| 1u64 << (2 * (levels - 1 - t.level))).sum();
            assert_eq!(area * 256, u64::from(size[0]) * u64::from(size[1]));
            let touches = |a: &TilePlace, b: &TilePlace| {
                let span = |t: &TilePlace| {
                    let s = i64::from(16u32 << (levels - 1 - t.level));
                    [i64::from(t.x) * s, i64::from(t.z) * s, s]
                };
                let ([ax, az, s], [bx, bz, r]) = (span(a), span(b));
                ax <= bx + r && bx <= ax + s && az <= bz + r && bz <= az + s
            };
            for a in &tiles {
                for b in tiles.iter().filter(|b| touches(a, b)) {
                    assert!(a.level.abs_diff(b.level) < 2, "{a:?} {b:?}");
                }
            }
        }
    }
}
