//! Solid fractions of cells, open fractions of faces and velocities of solids on the current heights, from terrain and
//! obstacles.
//!
//! Heights and obstacles are in cells from the corner of the domain: cell `(i, y, k)` spans `i…i+1`, `y…y+1`, `k…k+1`.
//! **Terrain** has a height per column, at its centre; between two columns its height is their mean. `H` is its whole
//! part, so that only the lowest cell of a column and its side faces are cut. **Obstacles** are shapes with a signed
//! distance `d`: a cell is solid by `clamp(½ − d, 0, 1)` with the distance of its centre, a face by that of its own
//! (the box of a body along each of its axes); exact for flat walls along the axes. Only samples and faces that stand
//! for one cell feel them: [`Ceiling`] keeps tall cells away.
//!
//! **Motion.** Obstacles that move are placed anew in every step, at its end, where the projection happens. A face that
//! they close in part has their velocity `u_s` beside its own, and the flux through it is `a u + (1 − a) u_s` (Batty et
//! al. 2007); a face that is closed holds `u_s`. Where terrain closes more of a face than the obstacle does, `u_s` is
//! made smaller by that share, for the flux is the obstacle's alone.
//!
//! **Meshes** are distances on bricks along their surface ([`DistanceGrid`]), read trilinearly; those of all meshes lie
//! in one buffer.

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

pub(crate) use constants::SLIVER;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};
use thalweg_solids::{DistanceGrid, MOST_DISTANCES, Obstacle, ObstacleError, packed};

use crate::error::Result;
use crate::solver::stages::bodies::FreeBody;
use crate::solver::stages::exchange::Moment;
use crate::solver::state::State;

/// Distances of a mesh begin at a multiple of this: their place is a float in the obstacle's words, and even ones are
/// exact up to 2²⁵.
const PLACES: usize = 2;

/// Largest `T` of a column that keeps what moves out of its tall cell, and that which leaves the flow around it to
/// cubic cells.
pub(crate) type Keel = [i32; 2];

uniform! {
    /// The columns and the obstacles between them.
    pub struct SolidsParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Number of obstacles.
        pub count: u32,
        /// Whether velocities are written.
        pub moving: u32,
        /// Whether it is written what closes faces and fills cells.
        pub owned: u32,
    }
}

kernel! {
    /// Solid fraction of every sample, open fraction of every face, and if asked for the velocity of solids on it.
    /// `owner` is the obstacle that closes most of a face, and after the faces that which fills most of a sample: its
    /// number from 1 in the lower half of the word, its share in the upper one; 0 if it is none or the ground.
    pub struct Fractions slices FractionsSlices = "tall.fractions" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fractions.wgsl")), entry: "fractions",
        workgroup: [256, 1, 1],
        params: SolidsParams,
        cpu: cpu::fractions,
        read heights: [i32; 2],
        read terrain: f32,
        read obstacles: f32,
        read distances: f32,
        write solid: f32,
        write open: f32,
        write velocity: f32,
        write owner: u32,
    }
}

kernel! {
    /// Largest `T` per column that keeps obstacles out of tall cells; and for those that move, that which keeps them
    /// out, and that which leaves the flow around them to cubic cells.
    pub struct Ceiling slices CeilingSlices = "tall.ceiling" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/ceiling.wgsl")), entry: "ceiling_of_columns",
        workgroup: [256, 1, 1],
        params: SolidsParams,
        cpu: cpu::ceiling,
        read obstacles: f32,
        read moving: u32,
        write ceiling: i32,
        write keel: [i32; 2],
    }
}

/// Solids of a domain, in cells from its corner.
#[derive(Debug)]
pub(crate) struct Solids {
    shape: Shape,
    /// Edge of a cell, m.
    cell: f32,
    bodies: Vec<Obstacle>,
    /// Where the distances of every body begin.
    firsts: Vec<usize>,
    obstacles: Buffer<f32>,
    /// Whether it moves, of every obstacle.
    moving: Buffer<u32>,
    distances: Buffer<f32>,
    /// Stands for velocities where nobody wants them.
    nowhere: Buffer<f32>,
    nobody: Buffer<u32>,
    /// Where bodies are, for [`Obstacle::Floating`].
    poses: Vec<FreeBody>,
}

