//! Bodies and water, step by step: the halves of a body's step around the water's.

use thalweg_bodies::{BodyState, Impulse, Overlap, Wet, World};
use thalweg_compute::Later;
use thalweg_scene::{self as scene, Scene};
use thalweg_tall::{BodyLoad, FreeBody, Obstacle, TallError, TallWater};

use super::symmetry::Symmetry;
use super::{WATER, WetPart, locked, wet_parts, world_setup};
use crate::error::Error;
use crate::sampler::Sampler;

/// What the water meets of a body.
#[derive(Debug)]
struct Hull {
    parts: Vec<WetPart>,
    symmetry: Symmetry,
}

impl Hull {
    fn of(body: &scene::Body, sampler: &Sampler, cell: f64) -> Result<Self, Error> {
        Ok(Self { parts: wet_parts(body, sampler, cell)?, symmetry: Symmetry::of(body) })
    }
}

/// The bodies of a scene in their world, as the water meets them.
#[derive(Debug)]
pub(crate) struct FloatingBodies {
    pub(crate) world: World,
    /// One of every body.
    hulls: Vec<Hull>,
    /// World coordinates of the corner from which the water counts, m.
    corner: [f64; 3],
    /// What the water did to them in the last step and that step's length, s, until they know.
    loads: Option<(f64, Later<Vec<BodyLoad>, TallError>)>,
}

impl FloatingBodies {
    /// The bodies of a scene; `None` if it has none.
    pub(crate) fn new(scene: &Scene, bed: &[f32], corner: [f64; 3]) -> Result<Option<Self>, Error> {
        if scene.bodies.is_empty() {
            return Ok(None);
        }
        Self::at(scene, bed, corner, 0.0).map(Some)
    }

    /// The world of a scene at a time, with or without bodies.
    fn at(scene: &Scene, bed: &[f32], corner: [f64; 3], time: f64) -> Result<Self, Error> {
        let world = World::new_at(&world_setup(scene, bed), time)?;
        let sampler = Sampler::new(scene, corner[1]);
        let hulls = scene.bodies.iter().map(|body| Hull::of(body, &sampler, scene.grid.cell));
        let hulls = hulls.collect::<Result<_, _>>()?;
        Ok(Self { world, hulls, corner, loads: None })
    }

    /// The world of one body, for a scene that has had none.
    pub(crate) fn first(
        scene: &Scene,
        bed: &[f32],
        corner: [f64; 3],
        time: f64,
        body: &scene::Body,
    ) -> Result<Self, Error> {
        let mut afloat = Self::at(scene, bed, corner, time)?;
        afloat.add(scene, body)?;
        Ok(afloat)
    }

    /// Puts another body in, behind the others; the water does not know of it yet.
    pub(crate) fn add(&mut self, scene: &Scene, body: &scene::Body) -> Result<(), Error> {
        let hull = Hull::of(body, &Sampler::new(scene, self.corner[1]), scene.grid.cell)?;
        self.world.add(&locked(body, &scene.grid))?;
        self.hulls.push(hull);
        Ok(())
    }

    /// Takes a body out; the water does not know of that yet.
    pub(crate) fn remove(&mut self, index: usize) -> Result<(), Error> {
        self.world.remove(index)?;
        self.hulls.remove(index);
        Ok(())
    }

    /// Puts the obstacles of a scene in, for contacts.
    pub(crate) fn set_obstacles(&mut self, scene: &Scene) -> Result<(), Error> {
        Ok(self.world.set_obstacles(&scene.obstacles)?)
    }

    /// How many bodies there are.
    pub(crate) fn len(&self) -> usize {
        self.hulls.len()
    }

    /// What the water's solver takes them for, where they are now.
    pub(crate) fn obstacles(&self) -> Vec<Obstacle> {
        self.chosen_obstacles(|_| true)
    }

    /// The same of some of them, which are numbered anew.
    pub(crate) fn chosen_obstacles(&self, is_chosen: impl Fn(usize) -> bool) -> Vec<Obstacle> {
        let states = self.world.states();
        let bodies = self.hulls.iter().zip(&states).enumerate().filter(|(body, _)| is_chosen(*body));
        let bodies = bodies.map(|(_, both)| both).enumerate();
        let parts = bodies.flat_map(|(body, (hull, state))| hull.parts.iter().map(move |part| (body, part, state)));
        let floating = parts.map(|(body, part, state)| Obstacle::Floating {
            shape: Box::new(part.obstacle.clone()),
            body,
            part: (part.pose.position, part.pose.rotation),
            start: (self.local(state.pose.position), state.pose.rotation),
        });
        floating.collect()
    }

