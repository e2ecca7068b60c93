//! Drag of the water around a body, implicit in the speed: it slows, and never turns a motion round.

use glam::{DMat3, DVec3};
use thalweg_model::Coupling;

use super::body::{Mover, WorldBody};
use crate::coupling::Impulse;

/// Lets the water drag on a body over a step; returns its impulse.
///
/// Along every axis `m du/dt = −b u` with `u` the velocity relative to the water and `b = ½ ρ C_d A s`: `s` is `|u|`,
/// or of the linear drag of \[000\] `√(g d)` with `d³` the volume. The torque is `½ ρ C_d A r³/4 |ω| ω`, exact for a
/// plate of half-width `r`.
pub(crate) fn drag(body: &WorldBody, mover: &mut Mover, water: &Water, dt: f64) -> Impulse {
    let wet = &body.wet;
    let mut impulse = [DVec3::ZERO; 2];
    if body.drag <= 0.0 || wet.displaced <= 0.0 {
        return Impulse::default();
    }
    let flow = DVec3::from(wet.velocity);
    let u = mover.velocity - flow;
    let typical = (water.gravity * body.volume.cbrt()).sqrt();
    let pace = |speed: f64| match water.coupling {
        Coupling::Pressure => speed,
        Coupling::Buoyancy => typical,
    };
    let strength = 0.5 * water.density * body.drag * pace(u.length());
    let damping = DVec3::from(wet.area) * strength;
    impulse[0] = -(damping * dt) * u / (DVec3::ONE + damping * dt * mover.inverse_mass);

    let omega = mover.rates - DVec3::from(wet.rates);
    let radius = body.radius;
    let area = wet.area.iter().sum::<f64>() / 3.0;
    let strength = 0.125 * water.density * body.drag * area * radius * radius * pace(omega.length() * radius);
    // (1 + dt b I⁻¹) ω_end = ω, and the impulse is −dt b ω_end.
    let matrix = DMat3::IDENTITY + mover.inverse_inertia * (dt * strength);
    impulse[1] = -(dt * strength) * (matrix.inverse() * omega);

    mover.push(impulse[0], impulse[1]);
    Impulse { linear: impulse[0].to_array(), angular: impulse[1].to_array() }
}

/// What drag needs to know of the water.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Water {
    pub(crate) density: f64,
    pub(crate) gravity: f64,
    pub(crate) coupling: Coupling,
}
