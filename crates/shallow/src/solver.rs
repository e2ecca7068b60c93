//! The solver: state in memory, frames in, fields and statistics out.

use std::sync::Arc;

use rayon::prelude::*;
use thalweg_compute::{Buffer, Dispatch, Executor, Readback};

use crate::clock::{status, word};
use crate::error::{Result, ShallowError, invalid};
use crate::gather::{self, Gather, GatherParams};
use crate::ledger::Books;
use crate::physics::{depth, inverse_depth, signal_speed, surface};
use crate::plan::{self, Drivers, MAX_SUBSTEPS, Plan};
use crate::setup::{SIDES, Setup};
use crate::stats::{self, Stats, StatsParams};
use crate::step::{Buffers, substep};

/// Density of water, kg/m³: only energies know it.
const DENSITY: f64 = 1000.0;
/// Words of the clock without sources.
const CLOCK_WORDS: usize = word::SOURCE_RATES;

/// Shallow water on a uniform grid.
pub struct ShallowWater {
    exec: Arc<Executor>,
    plan: Plan,
    drivers: Drivers,
    buffers: Buffers,
    /// Which of the two states is current.
    current: usize,
    /// Bed relative to the datum, on the host.
    bed: Vec<f32>,
    datum: f64,
    cell: f64,
    time: f64,
    frame: Option<Frame>,
    /// Sub-steps of the last frame per second: a guess for the next.
    substep_rate: f64,
    books: Books,
    substeps: u64,
    sums: Buffer<f32>,
    wet_depth: f32,
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

/// The state of every cell; index `i + nx * k`.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    /// Depth, m.
    pub depth: Vec<f32>,
    /// Surface elevation, m; the bed's where it is dry.
    pub surface: Vec<f32>,
    /// Velocity along x, m/s.
    pub u: Vec<f32>,
    /// Velocity along z, m/s.
    pub w: Vec<f32>,
}

/// The state of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Depth, m.
    pub depth: f64,
    /// Surface elevation, m.
    pub surface: f64,
    /// Velocity along x and z, m/s.
    pub velocity: [f64; 2],
}

/// Sums over the domain.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics {
    /// Simulated time, s.
    pub time: f64,
    /// Volume, m³.
    pub volume: f64,
    /// Kinetic energy, J.
    pub kinetic_energy: f64,
    /// Potential energy above still water at the datum, J.
    pub potential_energy: f64,
    /// Area under water, m².
    pub wet_area: f64,
    /// Fastest water, m/s.
    pub max_speed: f64,
    /// Volume that came in since the start, m³.
    pub added: f64,
    /// Volume that went out since the start, m³.
    pub removed: f64,
    /// Sub-steps since the start.
    pub substeps: u64,
}

