//! A body that a user holds: it is grabbed at a point, dragged, and thrown.

use crate::error::Error;
use crate::interaction::Interaction;
use crate::simulation::Simulation;

/// Simulated time over which the velocity of a throw is taken, s: shorter ones tremble, longer ones forget the swing.
const SWING: f64 = 0.15;

/// Slowest throw, m/s: a body that is dragged more slowly is only released.
const SLOWEST: f64 = 0.02;

/// A body that is held by a pointer, such as that of a mouse: it is grabbed at a point, dragged, and thrown if the
/// pointer moves when it is released. A [`Session`](crate::Session) does all this by commands.
///
/// ```
/// use thalweg::{Backend, GrabbedBody, Scene, Simulation};
///
/// let mut simulation = Simulation::new(Scene::shipped("boxes")?, Backend::Cpu)?;
/// let body = simulation.bodies()[0].clone();
/// let [x, y, z] = body.centre_of_mass;
/// let mut grabbed = GrabbedBody::grab(&mut simulation, &body.name, [x, y, z])?;
/// grabbed.drag(&mut simulation, [x, y + 0.5, z])?;
/// simulation.step(0.02)?;
/// grabbed.release(&mut simulation)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GrabbedBody {
    body: String,
    /// Where the pointer was, m, and when, s of the simulation.
    trail: Vec<([f64; 3], f64)>,
}

impl GrabbedBody {
    /// Grabs a body at a point of it, world coordinates, m.
    pub fn grab(simulation: &mut Simulation, body: &str, at: [f64; 3]) -> Result<Self, Error> {
        simulation.apply(Interaction::Grab { body: body.into(), at, to: at })?;
        Ok(Self { body: body.into(), trail: vec![(at, simulation.time())] })
    }

    /// Name of the body.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Where the pointer is, m.
    pub fn place(&self) -> [f64; 3] {
        self.trail.last().map_or([0.0; 3], |(place, _)| *place)
    }

    /// Moves the pointer.
    pub fn drag(&mut self, simulation: &mut Simulation, to: [f64; 3]) -> Result<(), Error> {
        simulation.apply(Interaction::Drag { body: self.body.clone(), to })?;
        let now = simulation.time();
        self.trail.retain(|(_, time)| *time > now - SWING && *time < now);
        self.trail.push((to, now));
        Ok(())
    }

    /// Releases the body: it is thrown with the velocity of the pointer, and keeps its own if the pointer rests.
    pub fn release(self, simulation: &mut Simulation) -> Result<(), Error> {
        let scene = simulation.scene();
        // No throw is faster than what falls from twice the height of the domain.
        let fastest = (4.0 * scene.gravity.max(1.0) * scene.grid.height).sqrt();
        let velocity = self.velocity(simulation.time(), fastest);
        let body = self.body;
        simulation.apply(match velocity {
            Some(velocity) => Interaction::Throw { body, velocity },
            None => Interaction::Release { body },
        })
    }

    /// The velocity of the pointer, m/s, at most `fastest`; `None` while it rests.
    fn velocity(&self, now: f64, fastest: f64) -> Option<[f64; 3]> {
        let mut fresh = self.trail.iter().filter(|(_, time)| *time > now - SWING);
        let (from, begin) = fresh.next()?;
        let (to, _) = fresh.next_back()?;
        let moved: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let speed = moved.iter().map(|v| v * v).sum::<f64>().sqrt() / (now - begin);
        let share = (fastest / speed).min(1.0) / (now - begin);
        (speed.is_finite() && speed > SLOWEST).then(|| moved.map(|v| share * v))
    }
}

#[cfg(test)]
mod tests {
    use super::GrabbedBody;

    #[test]
    fn a_body_is_thrown_with_the_velocity_that_the_pointer_had_last() {
        let trail = vec![([0.0; 3], 0.0), ([1.0, 0.0, 0.0], 1.0), ([1.2, 0.0, 0.0], 1.1)];
        let grabbed = GrabbedBody { body: "a".into(), trail };
        let near = |found: Option<[f64; 3]>, x: f64| found.is_some_and(|v| (v[0] - x).abs() < 1e-9 && v[1] == 0.0);
        assert!(near(grabbed.velocity(1.1, 10.0), 2.0), "{:?}", grabbed.velocity(1.1, 10.0));
        assert!(near(grabbed.velocity(1.1, 1.5), 1.5), "no faster than allowed");
        assert_eq!(grabbed.velocity(1.24, 10.0), None, "it has rested since");
        assert_eq!(grabbed.velocity(5.0, 10.0), None);
        let still = GrabbedBody { body: "a".into(), trail: vec![([0.0; 3], 1.0), ([1.0; 3], 1.0)] };
        assert_eq!(still.velocity(1.0, 10.0), None, "no time has passed");
    }
}
