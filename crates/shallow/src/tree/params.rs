//! From a [`TreeSetup`] to the parameters of kernels: all that stays fixed during a run.

use super::active_tiles::ActiveParams;
use super::adapt_apply::AdaptApplyParams;
use super::adapt_plan::AdaptPlanParams;
use super::flux_update::{FluxParams, Layer};
use super::kernel_advection::{KernelParams, depth_bits};
use super::layout::{CELLS, TILE, source, wish};
use super::map::Levels;
use super::refine_criteria::RefineParams;
use super::reflux::RefluxParams;
use super::setup::{FineRegion, InitialWater, Measure, Observer, TreeScheme, TreeSetup};
use super::sums::SumsParams;
use super::tree_clock::{MAX_RATE, TreeClockParams};
use crate::boundary::{Edge, kind};
use crate::error::{Result, ShallowError, invalid};
use crate::from_model::{PreparedSide, WorldGrid, driver};
use crate::plan::{Drivers, LAYER_STRENGTH, MAX_SUBSTEPS};
use crate::setup::{InitialCell, Limiter, Order, SIDES, SourceShape};
use crate::sides::{Shore, SidePlan};

/// Fixed parameters of a tree.
pub(crate) struct TreePlan {
    pub(crate) levels: Levels,
    pub(crate) capacity: usize,
    /// By level.
    pub(crate) flux_update: Vec<FluxParams>,
    pub(crate) reflux: Vec<RefluxParams>,
    /// If the scheme is that of [004].
    pub(crate) kernel: Option<Vec<KernelParams>>,
    /// Sides that hold a level.
    pub(crate) sides: SidePlan,
    /// Rain and sources that may run, the rain always counted if any does.
    pub(crate) pours: usize,
    pub(crate) active_tiles: ActiveParams,
    pub(crate) clock: TreeClockParams,
    pub(crate) refine_criteria: RefineParams,
    pub(crate) adapt_plan: AdaptPlanParams,
    pub(crate) adapt_apply: AdaptApplyParams,
    pub(crate) sums: SumsParams,
    pub(crate) wishes: Vec<f32>,
    /// Words of the sources in `clock`.
    pub(crate) sources: Vec<[f32; source::WORDS]>,
    pub(crate) drivers: Drivers,
    /// World coordinates `[x, z]` of the low corner, m.
    pub(crate) origin: [f64; 2],
    /// An observer who goes somewhere.
    pub(crate) walker: Option<Observer>,
}

impl TreePlan {
    /// `edge_beds` is the lowest bed along each side, relative to the datum.
    pub(crate) fn new(setup: &mut TreeSetup<'_>, edge_beds: [f32; SIDES]) -> Result<Self> {
        setup.validate().map_err(|what| ShallowError::Invalid { what })?;
        let TreeSetup { nx, nz, cell, levels, gravity, options, origin, .. } = *setup;
        let capacity = setup.refinement.budget.div_ceil(CELLS).max(1);
        let table = Levels::new([nx, nz], levels, capacity);
        if table.words > u32::MAX as usize {
            return invalid(format!("a map of {} tiles is too large: use fewer cells", table.words));
        }
        let mut base = flux_params(setup, capacity);
        let h_eps = base.h_eps;
        let mut drivers = Drivers::default();
        let mut regions: Vec<FineRegion> = setup.refinement.regions.iter().map(|r| r.seen_from(origin)).collect();
        let PlannedSides { kinds, driven, sides } =
            PlannedSides::new(setup, edge_beds, (&mut base, &mut regions, &mut drivers))?;
        let pours = if setup.rain.is_some() || base.sources > 0 { 1 + base.sources as usize } else { 0 };
        drivers.push(setup.rain.take().map(driver), 0.0, 1.0);
        let mut sources = Vec::new();
        for source in std::mem::take(&mut setup.sources) {
            let (words, area, region) = source_words(source.shape.seen_from(origin), [nx, nz], cell);
            drivers.push(Some(driver(source.rate)), 0.0, 1.0 / area);
            sources.push(words);
            regions.push(region);
        }
        let size_of = |level: u32| (cell * f64::from(1u32 << (levels - 1 - level))) as f32;
        let kernel = match options.scheme {
            TreeScheme::FiniteVolumes => None,
            TreeScheme::KernelAdvection { viscosity, friction } => {
                let of_level = |level| kernel_params(&base, (level, size_of(level)), [viscosity, friction], kinds);
                Some((0..levels).map(of_level).collect())
            }
        };
        let rates = if options.subcycling && kernel.is_none() { MAX_RATE.min(levels - 1) } else { 0 };
        let clock = clock_params(setup, (rates, capacity, base.sources), sides.entering(kinds), edge_beds);
        let (slots, finest, r) = (capacity as u32, cell as f32, &setup.refinement);
        Ok(Self {
            levels: table,
            capacity,
            flux_update: (0..levels).map(|level| FluxParams { level, cell: size_of(level), ..base }).collect(),
            reflux: (0..levels)
                .map(|level| RefluxParams { level, levels, nx, nz, capacity: slots, cell: size_of(level) })
                .collect(),
            kernel,
            sides,
            pours,
            active_tiles: ActiveParams {
                levels,
                nx,
                nz,
                capacity: slots,
                sources: base.sources,
                driven,
                cell: finest,
                still: options.still as f32,
            },
            clock,
            refine_criteria: RefineParams {
                levels,
                nx,
                nz,
                capacity: slots,
                fronts: u32::from(r.fronts),
                bends: u32::from(r.measure == Measure::Bends),
                cell: finest,
                h_eps,
                surface: r.surface as f32,
                speed: r.speed as f32,
            },
            adapt_plan: AdaptPlanParams { levels, nx, nz, capacity: slots, level: 0 },
            adapt_apply: AdaptApplyParams { levels, capacity: slots, h_eps },
            sums: SumsParams {
                levels,
                capacity: slots,
                cell: finest,
                gravity: gravity as f32,
                h_eps,
                wet_depth: (1e-4 * cell) as f32,
            },
            wishes: wishes(setup, &regions),
            sources,
            drivers,
            origin,
            walker: r.observer.clone().filter(Observer::moves),
        })
    }