/// What [`Solids::fractions`] writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FractionBuffers<'a> {
    /// Solid fraction per sample.
    pub(crate) solid: &'a Buffer<f32>,
    /// Open fraction per face.
    pub(crate) open: &'a Buffer<f32>,
    /// Velocity of solids per face, m/s; `None` if all are at rest.
    pub(crate) velocity: Option<&'a Buffer<f32>>,
    /// See [`Fractions`]; `None` if nobody asks.
    pub(crate) owner: Option<&'a Buffer<u32>>,
}

/// An obstacle at a place.
#[derive(Debug)]
pub(crate) struct Cover {
    body: Obstacle,
    words: [f32; packed::WORDS],
}

impl Cover {
    /// Share of the face (or cell) with a centre that is covered.
    pub(crate) fn share(&self, centre: [f32; 3]) -> f32 {
        cpu::share(&self.words, self.body.distances().map_or(&[][..], DistanceGrid::words), centre)
    }
}

impl Solids {
    /// Takes the memory for obstacles, which are in cells from the corner of the domain, and places them as at time 0.
    pub(crate) fn new(exec: &Executor, shape: Shape, cell: f32, bodies: Vec<Obstacle>) -> Result<Self> {
        let (mut firsts, mut distances) = (Vec::new(), Vec::new());
        for body in &bodies {
            distances.resize(distances.len().next_multiple_of(PLACES), 0.0);
            firsts.push(distances.len());
            distances.extend_from_slice(body.distances().map_or(&[], DistanceGrid::words));
        }
        if distances.len() > MOST_DISTANCES {
            return Err(ObstacleError::Distances { count: distances.len() }.into());
        }
        let moving: Vec<u32> = bodies.iter().map(|body| body.is_moving().into()).collect();
        let solids = Self {
            shape,
            cell,
            firsts,
            obstacles: exec.buffer("tall.obstacles", bodies.len() * packed::WORDS)?,
            moving: exec.buffer_from("tall.moving", &moving)?,
            distances: exec.buffer_from("tall.distances", &distances)?,
            nowhere: exec.buffer("tall.no_velocity", 1)?,
            nobody: exec.buffer("tall.no_owner", 1)?,
            poses: Vec::new(),
            bodies,
        };
        solids.place(exec, 0.0)?;
        Ok(solids)
    }

    /// Whether any solid moves.
    pub(crate) fn is_moving(&self) -> bool {
        self.bodies.iter().any(Obstacle::is_moving)
    }

    /// The body that every obstacle is a part of, if any.
    pub(crate) fn bodies(&self) -> Vec<Option<usize>> {
        self.bodies.iter().map(Obstacle::body).collect()
    }

    /// Where bodies are from now on; their obstacles follow with [`Self::place`].
    pub(crate) fn pose(&mut self, bodies: &[FreeBody]) {
        self.poses = bodies.to_vec();
    }

    /// Corners of the bounding boxes of all obstacles at a time, cells.
    pub(crate) fn boxes(&self, time: f64) -> Vec<[[f32; 3]; 2]> {
        self.bodies.iter().map(|body| self.placed(body, time).bounds()).collect()
    }

    /// Where an obstacle is at a time, and how it moves there.
    fn placed(&self, body: &Obstacle, time: f64) -> packed::Placed {
        match (body, body.body().and_then(|number| self.poses.get(number))) {
            (Obstacle::Floating { shape, part, .. }, Some(pose)) => {
                shape.carried(*part, &pose.carrier(), f64::from(self.cell))
            }
            _ => body.placed(time),
        }
    }

    /// Number of obstacles.
    pub(crate) fn count(&self) -> usize {
        self.bodies.len()
    }

    /// The words of all obstacles, where they were placed last.
    pub(crate) fn words_buffer(&self) -> &Buffer<f32> {
        &self.obstacles
    }

    /// The distances of all meshes.
    pub(crate) fn distances_buffer(&self) -> &Buffer<f32> {
        &self.distances
    }

    /// Puts all solids where they are at a time, s, for all that is submitted from now on.
    pub(crate) fn place(&self, exec: &Executor, time: f64) -> Result<()> {
        Ok(exec.write(&self.obstacles, 0, &self.words(time))?)
    }

