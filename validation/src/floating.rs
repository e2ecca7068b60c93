//! How cases of rigid bodies in three-dimensional water are set up and measured: a scene's text, a run, a record.

use std::fmt::Write as _;
use std::sync::Arc;

use thalweg::rigid::BodyState;
use thalweg::{Scene, Simulation};
use thalweg_compute::Executor;

use crate::{Result, ValidationError};

/// Density of water, kg/m³.
pub(crate) const WATER: f64 = 1000.0;

/// A tank of still water with walls all around, and bodies in it.
pub(crate) struct Basin<'a> {
    /// Length, height and width, m.
    pub(crate) size: [f64; 3],
    /// Edge of a cell, m.
    pub(crate) cell: f64,
    /// Level of the water at the start, m.
    pub(crate) level: f64,
    /// `uniform` or `tall-cells`.
    pub(crate) solver: &'a str,
    /// Keys of `[water.tall]`.
    pub(crate) options: &'a str,
    /// Keys of every `[[body]]`, but for its name.
    pub(crate) bodies: Vec<String>,
}

/// The bodies at a time.
pub(crate) struct Moment {
    /// s.
    pub(crate) time: f64,
    pub(crate) bodies: Vec<BodyState>,
}

impl Basin<'_> {
    /// The scene of it.
    fn text(&self) -> String {
        let Self { size, cell, level, solver, options, bodies } = self;
        let mut text = format!(
            "[scene]\nname = 'bodies'\nduration = 100\n[domain]\nsize = {size:?}\ncell = {cell:?}\n\
             [water]\nsolver = '{solver}'\nlevel = {level:?}\n[water.tall]\n{options}\n"
        );
        for (number, body) in bodies.iter().enumerate() {
            // Writing to a string cannot fail.
            _ = write!(text, "[[body]]\nname = 'body-{number}'\n{body}\n");
        }
        text
    }

    /// Runs for a time and records the start and every frame.
    pub(crate) fn record(&self, exec: &Arc<Executor>, seconds: f64, frame: f64) -> Result<Vec<Moment>> {
        self.watch(exec, seconds, frame, |simulation| {
            Ok(Moment { time: simulation.time(), bodies: simulation.bodies() })
        })
    }

    /// Runs for a time and takes down what a closure sees, at the start and after every frame.
    pub(crate) fn watch<T>(
        &self,
        exec: &Arc<Executor>,
        seconds: f64,
        frame: f64,
        look: impl Fn(&mut Simulation) -> Result<T>,
    ) -> Result<Vec<T>> {
        let scene = Scene::from_str(&self.text(), "validation.toml", ".").map_err(thalweg::Error::from)?;
        let mut simulation = Simulation::on(Arc::clone(exec), scene)?;
        let mut seen = vec![look(&mut simulation)?];
        for _ in 0..(seconds / frame).round() as usize {
            simulation.step(frame)?;
            seen.push(look(&mut simulation)?);
        }
        Ok(seen)
    }
}

impl From<thalweg::Error> for ValidationError {
    fn from(error: thalweg::Error) -> Self {
        Self::Simulation(Arc::new(error))
    }
}

/// A box of a density in kg/m³ with its middle at a point, turned around z.
pub(crate) fn block(size: [f64; 3], middle: [f64; 3], degrees: f64, density: f64, drag: f64) -> String {
    format!(
        "shape = 'box'\nsize = {size:?}\nposition = {middle:?}\nrotation = {{ axis = [0, 0, 1], degrees = {degrees:?} }}\n\
         density = {density:?}\ndrag = {drag:?}"
    )
}

/// How far a body is turned around z, degrees, from −180 to 180.
pub(crate) fn turn_around_z(body: &BodyState) -> f64 {
    let [_, _, z, w] = body.pose.rotation;
    let turn = 2.0 * z.atan2(w).to_degrees();
    if turn > 180.0 {
        turn - 360.0
    } else if turn < -180.0 {
        turn + 360.0
    } else {
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilted_block_is_recorded() {
        let exec = Arc::new(Executor::cpu().unwrap());
        let bodies = vec![block([0.4, 0.2, 0.4], [0.5, 0.8, 0.5], -30.0, 250.0, 0.0)];
        let basin = Basin { size: [1.0; 3], cell: 0.1, level: 0.5, solver: "uniform", options: "", bodies };
        let record = basin.record(&exec, 0.04, 0.02).unwrap();
        assert_eq!(record.len(), 3);
        assert!(record[0].time == 0.0 && (record[2].time - 0.04).abs() < 1e-9);
        let [start, end] = [0, 2].map(|n| &record[n].bodies[0]);
        assert!((turn_around_z(start) + 30.0).abs() < 1e-3 && (start.mass - 8.0).abs() < 1e-3);
        assert!((end.velocity[1] + 0.04 * 9.81).abs() < 1e-3, "it falls: {:?}", end.velocity);
        let wrong = Basin { solver: "none", ..basin };
        assert!(matches!(wrong.record(&exec, 0.04, 0.02), Err(ValidationError::Simulation(_))));
    }
}
