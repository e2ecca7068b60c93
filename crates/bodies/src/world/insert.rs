//! Ground, walls, obstacles and bodies as Rapier takes them.

use glam::{DMat3, DVec3};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::{
    ColliderBuilder, HeightFieldFlags, IntegrationParameters, LockedAxes, MassProperties as RapierMass, PhysicsWorld,
    RigidBodyBuilder, SharedShape, Vector,
};
use thalweg_model::{Body, Mass, Obstacle, Pose};

use super::body::{NOT_YET, WorldBody};
use super::collider::contacts;
use super::pose::to_rapier;
use super::{MovingObstacle, World};
use crate::coupling::{Impulse, Wet};
use crate::error::{BodyError, WorldError};
use crate::mass::MassProperties;
use crate::setup::{GroundHeights, Walls, check_body};
use crate::shape::Shape;

/// Friction of ground, walls and obstacles.
const GROUND_FRICTION: f32 = 0.6;

/// Farthest that anything may be from the origin, m: beyond it, single precision resolves decimetres only.
const FARTHEST: f64 = 1e6;

/// Sub-steps of the contact solver. A tower of ten boxes stands with them in steps of 1/30 s.
const ITERATIONS: usize = 8;

/// Natural frequency of contacts, Hz: a body sinks in by g/(2π f)², and a quarter of the rate of sub-steps is the most
/// that they can follow in steps of 1/30 s.
const STIFFNESS: f32 = 60.0;

/// Fastest that contacts let a body be, m/s.
const FASTEST: f32 = 400.0;

pub(crate) fn tune(parameters: &mut IntegrationParameters) {
    parameters.num_solver_iterations = ITERATIONS;
    parameters.max_ccd_substeps = 4;
    parameters.contact_softness.natural_frequency = STIFFNESS;
    parameters.static_contact_softness.natural_frequency = 2.0 * STIFFNESS;
}

/// Contacts are as exact as the smallest body needs: they let bodies sink in by a two-hundredth of this unit.
fn tune_to(parameters: &mut IntegrationParameters, radius: f64) {
    let unit = (radius as f32).clamp(1e-3, 1.0);
    if unit < parameters.length_unit {
        parameters.length_unit = unit;
        parameters.normalized_max_linear_velocity = FASTEST / unit;
    }
}

/// Elevations become triangles between the middles of columns; a border of one column goes beyond the sides.
pub(crate) fn ground(world: &mut World, ground: &GroundHeights) -> Result<(), WorldError> {
    let &GroundHeights { nx, nz, cell, origin, ref heights } = ground;
    let refuse = |message: String| Err(WorldError::Ground(message));
    if nx == 0 || nz == 0 || nx.checked_mul(nz) != Some(heights.len()) {
        return refuse(format!("{nx} x {nz} columns have {} heights", heights.len()));
    }
    let is_placed = origin.iter().all(|v| v.is_finite());
    if !(is_placed && cell > 0.0 && cell <= FARTHEST) {
        return refuse(format!("columns of {cell} m at {origin:?}"));
    }
    let far = |height: &f32| !is_near(f64::from(*height) - world.origin[1]);
    if let Some(at) = heights.iter().position(far) {
        return refuse(format!("column {at} has the height {}", heights[at]));
    }
    let (columns, rows) = (nx + 2, nz + 2);
    let mut padded = Vec::with_capacity(columns * rows);
    // Column-major: rows along z are fastest.
    for i in 0..columns {
        let x = i.saturating_sub(1).min(nx - 1);
        for k in 0..rows {
            let z = k.saturating_sub(1).min(nz - 1);
            padded.push((f64::from(heights[x + nx * z]) - world.origin[1]) as f32);
        }
    }
    let size = [(columns - 1) as f64 * cell, (rows - 1) as f64 * cell];
    let middle = [origin[0] + 0.5 * nx as f64 * cell, origin[1] + 0.5 * nz as f64 * cell];
    let place = Vector::new((middle[0] - world.origin[0]) as f32, 0.0, (middle[1] - world.origin[2]) as f32);
    if !place.is_finite() || place.length() > FARTHEST as f32 {
        return refuse(format!("its middle is {place} m from the origin of the world"));
    }
    let scale = Vector::new(size[0] as f32, 1.0, size[1] as f32);
    // Without it, edges between triangles of one plane push a rolling ball sideways.
    let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
    let collider = ColliderBuilder::heightfield_with_flags(Array2::new(rows, columns, padded), scale, flags);
    world.physics.insert_collider(collider.translation(place).friction(GROUND_FRICTION), None);
    Ok(())
}