    /// Puts solids that move where they are at the end of a step.
    pub(crate) fn place_at_end(&self, exec: &Executor, Moment { time, dt }: Moment) -> Result<()> {
        if self.is_moving() { self.place(exec, time + dt) } else { Ok(()) }
    }

    /// Largest speed of a solid at a time, m/s.
    pub(crate) fn speed(&self, time: f64) -> f64 {
        let moving = self.bodies.iter().filter(|body| body.is_moving());
        moving.map(|body| self.placed(body, time).speed() * f64::from(self.cell)).fold(0.0, f64::max)
    }

    /// The words of all obstacles at a time.
    fn words(&self, time: f64) -> Vec<f32> {
        let bodies = self.bodies.iter().zip(&self.firsts);
        bodies.flat_map(|(body, first)| self.placed(body, time).pack(*first, self.cell)).collect()
    }

    /// Distances of points to the nearest obstacle at a time, cells, negative inside; infinite without obstacles.
    /// Obstacles may move on meanwhile.
    pub(crate) fn distances_at(&self, time: f64) -> impl Fn([f32; 3]) -> f32 + Send + Sync + use<> {
        // Every body with its own distances only, which begin at 0.
        let bodies = self.bodies.iter().map(|body| (body.clone(), self.placed(body, time).pack(0, self.cell)));
        let bodies: Vec<(Obstacle, [f32; packed::WORDS])> = bodies.collect();
        move |point| {
            let distance = |(body, words): &(Obstacle, [f32; packed::WORDS])| {
                let values = body.distances().map_or(&[][..], DistanceGrid::words);
                packed::distance(words, values, point)
            };
            bodies.iter().map(distance).fold(f32::INFINITY, f32::min)
        }
    }

    /// What an obstacle covers at a time, with edges of boxes no larger than they are. It may move on meanwhile.
    pub(crate) fn cover(&self, body: usize, time: f64) -> Cover {
        let placed = packed::Placed { floats: true, ..self.placed(&self.bodies[body], time) };
        Cover { body: self.bodies[body].clone(), words: placed.pack(0, self.cell) }
    }

    /// Records the stage: solid and open fractions on the columns, and the velocities of solids if any moves.
    pub(crate) fn record(&self, rec: &mut Recording<'_>, s: &State) -> Result<()> {
        let velocity = self.is_moving().then(|| s.staggered.solids());
        let owner = self.bodies.iter().any(|body| body.body().is_some()).then_some(&s.owner);
        let out = FractionBuffers { solid: &s.solid, open: &s.open, velocity, owner };
        Ok(self.fractions(rec, &s.now.heights, &s.terrain, out)?)
    }

    /// Records the fractions on these heights. `terrain` is in cells, one per column; `solid` has one entry per sample,
    /// `open` and `velocity` three.
    pub(crate) fn fractions(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        terrain: &Buffer<f32>,
        out: FractionBuffers<'_>,
    ) -> std::result::Result<(), ComputeError> {
        let FractionBuffers { solid, open, velocity, owner } = out;
        let Self { obstacles, distances, .. } = self;
        let params =
            SolidsParams { moving: u32::from(velocity.is_some()), owned: u32::from(owner.is_some()), ..self.params() };
        let (velocity, owner) = (velocity.unwrap_or(&self.nowhere), owner.unwrap_or(&self.nobody));
        let kernel = Fractions { heights, terrain, obstacles, distances, solid, open, velocity, owner };
        rec.run(&kernel, &params, Dispatch::Elements(3 * self.shape.len()))
    }

    /// Records the largest `T` of every column, for all obstacles and for those that move, see [`Ceiling`]; `i32::MAX`
    /// where there is none.
    pub(crate) fn ceiling(
        &self,
        rec: &mut Recording<'_>,
        (ceiling, keel): (&Buffer<i32>, &Buffer<Keel>),
    ) -> std::result::Result<(), ComputeError> {
        let kernel = Ceiling { obstacles: &self.obstacles, moving: &self.moving, ceiling, keel };
        rec.run(&kernel, &self.params(), Dispatch::Elements(self.shape.columns()))
    }

    fn params(&self) -> SolidsParams {
        SolidsParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            count: self.bodies.len() as u32,
            moving: 0,
            owned: 0,
        }
    }
}

impl SolidsParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