    /// Puts the observer somewhere else in the world.
    pub(crate) fn set_observer(&mut self, place: [f64; 2], near: f64) {
        self.restore_observer(observer_words(self.origin, place, near));
    }

    /// Words of the observer.
    pub(crate) fn observer(&self) -> [f32; 4] {
        [wish::OBSERVER, wish::X, wish::Z, wish::NEAR].map(|word| self.wishes[word])
    }

    /// Takes back words of [`observer`](Self::observer).
    pub(crate) fn restore_observer(&mut self, words: [f32; 4]) {
        self.wishes[wish::OBSERVER..][..4].copy_from_slice(&words);
    }
}

/// The parameters of fluxes that all levels share, but for the sides.
fn flux_params(setup: &TreeSetup<'_>, capacity: usize) -> FluxParams {
    let TreeSetup { nx, nz, cell, levels, gravity, options, .. } = *setup;
    let (order, theta) = match options.order {
        Order::First => (1, 1.0),
        Order::Second { limiter: Limiter::Minmod } => (2, 1.0),
        Order::Second { limiter: Limiter::Mc } => (2, 2.0),
    };
    let mut base: FluxParams = bytemuck::Zeroable::zeroed();
    (base.levels, base.nx, base.nz, base.capacity, base.order) = (levels, nx, nz, capacity as u32, order);
    base.h_eps = options.thin_depth.unwrap_or((1e-3 * cell).max(1e-6)) as f32;
    (base.gravity, base.theta) = (gravity as f32, theta);
    base.drag = (gravity * options.manning * options.manning) as f32;
    base.sources = setup.sources.len() as u32;
    base
}

/// The parameters of kernel advection on a level.
fn kernel_params(
    base: &FluxParams,
    (level, cell): (u32, f32),
    [viscosity, friction]: [f64; 2],
    kinds: [u32; SIDES],
) -> KernelParams {
    let open = (0..SIDES).filter(|&side| kinds[side] == kind::OUTFLOW).fold(0, |bits, side| bits | 1 << side);
    KernelParams {
        level,
        levels: base.levels,
        nx: base.nx,
        nz: base.nz,
        capacity: base.capacity,
        cell,
        gravity: base.gravity,
        h_eps: base.h_eps,
        viscosity: viscosity as f32,
        friction: friction as f32,
        drag: base.drag,
        depth_bits: depth_bits(base.levels),
        sources: base.sources,
        open,
    }
}

/// The parameters of the clock; `entering` are the kinds of the sides as it sees them.
fn clock_params(
    setup: &TreeSetup<'_>,
    (rates, capacity, sources): (u32, usize, u32),
    entering: [u32; SIDES],
    edge_beds: [f32; SIDES],
) -> TreeClockParams {
    TreeClockParams {
        levels: setup.levels,
        capacity: capacity as u32,
        sources,
        rates,
        interval: if setup.levels > 1 { setup.refinement.interval } else { 0 },
        cell: setup.cell as f32,
        gravity: setup.gravity as f32,
        courant: 2.0 * setup.options.cfl as f32,
        max_ticks: MAX_SUBSTEPS as f32,
        west_kind: entering[0],
        east_kind: entering[1],
        south_kind: entering[2],
        north_kind: entering[3],
        west_bed: edge_beds[0],
        east_bed: edge_beds[1],
        south_bed: edge_beds[2],
        north_bed: edge_beds[3],
    }
}

