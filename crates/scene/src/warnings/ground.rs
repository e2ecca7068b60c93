//! Ground that is far above the domain, and water below all of the ground.

use super::some_of;
use thalweg_model::Ability;

use crate::context::Context;
use crate::number::{exact, short, tidy};
use crate::report::At;
use crate::scene::Scene;
use crate::terrain::TerrainSampler;

/// Cells along a side of the domain at which the ground is looked at, at most.
const MOST_CELLS: u32 = 128;

/// Most shapes of ground that is looked at: each of them is asked at every cell.
const MOST_SHAPES: usize = 1000;

/// The ground, as some of its cells show it.
pub(super) struct Ground {
    sampler: TerrainSampler,
    /// The lowest and the highest elevation seen, m.
    low: f64,
    high: f64,
    /// Whether every cell was looked at.
    is_all: bool,
}

impl Ground {
    /// `None` where a look would take long, or the ground has a fault.
    pub(super) fn of(scene: &Scene) -> Option<Self> {
        if scene.terrain.streamed().is_some() || scene.terrain.shapes() > MOST_SHAPES {
            return None;
        }
        let (grid, sampler) = (&scene.grid, scene.terrain.sampler());
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for k in some_of(grid.nz, MOST_CELLS) {
            for i in some_of(grid.nx, MOST_CELLS) {
                let elevation = sampler.elevation(grid.center(i, k)).ok()?;
                (low, high) = (low.min(elevation), high.max(elevation));
            }
        }
        let is_all = grid.nx.max(grid.nz) <= MOST_CELLS;
        Some(Self { sampler, low, high, is_all })
    }

    /// The elevation at a point `[x, z]`, m; NaN where it has a fault.
    pub(super) fn at(&self, point: [f64; 2]) -> f64 {
        self.sampler.elevation(point).unwrap_or(f64::NAN)
    }

    /// Elevations that three-dimensional water may take, m.
    pub(super) fn elevations(&self, scene: &Scene) -> [f64; 2] {
        scene.elevations(&[self.low as f32])
    }

    pub(super) fn look(&self, scene: &Scene, context: &mut Context<'_>) {
        if scene.water.solver.has(Ability::ThreeDimensional) {
            self.look_above(scene, context);
        }
        self.look_below(scene, context);
    }

    /// Hills may stand out of the domain, but hardly by as much as it is high.
    fn look_above(&self, scene: &Scene, context: &mut Context<'_>) {
        let [floor, top] = self.elevations(scene);
        if self.high <= top + scene.grid.height {
            return;
        }
        let (high, floor, top) = (short(self.high), tidy(floor), tidy(top));
        context.report.warn(
            &At::root().key("terrain"),
            format!("the ground rises to {high} m, far above the domain, which ends at {top} m"),
            format!(
                "the domain covers elevations from {floor} m, the lowest ground, to {top} m: check the unit of the ground \
                 (`scale`, `height`), or raise `size` in [domain]"
            ),
        );
    }

    /// Water at the start that is below all of the ground is none.
    fn look_below(&self, scene: &Scene, context: &mut Context<'_>) {
        // A valley may lie between the cells that were looked at, hardly one deeper than all hills are high.
        let lowest = if self.is_all { self.low } else { 2.0 * self.low - self.high };
        let at = At::root().key("water");
        let boxes = scene.water.boxes.iter().enumerate();
        let boxes = boxes.map(|(n, water)| (water.max[1], at.key("boxes").index(n).key("max").index(1)));
        let level = scene.water.level.map(|level| (level, at.key("level")));
        for (top, at) in level.into_iter().chain(boxes).filter(|(top, _)| *top < lowest) {
            context.report.warn(
                &at,
                format!(
                    "there is no water up to {} m: the lowest ground is at {} m",
                    exact(top),
                    short(self.low)
                ),
                "elevations of water and ground count from the same zero: raise the water, or lower the ground (`offset` of a file)",
            );
        }
    }
}
