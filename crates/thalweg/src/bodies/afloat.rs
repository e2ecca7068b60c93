//! Bodies and water, step by step: the halves of a body's step around the water's.

use thalweg_bodies::{BodyState, Impulse, Overlap, Wet, World};
use thalweg_scene::Scene;
use thalweg_tall::{FreeBody, Obstacle, TallWater};

use super::{WATER, WetPart, wet_parts, world_setup};
use crate::error::Error;

/// The bodies of a scene in their world, as the water meets them.
#[derive(Debug)]
pub(crate) struct Afloat {
    pub(crate) world: World,
    /// The parts of every body.
    parts: Vec<Vec<WetPart>>,
    /// World coordinates of the corner from which the water counts, m.
    corner: [f64; 3],
}

impl Afloat {
    /// The bodies of a scene; `None` if it has none.
    pub(crate) fn new(scene: &Scene, bed: &[f32], corner: [f64; 3]) -> Result<Option<Self>, Error> {
        if scene.bodies.is_empty() {
            return Ok(None);
        }
        let world = World::new(&world_setup(scene, bed)?)?;
        let parts = scene.bodies.iter().map(|body| wet_parts(body, scene.grid.cell)).collect::<Result<_, _>>()?;
        Ok(Some(Self { world, parts, corner }))
    }

    /// What the water's solver takes them for, where they are now.
    pub(crate) fn obstacles(&self) -> Vec<Obstacle> {
        let states = self.world.states();
        let bodies = self.parts.iter().zip(&states).enumerate();
        let parts = bodies.flat_map(|(body, (parts, state))| parts.iter().map(move |part| (body, part, state)));
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
        let bodies = self.world.free().into_iter().zip(self.world.states());
        let free = bodies.map(|(body, state)| FreeBody {
            position: self.local(body.pose.position),
            turn: body.pose.rotation,
            centre: self.local(body.centre_of_mass),
            velocity: body.velocity,
            rates: body.rates,
            per_mass: body.inverse_mass.map(|v| WATER * v),
            per_inertia: body.inverse_inertia.map(|row| row.map(|v| WATER * v)),
            volume: state.volume,
        });
        free.collect()
    }

    /// Puts them into the water where they are, for what looks at it between steps.
    pub(crate) fn place(&self, water: &mut TallWater) -> Result<(), Error> {
        Ok(water.place_bodies(&self.free())?)
    }

    /// One step of bodies and water together.
    pub(crate) fn step(&mut self, water: &mut TallWater, dt: f64) -> Result<(), Error> {
        self.world.predict(dt)?;
        self.place(water)?;
        water.step(dt)?;
        let loads = water.body_loads()?;
        let pushed = loads
            .iter()
            .map(|load| Impulse { linear: load.impulse.map(|v| WATER * v), angular: load.moment.map(|v| WATER * v) });
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
        Ok(self.world.soak(&wet.collect::<Vec<_>>())?)
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
        if world.len() != self.parts.len() {
            return Err(Error::Saved("it holds another number of bodies".into()));
        }
        self.world = world;
        self.place(water)
    }
}
