//! What a water can do. Scenes are checked against the same list by which a running method refuses.

use thiserror::Error;

/// Something that not every water can do or have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ability {
    /// Water can be poured in from anywhere while it runs.
    Pour,
    /// The water in a sphere can be pushed.
    Push,
    /// Settings can be changed while it runs.
    Tune,
    /// Its cells are small where the water moves or near an observer.
    AdaptiveCells,
    /// It is three-dimensional, not a height field.
    ThreeDimensional,
    /// Its columns have a tall cell below and cubic cells near the surface, of which there may be too few.
    TallCells,
    /// Solids stand or move in it.
    Obstacles,
    /// Rigid bodies float in it.
    Bodies,
    /// It has spray, mist and foam.
    Whitewater,
    /// It has a vertical cut.
    Section,
    /// It has a level set, velocity and pressure on cubic cells, and pressures at points.
    Volume,
    /// It has a surface of triangles.
    Mesh,
    /// That surface is closed.
    ClosedMesh,
    /// It keeps maps over time.
    MapsOverTime,
    /// Rain falls on it.
    Rain,
    /// It can start from a file of levels or depths.
    StartFromFile,
    /// Its ground may stream from disk.
    StreamedGround,
    /// Sources have elevations and directions.
    SourceHeights,
    /// Sides may be wave-makers or the sea.
    WaveSides,
    /// Sides may hold a level, follow a rating curve or a normal depth, and let a discharge in.
    RiverSides,
    /// Discharge, wet area and run-up can be measured.
    FlowProbes,
}

impl Ability {
    /// What is missing without it, as the end of a sentence that begins with the solver.
    fn lack(self) -> &'static str {
        match self {
            Self::Pour => "cannot be poured into: add a [[source]] to the scene",
            Self::Push => "cannot be pushed",
            Self::Tune => "cannot be tuned while it runs",
            Self::AdaptiveCells => "is as fine everywhere",
            Self::ThreeDimensional => "is a height field",
            Self::TallCells => "has no tall cells",
            Self::Obstacles => "has no obstacles",
            Self::Bodies => "has no rigid bodies",
            Self::Whitewater => "has no spray, mist and foam",
            Self::Section => "has no vertical cut",
            Self::Volume => "has no volume of cells",
            Self::Mesh => "has no mesh of its surface",
            Self::ClosedMesh => "has no closed mesh of its surface",
            Self::MapsOverTime => "keeps no maps over time",
            Self::Rain => "has no rain",
            Self::StartFromFile => "cannot start from a file",
            Self::StreamedGround => "has no ground that streams",
            Self::SourceHeights => "has no sources at elevations",
            Self::WaveSides => "has no sides that make waves",
            Self::RiverSides => "has no sides that hold a level or let a discharge in",
            Self::FlowProbes => "measures no discharge, wet area and run-up",
        }
    }
}

/// All that a solver can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// Name of the solver, as scene files have it.
    pub solver: &'static str,
    /// What it can do; it cannot do anything else.
    pub list: &'static [Ability],
}

impl Abilities {
    /// Whether it can.
    #[must_use]
    pub fn has(&self, ability: Ability) -> bool {
        self.list.contains(&ability)
    }

    /// Nothing if it can.
    ///
    /// # Errors
    /// [`Refusal`] if it cannot.
    pub fn check(&self, ability: Ability) -> Result<(), Refusal> {
        if self.has(ability) { Ok(()) } else { Err(Refusal { solver: self.solver, ability }) }
    }
}

/// A solver was asked for what it cannot do. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("water of the solver `{solver}` {}; `solver` in [water] chooses another one", ability.lack())]
pub struct Refusal {
    /// Its name.
    pub solver: &'static str,
    /// What it cannot do.
    pub ability: Ability,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_is_refused() {
        let bucket = Abilities { solver: "bucket", list: &[Ability::Rain] };
        assert!(bucket.has(Ability::Rain) && bucket.check(Ability::Rain).is_ok());
        let refused = bucket.check(Ability::Bodies).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "water of the solver `bucket` has no rigid bodies; `solver` in [water] chooses another one"
        );
    }
}