/// What the sides are to kernels.
struct PlannedSides {
    kinds: [u32; SIDES],
    /// A bit for each side that something comes in through.
    driven: u32,
    sides: SidePlan,
}

impl PlannedSides {
    /// Adds what the sides are to the parameters of fluxes, the strips along them that need the finest cells, and a
    /// driver for every side.
    fn new(
        setup: &mut TreeSetup<'_>,
        edge_beds: [f32; SIDES],
        (base, regions, drivers): (&mut FluxParams, &mut Vec<FineRegion>, &mut Drivers),
    ) -> Result<Self> {
        let TreeSetup { nx, nz, cell, levels, gravity, datum, origin, .. } = *setup;
        let grid = WorldGrid { cells: [nx, nz], cell, origin };
        let mut initial = finest_cells(setup);
        let prepared = grid.sides(&setup.sides, &mut setup.far_fields, &mut initial)?;
        let mut sides = SidePlan::default();
        let shore = Shore { size: [nx, nz], levels, face: cell, gravity, h_eps: base.h_eps, datum };
        let (mut kinds, mut driven) = ([kind::WALL; SIDES], 0);
        for (side, prepared) in prepared.into_iter().enumerate() {
            let length = if side < 2 { nz } else { nx };
            let (mut edge, mut layer) = (Edge { kind: kind::WALL, from: 0, to: 0, rest: 0.0 }, Layer::default());
            match prepared {
                PreparedSide::Wall => drivers.push(None, 0.0, 0.0),
                PreparedSide::Outflow => {
                    edge = Edge { kind: kind::OUTFLOW, from: 0, to: length, rest: 0.0 };
                    drivers.push(None, 0.0, 0.0);
                }
                PreparedSide::FarField { level, rest, layer: width, span } => {
                    if span != (0..length) {
                        regions.push(along_side(side, &span, [nx, nz], cell));
                    }
                    let rest = (rest - datum) as f32;
                    edge = Edge { kind: kind::FAR_FIELD, from: span.start, to: span.end, rest };
                    drivers.push(Some(level), datum, 1.0);
                    let width = f64::from(width) * cell;
                    let depth = f64::from(rest - edge_beds[side]).max(0.0);
                    if width > 0.0 {
                        let strength = LAYER_STRENGTH * (gravity * depth).sqrt() / width;
                        layer = Layer { width: width as f32, strength: strength as f32 };
                    }
                    driven |= 1 << side;
                }
                PreparedSide::Discharge { rate, span } => {
                    regions.push(along_side(side, &span, [nx, nz], cell));
                    edge = Edge { kind: kind::DISCHARGE, from: span.start, to: span.end, rest: 0.0 };
                    drivers.push(Some(rate), 0.0, 1.0 / (span.len() as f64 * cell));
                    driven |= 1 << side;
                }
                PreparedSide::Level { stage, span } => {
                    if span != (0..length) {
                        regions.push(along_side(side, &span, [nx, nz], cell));
                    }
                    edge = Edge { kind: kind::LEVEL, from: span.start, to: span.end, rest: 0.0 };
                    sides.add(&shore, side, &stage, &span)?;
                    drivers.push_level(stage, datum);
                    driven |= 1 << side;
                }
            }
            kinds[side] = edge.kind;
            base.set_side(side, edge, layer);
        }
        Ok(Self { kinds, driven, sides })
    }
}

/// Bed and water of the finest cell `(i, k)` at the start. The last tile of the ground is kept: whoever goes along a
/// side asks for it many times.
fn finest_cells<'a>(setup: &TreeSetup<'a>) -> impl FnMut(u32, u32) -> InitialCell + use<'a> {
    let (ground, level, cell, initial) = (setup.ground.clone(), setup.levels - 1, setup.cell, setup.initial);
    let mut known: Option<([u32; 2], Box<[f64; CELLS]>)> = None;
    move |i, k| {
        let side = TILE as u32;
        let [x, z] = [i, k].map(|n| n / side);
        let tile = known.take().filter(|(place, _)| *place == [x, z]);
        let tile = tile.unwrap_or_else(|| ([x, z], ground.tile(level, x, z)));
        let bed = tile.1[(i % side + side * (k % side)) as usize];
        known = Some(tile);
        let InitialWater { surface, velocity } = initial([i, k].map(|n| (f64::from(n) + 0.5) * cell), bed);
        InitialCell { bed, surface, velocity }
    }
}

