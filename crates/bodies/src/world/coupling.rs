//! The half of a step that follows the pressure solve, and what the solve needs before it.

use glam::DVec3;
use thalweg_model::Coupling;

use super::World;
use super::body::{FirstStep, WorldBody};
use crate::coupling::{FreeBody, Impulse, Wet};
use crate::error::WorldError;

/// Largest force of the water that the next prediction uses, in weights of the body, unless the force was larger in the
/// step before too: a large force in a single step is an impact, which does not go on.
const LARGEST_LAG: f64 = 2.0;

/// `β`: how far a constant acceleration moves a body in a step of eight sub-steps, over `a dt²`.
const IN_SUB_STEPS: f64 = 9.0 / 16.0;

impl World {
    /// Bodies as the pressure solve needs them: after [`World::predict`], in the order of [`World::states`].
    pub fn free(&self) -> Vec<FreeBody> {
        let yields = self.coupling == Coupling::Pressure;
        let free = |body: &WorldBody| {
            let pose = self.pose_of(body);
            let [velocity, rates] = body.star;
            let inverse_mass = if yields { body.inverse_mass().to_array() } else { [0.0; 3] };
            let inverse_inertia =
                if yields { body.world_inverse_inertia(&pose).to_cols_array_2d() } else { [[0.0; 3]; 3] };
            let centre_of_mass = pose.point(body.centre);
            FreeBody { pose, centre_of_mass, velocity, rates, inverse_mass, inverse_inertia, drag: body.dragged }
        };
        self.bodies.iter().map(free).collect()
    }

    /// Takes the water's impulses over the step that was predicted, in the order of [`World::free`]. Bodies on a path,
    /// and all bodies under [`Coupling::Buoyancy`], have their velocity already and only remember the force.
    pub fn receive(&mut self, dt: f64, impulses: &[Impulse]) -> Result<(), WorldError> {
        check_step(dt)?;
        self.check_count("impulses", impulses.len())?;
        if let Some((body, _)) = self.bodies.iter().zip(impulses).find(|(_, impulse)| !impulse.is_finite()) {
            return Err(WorldError::NotFinite { what: "impulse of the water", name: body.name.clone() });
        }
        let gravity = self.gravity;
        for (index, impulse) in impulses.iter().enumerate() {
            let body = &self.bodies[index];
            let per_time = |v: [f64; 3], drag: [f64; 3]| std::array::from_fn(|axis| (v[axis] + drag[axis]) / dt);
            let water = Impulse {
                linear: per_time(impulse.linear, body.dragged.linear),
                angular: per_time(impulse.angular, body.dragged.angular),
            };
            let yields = self.coupling == Coupling::Pressure && body.is_free();
            if yields {
                let pose = self.pose_of(body);
                let (mass, inertia) = (body.inverse_mass(), body.world_inverse_inertia(&pose));
                let [v, w] = body.star.map(DVec3::from);
                let velocity = v + mass * DVec3::from(impulse.linear);
                let rates = w + inertia * DVec3::from(impulse.angular);
                let pressed = DVec3::from(impulse.linear).length() / dt;
                let lag = limited(body, impulse, dt, gravity, inertia * DVec3::from(impulse.angular));
                let unforeseen = mass * (DVec3::from(lag.linear) - DVec3::from(body.lag.linear));
                self.set_motion(index, velocity, rates);
                if let Some(first) = self.bodies[index].first_step.take() {
                    self.correct_first_place(index, dt, (first, unforeseen));
                }
                let body = &mut self.bodies[index];
                (body.star, body.lag) = ([velocity.to_array(), rates.to_array()], lag);
                (body.water, body.pressed) = (water, pressed);
            } else if self.coupling == Coupling::Pressure {
                self.bodies[index].water = water;
            }
        }
        Ok(())
    }