    fn local(&self, point: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| point[axis] - self.corner[axis])
    }

    /// Bodies as the water's next step finds them.
    fn free(&self) -> Vec<FreeBody> {
        let bodies = self.world.free().into_iter().zip(self.world.states()).zip(&self.hulls);
        let free = bodies.map(|((body, state), Hull { symmetry, .. })| {
            let without = |turn: [f64; 3]| symmetry.without(body.pose.rotation, turn);
            // Symmetric, so that its columns are its rows.
            let rows = body.inverse_inertia.map(|row| without(row.map(|v| WATER * v)));
            let columns = [0, 1, 2].map(|n| without(rows.map(|row| row[n])));
            FreeBody {
                position: self.local(body.pose.position),
                turn: body.pose.rotation,
                centre: self.local(body.centre_of_mass),
                velocity: body.velocity,
                rates: without(body.rates),
                per_mass: body.inverse_mass.map(|v| WATER * v),
                per_inertia: columns,
                volume: state.volume,
            }
        });
        free.collect()
    }

    /// Puts them into the water where they are, for what looks at it between steps.
    pub(crate) fn place(&self, water: &mut TallWater) -> Result<(), Error> {
        self.place_but(None, water)
    }

    /// The same for water that does not know one of them any more.
    pub(crate) fn place_but(&self, gone: Option<usize>, water: &mut TallWater) -> Result<(), Error> {
        let mut free = self.free();
        if let Some(gone) = gone {
            free.remove(gone);
        }
        Ok(water.place_bodies(&free)?)
    }

    /// One step of bodies and water together.
    pub(crate) fn step(&mut self, water: &mut TallWater, dt: f64) -> Result<(), Error> {
        water.begin_step(dt)?;
        self.receive()?; // while a GPU is at what moves with the water
        self.world.foresee_floating();
        self.world.predict(dt)?;
        self.place(water)?;
        water.finish_step(dt)?;
        self.loads = Some((dt, water.body_loads_later()?));
        Ok(())
    }

    /// What the water did to the bodies in the last step, of which they do not know yet: call it after the last one of
    /// several steps.
    pub(crate) fn receive(&mut self) -> Result<(), Error> {
        let Some((dt, loads)) = self.loads.take() else { return Ok(()) };
        let loads = loads.wait()?;
        let turns = self.world.free().into_iter().map(|body| body.pose.rotation);
        let pushed = loads.iter().zip(&self.hulls).zip(turns).map(|((load, hull), turn)| Impulse {
            linear: load.impulse.map(|v| WATER * v),
            angular: hull.symmetry.without(turn, load.moment.map(|v| WATER * v)),
        });
        self.world.receive(dt, &pushed.collect::<Vec<_>>())?;
        let states = self.world.states();
        let wet = loads.iter().zip(&states).map(|(load, state)| {
            // As large from all sides, and wet by what is displaced.
            let area = state.volume.cbrt().powi(2) * (load.displaced / state.volume).clamp(0.0, 1.0);
            Wet {
                displaced: load.displaced.min(state.volume),
                centre: std::array::from_fn(|axis| load.buoyancy[axis] + self.corner[axis]),
                area: [area; 3],
                velocity: load.flow,
                rates: [0.0; 3],
            }
        });
        Ok(self.world.submerge(&wet.collect::<Vec<_>>())?)
    }

    pub(crate) fn states(&self) -> Vec<BodyState> {
        self.world.states()
    }

    /// Bodies that are stuck in each other or in the ground.
    pub(crate) fn overlaps(&self) -> Vec<Overlap> {
        self.world.overlaps()
    }

    /// Bytes that [`Self::load`] takes.
    pub(crate) fn save(&self) -> Vec<u8> {
        self.world.save()
    }

    /// The bodies as they were saved, in the water.
    pub(crate) fn load(&mut self, bytes: &[u8], water: &mut TallWater) -> Result<(), Error> {
        let world = World::load(bytes).map_err(|error| Error::Saved(format!("its bodies: {error}")))?;
        if world.len() != self.hulls.len() {
            return Err(Error::Saved("it holds another number of bodies".into()));
        }
        (self.world, self.loads) = (world, None);
        self.place(water)
    }
}
