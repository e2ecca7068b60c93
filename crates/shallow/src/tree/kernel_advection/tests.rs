use thalweg_compute::parity::{Rng, test_executors};

use super::constants::SIDE;
use super::testing::{Case, Memory, case};
use super::units::{MOMENTUM_UNITS, ONE, granted, momentum_of, momentum_units, part_of, surface_of, wide};
use super::*;
use crate::physics::depth;
use crate::tree::layout::{CELL_WORDS, NONE, TILE, lists, topology};

#[test]
fn shaders_agree_with_rust() {
    use thalweg_compute::Kernel;
    let moving = [
        Drift::INFO,
        OutflowLimit::INFO,
        Gather::INFO,
        SideOutflow::INFO,
        ScatterRest::INFO,
        SourceShare::INFO,
        Inflow::INFO,
    ];
    for kernel in moving.into_iter().chain([Collect::INFO, AdaptVolumes::INFO]) {
        thalweg_compute::shader_check::check(&kernel).unwrap();
    }
}

/// Units that all slots together have got from outside, and lost to it.
fn came_and_went(tallies: &[u32]) -> [u128; 2] {
    tallies::totals(tallies).into_iter().fold([0; 2], |[came, went], (from, _, units)| {
        let units = units.unsigned_abs();
        if from == thalweg_ledger::Account::Water { [came, went + units] } else { [came + units, went] }
    })
}

/// Not a unit is lost, with sleeping tiles, banks, and drifts that heap windows upon each other.
#[test]
fn volume_is_exact_in_one_step() {
    for exec in test_executors() {
        for seed in 0..4 {
            let case = case(&mut Rng::new(seed));
            let memory = Memory::new(exec, &case).unwrap();
            memory.advect(exec, &case).unwrap();
            let arrivals = exec.read(&memory.arrivals).unwrap();
            let [added, removed] = came_and_went(&exec.read(&memory.tallies).unwrap());
            assert!(added == 0 && removed > 0);
            assert_eq!(case.sum(&arrivals, plane::ARRIVALS) + removed, case.sum(&case.volumes, plane::VOLUMES));
            let asked = exec.read(&memory.asked).unwrap();
            let most = asked.chunks_exact(plane::ASKED * CELLS).flat_map(|tile| (0..CELLS).map(|at| wide(tile, at)));
            let most = most.max().unwrap() as f64 / ONE as f64;
            assert!(most > 1.5 && most < 128.0, "{most}");
        }
    }
}

/// However many threads there are, the words are the same.
#[test]
fn threads_make_no_difference() {
    let exec = test_executors()[0];
    let case = case(&mut Rng::new(6));
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let memory = Memory::new(exec, &case).unwrap();
            for _ in 0..5 {
                memory.drift(exec, &case).unwrap();
                memory.advect(exec, &case).unwrap();
                memory.arrive(exec, &case).unwrap();
            }
            let bits = |words: Vec<f32>| words.into_iter().map(f32::to_bits).collect::<Vec<u32>>();
            (exec.read(&memory.volumes).unwrap(), bits(exec.read(&memory.cells).unwrap()))
        })
    };
    let one = with_threads(1);
    assert_ne!(one.0, case.volumes);
    for threads in [2, 7] {
        assert!(one == with_threads(threads), "{threads} threads");
    }
}

/// Whole steps on either executor: as many units at the end as at the start and by the counts, all of them in cells
/// that are at least empty, and nothing not finite.
#[test]
fn volume_is_exact_over_many_steps() {
    for exec in test_executors() {
        let case = case(&mut Rng::new(9));
        let memory = Memory::new(exec, &case).unwrap();
        for _ in 0..60 {
            memory.drift(exec, &case).unwrap();
            memory.advect(exec, &case).unwrap();
            memory.supply(exec, &case).unwrap();
            memory.arrive(exec, &case).unwrap();
        }
        let [added, removed] = came_and_went(&exec.read(&memory.tallies).unwrap());
        assert!(added > 0 && removed > 0, "{added} {removed}");
        let volumes = exec.read(&memory.volumes).unwrap();
        assert_ne!(volumes, case.volumes, "{}: it moves", exec.describe());
        let (before, after) = (case.sum(&case.volumes, plane::VOLUMES), case.sum(&volumes, plane::VOLUMES));
        assert_eq!(before + added, after + removed, "{}", exec.describe());
        let cells = exec.read(&memory.cells).unwrap();
        for tile in cells.chunks_exact(CELL_WORDS) {
            assert!((0..CELLS).all(|at| depth(tile[at], tile[at + 3 * CELLS]) >= 0.0));
            assert!(tile.iter().all(|x| x.abs() < 100.0));
        }
    }
}

