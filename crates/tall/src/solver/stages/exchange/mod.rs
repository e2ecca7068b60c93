//! Water that enters and leaves: sources and drains, open sides, wave-makers, and their accounts.
//!
//! A step passes here three times. After the level set has moved and before columns follow it, regions are painted and
//! zones blend the surface ([`Exchanger::change_surface`]); after remeshing zones blend velocities ([`Exchanger::lead`]); in
//! the projection the divergences of sources join the right-hand side ([`Exchanger::flow`],
//! [`Exchanger::pump`], [`Exchanger::steady`]).
//! What is added and taken moves between accounts on the executor, where the controller of the volume reads them:
//! nothing is read back.

mod fine;
pub(crate) mod ledger;
mod region;
pub(crate) mod region_kind;
mod side;
mod sources;
mod stream;
mod zones;

use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Executor, Recording};
use thalweg_ledger::{DeviceLedger, post};
use thalweg_model::Series;

pub use region::Region;
pub use side::Side;
pub(crate) use sources::{Paint, Pump, Push, Seen, Settle, Survey};
pub(crate) use zones::sea::SeaColumns;
pub use zones::sea::SeaWave;
pub(crate) use zones::{RelaxCells, RelaxFaces, TransferZone, ZoneCells};

use crate::error::{Result, TallError};
use crate::solver::stages::longest_wave_step;
use side::{Zone, lowest_along};
use sources::{Accounts, SourceParams, state};
use stream::Stream;

/// The parity cases of what enters and leaves.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn parity_cases() -> Vec<thalweg_compute::parity::ParityCase> {
    [sources::parity::cases(), zones::parity::cases(), zones::sea::parity::cases()].concat()
}

/// How water enters and leaves.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    /// Sources and drains.
    pub sources: Vec<Source>,
    /// The sides of low x, high x, low z and high z.
    pub sides: [Side; 4],
}

impl Exchange {
    /// Whether columns of cells of an edge (m), under a gravity (m/s²), can hold the sources, and the water at the sides their waves: an error names the first
    /// that they cannot. `lowest` is the lowest ground along the sides, m above the corner of the domain.
    pub fn check(&self, shape: Shape, cell: f64, gravity: f64, lowest: [f64; 4]) -> Result<()> {
        self.place((shape, cell), gravity)?;
        let sides = self.sides.iter().zip(lowest).enumerate();
        let fault = |(side, (kind, lowest)): (usize, (&Side, f64))| kind.fault(lowest).map(|what| (side, what));
        match sides.filter_map(fault).next() {
            Some((side, what)) => Err(TallError::Side { side, what }),
            None => Ok(()),
        }
    }

    fn place(&self, columns: (Shape, f64), gravity: f64) -> Result<Vec<Placed>> {
        // Steps are never longer than surface waves allow, see `advance`.
        let longest = longest_wave_step(columns.1, gravity);
        let sources = self.sources.iter().enumerate();
        let place = |(number, source): (usize, &Source)| {
            let placed = source.place(number, columns, longest);
            placed.map_err(|what| TallError::Source { number, what })
        };
        sources.map(place).collect()
    }
}

/// A place where water enters, or leaves while the rate is negative.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Where; lengths in m from the corner of the domain.
    pub region: Region,
    /// Water that enters, m³/s.
    pub rate: Series,
    /// Direction of a jet, of any length: all water leaves the region that way, at rate over cross-section.
    pub direction: Option<[f64; 3]>,
}

/// Water in a single cell, cells.
#[inline(always)]
pub(crate) fn water_in_cell(phi: f32, solid: f32) -> f32 {
    ((0.5 - phi).clamp(0.0, 1.0) - solid).max(0.0)
}

/// A source on the columns.
#[derive(Debug)]
struct Placed {
    rate: Series,
    /// Of a step that has not been chosen yet.
    params: SourceParams,
    /// Largest speed at the front of a jet per rate, m/s per m³/s.
    speed_per_rate: f64,
}

