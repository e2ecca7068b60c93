//! What stands for the world of bodies without the feature `rapier`: a type without values, so that all else is the
//! same with and without it.

use crate::coupling::{FreeBody, Impulse, Wet};
use crate::error::{BodyError, LoadError, WorldError};
use crate::polyhedron::Surface;
use crate::setup::WorldSetup;
use crate::state::{BodyState, Overlap, Picked};
use thalweg_model::{Body, Coupling, Obstacle};

/// All bodies and what they can touch, which this program was built without: there is no value of this type.
#[derive(Debug)]
pub enum World {}

pub(crate) fn hull(_: &[[f64; 3]]) -> Result<Surface, BodyError> {
    Err(BodyError::BuiltWithoutRapier)
}

impl World {
    /// Always [`WorldError::BuiltWithoutRapier`].
    pub fn new(_: &WorldSetup) -> Result<Self, WorldError> {
        Err(WorldError::BuiltWithoutRapier)
    }

    /// Always [`WorldError::BuiltWithoutRapier`].
    pub fn new_at(_: &WorldSetup, _: f64) -> Result<Self, WorldError> {
        Err(WorldError::BuiltWithoutRapier)
    }

    /// Always [`LoadError::BuiltWithoutRapier`].
    pub fn load(_: &[u8]) -> Result<Self, LoadError> {
        Err(LoadError::BuiltWithoutRapier)
    }
}

/// Methods as a world has them; without a value they cannot be called.
macro_rules! uncallable {
    ($(fn $name:ident($($argument:ty),*) -> $result:ty;)*) => {
        impl World {
            $(
                /// As with the feature `rapier`.
                pub fn $name(&self $(, _: $argument)*) -> $result {
                    match *self {}
                }
            )*
        }
    };
}

uncallable! {
    fn add(&Body) -> Result<usize, WorldError>;
    fn add_force(usize, [f64; 3], [f64; 3]) -> Result<(), WorldError>;
    fn coupling() -> Coupling;
    fn drag(usize, [f64; 3]) -> Result<(), WorldError>;
    fn find(&str) -> Option<usize>;
    fn foresee_floating() -> ();
    fn free() -> Vec<FreeBody>;
    fn grab(usize, [f64; 3], [f64; 3]) -> Result<(), WorldError>;
    fn is_empty() -> bool;
    fn len() -> usize;
    fn overlaps() -> Vec<Overlap>;
    fn pick([f64; 3], [f64; 3]) -> Option<Picked>;
    fn predict(f64) -> Result<(), WorldError>;
    fn push(usize, [f64; 3], [f64; 3]) -> Result<(), WorldError>;
    fn receive(f64, &[Impulse]) -> Result<(), WorldError>;
    fn release(usize) -> Result<(), WorldError>;
    fn remove(usize) -> Result<(), WorldError>;
    fn save() -> Vec<u8>;
    fn set_obstacles(&[Obstacle]) -> Result<(), WorldError>;
    fn set_velocity(usize, [f64; 3], [f64; 3]) -> Result<(), WorldError>;
    fn submerge(&[Wet]) -> Result<(), WorldError>;
    fn states() -> Vec<BodyState>;
    fn time() -> f64;
}

#[cfg(test)]
mod tests {
    use super::World;
    use crate::{Shape, WorldError, WorldSetup};

    #[test]
    fn a_world_is_refused() {
        assert_eq!(World::new(&WorldSetup::default()).map(drop), Err(WorldError::BuiltWithoutRapier));
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(Shape::convex_hull(&corners).is_err());
    }
}
