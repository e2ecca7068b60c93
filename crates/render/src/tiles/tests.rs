use thalweg_compute::parity::{Rng, Tolerance, assert_parity};

use super::{FIRST, TilesParams, WHOLE, room};

/// Random waves, also of a thin domain and as a height field.
#[test]
fn tiles_parity() {
    assert_parity(6, |exec, rng, out| {
        let height_field = rng.below(2);
        let [nx, nz, per_cell] = [9 + rng.below(60), 1 + rng.below(40), 1 + rng.below(2)];
        let [x, y, z] = [nx * per_cell, 12 * per_cell, if nz == 1 { 1 } else { nz * per_cell }];
        let params =
            TilesParams { nx, nz, lattice_x: x, lattice_y: y, lattice_z: z, per_cell: per_cell as f32, height_field };
        let surface: Vec<f32> = (0..x * z).map(|_| rng.range(2.0, 0.8 * y as f32)).collect();
        let water: Vec<f32> = (0..x * y * z).map(|at| (at % y) as f32 - surface[(at / y) as usize]).collect();
        let ground: Vec<[f32; 4]> = (0..nx * nz).map(|_| std::array::from_fn(|_| rng.range(0.0, 5.0))).collect();
        let (water, ground) = (exec.buffer_from("water", &water)?, exec.buffer_from("ground", &ground)?);
        let table = exec.buffer("table", room([nx, nz]))?;
        let mut rec = exec.record();
        super::record(&mut rec, &params, (&water, &ground), &table)?;
        rec.submit()?;
        out.f32("tiles", exec.read(&table)?.into_iter().flatten().collect(), Tolerance::Relative(1e-6));
        Ok(())
    });
}

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
