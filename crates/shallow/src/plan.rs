//! From a [`Setup`] to kernel parameters: all that stays fixed during a run.

use thalweg_compute::fold;

use crate::absorb::AbsorbParams;
use crate::boundary::{Edge, kind};
use crate::clock::{ClockParams, DRIVER_SAMPLES, DRIVER_STEPS, FIXED_DRIVERS};
use crate::cmf10;
use crate::error::{Result, invalid};
use crate::from_model::{PreparedSide, Stage, WorldGrid, driver};
use crate::hllc::{HllcParams, rows_per_group};
use crate::maps::MapsParams;
use crate::setup::{Datum, Driver, Limiter, Options, Order, SIDES, Scheme, Setup, Side, SourceShape};
use crate::sides::{Shore, SidePlan};
use crate::sources::SourceParams;

/// Sub-steps of one frame at which a run is given up: far beyond any sane frame.
pub(crate) const MAX_SUBSTEPS: u32 = 100_000;
/// Width over which the strength of an absorbing layer is spread, in crossings: σ_max = 8 c / width.
pub(crate) const LAYER_STRENGTH: f64 = 8.0;

/// Fixed parameters of every kernel of a step.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) hllc: HllcParams,
    pub(crate) scheme: Scheme,
    pub(crate) clock: ClockParams,
    /// Sides that hold a level.
    pub(crate) sides: SidePlan,
    pub(crate) layers: Vec<AbsorbParams>,
    pub(crate) pours: Vec<SourceParams>,
    /// Words of `exchanged`: cells of layers, then of sources.
    pub(crate) exchanged_len: usize,
    /// Maps over time, if they are wanted; the time at which a frame begins is left open.
    pub(crate) maps: Option<MapsParams>,
    /// Workgroups of the kernels that the clock switches, three words each: flux, layers, sources, maps.
    pub(crate) extents: Vec<u32>,
}

/// Functions of time, scaled to what kernels want.
#[derive(Default)]
pub(crate) struct Drivers {
    /// Sides, rain, sources: the function, an offset taken off and a factor.
    list: Vec<(Option<Driver>, f64, f64)>,
}

impl Drivers {
    /// Adds a function: kernels see `(f(t) − offset) · factor`, or 0 without one.
    pub(crate) fn push(&mut self, driver: Option<Driver>, offset: f64, factor: f64) {
        self.list.push((driver, offset, factor));
    }

    /// Adds the level that a side holds, from a datum; 0 where the water inside sets it.
    pub(crate) fn push_level(&mut self, stage: Stage, datum: f64) {
        match stage {
            Stage::Given { level, .. } => self.push(Some(level), datum, 1.0),
            Stage::Rating { .. } | Stage::Normal { .. } => self.push(None, 0.0, 0.0),
        }
    }

    /// Samples of every driver over a frame that starts at `time`, refused if one of them is not finite.
    pub(crate) fn checked_samples(&self, time: f64, frame: f64) -> Result<Vec<f32>> {
        let samples = self.samples(time, frame);
        if samples.iter().all(|x| x.is_finite()) {
            return Ok(samples);
        }
        let end = time + frame;
        invalid(format!("a side, the rain or a source is given a number that is not finite between {time} and {end} s"))
    }

    /// Samples of every driver over a frame that starts at `time`.
    pub(crate) fn samples(&self, time: f64, frame: f64) -> Vec<f32> {
        let mut samples = Vec::with_capacity(self.list.len() * DRIVER_SAMPLES);
        for (driver, offset, factor) in &self.list {
            samples.extend((0..DRIVER_SAMPLES).map(|n| {
                let t = time + frame * n as f64 / DRIVER_STEPS as f64;
                driver.as_ref().map_or(0.0, |f| ((f(t) - offset) * factor) as f32)
            }));
        }
        samples
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len() * DRIVER_SAMPLES
    }
}

