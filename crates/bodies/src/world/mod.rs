//! Bodies, obstacles and ground together, in contact by Rapier.

mod body;
mod collider;
mod coupling;
mod drag;
mod hull;
mod insert;
mod interaction;
mod pose;
mod predict;
mod save;
mod springs;
mod state;

use glam::DVec3;
use rapier3d::prelude::{PhysicsWorld, RigidBodyHandle};
use serde::{Deserialize, Serialize};
use thalweg_model::{Body, Coupling, Motion, Obstacle, Pose};

use self::pose::from_rapier;
use crate::error::WorldError;
use crate::setup::WorldSetup;
use crate::state::Overlap;
use body::WorldBody;
use insert::Contacts;

pub(crate) use hull::hull;

/// Overlaps up to this part of the smaller radius come from rounding.
const OVERLAP: f64 = 1e-3;

/// All bodies and what they can touch.
pub struct World {
    pub(crate) gravity: f64,
    pub(crate) water_density: f64,
    pub(crate) coupling: Coupling,
    pub(crate) origin: [f64; 3],
    /// s.
    pub(crate) time: f64,
    pub(crate) physics: PhysicsWorld,
    pub(crate) bodies: Vec<WorldBody>,
    pub(crate) moving_obstacles: Vec<MovingObstacle>,
}

/// An obstacle that follows a path.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct MovingObstacle {
    pub(crate) handle: RigidBodyHandle,
    pub(crate) path: Motion,
    pub(crate) start: Pose,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("time", &self.time).field("bodies", &self.bodies).finish_non_exhaustive()
    }
}

impl World {
    /// A world at time 0.
    pub fn new(setup: &WorldSetup) -> Result<Self, WorldError> {
        Self::new_at(setup, 0.0)
    }

    /// A world at a time, s: what follows a path is where it is then.
    pub fn new_at(setup: &WorldSetup, time: f64) -> Result<Self, WorldError> {
        let number = |what, value: f64, low: f64, high: f64, range| {
            if (low..=high).contains(&value) { Ok(()) } else { Err(WorldError::Number { what, value, range }) }
        };
        number("gravity", setup.gravity, 0.0, 1e3, "between 0 and 1000 m/s²")?;
        number("density of the water", setup.water_density, 1e-3, 1e6, "between 0.001 and 1e6 kg/m³")?;
        number("time", time, 0.0, 1e12, "between 0 and 1e12 s")?;
        for value in setup.origin {
            number("origin", value, -1e9, 1e9, "between −1e9 and 1e9 m")?;
        }
        let mut world = Self {
            gravity: setup.gravity,
            water_density: setup.water_density,
            coupling: setup.coupling,
            origin: setup.origin,
            time,
            physics: PhysicsWorld::default(),
            bodies: Vec::new(),
            moving_obstacles: Vec::new(),
        };
        world.physics.gravity = DVec3::new(0.0, -setup.gravity, 0.0).as_vec3();
        insert::tune(&mut world.physics.integration_parameters);
        if let Some(ground) = &setup.ground {
            insert::ground(&mut world, ground)?;
        }
        insert::walls(&mut world, &setup.walls)?;
        for (index, obstacle) in setup.obstacles.iter().enumerate() {
            insert::obstacle(&mut world, obstacle).map_err(|error| WorldError::Obstacle { index, error })?;
        }
        for body in &setup.bodies {
            world.insert(body)?;
        }
        // Rays and overlaps need it before the first step.
        world.physics.detect_collisions(&(), &());
        Ok(world)
    }

    /// Adds a body; returns its number. A path counts from time 0 of the world.
    pub fn add(&mut self, body: &Body) -> Result<usize, WorldError> {
        let number = self.insert(body)?;
        self.physics.detect_collisions(&(), &());
        Ok(number)
    }

    fn insert(&mut self, setup: &Body) -> Result<usize, WorldError> {
        if self.find(&setup.name).is_some() {
            return Err(WorldError::SameName { name: setup.name.clone() });
        }
        let named = |error| WorldError::Body { name: setup.name.clone(), error };
        let contacts = Contacts::new(setup, self.origin).map_err(named)?;
        let body = contacts.insert(setup, &mut self.physics, self.time, self.origin);
        self.bodies.push(body);
        Ok(self.bodies.len() - 1)
    }

    /// Takes a body out; the numbers of those after it become one less.
    pub fn remove(&mut self, index: usize) -> Result<(), WorldError> {
        self.check_index(index)?;
        let body = self.bodies.remove(index);
        self.physics.remove_body(body.handle);
        Ok(())
    }