/// All that a run needs to go on with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// Simulated time, s.
    pub time: f64,
    /// Surface variable and discharges, three planes.
    pub state: Vec<f32>,
    /// Fastest signal, m/s.
    pub speed: f32,
    /// Volume in, volume out since the start, m³.
    pub books: [f64; 2],
    /// Sub-steps since the start.
    pub substeps: u64,
    /// Sub-steps per second of the last frame.
    pub substep_rate: f64,
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
            edges: exec.buffer("shallow.edges", 2 * (nx + nz))?,
            ledger: exec.buffer("shallow.ledger", plan.ledger_len)?,
        };
        exec.write(&buffers.speeds, 0, &[speed])?;
        let sums = exec.buffer("shallow.sums", cells.div_ceil(stats::CHUNK) * stats::WORDS)?;
        Ok(Self {
            wet_depth: (1e-4 * setup.cell) as f32,
            cell: setup.cell,
            substep_rate: 0.0,
            time: 0.0,
            frame: None,
            current: 0,
            books: Books::default(),
            substeps: 0,
            exec,
            plan,
            drivers,
            buffers,
            bed,
            datum,
            sums,
        })
    }

    /// Simulated time at the end of the last frame, s.
    pub fn time(&self) -> f64 {
        self.time
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
        let mut clock = vec![0.0; self.buffers.clock.len()];
        clock[word::FRAME] = seconds as f32;
        self.exec.write(&self.buffers.clock, 0, &clock)?;
        self.exec.write(&self.buffers.drivers, 0, &self.drivers.samples(self.time, seconds))?;
        // One spare sub-step: a frame rarely needs more than the last one did.
        let guess = (self.substep_rate * seconds).ceil() as u32 + 1;
        self.submit(seconds, 0, guess)
    }

    fn submit(&mut self, seconds: f64, counted: u32, substeps: u32) -> Result<()> {
        let mut rec = self.exec.record();
        for n in 0..substeps.clamp(1, 512) as usize {
            substep(&mut rec, &self.plan, &self.buffers, (self.current + n) & 1)?;
        }
        rec.submit()?;
        let clock = self.exec.read_async(&self.buffers.clock)?;
        self.frame = Some(Frame { seconds, clock, counted });
        Ok(())
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
            self.substeps += u64::from(taken);
            self.substep_rate = f64::from(taken) / seconds;
            let area = self.cell * self.cell * self.bed.len() as f64;
            self.books.book(f64::from(clock[word::RAIN_DEPTH]) * area);
        }
        Ok(())
    }

    /// Sums over the domain now, the books included.
    pub fn statistics(&mut self) -> Result<Statistics> {
        self.settle()?;
        let h = &self.plan.hllc;
        let params =
            StatsParams { cells: self.bed.len() as u32, gravity: h.gravity, h_eps: h.h_eps, wet_depth: self.wet_depth };
        let mut rec = self.exec.record();
        rec.stage("statistics");
        let kernel = Stats { state: &self.buffers.state[self.current], bed: &self.buffers.bed, sums: &self.sums };
        rec.run(&kernel, &params, Dispatch::Elements(self.bed.len()))?;
        rec.submit()?;
        let sums = self.exec.read_async(&self.sums)?;
        let edges = self.exec.read_async(&self.buffers.edges)?;
        let ledger = self.exec.read_async(&self.buffers.ledger)?;
        self.books.book_all(&edges.wait()?);
        self.books.book_all(&ledger.wait()?);
        let mut rec = self.exec.record();
        rec.clear(&self.buffers.edges)?;
        rec.clear(&self.buffers.ledger)?;
        rec.submit()?;

        let mut totals = [0.0f64; stats::WORDS];
        for chunk in sums.wait()?.chunks_exact(stats::WORDS) {
            for n in 0..4 {
                totals[n] += f64::from(chunk[n]);
            }
            totals[4] = totals[4].max(f64::from(chunk[4]));
        }
        let area = self.cell * self.cell;
        Ok(Statistics {
            time: self.time,
            volume: totals[0] * area,
            kinetic_energy: totals[1] * area * DENSITY,
            potential_energy: totals[2] * area * DENSITY,
            wet_area: totals[3] * area,
            max_speed: totals[4],
            added: self.books.added,
            removed: self.books.removed,
            substeps: self.substeps,
        })
    }

    /// The state of every cell.
    pub fn fields(&mut self) -> Result<Fields> {
        self.settle()?;
        let state = self.exec.read(&self.buffers.state[self.current])?;
        let cells = self.bed.len();
        let h_eps = self.plan.hllc.h_eps;
        let each = |f: &(dyn Fn(usize, f32, f32) -> f32 + Sync)| -> Vec<f32> {
            (0..cells).into_par_iter().map(|at| f(at, state[at], self.bed[at])).collect()
        };
        let velocity = |plane: usize| each(&|at, s, z| state[at + plane * cells] * inverse_depth(depth(s, z), h_eps));
        Ok(Fields {
            depth: each(&|_, s, z| depth(s, z)),
            surface: each(&|_, s, z| (f64::from(surface(s, z)) + self.datum) as f32),
            u: velocity(1),
            w: velocity(2),
        })
    }

    /// A reusable list of cells `i + nx * k` for [`sample`](Self::sample).
    pub fn cell_list(&self, cells: &[u32]) -> Result<CellList> {
        if cells.iter().any(|&c| c as usize >= self.bed.len()) {
            return invalid("a listed cell lies outside the grid");
        }
        let list = self.exec.buffer_from("shallow.list", cells)?;
        let values = self.exec.buffer("shallow.gathered", cells.len() * gather::WORDS)?;
        Ok(CellList { list, values })
    }

    /// The state of listed cells: cheap, whatever the size of the grid.
    pub fn sample(&mut self, cells: &CellList) -> Result<Vec<Sample>> {
        self.settle()?;
        let params = GatherParams { cells: self.bed.len() as u32, h_eps: self.plan.hllc.h_eps };
        let mut rec = self.exec.record();
        rec.stage("probes");
        let state = &self.buffers.state[self.current];
        let kernel = Gather { state, bed: &self.buffers.bed, list: &cells.list, values: &cells.values };
        rec.run(&kernel, &params, Dispatch::Elements(cells.list.len()))?;
        rec.submit()?;
        let values = self.exec.read(&cells.values)?;
        let sample = |v: &[f32]| Sample {
            depth: f64::from(v[0]),
            surface: f64::from(v[1]) + self.datum,
            velocity: [f64::from(v[2]), f64::from(v[3])],
        };
        Ok(values.chunks_exact(gather::WORDS).map(sample).collect())
    }

    /// Everything needed to go on later with the same bits.
    pub fn snapshot(&mut self) -> Result<Snapshot> {
        self.statistics()?; // moves per-cell volumes into the books
        let speeds = self.exec.read(&self.buffers.speeds)?;
        Ok(Snapshot {
            time: self.time,
            state: self.exec.read(&self.buffers.state[self.current])?,
            speed: speeds.iter().fold(0.0, |a: f32, &b| a.max(b)),
            books: [self.books.added, self.books.removed],
            substeps: self.substeps,
            substep_rate: self.substep_rate,
        })
    }

    /// Goes back to a snapshot of a run with the same setup.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.settle()?;
        if snapshot.state.len() != 3 * self.bed.len() {
            return invalid(format!(
                "the snapshot has {} words, the grid needs {}",
                snapshot.state.len(),
                3 * self.bed.len()
            ));
        }
        if !snapshot.state.iter().all(|x| x.is_finite()) || !snapshot.time.is_finite() {
            return invalid("the snapshot holds numbers that are not finite");
        }
        self.exec.write(&self.buffers.state[self.current], 0, &snapshot.state)?;
        let mut speeds = vec![0.0; self.buffers.speeds.len()];
        speeds[0] = snapshot.speed;
        self.exec.write(&self.buffers.speeds, 0, &speeds)?;
        let mut rec = self.exec.record();
        rec.clear(&self.buffers.edges)?;
        rec.clear(&self.buffers.ledger)?;
        rec.submit()?;
        self.time = snapshot.time;
        self.books = Books { added: snapshot.books[0], removed: snapshot.books[1] };
        self.substeps = snapshot.substeps;
        self.substep_rate = snapshot.substep_rate;
        Ok(())
    }
}