/// What a column must keep for its sources: cubic cells up to before this one, and no tall cell from this one on.
pub(crate) type Reach = [i32; 2];

/// Nothing has to be kept.
pub(crate) const FREE: Reach = [i32::MIN / 2, i32::MAX];

/// Cells between the top of a tall cell and a jet.
const CLEARANCE: i32 = 2;

/// Sources and zones in memory of an executor.
#[derive(Debug)]
pub(crate) struct Exchanger {
    cell: f64,
    sources: Vec<Placed>,
    zones: Vec<Zone>,
    /// Stands for the sums of a sea where there is none.
    no_sea: Buffer<[f32; 4]>,
    found: Buffer<[f32; 2]>,
    exchanged: Buffer<f32>,
    state: Buffer<f32>,
    stream: Stream,
    pub(crate) ledger: DeviceLedger,
}

/// When a step begins and how long it is, s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) time: f64,
    pub(crate) dt: f64,
}

impl Exchanger {
    /// `terrain` is in m, one per column; `gravity` in m/s².
    pub(crate) fn new(
        exec: &Executor,
        (shape, cell): (Shape, f64),
        exchange: &Exchange,
        terrain: &[f64],
        gravity: f64,
    ) -> Result<Self> {
        exchange.check(shape, cell, gravity, [0, 1, 2, 3].map(|side| lowest_along(shape, side, terrain)))?;
        let sources = exchange.place((shape, cell), gravity)?;
        let sides = exchange.sides.iter().enumerate();
        let zones = sides.map(|(n, side)| Zone::new(exec, n as u32, side, (shape, cell), terrain, gravity));
        let zones: Vec<Zone> =
            zones.filter_map(std::result::Result::transpose).collect::<std::result::Result<_, _>>()?;
        let most = sources.iter().map(|source| source.params.columns()).max().unwrap_or(0).max(1);
        let widest = zones.iter().map(Zone::columns).max().unwrap_or(0).max(1);
        Ok(Self {
            cell,
            no_sea: exec.buffer("tall.no_sea", 1)?,
            found: exec.buffer("tall.surveys", most)?,
            exchanged: exec.buffer("tall.exchanged", widest)?,
            state: exec.buffer("tall.source_states", (sources.len() * state::WORDS).max(1))?,
            stream: Stream::new(exec)?,
            ledger: DeviceLedger::new(exec, "tall.ledger", cell.powi(3), ledger::KEPT)?,
            sources,
            zones,
        })
    }

    /// Records how the water of drops moves between accounts, from the first words of `events`; see
    /// [`spray_word`](thalweg_columns::flow::spray_word).
    pub(crate) fn record_spray(&self, rec: &mut Recording<'_>, events: &Buffer<u32>) -> Result<()> {
        Ok(post(rec, events, self.ledger.words(), &ledger::spray())?)
    }

    /// Whether no water ever enters or leaves.
    pub(crate) fn is_closed(&self) -> bool {
        self.sources.is_empty() && self.zones.is_empty() && self.stream.given.is_none()
    }

    /// Whether any side is open.
    pub(crate) fn has_zones(&self) -> bool {
        !self.zones.is_empty()
    }

    /// Sources of the scene, then the stream that is poured, with their memory.
    fn all(&self) -> impl Iterator<Item = (&Placed, Accounts<'_>)> {
        let accounts = |state| Accounts { found: &self.found, state, ledger: self.ledger.words() };
        let own = self.sources.iter().map(move |source| (source, accounts(&self.state)));
        own.chain(self.stream.placed().map(move |stream| (stream, accounts(&self.stream.state))))
    }

    /// What sources owe and whether they flow: part of the state of the water.
    pub(crate) fn state(&self) -> &Buffer<f32> {
        &self.state
    }

