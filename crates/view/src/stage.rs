//! A scene that runs, with what draws it.

use std::sync::Arc;

use thalweg::compute::Executor;
use thalweg::outputs::stage_of;
use thalweg::render::Look;
use thalweg::{Ability, Command, Error, Interaction, Painter, Picture, Session, Simulation, look};

use crate::command::{Tool, Touch};
use crate::contact::Contact;
use crate::figures::Figures;
use crate::obstacles;
use crate::report::World;
use crate::scene_source::{Overrides, SceneSource};

/// Radius of tools to begin with: cells, and share of the narrower side of the domain.
const TOOL_CELLS: f64 = 2.5;
const TOOL_SHARE: f64 = 0.07;

/// How far beside the domain a point may be, cells: a picture rounds.
const SLACK: f64 = 1.0;

/// What to do when one points beside the domain.
pub(crate) const POINT_AT_WATER: &str = "point at the water, the ground or an obstacle";

/// A scene that runs.
pub(crate) struct Stage {
    pub(crate) session: Session,
    painter: Painter,
    pub(crate) world: Arc<World>,
    /// Corners of the domain, m.
    corners: [[f64; 3]; 2],
    /// Look of the last picture.
    pub(crate) drawn: Option<Look>,
}

/// All that a scene needs before it runs.
pub(crate) struct Prepared {
    simulation: Simulation,
    painter: Painter,
    world: World,
    corners: [[f64; 3]; 2],
}

impl Prepared {
    pub(crate) fn new(
        executor: &Arc<Executor>,
        source: &SceneSource,
        overrides: Overrides,
        generation: u64,
    ) -> Result<Self, Error> {
        let scene = source.load_with(&overrides)?;
        let mut simulation = Simulation::on(Arc::clone(executor), scene)?;
        simulation.set_timed(true);
        let painter = Painter::new(&mut simulation)?;
        let home = look(&mut simulation)?;
        let bed = simulation.water_surface()?.bed;
        let scene = simulation.scene();
        let grid = &scene.grid;
        let [low, high] = scene.elevations(&bed);
        let size = [grid.nx, grid.nz].map(|count| f64::from(count) * grid.cell);
        let [x, z] = grid.origin;
        let corners = [[x, low, z], [x + size[0], high, z + size[1]]];
        // A slice is as narrow as it is long: the tool does not see its thickness.
        let narrow = if grid.nz > 1 { size[0].min(size[1]) } else { size[0] };
        let is_three_dimensional = scene.water.solver.has(Ability::ThreeDimensional);
        let world = World {
            generation,
            source: source.clone(),
            overrides,
            title: scene.name.clone(),
            home,
            executor: executor.describe(),
            solver: scene.water.solver.name(),
            is_three_dimensional,
            cells: scene.cost().cells,
            cell: grid.cell,
            regular_cells: scene.water.tall.regular_cells,
            surface: scene.water.tall.surface,
            depth: [z, z + size[1]],
            tool_radius: (TOOL_SHARE * narrow).max(TOOL_CELLS * grid.cell),
        };
        Ok(Self { simulation, painter, world, corners })
    }
}

impl Stage {
    pub(crate) fn new(prepared: Prepared) -> Result<Self, Error> {
        let Prepared { simulation, painter, world, corners } = prepared;
        Ok(Self { session: Session::live(simulation)?, painter, world: Arc::new(world), corners, drawn: None })
    }

    /// Goes on with another scene, or with the same one and the settings as they are. After an error nothing has
    /// changed.
    pub(crate) fn change(&mut self, prepared: Prepared) -> Result<(), Error> {
        let Prepared { simulation, painter, world, corners } = prepared;
        match world.source == self.world.source {
            true => self.session.reopen(simulation)?,
            false => self.session.open(simulation)?,
        }
        (self.painter, self.world, self.corners, self.drawn) = (painter, Arc::new(world), corners, None);
        Ok(())
    }

    /// Pauses the water and releases what is held, after an error that is known already.
    pub(crate) fn rest(&mut self) {
        for command in [Command::Pause, Command::Release] {
            let _ = self.session.command(command);
        }
    }

    /// Does to the water what a mouse does that touches it.
    pub(crate) fn contact(&mut self, contact: &Contact) -> Result<(), Error> {
        let command = contact.command(self.session.simulation().scene(), self.corners);
        self.session.command(command)
    }

