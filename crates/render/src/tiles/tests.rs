use thalweg_compute::parity::Rng;

use super::{FIRST, TilesParams, WHOLE, room};

/// No place of a tile has water above its highest or air below its lowest.
#[test]
fn what_lies_outside_the_bounds_is_air_or_water() {
    let (n, up) = (40_u32, 10_u32);
    let mut rng = Rng::new(5);
    let surface: Vec<f32> = (0..n * n).map(|_| rng.range(1.0, 8.0)).collect();
    let water: Vec<f32> = (0..n * n * up).map(|at| (at % up) as f32 + 0.5 - surface[(at / up) as usize]).collect();
    let ground = vec![[0.5, 0.0, 0.0, 0.0]; (n * n) as usize];
    let params =
        TilesParams { nx: n, nz: n, lattice_x: n, lattice_y: up, lattice_z: n, per_cell: 1.0, height_field: 0 };
    let mut table = vec![[0.0; 4]; room([n, n])];
    super::fill(&params, &water, &ground, &mut table);
    for [bed, low, high, _] in &table[FIRST..] {
        assert!(*bed == 0.5 && low < high, "{bed} {low} {high}");
    }
    for (column, surface) in surface.iter().enumerate() {
        let (i, k) = (column % 40 / 8, column / 40 / 8);
        let wide = FIRST + 25 + i / 4 + 2 * (k / 4);
        for at in [FIRST + i + 5 * k, wide, WHOLE] {
            let [_, low, high, _] = table[at];
            assert!(low <= *surface && *surface <= high, "{at}: {low} {surface} {high}");
        }
    }
}
