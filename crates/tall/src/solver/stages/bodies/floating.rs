//! The bodies of a body of water in memory of an executor.

use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Later, Recording};
use thalweg_pressure::device::{DeviceHierarchy, ExtraProduct};
use thalweg_solids::Carrier;

use super::{
    Assemble, BodiesParams, CHUNK, Carry, Couple, LINK_ROWS, Press, SIDE_ROWS, STILLS, SUMS, Sides, Total, Wet, word,
};
use crate::error::{Result, TallError};
use crate::solver::stages::Step;
use crate::solver::state::State;

/// A body as the next step finds it: where it is at the end of the step, and how it would move there without the water.
/// Lengths in m from the corner of the domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeBody {
    /// Origin of its own frame.
    pub position: [f64; 3],
    /// How that frame is turned: a quaternion `[x, y, z, w]`.
    pub turn: [f64; 4],
    /// Centre of mass.
    pub centre: [f64; 3],
    /// Velocity of the centre of mass without the water's force, m/s.
    pub velocity: [f64; 3],
    /// Angular velocity without it, rad/s.
    pub rates: [f64; 3],
    /// Density of water over the mass along every axis, 1/m³; 0 where it goes its own way.
    pub per_mass: [f64; 3],
    /// Density of water times the inverse of the inertia about the centre of mass, along the axes of the world, 1/m⁵.
    pub per_inertia: [[f64; 3]; 3],
    /// Volume, m³.
    pub volume: f64,
}

impl FreeBody {
    /// What its parts need of it.
    pub(crate) fn carrier(&self) -> Carrier {
        let Self { position, turn, centre, velocity, rates, .. } = *self;
        Carrier { position, turn, centre, velocity, rates }
    }

    pub(crate) fn is_finite(&self) -> bool {
        let inertia = self.per_inertia.iter().flatten();
        let vectors = [self.position, self.centre, self.velocity, self.rates, self.per_mass];
        let numbers = vectors.iter().flatten().chain(&self.turn).chain(inertia).chain([&self.volume]);
        numbers.into_iter().all(|value| value.is_finite())
    }
}

/// What a step of the water did to a body. Forces are those over the density of water.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyLoad {
    /// Impulse of the pressure over the step, over the density: m⁴/s.
    pub impulse: [f64; 3],
    /// Its moment about the centre of mass, m⁵/s.
    pub moment: [f64; 3],
    /// Volume of water displaced, m³.
    pub displaced: f64,
    /// Centre of that volume, m from the corner of the domain; the centre of mass if there is none.
    pub buoyancy: [f64; 3],
    /// Mean velocity of the water around the body, m/s; 0 if there is none.
    pub flow: [f64; 3],
}

/// Cells around the bounding box of a body whose faces it may close.
const MARGIN: i32 = 1;

/// Bodies of the obstacles, with what their kernels need.
#[derive(Debug)]
pub(crate) struct FloatingBodies {
    shape: Shape,
    cell: f64,
    count: usize,
    /// The body of every obstacle.
    of_obstacles: Vec<Option<usize>>,
    bodies: Buffer<f32>,
    /// Body, column, lowest and highest cell; then chunks.
    items: Buffer<[i32; 4]>,
    /// Items for every column beside any body, once.
    columns: Buffer<[i32; 4]>,
    /// What chunks add up, see [`SUMS`] and [`STILLS`].
    sums: Buffer<f32>,
    stills: Buffer<f32>,
    /// What bodies and cells are to each other during a step, see [`LINK_ROWS`] and [`SIDE_ROWS`].
    links: Buffer<u32>,
    sides: Buffer<u32>,
    item_count: usize,
    chunk_count: usize,
    column_count: usize,
    /// Slots of a column.
    levels: usize,
    /// The bodies as they were placed.
    placed: Vec<FreeBody>,
}

/// A floating and the water around it, for one projection.
#[derive(Debug)]
pub(crate) struct BodyCoupling<'a> {
    pub(crate) floating: &'a FloatingBodies,
    pub(crate) heights: &'a Buffer<Heights>,
    pub(crate) aperture: &'a Buffer<f32>,
    pub(crate) owner: &'a Buffer<u32>,
    /// See [`BodiesParams::level`] and [`BodiesParams::weight`].
    pub(crate) still: [f32; 2],
}

