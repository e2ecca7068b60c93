//! Spray, mist and foam of a scene.

use crate::format;

/// How spray, mist and foam are made and moved; see the keys of `[whitewater]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whitewater {
    /// Most particles at a time.
    pub capacity: u32,
    /// Depth below the surface from which drops may come, cells.
    pub generate: f64,
    /// How often drops are thrown off where water surely breaks, 1/s.
    pub breaking: f64,
    /// Change of the velocity from cell to cell at which water begins to break, in √(g Δx).
    pub breaks_at: f64,
    /// Drops at a place where water leaves the surface.
    pub per_trial: u32,
    /// Largest change of a new drop's velocity, as a share of its speed.
    pub noise: f64,
    /// Drag of spray, 1/s.
    pub spray_drag: f64,
    /// Longest flight, s.
    pub spray_life: f64,
    /// Share of new drops that are mist.
    pub mist_share: f64,
    /// Drag of mist, 1/s.
    pub mist_drag: f64,
    /// Share of landing drops that become foam.
    pub foam_share: f64,
    /// Mean life of foam particles, s.
    pub foam_life: f64,
    /// Time in which white water fades to a third, s.
    pub foam_decay: f64,
    /// Share of a column that a landing drop whitens.
    pub foam_cover: f64,
    /// Mean radius of drops, cells.
    pub drop_radius: f64,
    /// Whether drops take their volume out of the water and bring it back.
    pub mass: bool,
    /// Of the random numbers.
    pub seed: u32,
}

impl Whitewater {
    pub(crate) fn lower(file: &format::Whitewater) -> Self {
        Self {
            capacity: file.capacity,
            generate: file.generate,
            breaking: file.breaking,
            breaks_at: file.breaks_at,
            per_trial: file.per_trial,
            noise: file.noise,
            spray_drag: file.spray_drag,
            spray_life: file.spray_life,
            mist_share: file.mist_share,
            mist_drag: file.mist_drag,
            foam_share: file.foam_share,
            foam_life: file.foam_life,
            foam_decay: file.foam_decay,
            foam_cover: file.foam_cover,
            drop_radius: file.drop_radius,
            mass: file.mass,
            seed: file.seed,
        }
    }
}