    /// Before the first step of a body the water's force on it is unknown. This takes it for the weight, as if the body
    /// floated at rest, so that the pressure is solved with the body where it begins; [`World::receive`] corrects its
    /// place. What touches something may rest on that: for it the force begins at 0. Bodies that have made a step are
    /// left alone; without this call all forces begin at 0. Call it before [`World::predict`].
    pub fn foresee_floating(&mut self) {
        for index in 0..self.bodies.len() {
            let body = &self.bodies[index];
            if !(body.is_new() && body.is_free() && self.coupling == Coupling::Pressure) {
                continue;
            }
            let (touches, weight) = (self.touches(index), self.gravity * body.mass);
            let body = &mut self.bodies[index];
            let (first, force) = match touches {
                true => (FirstStep::Touching { fell: [0.0; 3] }, 0.0),
                false => (FirstStep::Afloat, weight),
            };
            body.first_step = Some(first);
            body.lag = Impulse { linear: [0.0, force, 0.0], angular: [0.0; 3] };
        }
    }

    /// The first step of a body was predicted with a guess of the water's force ([`World::foresee_floating`]). Once the
    /// force is known, the body goes to where that would have brought it: by `β a dt²` with the `unforeseen`
    /// acceleration. Otherwise what floats at rest would begin up to 6 mm too low (steps of a thirtieth of a second),
    /// and bob from then on. What touched something is only taken back as far as it fell.
    fn correct_first_place(&mut self, index: usize, dt: f64, (first, unforeseen): (FirstStep, DVec3)) {
        let body = &self.bodies[index];
        let most = match first {
            FirstStep::Touching { fell } => DVec3::from(fell).dot(unforeseen.normalize_or_zero()).max(0.0),
            FirstStep::Afloat => f64::INFINITY,
        };
        let change = (unforeseen * IN_SUB_STEPS * dt * dt).clamp_length_max(most);
        if let Some(rapier) = self.physics.bodies.get_mut(body.handle) {
            rapier.set_translation(rapier.translation() + change.as_vec3(), true);
        }
    }

    /// Gives bodies what of them is under water, in the order of [`World::free`]: for drag and, under
    /// [`Coupling::Buoyancy`], lift in the next prediction.
    pub fn submerge(&mut self, wet: &[Wet]) -> Result<(), WorldError> {
        self.check_count("states of wetness", wet.len())?;
        for (body, wet) in self.bodies.iter().zip(wet) {
            let vectors = wet.centre.iter().chain(&wet.velocity).chain(&wet.rates).all(|v| v.is_finite());
            let sizes = wet.area.iter().chain([&wet.displaced]).all(|v| v.is_finite() && *v >= 0.0);
            if !(vectors && sizes) {
                return Err(WorldError::NotFinite { what: "wetness", name: body.name.clone() });
            }
        }
        self.bodies.iter_mut().zip(wet).for_each(|(body, wet)| body.wet = *wet);
        Ok(())
    }
}

/// The force of an impulse, as far as the next prediction uses it.
fn limited(body: &WorldBody, impulse: &Impulse, dt: f64, gravity: f64, turned: DVec3) -> Impulse {
    // Locked axes take any force and move no further: they must not use up the limit.
    let free = |locks: [bool; 3]| DVec3::from(locks.map(|locked| if locked { 0.0 } else { 1.0 }));
    let force = DVec3::from(impulse.linear) * free(body.locks.translation) / dt;
    let torque = DVec3::from(impulse.angular) * free(body.locks.rotation) / dt;
    let most = (LARGEST_LAG * body.mass * gravity).max(body.pressed);
    let share = if force.length() > most { most / force.length() } else { 1.0 };
    // A body cannot be predicted to turn faster than its rim would fall.
    let spin = turned.length() / dt * share;
    let fastest = most / body.mass / body.radius;
    let turn_share = if spin > fastest { share * fastest / spin } else { share };
    Impulse { linear: (force * share).to_array(), angular: (torque * turn_share).to_array() }
}

/// Whether a time can be a step.
pub(crate) fn check_step(dt: f64) -> Result<(), WorldError> {
    if dt > 1e-9 && dt <= 1e3 {
        Ok(())
    } else {
        Err(WorldError::Number { what: "time step", value: dt, range: "more than 0 and at most 1000 s" })
    }
}
