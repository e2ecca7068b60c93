//! The bodies of a body of water in memory of an executor.

use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording};
use thalweg_pressure::Shape;
use thalweg_pressure::device::{DeviceHierarchy, ExtraProduct};
use thalweg_pressure::grid::Heights;

use super::{BodiesParams, Carry, Couple, Press, Respond, SUMS, Wet, word};
use crate::error::{Result, TallError};

/// A body as the next step finds it: where it is at the end of the step, and how it would move there without the water. Lengths in m from
/// the corner of the domain.
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
    /// A body that does not move.
    pub(crate) fn at_rest(position: [f64; 3], turn: [f64; 4]) -> Self {
        let (velocity, rates) = ([0.0; 3], [0.0; 3]);
        Self {
            position,
            turn,
            centre: position,
            velocity,
            rates,
            per_mass: [0.0; 3],
            per_inertia: [[0.0; 3]; 3],
            volume: 0.0,
        }
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
pub(crate) struct Fleet {
    shape: Shape,
    cell: f64,
    count: usize,
    /// The body of every obstacle.
    of_obstacles: Vec<Option<usize>>,
    bodies: Buffer<f32>,
    /// Body, column, lowest and highest cell.
    items: Buffer<[i32; 4]>,
    /// The same for every column beside any body, once.
    columns: Buffer<[i32; 4]>,
    sums: Buffer<f32>,
    item_count: usize,
    column_count: usize,
    /// The bodies as they were placed.
    placed: Vec<FreeBody>,
}

/// A fleet and the water around it, for one projection.
#[derive(Debug)]
pub(crate) struct Afloat<'a> {
    pub(crate) fleet: &'a Fleet,
    pub(crate) heights: &'a Buffer<Heights>,
    pub(crate) aperture: &'a Buffer<f32>,
    pub(crate) owner: &'a Buffer<u32>,
    /// See [`BodiesParams::level`] and [`BodiesParams::weight`].
    pub(crate) still: [f32; 2],
}

impl Fleet {
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
            of_obstacles,
            item_count: 0,
            column_count: 0,
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
        let (mut words, mut items) = (Vec::with_capacity(self.bodies.len()), Vec::new());
        let Shape { nx, nz, .. } = self.shape;
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
            words.extend(self.pack(body, [first, items.len() - first], fill));
        }
        words.push(-1.0); // no obstacle, no body
        words.extend(self.of_obstacles.iter().map(|of| of.map_or(-1.0, |number| number as f32)));
        let spans = spans.into_iter().enumerate();
        let columns: Vec<[i32; 4]> =
            spans.filter_map(|(column, span)| span.map(|[low, high]| [0, column as i32, low, high])).collect();
        (self.item_count, self.column_count) = (items.len(), columns.len());
        if items.len() > self.items.len() || columns.len() > self.columns.len() {
            // Room for what bodies that turn may ask for later.
            let room = |count: usize| count + count / 2;
            self.items = exec.buffer("tall.body_items", room(items.len()))?;
            self.columns = exec.buffer("tall.body_columns", room(columns.len()))?;
            self.sums = exec.buffer("tall.body_sums", SUMS * room(items.len()))?;
        }
        exec.write(&self.bodies, 0, &words)?;
        exec.write(&self.items, 0, &items)?;
        exec.write(&self.columns, 0, &columns)?;
        self.placed = bodies.to_vec();
        Ok(())
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
        (words[word::FIRST], words[word::ITEMS], words[word::FILL]) = (first as f32, count as f32, fill);
        words[word::VOLUME] = (body.volume / self.cell.powi(3)) as f32;
        words
    }

    /// What the last step did to the bodies; waits for it.
    pub(crate) fn loads(&self, exec: &Executor) -> Result<Vec<BodyLoad>> {
        let words = exec.read(&self.bodies)?;
        let loads = words.chunks_exact(word::COUNT).zip(&self.placed).map(|(words, body)| {
            let vector = |at: usize, factor: f64| [0, 1, 2].map(|n| f64::from(words[at + n]) * factor);
            let (displaced, around) = (f64::from(words[word::DISPLACED]), f64::from(words[word::AROUND]));
            let arm = vector(word::DISPLACED_MOMENT, self.cell / displaced.max(1e-9));
            BodyLoad {
                impulse: vector(word::IMPULSE, self.cell.powi(2)),
                moment: vector(word::MOMENT, self.cell.powi(3)),
                displaced: displaced * self.cell.powi(3),
                buoyancy: std::array::from_fn(|axis| body.centre[axis] + arm[axis]),
                flow: vector(word::FLOW, if around > 1e-6 { 1.0 / around } else { 0.0 }),
            }
        });
        Ok(loads.take(self.count).collect())
    }
}