/// One tile of one level, all of it drifting alike: weights are those of bilinear interpolation.
#[test]
fn uniform_grids_are_bilinear() {
    let exec = test_executors()[0];
    let mut rng = Rng::new(5);
    for _ in 0..8 {
        let mut case = single_tile(&mut rng);
        let offset = [0, 1].map(|_| (rng.range(-0.99, 0.99) * SIDE as f32) as i32);
        for (axis, d) in offset.into_iter().enumerate() {
            case.drift[axis * CELLS..][..CELLS].fill(d as u32);
        }
        let memory = Memory::new(exec, &case).unwrap();
        memory.advect(exec, &case).unwrap();
        let arrivals = exec.read(&memory.arrivals).unwrap();
        let [dx, dz] = offset.map(|d| -f64::from(d) / f64::from(SIDE));
        let at = |i: f64, k: f64| wide(&case.volumes, i as usize + TILE * k as usize) as f64;
        let mut worst = 0.0f64;
        // Where no window was shifted: two cells from the walls.
        for k in 2..TILE - 2 {
            for i in 2..TILE - 2 {
                let (x, z) = (i as f64 + dx, k as f64 + dz);
                let (i0, k0, a, b) = (x.floor(), z.floor(), x - x.floor(), z - z.floor());
                let bilinear = (1.0 - b) * ((1.0 - a) * at(i0, k0) + a * at(i0 + 1.0, k0))
                    + b * ((1.0 - a) * at(i0, k0 + 1.0) + a * at(i0 + 1.0, k0 + 1.0));
                worst = worst.max((wide(&arrivals, i + TILE * k) as f64 / bilinear - 1.0).abs());
            }
        }
        println!("drift {offset:?}: {worst:e}");
        assert!(worst < 2e-8, "{worst:e}"); // four weights rounded to 2⁻³⁰
    }
}

/// Sixteen by sixteen cells, flat, with water of random depth.
fn single_tile(rng: &mut Rng) -> Case {
    let mut params = case(&mut Rng::new(1)).params[0];
    (params.level, params.levels, params.nx, params.nz, params.capacity) = (0, 1, 16, 16, 1);
    let mut topology = vec![0; topology::TILES + topology::TILE_WORDS + 1];
    topology[..4].copy_from_slice(&[(topology::TILES + topology::TILE_WORDS) as u32, 1, 1, 0]);
    let mut words = vec![0; lists::PLACES + 2];
    words[lists::COUNTS] = 1;
    topology[topology::TILES + 3] = NONE;
    let mut cells = vec![0.0; CELL_WORDS];
    cells[..CELLS].copy_from_slice(&rng.f32s(CELLS, 0.5, 3.0));
    let volumes = tile_volumes(&cells, params.depth_bits, 0);
    Case {
        params: vec![params],
        topology,
        lists: words,
        clock: vec![0.03; 64],
        cells,
        volumes,
        drift: vec![0; plane::DRIFT * CELLS],
        flow: vec![0.0; 2 * CELLS],
        portions: vec![0.0; 2],
    }
}

#[test]
fn shares_never_exceed_what_there_is() {
    let mut rng = Rng::new(11);
    for _ in 0..20_000 {
        let wanted: Vec<u32> = (0..1 + rng.below(40)).map(|_| rng.below(ONE as u32 + 1)).collect();
        let demand = wanted.iter().map(|&w| u64::from(w)).sum();
        let parts: Vec<u32> = wanted.iter().map(|&w| granted(w, demand)).collect();
        let sum: u64 = parts.iter().map(|&p| u64::from(p)).sum();
        assert!(sum <= ONE);
        assert!(demand < ONE || sum as f64 > ONE as f64 * (1.0 - 1e-6), "{sum} of {ONE}");
        let volume = rng.next_u64() >> rng.below(64);
        assert!(parts.iter().map(|&p| part_of(volume, p)).sum::<u64>() <= volume);
    }
}

#[test]
fn volumes_and_surfaces_are_pictures_of_each_other() {
    let mut rng = Rng::new(2);
    for levels in [1, 5, 16] {
        let bits = depth_bits(levels);
        for _ in 0..2000 {
            let shift = rng.below(levels);
            let z = if rng.below(2) == 0 { rng.range(-9000.0, 0.0) } else { rng.range(-2.0, 3.0) };
            let h = rng.range(0.0, 10.0) * if rng.below(3) == 0 { 1e-4 } else { 1.0 };
            let s = (z + h).max(z.min(0.0)) - z.max(0.0);
            let volume = volume_of(s, z, bits, shift);
            let again = surface_of(volume, z, bits, shift);
            // Digits below a unit are lost the first time, nothing later.
            assert!((again - s).abs() <= 2.0 * unit(bits) + 1e-7 * s.abs(), "{s} {again}");
            assert_eq!(surface_of(volume_of(again, z, bits, shift), z, bits, shift), again);
            assert!(again >= z.min(0.0));
        }
        assert_eq!(volume_of(-3.3, -3.3, bits, 0), 0);
        assert_eq!(surface_of(0, -3.3, bits, 0), -3.3);
    }
    for q in [0.0, 1.5, -1.5, 1e-9, -1e-9, 4000.0, -4000.0] {
        let back = momentum_of(momentum_units(q));
        assert!((back - q).abs() <= 1.0 / MOMENTUM_UNITS + 1e-7 * q.abs(), "{q} {back}");
    }
}

fn unit(bits: u32) -> f32 {
    units::unit_depth(bits, 0)
}