    /// What every column must keep.
    pub(crate) fn reach(&self, shape: Shape) -> Vec<Reach> {
        let mut reach = vec![FREE; shape.columns()];
        for (Placed { params: p, rate, .. }, _) in self.all() {
            let is_jet = [p.along_x, p.along_y, p.along_z] != [0.0; 3];
            for number in 0..p.columns() {
                let (i, k) = (number as u32 % p.count_i, number as u32 / p.count_i);
                let own = &mut reach[(p.first_i + i + p.nx * (p.first_k + k)) as usize];
                // Drains take what is there and need no room.
                if rate.max() > 0.0 {
                    own[0] = own[0].max(p.high_y.ceil() as i32 + 1);
                }
                if is_jet {
                    own[1] = own[1].min(p.low_y.floor() as i32 - CLEARANCE);
                }
            }
        }
        reach
    }

    /// Largest speed of jets in a while, m/s.
    pub(crate) fn speed(&self, Moment { time, dt }: Moment) -> f64 {
        let rate = |series: &Series| series.at(time).max(series.at(time + dt));
        self.all().map(|(source, _)| rate(&source.rate) * source.speed_per_rate).fold(0.0, f64::max)
    }

    /// Largest speed of jets at any time, m/s.
    pub(crate) fn highest_speed(&self) -> f64 {
        let jets = self.all().map(|(source, _)| source.rate.max().max(0.0) * source.speed_per_rate);
        jets.fold(0.0, f64::max)
    }

    fn params(&self, source: &Placed, Moment { time, dt }: Moment) -> SourceParams {
        let amount = (source.rate.integral(time, dt) / self.cell.powi(3)) as f32;
        let most_owed = source.params.most_owed + amount.max(0.0);
        SourceParams { amount, most_owed, dt: dt as f32, ..source.params }
    }

    /// Records what changes the level set.
    pub(crate) fn change_surface(
        &self,
        rec: &mut Recording<'_>,
        water: ZoneCells<'_>,
        moment: Moment,
    ) -> std::result::Result<(), ComputeError> {
        let ZoneCells { heights, solid, phi, .. } = water;
        for (source, accounts) in self.all() {
            self.params(source, moment).paint(rec, Seen { heights, phi, solid }, accounts)?;
        }
        for zone in &self.zones {
            let params = zone.params(moment);
            if let Some(sea) = &zone.sea {
                sea.record(rec, &params)?;
            }
            params.relax_cells(rec, water, zone.sums(&self.no_sea), &self.exchanged, self.ledger.words())?;
        }
        Ok(())
    }

    /// Records how zones lead velocities.
    pub(crate) fn lead(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        (faces, inner): (&Buffer<f32>, &Buffer<f32>),
        moment: Moment,
    ) -> std::result::Result<(), ComputeError> {
        self.zones
            .iter()
            .try_for_each(|zone| zone.params(moment).relax_faces(rec, heights, zone.sums(&self.no_sea), faces, inner))
    }

    /// Records how much flows out of or into regions, and the velocities of jets.
    pub(crate) fn flow(
        &self,
        rec: &mut Recording<'_>,
        seen: Seen<'_>,
        faces: &Buffer<f32>,
        moment: Moment,
    ) -> std::result::Result<(), ComputeError> {
        self.all().try_for_each(|(source, accounts)| self.params(source, moment).flow(rec, seen, accounts, faces))
    }

    /// Records what jets in the air need after the projection.
    pub(crate) fn steady(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        faces: &Buffer<f32>,
    ) -> std::result::Result<(), ComputeError> {
        self.all().try_for_each(|(source, accounts)| source.params.steady(rec, heights, accounts.state, faces))
    }

    /// Records the divergences in the right-hand side `b`. `cells` are those of the pressure solve's levels, whose diagonal
    /// begins at `diagonal_at`.
    pub(crate) fn pump(
        &self,
        rec: &mut Recording<'_>,
        seen: Seen<'_>,
        (cells, diagonal_at): (&Buffer<f32>, usize),
        b: &Buffer<f32>,
    ) -> std::result::Result<(), ComputeError> {
        self.all().try_for_each(|(source, accounts)| {
            let params = SourceParams { diagonal_at: diagonal_at as u32, ..source.params };
            params.pump(rec, seen, accounts.state, cells, b)
        })
    }
}