/// Kinds of answers, see [`BodiesParams::kind`].
mod kind {
    pub(super) const VELOCITIES: u32 = 0;
    pub(super) const CHANGE: u32 = 1;
    pub(super) const DISPLACED: u32 = 2;
}

impl Afloat<'_> {
    fn params(&self, levels: &DeviceHierarchy, kind: u32) -> BodiesParams {
        let Fleet { shape, cell, count, item_count, column_count, .. } = *self.fleet;
        BodiesParams {
            nx: shape.nx as u32,
            nz: shape.nz as u32,
            samples: shape.samples() as u32,
            total: levels.samples() as u32,
            items: item_count as u32,
            bodies: count as u32,
            columns: column_count as u32,
            kind,
            level: self.still[0],
            weight: if kind == kind::CHANGE { 0.0 } else { self.still[1] },
            cell: cell as f32,
            dot_at: 0,
        }
    }

    /// Records what bodies displace.
    pub(crate) fn displace(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        [phi, solid, faces]: [&Buffer<f32>; 3],
    ) -> std::result::Result<(), ComputeError> {
        let Self { fleet: Fleet { bodies, items, sums, item_count, count, .. }, heights, owner, .. } = *self;
        let params = self.params(levels, kind::DISPLACED);
        let kernel = Wet { heights, phi, solid, owner, faces, bodies, items, sums };
        rec.run(&kernel, &params, Dispatch::Elements(*item_count))?;
        rec.run(&Respond { sums, bodies }, &params, Dispatch::Groups([*count as u32, 1, 1]))
    }

    /// Records the velocities that a pressure gives to bodies, and puts them on faces.
    pub(crate) fn respond(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        q: &Buffer<f32>,
        velocity: &Buffer<f32>,
    ) -> std::result::Result<(), ComputeError> {
        let Fleet { bodies, columns, item_count, column_count, count, .. } = self.fleet;
        self.press(
            rec,
            levels,
            q,
            kind::VELOCITIES,
            (Dispatch::Elements(*item_count), Dispatch::Groups([*count as u32, 1, 1])),
        )?;
        let kernel = Carry { heights: self.heights, owner: self.owner, bodies, columns, velocity };
        rec.run(&kernel, &self.params(levels, kind::VELOCITIES), Dispatch::Elements(*column_count))
    }

    fn press(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        x: &Buffer<f32>,
        kind: u32,
        (over_items, over_bodies): (Dispatch<'_>, Dispatch<'_>),
    ) -> std::result::Result<(), ComputeError> {
        let Self { fleet: Fleet { bodies, items, sums, .. }, heights, aperture, owner, .. } = *self;
        let params = self.params(levels, kind);
        let kernel = Press { heights, cells: levels.cells(), aperture, owner, x, bodies, items, sums };
        rec.run(&kernel, &params, over_items)?;
        rec.run(&Respond { sums, bodies }, &params, over_bodies)
    }
}

impl ExtraProduct for Afloat<'_> {
    fn add(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        [p, q]: [&Buffer<f32>; 2],
        (partials, dot_at): (&Buffer<f32>, usize),
        extent: Dispatch<'_>,
    ) -> std::result::Result<usize, ComputeError> {
        self.press(rec, levels, p, kind::CHANGE, (extent, extent))?;
        let Self { fleet: Fleet { bodies, columns, .. }, heights, aperture, owner, .. } = *self;
        let params = BodiesParams { dot_at: dot_at as u32, ..self.params(levels, kind::CHANGE) };
        let kernel = Couple { heights, cells: levels.cells(), aperture, owner, bodies, columns, q, partials };
        rec.run(&kernel, &params, extent)?;
        Ok(3)
    }
}
