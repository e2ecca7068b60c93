//! Sides that hold a level: rest, flow out and in, rating curves, normal depth, waves, water that does not feel them.
//! On the uniform grid and the tree.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_compute::parity::own_test_executors;
use thalweg_model::Inflow;
use thalweg_shallow::tree::{GroundPyramid, InitialWater, TreeSetup, TreeWater};
use thalweg_shallow::{InitialCell, Series, Setup, ShallowWater, Side, Sides};

/// Cells across a canal: a tile of the tree.
const WIDE: u32 = 16;
const GRAVITY: f64 = 9.81;

/// A canal of `long` cells of 1 m; what is not given is a wall.
#[derive(Clone, Copy)]
struct Canal {
    long: u32,
    /// Bed and surface at a place along it, m.
    bed: fn(f64) -> f64,
    surface: fn(f64) -> f64,
    manning: f64,
    west: fn() -> Side,
    east: fn() -> Side,
}

const STILL: Canal =
    Canal { long: 64, bed: |_| -1.0, surface: |_| 0.0, manning: 0.0, west: || Side::Wall, east: || Side::Wall };

enum Water {
    Grid(Box<ShallowWater>),
    Tree(Box<TreeWater>),
}

impl Canal {
    fn sides(&self) -> Sides {
        Sides::from([(self.west)(), (self.east)(), Side::Wall, Side::Wall])
    }

    fn on_grid(&self, exec: &Arc<Executor>) -> Water {
        let initial = |i: u32, _: u32| {
            let x = f64::from(i) + 0.5;
            InitialCell { bed: (self.bed)(x), surface: (self.surface)(x), velocity: [0.0; 2] }
        };
        let mut setup = Setup::new(self.long, WIDE, 1.0, &initial);
        setup.options.manning = self.manning;
        setup.sides = self.sides();
        Water::Grid(Box::new(ShallowWater::new(exec.clone(), setup).unwrap()))
    }

    fn on_tree(&self, exec: &Arc<Executor>) -> Water {
        let bed = self.bed;
        let ground = Arc::new(GroundPyramid::new([self.long, WIDE], 1, move |i, _| bed(f64::from(i) + 0.5)));
        let initial = |[x, _]: [f64; 2], _: f64| InitialWater { surface: (self.surface)(x), velocity: [0.0; 2] };
        let mut setup = TreeSetup::new([self.long, WIDE], 1.0, 1, ground, &initial);
        setup.options.manning = self.manning;
        setup.sides = self.sides();
        Water::Tree(Box::new(TreeWater::new(exec.clone(), setup).unwrap()))
    }

    /// Both solvers on every executor after some seconds; what takes long is left to the processor.
    fn after(&self, seconds: f64, mut look: impl FnMut(&str, &mut Water)) {
        let most = if seconds > 60.0 { 1 } else { usize::MAX };
        for exec in own_test_executors().into_iter().take(most) {
            for (name, mut water) in [("grid", self.on_grid(&exec)), ("tree", self.on_tree(&exec))] {
                water.advance(seconds);
                look(&format!("{name} on {}", exec.describe()), &mut water);
            }
        }
    }
}

impl Water {
    fn advance(&mut self, seconds: f64) {
        let frames = (seconds / 5.0).ceil();
        for _ in 0..frames as u32 {
            match self {
                Self::Grid(water) => water.advance(seconds / frames).unwrap(),
                Self::Tree(water) => water.advance(seconds / frames).unwrap(),
            }
        }
    }

    /// Depth and velocity along the middle of the canal.
    fn row(&mut self) -> Vec<[f64; 2]> {
        match self {
            Self::Grid(water) => {
                let fields = water.fields().unwrap();
                let long = water.size()[0];
                let middle = long * (WIDE as usize / 2)..long * (WIDE as usize / 2 + 1);
                middle.map(|at| [f64::from(fields.depth[at]), f64::from(fields.u[at])]).collect()
            }
            Self::Tree(water) => {
                let long = water.size()[0];
                let places: Vec<[f64; 2]> = (0..long).map(|i| [i as f64 + 0.5, 8.5]).collect();
                let samples = water.sample(&places).unwrap();
                samples.iter().map(|s| [s.depth, s.velocity[0]]).collect()
            }
        }
    }

    fn fastest(&mut self) -> f64 {
        match self {
            Self::Grid(water) => water.statistics().unwrap().max_speed,
            Self::Tree(water) => water.statistics().unwrap().max_speed,
        }
    }
}

fn level(level: f64, absorb: f64) -> Side {
    Side::Level { level: Series::constant(level), absorb, span: None }
}

/// What comes in per metre of width, m²/s.
fn inflow(q: f64) -> Side {
    Side::Inflow { kind: Inflow::Discharge(Series::constant(q * f64::from(WIDE))), span: None, layer: 0 }
}