/// Checks what can be checked before memory is taken.
pub(crate) fn validate(setup: &Setup<'_>) -> Result<()> {
    let Setup { nx, nz, cell, gravity, options, .. } = *setup;
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if nx == 0 || nz == 0 || u64::from(nx) * u64::from(nz) > (1 << 30) {
        return invalid(format!("a grid of {nx} by {nz} cells is outside 1 to 2^30 cells"));
    }
    if !positive(cell) || !positive(gravity) {
        return invalid(format!("cell size {cell} m and gravity {gravity} m/s² must be positive"));
    }
    let Options { cfl, manning, thin_depth, .. } = options;
    if !(cfl > 0.0 && cfl <= 0.45) {
        return invalid(format!("a Courant number of {cfl} is outside 0 to 0.45"));
    }
    if !(manning.is_finite() && manning >= 0.0) || thin_depth.is_some_and(|d| !positive(d)) {
        return invalid("Manning's n must be at least 0 and the thin depth positive");
    }
    if let Some(wet) = setup.maps.filter(|wet| !positive(*wet)) {
        return invalid(format!("ground cannot count as wetted from a depth of {wet} m: it must be positive"));
    }
    let holds_level = |side: &Side| matches!(side, Side::Level { .. } | Side::Rating { .. } | Side::Normal { .. });
    if options.scheme == Scheme::Cmf10 && setup.sides.all().into_iter().any(holds_level) {
        return invalid("the staggered scheme has no side that holds a level: use finite volumes");
    }
    Ok(())
}

/// The datum that the setup asks for.
pub(crate) fn datum(setup: &Setup<'_>) -> f64 {
    if let Datum::Elevation(level) = setup.datum {
        return level;
    }
    let cells = || (0..setup.nz).flat_map(|k| (0..setup.nx).map(move |i| (i, k))).map(|(i, k)| (setup.initial)(i, k));
    let (mut lowest, mut wet, mut sum) = (f64::INFINITY, 0u64, 0.0);
    for c in cells() {
        lowest = lowest.min(c.bed);
        if c.surface > c.bed {
            wet += 1;
            sum += c.surface;
        }
    }
    let mean = sum / wet.max(1) as f64;
    let below = cells().filter(|c| c.bed < mean).count() as u64;
    if wet > 0 && wet * 10 >= below * 9 { mean } else { lowest }
}

impl Plan {
    /// `edge_beds` is the lowest bed along each side, relative to the datum.
    pub(crate) fn new(setup: &mut Setup<'_>, datum: f64, edge_beds: [f32; SIDES]) -> Result<(Self, Drivers)> {
        let Setup { nx, nz, cell, gravity, options, .. } = *setup;
        let mut hllc = hllc_params(setup);
        let h_eps = hllc.h_eps;
        let mut drivers = Drivers::default();
        let PlannedSides { edges, layers, sides, mut exchanged_len } =
            PlannedSides::new(setup, (datum, edge_beds, h_eps), &mut drivers)?;
        hllc.set_sides(&edges);
        drivers.push(setup.rain.take().map(driver), 0.0, 1.0);
        let mut pours = Vec::new();
        for (n, source) in std::mem::take(&mut setup.sources).into_iter().enumerate() {
            let params = pour_params(setup, source.shape.seen_from(setup.origin), n as u32, exchanged_len as u32);
            exchanged_len += (params.width * params.height) as usize;
            let covered = (0..params.width * params.height)
                .filter(|c| params.covers(params.x0 + c % params.width, params.z0 + c / params.width))
                .count();
            drivers.push(Some(driver(source.rate)), 0.0, 1.0 / (covered.max(1) as f64 * cell * cell));
            pours.push(params);
        }

        // The scheme's own kernels come first; the last of them writes a speed per workgroup.
        let (groups, courant) = match options.scheme {
            Scheme::Hllc { .. } => (hllc.groups(), f32::INFINITY),
            Scheme::Cmf10 => (cmf10::groups(nx, nz), cmf10::COURANT),
        };
        let mut extents = groups.to_vec();
        for count in layers.iter().map(|l| l.width * l.height).chain(pours.iter().map(|s| s.width * s.height)) {
            let groups = fold(u64::from(count).div_ceil(256));
            extents.extend(groups.expect("a part of the grid is smaller than the grid"));
        }
        let maps = setup.maps.map(|wet| MapsParams { cells: nx * nz, h_eps, wet: wet as f32, began: 0.0 });
        if let Some(maps) = &maps {
            let groups = fold(u64::from(maps.cells).div_ceil(256));
            extents.extend(groups.expect("a grid that was checked has few enough cells"));
        }
        let entering = sides.entering(edges.map(|edge| edge.kind));
        let clock = ClockParams {
            speeds: groups[0] * groups[1],
            sources: pours.len() as u32,
            kernels: extents.len() as u32 / 3,
            cell: cell as f32,
            gravity: gravity as f32,
            courant: courant.min(2.0 * options.cfl as f32),
            axes: 1.0 + hllc.planar,
            max_substeps: MAX_SUBSTEPS as f32,
            west_kind: entering[0],
            east_kind: entering[1],
            south_kind: entering[2],
            north_kind: entering[3],
            west_bed: edge_beds[0],
            east_bed: edge_beds[1],
            south_bed: edge_beds[2],
            north_bed: edge_beds[3],
        };
        debug_assert_eq!(drivers.list.len(), FIXED_DRIVERS + pours.len());
        let plan = Self { hllc, scheme: options.scheme, clock, sides, layers, pours, exchanged_len, maps, extents };
        Ok((plan, drivers))
    }

