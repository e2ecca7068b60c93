//! Spray, mist and foam of a scene.

use std::sync::Arc;

use thalweg_compute::Later;
pub use thalweg_model::Particles;
use thalweg_scene::{Boundary, Inflow, Scene};
use thalweg_tall::TallWater;
use thalweg_whitewater::{Particle, Whitewater};

use crate::error::Error;

/// The whitewater of a scene, if it has any.
pub(crate) fn whitewater(scene: &Scene, water: &TallWater) -> Result<Option<Whitewater>, Error> {
    let Some(settings) = &scene.whitewater else { return Ok(None) };
    let sides = &scene.boundary;
    let sides = [&sides.west, &sides.east, &sides.south, &sides.north];
    let walls = sides.map(|side| matches!(side, Boundary::Wall));
    let exec = Arc::clone(water.executor());
    let whitewater = Whitewater::new(exec, water.shape(), water.cell(), walls, *settings)?;
    Ok(Some(whitewater.with_calm_sides(sides.map(led))))
}

/// Columns along a side in which it makes waves: the water there is led, and does not break by itself.
fn led(side: &Boundary) -> u32 {
    match side {
        Boundary::Wave { layer, .. }
        | Boundary::Ocean { layer, .. }
        | Boundary::Inflow { kind: Inflow::Surface(_), layer, .. } => *layer,
        Boundary::Wall
        | Boundary::Open { .. }
        | Boundary::Outflow
        | Boundary::Level { .. }
        | Boundary::Rating { .. }
        | Boundary::Normal { .. }
        | Boundary::Inflow { .. } => 0,
    }
}

/// Starts to read them back; `corner` is where the solver counts from, m.
pub(crate) fn particles_later(whitewater: &Whitewater, corner: [f64; 3]) -> Result<Later<Particles, Error>, Error> {
    Ok(whitewater.particles_later()?.map(move |particles| {
        let mut all = Particles::default();
        for Particle { place, velocity, radius, kind, .. } in particles {
            all.positions.push(std::array::from_fn(|axis| (f64::from(place[axis]) + corner[axis]) as f32));
            all.velocities.push(velocity);
            all.radii.push(radius);
            all.kinds.push(kind);
        }
        all
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_that_make_waves_are_calm_as_far_as_they_lead_the_water() {
        let ocean = Boundary::Ocean { level: None, ramp: None, layer: 20 };
        let open = Boundary::Open { level: None, layer: 16 };
        assert_eq!([&ocean, &open, &Boundary::Wall, &Boundary::Outflow].map(led), [20, 0, 0, 0]);
    }
}
