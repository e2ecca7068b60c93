//! The solver: state in memory, frames in, fields and statistics out.
//!
//! Nothing can be read before it is known in which of the two states the last frame has ended, and whether it has: that
//! is what [`ShallowWater::settle`] waits for. All other reads only begin here; the caller waits for them.

use std::sync::Arc;

use rayon::prelude::*;
use thalweg_compute::{Buffer, Dispatch, Executor, Later, Readback, Shared};
use thalweg_ledger::{Account, Ledger, quantum_on};

use crate::boundary::first_faces;
use crate::clock::{status, word};
use crate::cmf10::Staggered;
use crate::drift::HeightView;
use crate::error::{Result, ShallowError, invalid};
use crate::initial::{edge_beds, fastest, fill};
use crate::maps::{self, Look, MapsParams};
use crate::output::{Fields, Maps, Sample, Statistics};
use crate::physics::{depth, dither_after, inverse_depth, surface};
use crate::plan::{self, Drivers, MAX_SUBSTEPS, Plan};
use crate::sample::{self, SampleCells, SampleParams};
use crate::setup::{Scheme, Setup};
use crate::stats::{self, Stats, StatsParams};
use crate::step::{Buffers, substep};

/// Density of water, kg/m³: only energies know it.
const DENSITY: f64 = 1000.0;
/// Words of the clock without sources.
const CLOCK_WORDS: usize = word::SOURCE_RATES;

/// Shallow water on a uniform grid.
pub struct ShallowWater {
    pub(crate) exec: Arc<Executor>,
    plan: Plan,
    drivers: Drivers,
    pub(crate) buffers: Buffers,
    /// Which of the two states is current.
    pub(crate) current: usize,
    /// Bed relative to the datum, on the host.
    pub(crate) bed: Arc<[f32]>,
    datum: f64,
    cell: f64,
    pub(crate) time: f64,
    frame: Option<Frame>,
    /// Frames that are complete.
    pub(crate) frames: u64,
    /// Sub-steps of the last frame per second: a guess for the next.
    pub(crate) substep_rate: f64,
    /// Without what was posted since the last frame.
    pub(crate) ledger: Ledger,
    /// With it, if it was.
    pub(crate) posted: Option<Posted>,
    pub(crate) substeps: u64,
    sums: Buffer<f32>,
    wet_depth: f32,
}

/// The ledger with what edge faces, layers and sources had counted when it was read.
pub(crate) type Posted = Shared<Ledger, ShallowError>;

/// What it keeps.
const KEPT: [Account; 7] =
    [Account::Water, Account::Rain, Account::Sources, Account::West, Account::East, Account::South, Account::North];

/// A volume as what comes in and what goes out.
fn by_sign(volume: f64) -> [f64; 2] {
    if volume < 0.0 { [0.0, -volume] } else { [volume, 0.0] }
}

/// A frame that was submitted but whose clock was not read yet.
struct Frame {
    seconds: f64,
    clock: Readback<f32>,
    /// Sub-steps already counted.
    counted: u32,
}

impl std::fmt::Debug for ShallowWater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShallowWater").field("plan", &self.plan).field("time", &self.time).finish_non_exhaustive()
    }
}