/// Over a bed that goes up and down to the very sides, one of them dry land.
#[test]
fn a_lake_at_the_level_of_its_sides_stays_at_rest() {
    for sides in [|| level(0.2, 0.0), || level(0.2, 30.0)] {
        let bed = |x: f64| -0.9 + 0.6 * (0.3 * x).sin() + if x > 60.0 { 0.9 } else { 0.0 };
        let canal = Canal { bed, surface: |_| 0.2, west: sides, east: sides, ..STILL };
        canal.after(20.0, |who, water| {
            let fastest = water.fastest();
            assert!(fastest < 1e-4, "{who}: {fastest} m/s");
        });
    }
}

/// A steady flow out of a level, and the same flow the other way: the level is met and the discharge kept. A far field
/// at rest would swallow most of it.
#[test]
fn a_discharge_leaves_at_the_level_that_is_held() {
    for absorb in [0.0, 10.0] {
        let canal = match absorb {
            0.0 => Canal { west: || inflow(0.6), east: || level(-0.2, 0.0), ..STILL },
            _ => Canal { west: || inflow(0.6), east: || level(-0.2, 10.0), ..STILL },
        };
        canal.after(500.0, |who, water| {
            for (i, [h, u]) in water.row().into_iter().enumerate() {
                assert!((h - 0.8).abs() < 0.004, "{who}, absorb {absorb}: {h} m in cell {i}");
                assert!((h * u - 0.6).abs() < 0.006, "{who}, absorb {absorb}: {} m²/s in cell {i}", h * u);
            }
        });
    }
}

/// From a reservoir of the higher level to the lower one: friction balances the slope of the surface.
#[test]
fn water_enters_from_a_higher_level() {
    let canal = Canal { west: || level(0.1, 0.0), east: || level(-0.1, 0.0), manning: 0.05, long: 96, ..STILL };
    canal.after(600.0, |who, water| {
        let row = water.row();
        let (first, last) = (row[0], row[95]);
        assert!((first[0] - 1.1).abs() < 0.01 && (last[0] - 0.9).abs() < 0.01, "{who}: {first:?} {last:?}");
        let flow: Vec<f64> = row.iter().map(|[h, u]| h * u).collect();
        let mean = flow.iter().sum::<f64>() / 96.0;
        assert!(mean > 0.5 && flow.iter().all(|q| (q / mean - 1.0).abs() < 0.01), "{who}: {flow:?}");
        // d(u²/2g + h)/dx = −n² u² / h^(4/3), from end to end.
        let head = |[h, u]: [f64; 2]| h + u * u / (2.0 * GRAVITY);
        let lost: f64 = row[..95].iter().map(|[h, u]| 0.0025 * u * u / h.powf(4.0 / 3.0)).sum();
        assert!((head(first) - head(last) - lost).abs() < 0.01, "{who}: {} m of {lost} m", head(first) - head(last));
    });
}

/// A dry canal fills from the side, and one above the level stays dry.
#[test]
fn dry_ground_is_filled_up_to_the_level() {
    let canal = Canal { surface: |_| -5.0, west: || level(-0.4, 0.0), manning: 0.05, ..STILL };
    canal.after(400.0, |who, water| {
        for [h, _] in water.row() {
            assert!((h - 0.6).abs() < 0.03, "{who}: {h} m");
        }
    });
    let above = Canal { bed: |_| 0.5, surface: |_| -5.0, west: || level(-0.4, 0.0), east: || level(0.3, 5.0), ..STILL };
    above.after(5.0, |who, water| assert!(water.row().iter().all(|[h, _]| *h == 0.0), "{who}"));
}

/// Down a steep slope water shoots out and does not feel a level below the conjugate depth. Over an edge it falls at
/// the critical depth.
#[test]
fn water_that_shoots_out_does_not_feel_the_level() {
    let steep = Canal {
        bed: |x| -0.05 * x,
        surface: |_| -9.0,
        manning: 0.02,
        west: || inflow(0.5),
        east: || level(-2.9, 0.0),
        ..STILL
    };
    // h = (q n / √S)^(3/5), 0.5 m²/s shoot at 0.157 m; the level is 0.3 m above the bed, the conjugate depth 0.5 m.
    let normal = (0.5f64 * 0.02 / 0.05f64.sqrt()).powf(0.6);
    steep.after(120.0, |who, water| {
        let row = water.row();
        for [h, _] in &row[40..] {
            assert!((h / normal - 1.0).abs() < 0.02, "{who}: {h} m, not {normal} m");
        }
    });
    let fall = Canal { west: || inflow(0.5), east: || level(-3.0, 0.0), ..STILL };
    let critical = (0.25f64 / GRAVITY).cbrt();
    fall.after(300.0, |who, water| {
        let [h, u] = water.row()[63];
        assert!((h / critical - 1.0).abs() < 0.05 && (h * u / 0.5 - 1.0).abs() < 0.02, "{who}: {h} m, {u} m/s");
    });
}