pub(crate) fn walls(world: &mut World, walls: &Walls) -> Result<(), WorldError> {
    let Walls { west, east, south, north, floor } = *walls;
    let sides =
        [(west, Vector::X), (east, Vector::NEG_X), (south, Vector::Z), (north, Vector::NEG_Z), (floor, Vector::Y)];
    for (at, normal) in sides {
        let Some(at) = at else { continue };
        let axis = normal.abs();
        let origin = DVec3::from(world.origin).dot(axis.as_dvec3());
        let distance = at - origin;
        if !is_near(distance) {
            let range = "a finite coordinate near the origin";
            return Err(WorldError::Number { what: "place of a wall", value: at, range });
        }
        let collider = ColliderBuilder::new(SharedShape::halfspace(normal));
        let collider = collider.translation(axis * distance as f32).friction(GROUND_FRICTION);
        world.physics.insert_collider(collider, None);
    }
    Ok(())
}

pub(crate) fn obstacle(world: &mut World, obstacle: &Obstacle) -> Result<(), BodyError> {
    let (shape, start) = Shape::of(&obstacle.shape);
    let [low, high] = obstacle.bounds();
    let middle = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    let motion = obstacle.motion.clone().map(|motion| motion.about(middle));
    check_place(&start, world.origin)?;
    // Obstacles need no mass. The check finds meshes that are inside out, which would let bodies in.
    match MassProperties::new(&shape, Mass::Density(1.0)) {
        Ok(_) | Err(BodyError::Mass { .. } | BodyError::TooSmall { .. }) => {}
        Err(error) => return Err(error),
    }
    let shapes = contacts(&shape, motion.is_none())?;
    let builder = match &motion {
        None => RigidBodyBuilder::fixed(),
        Some(motion) if motion.is_good() => RigidBodyBuilder::kinematic_position_based(),
        Some(_) => return Err(BodyError::Path),
    };
    let pose = motion.as_ref().map_or(start, |motion| motion.pose(&start, world.time));
    let handle = world.physics.insert_body(builder.pose(to_rapier(&pose, world.origin)));
    for (shape, pose) in shapes {
        let collider = ColliderBuilder::new(shape).position(to_rapier(&pose, [0.0; 3])).friction(GROUND_FRICTION);
        world.physics.insert_collider(collider, Some(handle));
    }
    if let Some(path) = motion {
        world.moving_obstacles.push(MovingObstacle { handle, path, start });
    }
    Ok(())
}

/// Whether a coordinate is one, and not too far from the origin.
fn is_near(distance: f64) -> bool {
    distance.abs() <= FARTHEST
}

fn check_place(pose: &Pose, origin: [f64; 3]) -> Result<(), BodyError> {
    let distance = (DVec3::from(pose.position) - DVec3::from(origin)).length();
    if pose.is_good() && distance <= FARTHEST { Ok(()) } else { Err(BodyError::Pose) }
}

/// A body that passed every check, before it enters the world.
pub(crate) struct Contacts {
    shapes: Vec<(SharedShape, Pose)>,
    mass: MassProperties,
    inverse_inertia: DMat3,
    /// Around the centre of mass, m.
    radius: f64,
}