impl ShallowWater {
    /// Takes memory and fills it. The setup is checked first.
    pub fn new(exec: Arc<Executor>, mut setup: Setup<'_>) -> Result<Self> {
        plan::validate(&setup)?;
        let (nx, nz) = (setup.nx as usize, setup.nz as usize);
        let cells = nx * nz;
        let datum = plan::datum(&setup);
        let mut bed = vec![0.0f32; cells];
        let mut state = vec![0.0f32; 3 * cells];
        fill(&setup, datum, &mut bed, &mut state)?;
        let (plan, drivers) = Plan::new(&mut setup, datum, edge_beds(&bed, nx, nz))?;
        let speed = fastest(&plan, &bed, &state);
        let clock_words = CLOCK_WORDS + plan.pours.len();
        let buffers = Buffers {
            state: [exec.buffer_from("shallow.state", &state)?, exec.buffer("shallow.next", 3 * cells)?],
            bed: exec.buffer_from("shallow.bed", &bed)?,
            clock: exec.buffer("shallow.clock", clock_words)?,
            drivers: exec.buffer("shallow.drivers", drivers.len())?,
            extents: exec.buffer_from("shallow.extents", &plan.extents)?,
            args: exec.buffer("shallow.args", plan.extents.len())?,
            speeds: exec.buffer("shallow.speeds", plan.clock.speeds as usize)?,
            levels: exec.buffer_from("shallow.levels", &plan.sides.first_levels([setup.nx, setup.nz]))?,
            curves: exec.buffer_from("shallow.curves", &plan.sides.curves)?,
            edges: exec.buffer("shallow.edges", 2 * (nx + nz))?,
            exchanged: exec.buffer("shallow.exchanged", plan.exchanged_len)?,
            staggered: match plan.scheme {
                Scheme::Cmf10 => Some(Staggered::new(&exec, &plan.hllc, &bed, &state)?),
                Scheme::Hllc { .. } => None,
            },
            maps: match plan.maps {
                Some(_) => Some(exec.buffer_from("shallow.maps", &maps::blank(cells))?),
                None => None,
            },
        };
        exec.write(&buffers.speeds, 0, &[speed])?;
        let sums = exec.buffer("shallow.sums", cells.div_ceil(stats::CHUNK) * stats::WORDS)?;
        Ok(Self {
            wet_depth: (1e-4 * setup.cell) as f32,
            cell: setup.cell,
            substep_rate: 0.0,
            time: 0.0,
            frame: None,
            frames: 0,
            current: 0,
            ledger: Ledger::of_mass(quantum_on(setup.cell * setup.cell * cells as f64), &KEPT),
            posted: None,
            substeps: 0,
            exec,
            plan,
            drivers,
            buffers,
            bed: bed.into(),
            datum,
            sums,
        })
    }

    /// Simulated time at the end of the last frame, s; that frame may still be under way on a GPU.
    pub fn time(&self) -> f64 {
        self.time + self.frame.as_ref().map_or(0.0, |frame| frame.seconds)
    }

    /// Frames since the start or the last [`restore`](Self::restore); one under way counts, one that failed does not.
    pub fn frames(&self) -> u64 {
        self.frames + u64::from(self.frame.is_some())
    }

    /// Sub-steps since the start, of frames that are complete.
    pub fn substeps(&self) -> u64 {
        self.substeps
    }

    /// The executor.
    pub fn executor(&self) -> &Arc<Executor> {
        &self.exec
    }

    /// Cells along x and z.
    pub fn size(&self) -> [usize; 2] {
        [self.plan.hllc.nx as usize, self.plan.hllc.nz as usize]
    }

    /// Size of a cell, m.
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// Elevation of the datum, m.
    pub fn datum(&self) -> f64 {
        self.datum
    }

    /// Bed elevations, m.
    pub fn bed(&self) -> Vec<f32> {
        self.bed.iter().map(|&z| (f64::from(z) + self.datum) as f32).collect()
    }

    /// Simulates `seconds`, in as many sub-steps as stability asks for. On a GPU it returns before the work
    /// is done; an error of this frame may show at the next call.
    pub fn advance(&mut self, seconds: f64) -> Result<()> {
        if !(seconds.is_finite() && seconds > 0.0) {
            return invalid(format!("a frame of {seconds} s cannot be simulated"));
        }
        self.settle()?;
        let samples = self.drivers.checked_samples(self.time, seconds)?;
        let mut clock = vec![0.0; self.buffers.clock.len()];
        clock[word::FRAME] = seconds as f32;
        clock[word::DITHER] = dither_after(self.substeps);
        self.exec.write(&self.buffers.clock, 0, &clock)?;
        self.exec.write(&self.buffers.drivers, 0, &samples)?;
        // One spare sub-step: a frame rarely needs more than the last one did.
        let guess = (self.substep_rate * seconds).ceil() as u32 + 1;
        self.submit(seconds, 0, guess)
    }

