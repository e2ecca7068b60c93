//! The water on cubic cells, read out of columns with tall cells.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_tall::{Band, MARGIN, Obstacle, Options, Setup, TallWater, VolumeGrid};

const CELL: f64 = 0.1;

fn water(nz: usize, band: Option<Band>, fine: bool, level_set: &(dyn Fn([f64; 3]) -> f64 + Sync)) -> TallWater {
    let shape = Shape { nx: 20, nz, regular: if band.is_some() { 20 } else { 30 } };
    let terrain = vec![0.2; shape.columns()];
    let obstacles = [Obstacle::Sphere { centre: [1.0, 1.5, 0.4], radius: 0.3 }];
    let setup = Setup {
        shape,
        cell: CELL,
        height: 3.2,
        terrain: &terrain,
        level_set,
        obstacles: if nz > 1 { &obstacles } else { &[] },
        velocity: [0.0; 2],
        options: Options { band, fine_surface: fine, ..Default::default() },
    };
    TallWater::new(Arc::new(Executor::cpu().expect("a processor")), &setup).expect("water")
}

/// Middle of a cell of the grid, m from the corner of the domain.
fn middle(grid: &VolumeGrid, at: usize) -> [f64; 3] {
    let [nx, ny, _] = grid.size;
    let cell = [at % nx, at / nx % ny, at / (nx * ny)];
    std::array::from_fn(|axis| (cell[axis] as f64 + f64::from(grid.low[axis]) + 0.5) * CELL)
}

#[test]
fn still_water_has_its_distances_and_its_pressure() {
    for band in [None, Some(Band::default())] {
        let mut water = water(8, band, false, &|[_, y, _]| y - 1.88);
        let before = water.volume_grid().expect("a volume");
        assert!(before.pressure.iter().all(|p| p.is_nan()), "no step, no pressure");
        water.advance(0.01).expect("a step");
        let grid = water.volume_grid().expect("a volume");
        // From the ground in cell 2 to the surface in cell 18, with a margin of 3 cells, out of the domain too.
        let margin = MARGIN as i32;
        assert_eq!((grid.low, grid.size), ([-margin, 2 - margin, -margin], [26, 17 + 6, 14]));
        for at in 0..grid.level_set.len() {
            let [x, y, z] = middle(&grid, at);
            let ball = 0.3 - (x - 1.0).hypot(y - 1.5).hypot(z - 0.4);
            let wall = (-x).max(x - 2.0).max(-z).max(z - 0.8).max(0.2 - y).max(ball);
            let wanted = (y - 1.88).max(wall);
            let found = f64::from(grid.level_set[at]) * CELL;
            // Two cells from the surface distances are exact but for what the ball does to them.
            if wanted.abs() < 0.2 {
                assert!((found - wanted).abs() < 0.02, "{:?}: {found}, not {wanted}", [x, y, z]);
            }
            assert!((found < 0.0) == (wanted < 0.0) || wanted.abs() < 0.02, "{:?}", [x, y, z]);
            if wall < -0.1 && y < 1.7 {
                let pressure = f64::from(grid.pressure[at]);
                assert!((pressure - 9.81 * (1.88 - y)).abs() < 0.05 * 9.81, "{:?}: {pressure}", [x, y, z]);
            }
        }
        let beside = grid.pressure[0];
        assert!(beside.is_nan() && grid.velocity[0] == [0.0; 3], "outside the domain");
    }
}

/// A column that falls over: columns with tall cells and cubic ones give the same picture of it, and it moves.
#[test]
fn tall_cells_are_read_like_cubic_ones() {
    let column = |[x, y, _]: [f64; 3]| (x - 0.7).max(y - 1.4);
    let [uniform, tall] = [None, Some(Band::default())].map(|band| {
        let mut water = water(1, band, false, &column);
        for _ in 0..10 {
            water.advance(0.01).expect("a step");
        }
        let volume = water.statistics().expect("sums").volume;
        let grid = water.volume_grid().expect("a volume");
        let wet: f64 = grid.level_set.iter().map(|phi| f64::from((0.5 - phi).clamp(0.0, 1.0))).sum();
        assert!((wet / volume - 1.0).abs() < 0.05, "{wet} of {volume}");
        grid
    });
    assert_eq!((uniform.size, uniform.low), (tall.size, tall.low));
    let fastest = |grid: &VolumeGrid| grid.velocity.iter().flatten().fold(0.0_f32, |most, u| most.max(u.abs()));
    assert!(fastest(&uniform) > 0.3 && (fastest(&tall) / fastest(&uniform) - 1.0).abs() < 0.1);
    for (a, b) in uniform.level_set.iter().zip(&tall.level_set).filter(|(a, _)| a.abs() < 2.0) {
        assert!((a - b).abs() < 0.3, "{a} {b}");
    }
}

#[test]
fn a_fine_surface_comes_on_finer_cells() {
    for (nz, ratio) in [(8, [2, 2, 2]), (1, [2, 2, 1])] {
        let grid = water(nz, Some(Band::default()), true, &|[_, y, _]| y - 1.85).volume_grid().expect("a volume");
        let fine = grid.fine.as_ref().expect("a fine level set");
        assert_eq!(fine.ratio, ratio);
        assert_eq!(fine.level_set.len(), grid.level_set.len() * ratio.iter().product::<usize>());
        // Halves of a cell above and below the middle of a cell at the surface.
        let [nx, ny, _] = [0, 1, 2].map(|axis| grid.size[axis] * ratio[axis]);
        let at = |j: usize| fine.level_set[10 + nx * (j + ny * (MARGIN * ratio[2]))];
        let surface = ((1.85 / CELL - f64::from(grid.low[1])) * 2.0) as usize;
        assert!(at(surface - 1) < 0.0 && at(surface) > -0.01 && (at(surface + 1) - at(surface) - 1.0).abs() < 0.05);
    }
}

#[test]
fn without_water_there_is_a_block_too() {
    let grid = water(8, Some(Band::default()), false, &|_| 1.0).volume_grid().expect("a volume");
    assert_eq!(grid.size, [7; 3]);
    assert!(grid.level_set.iter().all(|phi| *phi > 0.0));
}