    /// Replaces the obstacles, each where it is at the present time; bodies stay as they are. After an error nothing has
    /// changed.
    pub fn set_obstacles(&mut self, obstacles: &[Obstacle]) -> Result<(), WorldError> {
        let old = self.obstacle_handles();
        let moving = std::mem::take(&mut self.moving_obstacles);
        let mut put_in = obstacles.iter().enumerate().map(|(index, obstacle)| {
            insert::obstacle(self, obstacle).map_err(|error| WorldError::Obstacle { index, error })
        });
        let done = put_in.try_for_each(|done| done);
        let gone = match done {
            Ok(()) => old,
            Err(_) => {
                self.moving_obstacles = moving;
                self.obstacle_handles().into_iter().filter(|handle| !old.contains(handle)).collect()
            }
        };
        for handle in gone {
            self.physics.remove_body(handle);
        }
        self.physics.detect_collisions(&(), &());
        done
    }

    /// Bodies of Rapier that stand for obstacles.
    fn obstacle_handles(&self) -> Vec<RigidBodyHandle> {
        let all = self.physics.bodies.iter().map(|(handle, _)| handle);
        all.filter(|handle| self.bodies.iter().all(|body| body.handle != *handle)).collect()
    }

    /// Number of the body of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Time since the start, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How water acts on bodies.
    pub fn coupling(&self) -> Coupling {
        self.coupling
    }

    /// What is inside each other, as of the last step or, before it, the start. Contacts push such bodies apart.
    pub fn overlaps(&self) -> Vec<Overlap> {
        let owner = |collider| {
            let parent = self.physics.colliders.get(collider).and_then(|collider| collider.parent())?;
            self.bodies.iter().find(|body| body.handle == parent)
        };
        let mut found: Vec<Overlap> = Vec::new();
        for pair in self.physics.narrow_phase.contact_pairs() {
            let (a, b) = (owner(pair.collider1), owner(pair.collider2));
            let (Some(body), other) = (if a.is_some() { (a, b) } else { (b, a) }) else { continue };
            let depth = pair.manifolds().iter().flat_map(|manifold| &manifold.points);
            let depth = depth.map(|point| -f64::from(point.dist)).fold(0.0, f64::max);
            let radius = other.map_or(body.radius, |other| other.radius.min(body.radius));
            if depth > OVERLAP * radius {
                let other = other.map(|other| other.name.clone());
                found.push(Overlap { body: body.name.clone(), other, depth });
            }
        }
        found.sort_by(|a, b| (&a.body, &a.other).cmp(&(&b.body, &b.other)));
        found
    }

    /// Whether a body touches another, an obstacle, the ground or a side, or is as near as contacts look.
    pub(crate) fn touches(&self, index: usize) -> bool {
        let handle = self.bodies[index].handle;
        let is_its = |collider| self.physics.colliders.get(collider).and_then(|c| c.parent()) == Some(handle);
        let mut pairs = self.physics.narrow_phase.contact_pairs();
        pairs.any(|pair| {
            let has_points = pair.manifolds().iter().any(|manifold| !manifold.points.is_empty());
            has_points && (is_its(pair.collider1) || is_its(pair.collider2))
        })
    }

    pub(crate) fn pose_of(&self, body: &WorldBody) -> Pose {
        match (&body.path, self.physics.bodies.get(body.handle)) {
            (Some(path), _) => path.pose(&body.start, self.time),
            (None, Some(rapier)) => from_rapier(rapier.position(), self.origin),
            (None, None) => body.start,
        }
    }

    /// Gives a body a velocity in Rapier.
    pub(crate) fn set_motion(&mut self, index: usize, velocity: DVec3, rates: DVec3) {
        if let Some(rapier) = self.physics.bodies.get_mut(self.bodies[index].handle) {
            rapier.set_linvel(velocity.as_vec3(), true);
            rapier.set_angvel(rates.as_vec3(), true);
        }
    }

    pub(crate) fn check_index(&self, index: usize) -> Result<(), WorldError> {
        let count = self.bodies.len();
        if index < count { Ok(()) } else { Err(WorldError::NoBody { index, count }) }
    }

    pub(crate) fn check_count(&self, what: &'static str, found: usize) -> Result<(), WorldError> {
        let count = self.bodies.len();
        if found == count { Ok(()) } else { Err(WorldError::Count { what, found, count }) }
    }
}