/// Cells to [`sample`](ShallowWater::sample), and room for their values.
#[derive(Debug)]
pub struct CellList {
    list: Buffer<u32>,
    values: Buffer<f32>,
}

/// Bed and state from the setup's cells, relative to the datum.
fn fill(setup: &Setup<'_>, datum: f64, bed: &mut [f32], state: &mut [f32]) -> Result<()> {
    let nx = setup.nx as usize;
    let (s, q) = state.split_at_mut(bed.len());
    let (qx, qz) = q.split_at_mut(bed.len());
    let rows = bed.par_chunks_mut(nx).zip(s.par_chunks_mut(nx)).zip(qx.par_chunks_mut(nx)).zip(qz.par_chunks_mut(nx));
    let fill_row = |(k, (((bed, s), qx), qz)): (usize, (((&mut [f32], &mut [f32]), &mut [f32]), &mut [f32]))| {
        for i in 0..nx {
            let cell = (setup.initial)(i as u32, k as u32);
            let numbers = [cell.bed, cell.surface, cell.velocity[0], cell.velocity[1]];
            if numbers.iter().any(|x| !x.is_finite()) {
                return invalid(format!("cell ({i}, {k}) has a bed, surface or velocity that is not finite"));
            }
            let z = (cell.bed - datum) as f32;
            bed[i] = z;
            s[i] = if cell.surface > cell.bed {
                ((cell.surface - datum) - f64::from(z.max(0.0))) as f32
            } else {
                z.min(0.0)
            };
            let h = depth(s[i], z);
            (qx[i], qz[i]) = (h * cell.velocity[0] as f32, h * cell.velocity[1] as f32);
        }
        Ok(())
    };
    rows.enumerate().map(fill_row).collect()
}

/// Lowest bed along west, east, south and north.
fn edge_beds(bed: &[f32], nx: usize, nz: usize) -> [f32; SIDES] {
    let column = |i: usize| (0..nz).map(|k| bed[i + nx * k]).fold(f32::INFINITY, f32::min);
    let row = |k: usize| bed[k * nx..(k + 1) * nx].iter().copied().fold(f32::INFINITY, f32::min);
    [column(0), column(nx - 1), row(0), row(nz - 1)]
}

/// Fastest signal of the initial state.
fn fastest(plan: &Plan, bed: &[f32], state: &[f32]) -> f32 {
    let cells = bed.len();
    let speed = |at: usize| {
        let h = depth(state[at], bed[at]);
        let inverse = inverse_depth(h, plan.hllc.h_eps);
        let (u, w) = (state[at + cells] * inverse, state[at + 2 * cells] * inverse);
        signal_speed(plan.hllc.gravity, h, u, w, plan.hllc.planar)
    };
    (0..cells).into_par_iter().map(speed).reduce(|| 0.0, f32::max)
}