    /// Draws the water as it is.
    pub(crate) fn draw(&mut self, look: &Look) -> Result<Picture, Error> {
        let picture = self.painter.draw(self.session.simulation_mut(), look)?;
        self.drawn = Some(look.clone());
        Ok(picture)
    }

    /// The point of the domain at a place of the last picture, m; `None` for the sky and what is around the domain.
    pub(crate) fn point_at(&self, place: [f64; 2]) -> Result<Option<[f64; 3]>, Error> {
        let Some(look) = &self.drawn else { return Ok(None) };
        let pixel: [u32; 2] = std::array::from_fn(|side| {
            (place[side] * f64::from(look.size[side])).clamp(0.0, f64::from(look.size[side] - 1)) as u32
        });
        let point = self.painter.point_at(self.session.simulation(), look, pixel)?;
        Ok(point.filter(|point| is_inside(self.corners, *point, SLACK * self.world.cell)))
    }

    /// Drags the contact of the mouse to another place of the last picture.
    pub(crate) fn drag(&self, contact: &mut Contact, touch: &Touch) {
        let Some(look) = &self.drawn else { return };
        let [low, high] = self.corners;
        let size = (0..3).map(|axis| (high[axis] - low[axis]).powi(2)).sum::<f64>().sqrt();
        contact.drag(touch, look, size);
    }

    /// Puts an obstacle down at a place of the last picture; what was done.
    pub(crate) fn place(&mut self, touch: &Touch) -> Result<String, Error> {
        let Some(point) = self.point_at(touch.place)? else { return Ok(POINT_AT_WATER.into()) };
        let Some(new) = obstacles::placed(touch, point) else { return Ok("this tool puts nothing down".into()) };
        let mut all = self.session.simulation().scene().obstacles.clone();
        all.push(new);
        self.session.command(Command::Apply(Interaction::SetObstacles(all)))?;
        Ok(format!("{} placed", if touch.tool == Tool::Ball { "ball" } else { "box" }))
    }

    /// Takes the body or the obstacle at a place of the last picture away; what was done.
    pub(crate) fn remove(&mut self, touch: &Touch) -> Result<String, Error> {
        if let Some(picked) = self.body_at(touch.place) {
            self.session.command(Command::Remove { body: picked.body.clone() })?;
            return Ok(format!("{} removed", picked.body));
        }
        let point = self.point_at(touch.place)?;
        let slack = 2.0 * self.world.cell;
        let found = point.and_then(|point| obstacles::at(&self.session.simulation().scene().obstacles, point, slack));
        let Some(number) = found else { return Ok("no body and no resting obstacle there".into()) };
        let mut all = self.session.simulation().scene().obstacles.clone();
        all.remove(number);
        self.session.command(Command::Apply(Interaction::SetObstacles(all)))?;
        Ok("obstacle removed".into())
    }

    /// Reads what the window shows of the water.
    pub(crate) fn measure(&mut self, figures: &mut Figures) -> Result<(), Error> {
        let begin = self.session.initial_volume()?;
        let simulation = self.session.simulation_mut();
        figures.take(simulation.statistics()?, begin);
        (figures.time, figures.steps) = (simulation.time(), simulation.steps());
        Ok(())
    }

    /// Milliseconds of every stage per step since the last call.
    pub(crate) fn stages(&self, steps: u64) -> Result<Vec<(&'static str, f64)>, Error> {
        let timings = self.session.simulation().take_timings()?;
        let mut stages: Vec<(&'static str, f64)> = Vec::new();
        for (name, time) in timings.stages() {
            // Parts of a stage follow each other.
            let (stage, ms) = (stage_of(name), time.ms / steps.max(1) as f64);
            match stages.last_mut() {
                Some((last, sum)) if *last == stage => *sum += ms,
                _ => stages.push((stage, ms)),
            }
        }
        stages.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(stages)
    }
}

/// Whether a point is in a box, or at most `slack` beside it.
fn is_inside([low, high]: [[f64; 3]; 2], point: [f64; 3], slack: f64) -> bool {
    (0..3).all(|axis| point[axis] >= low[axis] - slack && point[axis] <= high[axis] + slack)
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    #[test]
    fn what_is_around_the_domain_is_not_in_it() {
        let corners = [[0.0; 3], [2.0, 1.0, 0.5]];
        assert!(is_inside(corners, [1.0, 0.5, 0.2], 0.1));
        assert!(is_inside(corners, [2.05, -0.05, 0.2], 0.1), "a picture rounds");
        assert!(!is_inside(corners, [1.0, 0.0, -3.0], 0.1));
    }
}