impl FloatingBodies {
    /// `of_obstacles` is the body of every obstacle; bodies are numbered from 0 without gaps.
    pub(crate) fn new(exec: &Executor, shape: Shape, cell: f64, of_obstacles: Vec<Option<usize>>) -> Result<Self> {
        let count = of_obstacles.iter().flatten().max().map_or(0, |last| last + 1);
        if count > 0 && of_obstacles.len() > usize::from(u16::MAX) {
            return Err(TallError::TooManySolids { count: of_obstacles.len() });
        }
        Ok(Self {
            shape,
            cell,
            count,
            bodies: exec.buffer("tall.bodies", count * word::COUNT + of_obstacles.len() + 1)?,
            items: exec.buffer("tall.body_items", 1)?,
            columns: exec.buffer("tall.body_columns", 1)?,
            sums: exec.buffer("tall.body_sums", SUMS)?,
            stills: exec.buffer("tall.body_stills", STILLS)?,
            links: exec.buffer("tall.body_links", LINK_ROWS * CHUNK)?,
            sides: exec.buffer("tall.body_sides", SIDE_ROWS * CHUNK)?,
            of_obstacles,
            item_count: 0,
            chunk_count: 0,
            column_count: 0,
            levels: 1,
            placed: Vec::new(),
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn placed(&self) -> &[FreeBody] {
        &self.placed
    }

    /// Puts bodies where they are; `boxes` are corners of the bounding boxes of all obstacles, cells.
    pub(crate) fn place(&mut self, exec: &Executor, bodies: &[FreeBody], boxes: &[[[f32; 3]; 2]]) -> Result<()> {
        let (mut words, mut items, mut chunks) = (Vec::with_capacity(self.bodies.len()), Vec::new(), Vec::new());
        let Shape { nx, nz, .. } = self.shape;
        // No column has more cells of their own than samples.
        let levels_of = |low: i32, high: i32| (high - low + 1).clamp(1, self.shape.samples() as i32) as usize;
        let mut spans: Vec<Option<[i32; 2]>> = vec![None; self.shape.columns()];
        for (number, body) in bodies.iter().enumerate() {
            let own =
                self.of_obstacles.iter().zip(boxes).filter(|(of, _)| **of == Some(number)).map(|(_, corners)| *corners);
            let [low, high] = own.fold([[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]], |[low, high], [a, b]| {
                [std::array::from_fn(|n| low[n].min(a[n])), std::array::from_fn(|n| high[n].max(b[n]))]
            });
            let first = items.len();
            let [from, to] =
                [low.map(|v| (v - 0.5).floor() as i32 - MARGIN), high.map(|v| (v + 0.5).floor() as i32 + MARGIN)];
            for k in from[2].max(0)..=to[2].min(nz as i32 - 1) {
                for i in from[0].max(0)..=to[0].min(nx as i32 - 1) {
                    let column = i + k * nx as i32;
                    items.push([number as i32, column, from[1], to[1]]);
                    let span = spans[column as usize].get_or_insert([from[1], to[1]]);
                    *span = [span[0].min(from[1]), span[1].max(to[1])];
                }
            }
            // Spread over all of its cells in the items, but for those over and under it.
            let cells = ((items.len() - first) as f64 * f64::from(to[1] - from[1] - 3)).max(1.0);
            let fill = (body.volume / (cells * self.cell.powi(3))).min(1.0) as f32;
            let (levels, first_chunk) = (levels_of(from[1], to[1]), chunks.len());
            let slots = (0..(items.len() - first) * levels).step_by(CHUNK);
            chunks.extend(slots.map(|slot| [first, items.len(), levels, slot].map(|v| v as i32)));
            words.extend(self.pack(body, [first_chunk, chunks.len() - first_chunk], fill));
        }
        words.push(-1.0); // no obstacle, no body
        words.extend(self.of_obstacles.iter().map(|of| of.map_or(-1.0, |number| number as f32)));
        let spans = spans.into_iter().enumerate();
        let columns: Vec<[i32; 4]> =
            spans.filter_map(|(column, span)| span.map(|[low, high]| [0, column as i32, low, high])).collect();
        self.levels = columns.iter().map(|[.., low, high]| levels_of(*low, *high)).max().unwrap_or(1);
        (self.item_count, self.chunk_count, self.column_count) = (items.len(), chunks.len(), columns.len());
        items.append(&mut chunks);
        self.make_room(exec, items.len())?;
        exec.write(&self.bodies, 0, &words)?;
        exec.write(&self.items, 0, &items)?;
        exec.write(&self.columns, 0, &columns)?;
        self.placed = bodies.to_vec();
        Ok(())
    }

    /// Takes more memory if there are more slots than ever, with room for what bodies that turn may ask for later.
    fn make_room(&mut self, exec: &Executor, items: usize) -> Result<()> {
        let room = |count: usize| count + count / 2;
        if items > self.items.len() {
            self.items = exec.buffer("tall.body_items", room(items))?;
        }
        if self.chunk_count * SUMS > self.sums.len() {
            let chunks = room(self.chunk_count);
            self.sums = exec.buffer("tall.body_sums", SUMS * chunks)?;
            self.stills = exec.buffer("tall.body_stills", STILLS * chunks)?;
            self.links = exec.buffer("tall.body_links", LINK_ROWS * CHUNK * chunks)?;
        }
        if self.column_count > self.columns.len() {
            self.columns = exec.buffer("tall.body_columns", room(self.column_count))?;
        }
        let groups = (self.column_count * self.levels).div_ceil(CHUNK);
        if groups * SIDE_ROWS * CHUNK > self.sides.len() {
            self.sides = exec.buffer("tall.body_sides", SIDE_ROWS * CHUNK * room(groups))?;
        }
        Ok(())
    }

    /// The bodies and the water around them, for the projection of a step.
    pub(crate) fn coupling<'a>(&'a self, s: &'a State, step: &Step) -> BodyCoupling<'a> {
        let State { now, owner, level, cell, .. } = s;
        let still = [*level, step.weight(*cell)];
        BodyCoupling { floating: self, heights: &now.heights, aperture: s.aperture(), owner, still }
    }

    /// Records what a projection needs to know of bodies, if there are any, and puts their velocities on faces: with
    /// the pressure of the step before.
    pub(crate) fn meet(&self, rec: &mut Recording<'_>, s: &State, levels: &DeviceHierarchy, step: &Step) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let coupling = self.coupling(s, step);
        coupling.meet(rec, levels, [&s.now.phi, &s.solid, &s.now.faces])?;
        Ok(coupling.respond(rec, levels, &s.now.q, s.staggered.solids())?)
    }

    /// The words of a body.
    fn pack(&self, body: &FreeBody, [first, count]: [usize; 2], fill: f32) -> [f32; word::COUNT] {
        let mut words = [0.0; word::COUNT];
        let mut put = |at: usize, v: [f64; 3]| {
            words[at..at + 3].copy_from_slice(&v.map(|v| v as f32));
        };
        put(word::CENTRE, body.centre.map(|v| v / self.cell));
        put(word::FREE_VELOCITY, body.velocity);
        put(word::FREE_RATES, body.rates.map(|v| v * self.cell));
        put(word::PER_MASS, body.per_mass.map(|v| v * self.cell.powi(2)));
        put(word::VELOCITY, body.velocity);
        put(word::RATES, body.rates.map(|v| v * self.cell));
        for (row, values) in body.per_inertia.iter().enumerate() {
            put(word::PER_INERTIA + 3 * row, values.map(|v| v * self.cell.powi(4)));
        }
        (words[word::FIRST], words[word::CHUNKS], words[word::FILL]) = (first as f32, count as f32, fill);
        words[word::VOLUME] = (body.volume / self.cell.powi(3)) as f32;
        words
    }

    /// What the last step did to the bodies.
    pub(crate) fn loads_later(&self, exec: &Executor) -> Result<Later<Vec<BodyLoad>, TallError>> {
        let (words, cell) = (exec.read_async(&self.bodies)?, self.cell);
        let centres: Vec<[f64; 3]> = self.placed.iter().take(self.count).map(|body| body.centre).collect();
        Ok(Later::new(move || {
            let words = words.wait()?;
            let loads = words.chunks_exact(word::COUNT).zip(centres).map(|(words, centre)| {
                let vector = |at: usize, factor: f64| [0, 1, 2].map(|n| f64::from(words[at + n]) * factor);
                let (displaced, around) = (f64::from(words[word::DISPLACED]), f64::from(words[word::AROUND]));
                let arm = vector(word::DISPLACED_MOMENT, cell / displaced.max(1e-9));
                BodyLoad {
                    impulse: vector(word::IMPULSE, cell.powi(2)),
                    moment: vector(word::MOMENT, cell.powi(3)),
                    displaced: displaced * cell.powi(3),
                    buoyancy: std::array::from_fn(|axis| centre[axis] + arm[axis]),
                    flow: vector(word::FLOW, if around > 1e-6 { 1.0 / around } else { 0.0 }),
                }
            });
            Ok(loads.collect())
        }))
    }
}

impl BodyCoupling<'_> {
    fn params(&self, levels: &DeviceHierarchy) -> BodiesParams {
        let FloatingBodies { shape, cell, count, item_count, chunk_count, column_count, levels: slots, .. } =
            *self.floating;
        BodiesParams {
            nx: shape.nx as u32,
            nz: shape.nz as u32,
            samples: shape.samples() as u32,
            total: levels.samples() as u32,
            items: item_count as u32,
            chunks: chunk_count as u32,
            bodies: count as u32,
            columns: column_count as u32,
            levels: slots as u32,
            changes: 0,
            level: self.still[0],
            weight: self.still[1],
            cell: cell as f32,
            dot_at: 0,
        }
    }

    /// Records what bodies displace, what still water does to them and what the rest of this step needs of them.
    pub(crate) fn meet(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        [phi, solid, faces]: [&Buffer<f32>; 3],
    ) -> std::result::Result<(), ComputeError> {
        let Self { floating, heights, aperture, owner, .. } = *self;
        let FloatingBodies { bodies, items, columns, sums, stills, links, sides, .. } = floating;
        let (params, cells) = (self.params(levels), levels.cells());
        let chunks = Dispatch::Elements(floating.chunk_count * CHUNK);
        rec.run(&Wet { heights, phi, solid, owner, faces, bodies, items, sums }, &params, chunks)?;
        rec.run(&Assemble { heights, cells, aperture, owner, bodies, items, links, stills }, &params, chunks)?;
        let kernel = Sides { heights, cells, aperture, owner, bodies, columns, sides };
        rec.run(&kernel, &params, Dispatch::Elements(floating.column_count * floating.levels))?;
        rec.run(&Total { sums, stills, bodies }, &params, Dispatch::Groups([floating.count as u32, 1, 1]))
    }

    /// Records the velocities that a pressure gives to bodies, and puts them on faces; after [`meet`](Self::meet).
    pub(crate) fn respond(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        q: &Buffer<f32>,
        velocity: &Buffer<f32>,
    ) -> std::result::Result<(), ComputeError> {
        let Self { floating, heights, owner, .. } = *self;
        let FloatingBodies { bodies, columns, links, .. } = floating;
        let params = self.params(levels);
        rec.run(&Press { links, x: q, bodies }, &params, Dispatch::Groups([floating.count as u32, 1, 1]))?;
        let kernel = Carry { heights, owner, bodies, columns, velocity };
        rec.run(&kernel, &params, Dispatch::Elements(3 * floating.column_count * floating.levels))
    }
}

impl ExtraProduct for BodyCoupling<'_> {
    fn add(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        [p, q]: [&Buffer<f32>; 2],
        (partials, dot_at): (&Buffer<f32>, usize),
        extent: Dispatch<'_>,
    ) -> std::result::Result<usize, ComputeError> {
        let FloatingBodies { bodies, links, sides, .. } = self.floating;
        let params = BodiesParams { changes: 1, dot_at: dot_at as u32, ..self.params(levels) };
        rec.run(&Press { links, x: p, bodies }, &params, extent)?;
        rec.run(&Couple { sides, bodies, q, partials }, &params, extent)?;
        Ok(2)
    }
}