    fn submit(&mut self, seconds: f64, counted: u32, substeps: u32) -> Result<()> {
        let Self { exec, plan, buffers, current, .. } = &*self;
        exec.submit(|rec| -> Result<()> {
            let look = self.look();
            for n in 0..substeps.clamp(1, 512) {
                // Counted from the beginning of the frame, so that nothing rests on how often it was recorded on.
                let is_time = (counted + n).is_multiple_of(maps::EVERY);
                let look = look.as_ref().filter(|_| is_time);
                substep(rec, plan, buffers, (current + n as usize) & 1, look)?;
            }
            Ok(())
        })?;
        let clock = self.exec.read_async(&self.buffers.clock)?;
        self.frame = Some(Frame { seconds, clock, counted });
        Ok(())
    }

    /// How the frame after `self.time` is looked at for the maps.
    fn look(&self) -> Option<MapsParams> {
        let mut params = self.plan.maps?;
        params.began = self.time as f32;
        Some(params)
    }

    /// Takes the water as it is into the maps, between frames.
    pub(crate) fn look_now(&mut self) -> Result<()> {
        self.settle()?;
        let Some((params, maps)) = self.look().zip(self.buffers.maps.as_ref()) else { return Ok(()) };
        // The end of the last frame is the beginning of the next: nothing has elapsed of it.
        self.exec.write(&self.buffers.clock, word::ELAPSED, &[0.0])?;
        let mut rec = self.exec.record();
        rec.stage("maps");
        let Buffers { bed, clock, state, .. } = &self.buffers;
        let kernel = Look { state: &state[self.current], bed, clock, maps };
        rec.run(&kernel, &params, Dispatch::Elements(self.bed.len()))?;
        Ok(rec.submit()?)
    }

    /// What the water did since the start; `None` without [`Setup::maps`]. The water is looked at every eighth sub-step, and at the end of every frame.
    ///
    /// Times are seconds in single precision, good to a part in sixteen million of the simulated time: of a day, to 4 ms.
    pub fn maps_later(&mut self) -> Result<Option<Later<Maps, ShallowError>>> {
        self.look_now()?;
        let Some(planes) = &self.buffers.maps else { return Ok(None) };
        let (planes, bed, datum) = (self.exec.read_async(planes)?, Arc::clone(&self.bed), self.datum);
        Ok(Some(Later::new(move || Ok(maps::unpack(&planes.wait()?, &bed, datum)))))
    }

    /// Waits until the last frame is complete.
    pub fn settle(&mut self) -> Result<()> {
        while let Some(Frame { seconds, clock, counted }) = self.frame.take() {
            let clock = clock.wait()?;
            let taken = clock[word::SUBSTEPS] as u32;
            self.current ^= ((taken - counted) & 1) as usize;
            let (from, to) = (self.time, self.time + seconds);
            match clock[word::STATUS] {
                status::FINE => {}
                status::COLLAPSED => {
                    let speed = clock[word::SPEED];
                    return Err(ShallowError::Collapsed { time: from, speed, frame: seconds, limit: MAX_SUBSTEPS });
                }
                _ => return Err(ShallowError::NotFinite { from, to }),
            }
            let done = clock[word::ELAPSED] + clock[word::DT];
            let frame = clock[word::FRAME];
            if done < frame * (1.0 - 1e-6) {
                let rate = f64::from(taken) / f64::from(done).max(1e-30);
                let left = (rate * f64::from(frame - done)).ceil() as u32 + 1;
                self.submit(seconds, taken, left)?;
                continue;
            }
            self.time = to;
            self.frames += 1;
            self.substeps += u64::from(taken);
            self.substep_rate = f64::from(taken) / seconds;
            // Read before this frame began, so that it is there.
            if let Some(posted) = self.posted.take() {
                self.ledger = posted.wait()?;
            }
            let area = self.cell * self.cell * self.bed.len() as f64;
            self.ledger.exchange(Account::Rain, [by_sign(f64::from(clock[word::RAIN_DEPTH]) * area)])?;
        }
        Ok(())
    }