impl Source {
    /// The source on columns, or why it cannot be.
    fn place(
        &self,
        number: usize,
        (shape, cell): (Shape, f64),
        longest_step: f64,
    ) -> std::result::Result<Placed, String> {
        let region = self.region.scaled(1.0 / cell);
        let [low, high] = region.corners();
        let columns = [shape.nx, shape.nz];
        let [i, k] = [0, 1].map(|n| {
            let axis = 2 * n;
            let first = low[axis].floor().clamp(0.0, columns[n] as f64) as u32;
            first..(high[axis].ceil().clamp(0.0, columns[n] as f64) as u32).max(first)
        });
        let along = match self.direction {
            None => [0.0; 3],
            Some(d) => {
                let long = d.iter().map(|x| x * x).sum::<f64>().sqrt();
                if !(long.is_finite() && long > 0.0) {
                    return Err("its direction has no length".into());
                }
                d.map(|x| (x / long) as f32)
            }
        };
        let [low_x, low_y, low_z] = low.map(|x| x as f32);
        let [high_x, high_y, high_z] = high.map(|x| x as f32);
        let params = SourceParams {
            nx: shape.nx as u32,
            nz: shape.nz as u32,
            samples: shape.samples() as u32,
            first_i: i.start,
            first_k: k.start,
            count_i: i.end - i.start,
            count_k: k.end - k.start,
            kind: region.kind(),
            low_x,
            low_y,
            low_z,
            high_x,
            high_y,
            high_z,
            along_x: along[0],
            along_y: along[1],
            along_z: along[2],
            state_at: (number * state::WORDS) as u32,
            stage: 0,
            amount: 0.0,
            most_owed: 0.0,
            dt: 0.0,
            cell: cell as f32,
            diagonal_at: 0,
        };
        let cells = params.cells_inside();
        if cells == 0 {
            return Err("it holds the middle of no cell".into());
        }
        let most = 0.5 * cells as f64 * cell.powi(3) / longest_step;
        let largest = self.rate.largest();
        if largest > most {
            let size = format!("{cells} cells of {cell} m cannot carry {largest} m³/s, at most {most:.3}");
            return Err(format!("it is too small for its rate: {size}"));
        }
        let long = f64::from(region::extent(params.kind, [low_x, low_y, low_z], [high_x, high_y, high_z], along));
        // Of few cells the edges that are painted hold more than half as much again: it must be able to owe all of them, or it
        // would never begin.
        let params = SourceParams { most_owed: (1.5 * cells as f32).max(1.1 * params.painted()), ..params };
        let speed_per_rate = long * cell / (cells as f64 * cell.powi(3));
        Ok(Placed { rate: self.rate.clone(), params, speed_per_rate })
    }
}

impl SourceParams {
    /// Signed distance of the middle of a cell, of a column of the region and at a height.
    fn away(&self, number: u32, y: i32) -> f32 {
        let (i, k) = (self.first_i + number % self.count_i, self.first_k + number / self.count_i);
        let low = [self.low_x, self.low_y, self.low_z];
        let high = [self.high_x, self.high_y, self.high_z];
        region::distance(self.kind, low, high, [i as f32 + 0.5, y as f32 + 0.5, k as f32 + 0.5])
    }

    /// Cells whose middle lies inside, wherever the ground is.
    fn cells_inside(&self) -> usize {
        let range = self.low_y.floor() as i32..self.high_y.ceil() as i32;
        let inside = |number: u32| range.clone().filter(|y| self.away(number, *y) < 0.0).count();
        (0..self.count_i * self.count_k).map(inside).sum()
    }

    /// Water that painting puts into dry air, cells.
    fn painted(&self) -> f32 {
        let range = self.low_y.floor() as i32 - 1..self.high_y.ceil() as i32 + 1;
        let water = |number: u32| range.clone().map(|y| water_in_cell(self.away(number, y), 0.0)).sum::<f32>();
        (0..self.count_i * self.count_k).map(water).sum()
    }
}