/// The discharge that leaves is that of the curve at the level of the side, whatever comes.
#[test]
fn a_rating_curve_sets_level_and_discharge() {
    // 16 m wide; 8 m³/s at −0.3 m.
    let curve = || Side::Rating { curve: vec![[-0.7, 0.0], [-0.3, 8.0], [0.2, 30.0]], span: None };
    for (q, depth) in [(0.25, 0.5), (0.5, 0.7), (1.1875, 0.95)] {
        let west = match q {
            0.25 => || inflow(0.25),
            0.5 => || inflow(0.5),
            _ => || inflow(1.1875),
        };
        let canal = Canal { west, east: curve, manning: 0.01, ..STILL };
        canal.after(400.0, |who, water| {
            let [h, u] = water.row()[63];
            assert!(
                (h - depth).abs() < 0.006 && (h * u / q - 1.0).abs() < 0.01,
                "{who}: {h} m, not {depth} m; {} m²/s",
                h * u
            );
        });
    }
    // Nothing comes in through it.
    let low = Canal { surface: |_| -0.8, east: curve, ..STILL };
    low.after(20.0, |who, water| {
        let row = water.row();
        assert!(row.iter().all(|[h, u]| (h - 0.2).abs() < 1e-5 && u.abs() < 1e-5), "{who}: {row:?}");
    });
}

/// Uniform flow goes out as it comes along: the side is not felt.
#[test]
fn uniform_flow_leaves_at_normal_depth() {
    let canal = Canal {
        bed: |x| -0.002 * x,
        surface: |x| 0.6 - 0.002 * x,
        manning: 0.03,
        west: || inflow(0.6),
        east: || Side::Normal { slope: 0.002, manning: 0.03, span: None },
        long: 96,
    };
    let normal = (0.6f64 * 0.03 / 0.002f64.sqrt()).powf(0.6);
    canal.after(600.0, |who, water| {
        for (i, [h, u]) in water.row().into_iter().enumerate().skip(8) {
            assert!((h / normal - 1.0).abs() < 0.005, "{who}: {h} m in cell {i}, not {normal} m");
            assert!((h * u / 0.6 - 1.0).abs() < 0.005, "{who}: {} m²/s in cell {i}", h * u);
        }
    });
}

/// A hump of 5 mm runs to each side: all of it comes back from a level that is held strictly, upside down, and little
/// from one that absorbs.
#[test]
fn waves_leave_where_a_level_absorbs() {
    let hump = |x: f64| 0.01 * (-(x - 48.0) * (x - 48.0) / 60.0).exp();
    let strict = Canal { long: 96, surface: hump, west: || level(0.0, 0.0), east: || level(0.0, 0.0), ..STILL };
    let open = Canal { west: || level(0.0, 300.0), east: || level(0.0, 300.0), ..strict };
    let most = |water: &mut Water| water.row().iter().fold(0.0f64, |most, [h, _]| most.max((h - 1.0).abs()));
    let time = 96.0 / GRAVITY.sqrt(); // they meet in the middle again
    strict.after(time, |who, water| assert!(most(water) > 0.007, "{who}: {} m came back", most(water)));
    open.after(time, |who, water| assert!(most(water) < 0.05 * 0.005, "{who}: {} m came back", most(water)));
}

/// What a side remembers is in snapshots: the run goes on with the same bits.
#[test]
fn a_run_goes_on_with_what_its_sides_remember() {
    let canal = Canal { west: || inflow(0.4), east: || level(-0.1, 20.0), ..STILL };
    for exec in own_test_executors() {
        let (mut grid, mut again) = (canal.on_grid(&exec), canal.on_grid(&exec));
        let (mut tree, mut anew) = (canal.on_tree(&exec), canal.on_tree(&exec));
        grid.advance(10.0);
        tree.advance(10.0);
        if let (Water::Grid(from), Water::Grid(to)) = (&mut grid, &mut again) {
            to.restore(&from.snapshot().unwrap()).unwrap();
        }
        if let (Water::Tree(from), Water::Tree(to)) = (&mut tree, &mut anew) {
            to.restore(&from.snapshot().unwrap()).unwrap();
        }
        for water in [&mut grid, &mut again, &mut tree, &mut anew] {
            water.advance(10.0);
        }
        assert!(grid.row() == again.row() && tree.row() == anew.row(), "{}", exec.describe());
    }
}

#[test]
fn sides_that_make_no_sense_are_refused() {
    let exec = Arc::new(Executor::cpu().unwrap());
    let flat = |_, _| InitialCell::default();
    let refused = |side: Side| {
        let mut setup = Setup::new(10, 10, 1.0, &flat);
        setup.sides.west = side;
        ShallowWater::new(Arc::clone(&exec), setup).map(drop).unwrap_err().to_string()
    };
    assert!(refused(level(0.0, -1.0)).contains("absorb"));
    assert!(refused(Side::Normal { slope: 0.0, manning: 0.03, span: None }).contains("slope"));
    assert!(refused(Side::Rating { curve: vec![[0.0, 1.0], [0.0, 2.0]], span: None }).contains("increase"));
    assert!(refused(Side::Rating { curve: vec![[0.0, 1.0]], span: None }).contains("two points"));
    let mut setup = Setup::new(10, 10, 1.0, &flat);
    setup.options.scheme = thalweg_shallow::Scheme::Cmf10;
    setup.sides.west = Side::Normal { slope: 0.1, manning: 0.03, span: None };
    assert!(ShallowWater::new(exec, setup).map(drop).unwrap_err().to_string().contains("staggered"));
}