    /// Sums over the domain, and by the ledger what came in and went out.
    pub fn statistics_later(&mut self) -> Result<Later<Statistics, ShallowError>> {
        self.settle()?;
        let h = &self.plan.hllc;
        let params =
            StatsParams { cells: self.bed.len() as u32, gravity: h.gravity, h_eps: h.h_eps, wet_depth: self.wet_depth };
        let mut rec = self.exec.record();
        rec.stage("statistics");
        let kernel = Stats { state: &self.buffers.state[self.current], bed: &self.buffers.bed, sums: &self.sums };
        rec.run(&kernel, &params, Dispatch::Elements(self.bed.len()))?;
        rec.submit()?;
        let (sums, ledger) = (self.exec.read_async(&self.sums)?, self.post()?);
        let (time, substeps, area) = (self.time, self.substeps, self.cell * self.cell);
        Ok(Later::new(move || {
            let mut totals = [0.0f64; stats::WORDS];
            for chunk in sums.wait()?.chunks_exact(stats::WORDS) {
                for n in 0..4 {
                    totals[n] += f64::from(chunk[n]);
                }
                totals[4] = totals[4].max(f64::from(chunk[4]));
            }
            let ledger = ledger.wait()?;
            Ok(Statistics {
                time,
                volume: totals[0] * area,
                kinetic_energy: totals[1] * area * DENSITY,
                potential_energy: Some(totals[2] * area * DENSITY),
                wet_area: Some(totals[3] * area),
                max_speed: totals[4],
                added: ledger.added(),
                removed: ledger.removed(),
                substeps,
                ..Statistics::default()
            })
        }))
    }

    /// Where the water went since the start.
    pub fn ledger_later(&mut self) -> Result<Later<Ledger, ShallowError>> {
        self.settle()?;
        let posted = self.post()?;
        Ok(Later::new(move || posted.wait()))
    }

    /// Moves what edge faces, layers and sources have counted between the accounts, as they are at the end of a frame.
    pub(crate) fn post(&mut self) -> Result<Posted> {
        if let Some(posted) = &self.posted {
            return Ok(posted.clone()); // nothing was counted since
        }
        let edges = self.exec.read_async(&self.buffers.edges)?;
        let exchanged = self.exec.read_async(&self.buffers.exchanged)?;
        let mut rec = self.exec.record();
        rec.clear(&self.buffers.edges)?;
        rec.clear(&self.buffers.exchanged)?;
        rec.submit()?;
        let [nx, nz] = self.size().map(|n| n as u32);
        let layers: Vec<(Account, usize)> = self
            .plan
            .layers
            .iter()
            .map(|layer| (Account::SIDES[layer.side as usize], (layer.width * layer.height) as usize))
            .collect();
        let mut ledger = self.ledger.clone();
        let posted = Shared::new(move || {
            let (edges, exchanged) = (edges.wait()?, exchanged.wait()?);
            let volumes = |values: &[f32]| values.iter().map(|v| by_sign(f64::from(*v))).collect::<Vec<_>>();
            let firsts = first_faces(nx, nz).map(|face| face as usize);
            let ends = [firsts[1], firsts[2], firsts[3], edges.len()];
            for ((side, first), end) in Account::SIDES.into_iter().zip(firsts).zip(ends) {
                ledger.exchange(side, volumes(&edges[first..end]))?;
            }
            let mut rest = &exchanged[..];
            for (side, cells) in layers {
                let (own, others) = rest.split_at(cells);
                ledger.exchange(side, volumes(own))?;
                rest = others;
            }
            ledger.exchange(Account::Sources, volumes(rest))?;
            Ok(ledger)
        });
        self.posted = Some(posted.clone());
        Ok(posted)
    }