impl Contacts {
    pub(crate) fn new(body: &Body, origin: [f64; 3]) -> Result<Self, BodyError> {
        check_body(body)?;
        check_place(&body.pose, origin)?;
        let shape = Shape::of_body(body);
        let mut mass = MassProperties::new(&shape, body.mass)?;
        if let Some(centre) = body.center_of_mass {
            mass.centre = centre;
        }
        if let Some(moments) = body.inertia {
            let [x, y, z] = moments;
            let fits = |a: f64, b: f64, c: f64| a > 0.0 && a <= 1e18 && a <= (b + c) * (1.0 + 1e-9);
            if !(fits(x, y, z) && fits(y, z, x) && fits(z, x, y)) {
                return Err(BodyError::Inertia { moments });
            }
            mass.inertia = DMat3::from_diagonal(DVec3::from(moments)).to_cols_array_2d();
        }
        let inverse_inertia = DMat3::from_cols_array_2d(&mass.inertia).inverse();
        if !inverse_inertia.is_finite() {
            return Err(BodyError::TooSmall { volume: mass.volume });
        }
        let radius = shape.radius_around(mass.centre);
        Ok(Self { shapes: contacts(&shape, false)?, mass, inverse_inertia, radius })
    }

    pub(crate) fn insert(self, setup: &Body, physics: &mut PhysicsWorld, time: f64, origin: [f64; 3]) -> WorldBody {
        let MassProperties { volume, mass, centre, inertia } = self.mass;
        let start = setup.pose;
        let path = setup.motion.clone().map(|motion| motion.about(start.position));
        let pose = path.as_ref().map_or(start, |path| path.pose(&start, time));
        let flags = [
            (setup.locks.translation[0], LockedAxes::TRANSLATION_LOCKED_X),
            (setup.locks.translation[1], LockedAxes::TRANSLATION_LOCKED_Y),
            (setup.locks.translation[2], LockedAxes::TRANSLATION_LOCKED_Z),
            (setup.locks.rotation[0], LockedAxes::ROTATION_LOCKED_X),
            (setup.locks.rotation[1], LockedAxes::ROTATION_LOCKED_Y),
            (setup.locks.rotation[2], LockedAxes::ROTATION_LOCKED_Z),
        ];
        let locked = flags.into_iter().filter(|(is, _)| *is).fold(LockedAxes::empty(), |all, (_, flag)| all | flag);
        let inertia = DMat3::from_cols_array_2d(&inertia).as_mat3();
        let properties = RapierMass::with_inertia_matrix(DVec3::from(centre).as_vec3(), mass as f32, inertia);
        let builder = match &path {
            None => RigidBodyBuilder::dynamic(),
            Some(_) => RigidBodyBuilder::kinematic_position_based(),
        };
        // The water may move a body at any time, so bodies do not sleep.
        let builder = builder
            .pose(to_rapier(&pose, origin))
            .linvel(DVec3::from(setup.velocity).as_vec3())
            .angvel(DVec3::from(setup.spin).as_vec3())
            .additional_mass_properties(properties)
            .locked_axes(locked)
            .can_sleep(false)
            .allow_fast_rotation(true)
            .ccd_enabled(path.is_none());
        let handle = physics.insert_body(builder);
        for (shape, place) in self.shapes {
            let collider = ColliderBuilder::new(shape)
                .position(to_rapier(&place, [0.0; 3]))
                .density(0.0)
                .friction(setup.friction as f32)
                .restitution(setup.restitution as f32);
            physics.insert_collider(collider, Some(handle));
        }
        let star = match &path {
            None => [setup.velocity, setup.spin],
            Some(path) => path.velocity(&start, time, pose.point(centre)),
        };
        tune_to(&mut physics.integration_parameters, self.radius);
        WorldBody {
            name: setup.name.clone(),
            handle,
            volume,
            mass,
            centre,
            inverse_inertia: self.inverse_inertia.to_cols_array_2d(),
            radius: self.radius,
            drag: setup.drag,
            path,
            start,
            moorings: setup.moorings.clone(),
            grab: None,
            locks: setup.locks,
            lag: Impulse::default(),
            lagged: [[0.0; 3]; 2],
            first_step: None,
            star,
            pressed: NOT_YET,
            water: Impulse::default(),
            dragged: Impulse::default(),
            user: Impulse::default(),
            wet: Wet::default(),
        }
    }
}