    /// Whether layers or sources change cells after the scheme's own stages.
    pub(crate) fn changes_cells(&self) -> bool {
        !(self.layers.is_empty() && self.pours.is_empty())
    }
}

/// The parameters of the scheme, but for its sides.
fn hllc_params(setup: &Setup<'_>) -> HllcParams {
    let Setup { nx, nz, cell, gravity, options, .. } = *setup;
    let mut hllc: HllcParams = bytemuck::Zeroable::zeroed();
    hllc.nx = nx;
    hllc.nz = nz;
    hllc.rows = rows_per_group(nx, nz);
    hllc.cell = cell as f32;
    hllc.gravity = gravity as f32;
    hllc.h_eps = options.thin_depth.unwrap_or((1e-3 * cell).max(1e-6)) as f32;
    hllc.theta = match options.scheme {
        Scheme::Hllc { order: Order::Second { limiter: Limiter::Mc } } => 2.0,
        _ => 1.0,
    };
    hllc.drag = (gravity * options.manning * options.manning) as f32;
    hllc.planar = if nz > 1 { 1.0 } else { 0.0 };
    hllc
}

/// What the sides are to kernels.
struct PlannedSides {
    edges: [Edge; SIDES],
    layers: Vec<AbsorbParams>,
    sides: SidePlan,
    /// Words of `exchanged` that the layers take.
    exchanged_len: usize,
}