    /// The state of every cell.
    pub fn fields_later(&mut self) -> Result<Later<Fields, ShallowError>> {
        self.settle()?;
        let state = self.exec.read_async(&self.buffers.state[self.current])?;
        let (bed, datum, h_eps) = (Arc::clone(&self.bed), self.datum, self.plan.hllc.h_eps);
        Ok(Later::new(move || {
            let (state, cells) = (state.wait()?, bed.len());
            let each = |f: &(dyn Fn(usize, f32, f32) -> f32 + Sync)| -> Vec<f32> {
                (0..cells).into_par_iter().map(|at| f(at, state[at], bed[at])).collect()
            };
            let velocity =
                |plane: usize| each(&|at, s, z| state[at + plane * cells] * inverse_depth(depth(s, z), h_eps));
            Ok(Fields {
                depth: each(&|_, s, z| depth(s, z)),
                surface: each(&|_, s, z| (f64::from(surface(s, z)) + datum) as f32),
                u: velocity(1),
                w: velocity(2),
            })
        }))
    }

    /// The water in memory of the executor; with `velocity` that of every cell is written there, m/s. Waits for the
    /// last frame's clock alone.
    pub fn view(&mut self, velocity: Option<&Buffer<[f32; 2]>>) -> Result<HeightView<'_>> {
        self.settle()?;
        let state = &self.buffers.state[self.current];
        let view = HeightView { state, bed: &self.buffers.bed, datum: self.datum };
        if let Some(velocity) = velocity {
            let mut rec = self.exec.record();
            rec.stage("picture");
            view.record_drift(&mut rec, velocity, self.plan.hllc.h_eps)?;
            rec.submit()?;
        }
        Ok(view)
    }

    /// A reusable list of cells `i + nx * k` for [`sample_later`](Self::sample_later).
    pub fn cell_list(&self, cells: &[u32]) -> Result<CellList> {
        if cells.iter().any(|&c| c as usize >= self.bed.len()) {
            return invalid("a listed cell lies outside the grid");
        }
        let list = self.exec.buffer_from("shallow.list", cells)?;
        let values = self.exec.buffer("shallow.gathered", cells.len() * sample::WORDS)?;
        Ok(CellList { list, values })
    }

    /// The state of listed cells: cheap, whatever the size of the grid.
    pub fn sample_later(&mut self, cells: &CellList) -> Result<Later<Vec<Sample>, ShallowError>> {
        self.settle()?;
        let params = SampleParams { cells: self.bed.len() as u32, h_eps: self.plan.hllc.h_eps };
        let mut rec = self.exec.record();
        rec.stage("probes");
        let state = &self.buffers.state[self.current];
        let kernel = SampleCells { state, bed: &self.buffers.bed, list: &cells.list, values: &cells.values };
        rec.run(&kernel, &params, Dispatch::Elements(cells.list.len()))?;
        rec.submit()?;
        let (values, datum) = (self.exec.read_async(&cells.values)?, self.datum);
        let sample = move |v: &[f32]| Sample {
            depth: f64::from(v[0]),
            surface: f64::from(v[1]) + datum,
            velocity: [f64::from(v[2]), f64::from(v[3])],
            bed: f64::from(v[4]) + datum,
        };
        Ok(Later::new(move || Ok(values.wait()?.chunks_exact(sample::WORDS).map(sample).collect())))
    }
}

/// Cells to [`sample`](ShallowWater::sample_later), and room for their values.
#[derive(Debug)]
pub struct CellList {
    list: Buffer<u32>,
    values: Buffer<f32>,
}
