//! How far a ray may go on without lookups, by the bounds of tiles of columns.

use glam::{Vec3, Vec4};

use super::scene::World;
use crate::constants::passed::{MARGIN, MOST, PAST};
use crate::tiles::{FIRST, TILE, WHOLE, WIDE};

/// How a ray and the sea around the block lie to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sea {
    /// Whether the ray goes away from the surface wherever that is the surface of the sea alone.
    pub(super) leaves: bool,
    /// The part of the ray in the block or near it, where the surface is not that of the sea alone.
    pub(super) from: f32,
    pub(super) to: f32,
}

impl Sea {
    /// Whether nothing but the ground is in the way of a ray.
    pub(super) fn is_open(self, t: f32) -> bool {
        self.leaves && self.is_alone(t)
    }

    /// Whether the surface there is that of the sea alone.
    pub(super) fn is_alone(self, t: f32) -> bool {
        t < self.from || t >= self.to
    }

    /// How far it is to where the surface is no longer that of the sea alone.
    pub(super) fn ahead(self, t: f32) -> f32 {
        if t < self.from && self.to > self.from { self.from - t } else { 1e9 }
    }
}

/// Where a ray has come to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passed {
    pub(super) t: f32,
    /// The highest ground that may be there.
    pub(super) ground: f32,
    /// How far it is certain not to meet the surface of the water; 0 if that is not known.
    pub(super) free: f32,
}

impl World<'_> {
    /// Highest ground, lowest air and highest water around a place. Beside the block its outermost tiles count.
    pub(super) fn tile_at(&self, q: Vec3) -> Vec4 {
        self.wide_tile_at(q, 1)
    }

    /// The same of a tile that is `wide` tiles wide: 1 or [`WIDE`].
    fn wide_tile_at(&self, q: Vec3, wide: u32) -> Vec4 {
        let [i, k] = self.tile_of(q, wide);
        let along = |columns: u32| columns.div_ceil(TILE);
        let (across, first) = match wide {
            1 => (along(self.p.nx), FIRST as u32),
            _ => (along(self.p.nx).div_ceil(WIDE), FIRST as u32 + along(self.p.nx) * along(self.p.nz)),
        };
        Vec4::from(self.sky[(first + i + across * k) as usize])
    }

    /// Above this there is neither ground nor water.
    pub(super) fn highest(&self) -> f32 {
        let block = highest(self.sky);
        if self.p.far != 0 { block.max(self.p.sea + self.p.crests) } else { block }
    }

    fn tile_of(&self, q: Vec3, wide: u32) -> [u32; 2] {
        let last = |columns: u32| (columns.div_ceil(TILE * wide) - 1) as f32;
        let side = (TILE * wide) as f32;
        [(q.x / side).clamp(0.0, last(self.p.nx)) as u32, (q.z / side).clamp(0.0, last(self.p.nz)) as u32]
    }

    /// How far it is to the end of a tile. The outermost tiles end at the side of the block if `ends`, and else never.
    pub(super) fn to_end_of_tile(&self, q: Vec3, d: Vec3, ends: bool, wide: u32) -> f32 {
        let [i, k] = self.tile_of(q, wide);
        let side = TILE * wide;
        let along = |at: f32, d: f32, tile: u32, columns: u32| {
            let is_last = if d < 0.0 { tile == 0 } else { tile + 1 == columns.div_ceil(side) };
            if d.abs() < 1e-8 || (is_last && !ends) {
                return 1e9;
            }
            let end = if d < 0.0 { side * tile } else { (side * (tile + 1)).min(columns) };
            (end as f32 - at) / d
        };
        along(q.x, d.x, i, self.p.nx).min(along(q.z, d.z, k, self.p.nz)).max(0.0) + PAST
    }

    /// Goes on through air (`side` 1) or water (−1) as long as a tile has nothing else at the height of the ray.
    #[inline(always)]
    pub(super) fn pass(&self, o: Vec3, d: Vec3, [from, to]: [f32; 2], side: f32, sea: Sea) -> Passed {
        let mut t = from;
        let over = o.y + d.y * t - self.highest();
        if side > 0.0 && over > MARGIN {
            t = if d.y < 0.0 { (t - over / d.y).min(to) } else { to };
        }
        // After a narrow tile wide ones are tried, until something may be in the way in one of them.
        let (mut wide, mut narrow_until) = (1, 0.0);
        for _ in 0..MOST {
            let q = o + d * t;
            let tile = self.wide_tile_at(q, wide);
            let is_beside = self.p.far != 0 && self.beside(q) > 0.0;
            let (mut low, mut high) = (tile.y, tile.z);
            if sea.is_open(t) {
                (low, high) = (1e9, -1e9);
            } else if is_beside {
                low = low.min(self.p.sea - self.p.crests);
                high = high.max(self.p.sea + self.p.crests);
            }
            let (bottom, top) = if side > 0.0 { (tile.x.max(high), 1e9) } else { (tile.x, low) };
            let mut reach = self.to_end_of_tile(q, d, !is_beside, wide);
            if sea.leaves {
                reach = reach.min(sea.ahead(t));
            }
            if q.y < bottom + MARGIN || q.y > top - MARGIN || t >= to {
                if wide > 1 && t < to {
                    (wide, narrow_until) = (1, t + reach);
                    continue;
                }
                let [over, towards] = if side > 0.0 { [q.y - high, -d.y] } else { [low - q.y, d.y] };
                let to_surface = if towards < 1e-8 { 1e9 } else { over / towards };
                let free = if over > MARGIN { to_surface.min(reach) } else { 0.0 };
                return Passed { t, ground: tile.x, free };
            }
            let height = if d.y < 0.0 { bottom - q.y } else { top - q.y };
            let to_plane = if d.y.abs() < 1e-8 { 1e9 } else { height / d.y };
            t = (t + to_plane.min(reach)).min(to);
            wide = if t < narrow_until { 1 } else { WIDE };
        }
        // The caller has to look up where the ground is.
        Passed { t, ground: 1e9, free: 0.0 }
    }
}

/// The highest ground or water of the block, by its tiles.
pub(super) fn highest(sky: &[[f32; 4]]) -> f32 {
    let [ground, _, water, _] = sky[WHOLE];
    ground.max(water)
}