/// A strip of one finest tile along a span of a side: what enters there is exact on the finest cells alone.
fn along_side(side: usize, span: &std::ops::Range<u32>, size: [u32; 2], cell: f64) -> FineRegion {
    let [from, to] = [span.start, span.end].map(|n| f64::from(n) * cell);
    let (far, deep) = (f64::from(size[side / 2]) * cell, TILE as f64 * cell);
    let (low, high) = if side & 1 == 0 { (0.0, deep) } else { (far - deep, far) };
    let (min, max) = if side < 2 { ([low, from], [high, to]) } else { ([from, low], [to, high]) };
    FineRegion { min, max, cell }
}

/// Words of a source, the area of the finest cells that it covers (m²), and where cells must be the finest for it.
fn source_words(shape: SourceShape, size: [u32; 2], cell: f64) -> ([f32; source::WORDS], f64, FineRegion) {
    let words = |x: f64, z: f64, r2: f64, x1: f64, z1: f64| [0.0, x, z, r2, x1, z1].map(|w| w as f32);
    let (low, high, given) = match shape {
        SourceShape::Disc { center: [x, z], radius } => {
            ([x - radius, z - radius], [x + radius, z + radius], words(x, z, radius * radius, 0.0, 0.0))
        }
        SourceShape::Box { min, max } => (min, max, words(min[0], min[1], -1.0, max[0], max[1])),
    };
    let range = |axis: usize| {
        let last = size[axis] - 1;
        let index = |x: f64| (x / cell).floor().clamp(0.0, f64::from(last)) as u32;
        index(low[axis])..index(high[axis]) + 1
    };
    // As kernels add it up, or cells on the edge count here and get nothing there.
    let tile = TILE as u32;
    let centre = |n: u32| ((n / tile * tile) as f32) * cell as f32 + ((n % tile) as f32 + 0.5) * cell as f32;
    let covered = range(1).map(|k| range(0).filter(|&i| covers(&given, centre(i), centre(k))).count()).sum::<usize>();
    let region = FineRegion { min: low, max: high, cell };
    if covered > 0 {
        return (given, covered as f64 * cell * cell, region);
    }
    // Between centres: the cell around the middle.
    let middle = [0, 1].map(|axis| {
        let at = (0.5 * (low[axis] + high[axis]) / cell).floor().clamp(0.0, f64::from(size[axis] - 1));
        at * cell
    });
    let box_words = words(middle[0], middle[1], -1.0, middle[0] + cell, middle[1] + cell);
    let region = FineRegion { min: middle, max: [middle[0] + cell, middle[1] + cell], cell };
    (box_words, cell * cell, region)
}

/// Whether a place belongs to a source; the kernels' rule.
pub(crate) fn covers(from: &[f32], x: f32, z: f32) -> bool {
    let (x0, z0, r2) = (from[source::X], from[source::Z], from[source::RADIUS2]);
    if r2 < 0.0 {
        x >= x0 && x < from[source::X1] && z >= z0 && z < from[source::Z1]
    } else {
        (x - x0) * (x - x0) + (z - z0) * (z - z0) <= r2
    }
}

/// Words of an observer who is at a place of the world. What is beyond f32 is as far away as can be.
fn observer_words(origin: [f64; 2], place: [f64; 2], near: f64) -> [f32; 4] {
    let far = f64::from(f32::MAX);
    let [x, z] = [0, 1].map(|axis| (place[axis] - origin[axis]).clamp(-far, far) as f32);
    [1.0, x, z, near.min(far) as f32]
}

/// `regions` count from the low corner.
fn wishes(setup: &TreeSetup<'_>, regions: &[FineRegion]) -> Vec<f32> {
    let mut words = vec![0.0; wish::FIRST + wish::REGION_WORDS * regions.len()];
    if let Some(observer) = &setup.refinement.observer {
        words[..4].copy_from_slice(&observer_words(setup.origin, observer.place(0.0), observer.near));
    }
    words[wish::REGIONS] = regions.len() as f32;
    for (region, words) in regions.iter().zip(words[wish::FIRST..].chunks_exact_mut(wish::REGION_WORDS)) {
        let mut level = setup.levels - 1;
        while level > 0 && setup.cell * f64::from(2u32 << (setup.levels - 1 - level)) <= region.cell * 1.000_001 {
            level -= 1;
        }
        let [[x0, z0], [x1, z1]] = [region.min, region.max];
        words.copy_from_slice(&[x0 as f32, z0 as f32, x1 as f32, z1 as f32, level as f32]);
    }
    words
}