impl PlannedSides {
    /// Adds a driver for every side.
    fn new(
        setup: &mut Setup<'_>,
        (datum, edge_beds, h_eps): (f64, [f32; SIDES], f32),
        drivers: &mut Drivers,
    ) -> Result<Self> {
        let Setup { nx, nz, cell, gravity, origin, initial, .. } = *setup;
        let grid = WorldGrid { cells: [nx, nz], cell, origin };
        let prepared = grid.sides(&setup.sides, &mut setup.far_fields, &mut |i, k| initial(i, k))?;
        let mut layers = Vec::new();
        let mut exchanged_len = 0usize;
        let mut sides = SidePlan::default();
        let shore = Shore { size: [nx, nz], levels: 1, face: cell, gravity, h_eps, datum };
        let mut edges = [Edge { kind: kind::WALL, from: 0, to: 0, rest: 0.0 }; SIDES];
        for (side, prepared) in prepared.into_iter().enumerate() {
            match prepared {
                PreparedSide::Wall => drivers.push(None, 0.0, 0.0),
                PreparedSide::Outflow => {
                    let length = if side < 2 { nz } else { nx };
                    edges[side] = Edge { kind: kind::OUTFLOW, from: 0, to: length, rest: 0.0 };
                    drivers.push(None, 0.0, 0.0);
                }
                PreparedSide::FarField { level, rest, layer, span } => {
                    let rest = (rest - datum) as f32;
                    edges[side] = Edge { kind: kind::FAR_FIELD, from: span.start, to: span.end, rest };
                    drivers.push(Some(level), datum, 1.0);
                    let across = if side < 2 { nx } else { nz };
                    let layer = layer.min(across);
                    if layer > 0 {
                        let depth = f64::from(rest - edge_beds[side]).max(0.0);
                        let strength = LAYER_STRENGTH * (gravity * depth).sqrt() / (f64::from(layer) * cell);
                        let mut params = layer_params(setup, side, layer, span, exchanged_len as u32);
                        (params.strength, params.rest) = (strength as f32, rest);
                        exchanged_len += (params.width * params.height) as usize;
                        layers.push(params);
                    }
                }
                PreparedSide::Discharge { rate, span } => {
                    edges[side] = Edge { kind: kind::DISCHARGE, from: span.start, to: span.end, rest: 0.0 };
                    drivers.push(Some(rate), 0.0, 1.0 / (span.len() as f64 * cell));
                }
                PreparedSide::Level { stage, span } => {
                    edges[side] = Edge { kind: kind::LEVEL, from: span.start, to: span.end, rest: 0.0 };
                    sides.add(&shore, side, &stage, &span)?;
                    drivers.push_level(stage, datum);
                }
            }
        }
        Ok(Self { edges, layers, sides, exchanged_len })
    }
}

fn layer_params(
    setup: &Setup<'_>,
    side: usize,
    layer: u32,
    span: std::ops::Range<u32>,
    exchanged_start: u32,
) -> AbsorbParams {
    let (nx, nz) = (setup.nx, setup.nz);
    let along = span.end - span.start;
    let (x0, z0, width, height) = match side {
        0 => (0, span.start, layer, along),
        1 => (nx - layer, span.start, layer, along),
        2 => (span.start, 0, along, layer),
        _ => (span.start, nz - layer, along, layer),
    };
    AbsorbParams {
        nx,
        nz,
        x0,
        z0,
        width,
        height,
        side: side as u32,
        layer: layer as f32,
        strength: 0.0,
        rest: 0.0,
        gravity: setup.gravity as f32,
        area: (setup.cell * setup.cell) as f32,
        exchanged_start,
    }
}

fn pour_params(setup: &Setup<'_>, shape: SourceShape, source: u32, exchanged_start: u32) -> SourceParams {
    let (nx, nz) = (setup.nx, setup.nz);
    let cells = |x: f64| x / setup.cell;
    let (min, max, center, radius2) = match shape {
        SourceShape::Disc { center, radius } => {
            let [x, z] = center.map(cells);
            let r = cells(radius);
            ([x - r, z - r], [x + r, z + r], [x, z], r * r)
        }
        SourceShape::Box { min, max } => {
            let (min, max) = (min.map(cells), max.map(cells));
            (min, max, [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1])], -1.0)
        }
    };
    // Cells whose centres lie in [low, high); the cell around the middle if there is none.
    let range = |low: f64, high: f64, middle: f64, n: u32| {
        let first = (low - 0.5).ceil().clamp(0.0, f64::from(n)) as u32;
        let past = (high - 0.5).ceil().clamp(0.0, f64::from(n)) as u32;
        if past > first { (first, past - first) } else { ((middle.max(0.0) as u32).min(n - 1), 1) }
    };
    let (x0, width) = range(min[0], max[0], center[0], nx);
    let (z0, height) = range(min[1], max[1], center[1], nz);
    let mut params = SourceParams {
        nx,
        nz,
        x0,
        z0,
        width,
        height,
        radius2: radius2 as f32,
        center_x: center[0] as f32,
        center_z: center[1] as f32,
        source,
        area: (setup.cell * setup.cell) as f32,
        exchanged_start,
    };
    let covered = (0..width * height).any(|c| params.covers(x0 + c % width, z0 + c / width));
    if !covered {
        params.radius2 = -1.0; // a disc between centres pours into the cells around it
    }
    params
}
