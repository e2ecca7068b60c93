use thalweg_compute::parity::{Outputs, Rng, Tolerance, assert_parity};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor};

use super::{BodiesParams, Carry, Couple, Press, Respond, SUMS, Wet, word};
use crate::testing::{Scene, SceneBuffers, random_scene};

/// Two bodies of three obstacles, and one obstacle that belongs to none.
const OBSTACLES: [f32; 5] = [-1.0, 0.0, 1.0, -1.0, 1.0];
const BODIES: usize = 2;

/// Random water with random bodies: what closes a face is any obstacle, whatever it looks like.
struct Fleet {
    scene: Scene,
    buffers: SceneBuffers,
    owner: Buffer<u32>,
    items: Buffer<[i32; 4]>,
    columns: Buffer<[i32; 4]>,
    bodies: Buffer<f32>,
    sums: Buffer<f32>,
    cells: Buffer<f32>,
    params: BodiesParams,
}

fn fleet(exec: &Executor, rng: &mut Rng) -> Result<Fleet, ComputeError> {
    let number = u64::from(rng.below(8));
    let scene = random_scene(rng, number);
    let (shape, len) = (scene.shape, scene.shape.len());
    let buffers = scene.upload(exec);
    let bottom = scene.heights.iter().map(|h| h[0]).min().unwrap_or(0);
    let mut items = Vec::new();
    for body in 0..BODIES as i32 {
        for column in 0..shape.columns() as i32 {
            if rng.below(3) == 0 {
                continue;
            }
            let low = bottom + rng.below(6) as i32;
            items.push([body, column, low, low + rng.below(9) as i32]);
        }
    }
    items.sort_unstable();
    let mut columns = items.clone();
    columns.sort_unstable_by_key(|item| item[1]);
    columns.dedup_by_key(|item| item[1]);
    let first = items.iter().position(|item| item[0] == 1).unwrap_or(items.len());
    let mut words = rng.f32s(BODIES * word::COUNT, -1.0, 1.0);
    for (body, (at, count)) in [(0, first), (first, items.len() - first)].into_iter().enumerate() {
        let own = &mut words[body * word::COUNT..][..word::COUNT];
        (own[word::FIRST], own[word::ITEMS], own[word::FILL]) = (at as f32, count as f32, 0.7);
        own[word::DEEP] = body as f32; // one is deep, one is not
        // Under water, or not.
        (own[word::DISPLACED], own[word::FILLED]) = (0.8, if number % 2 == 0 { 0.8 } else { 0.9 });
    }
    words.extend(OBSTACLES);
    let owners: Vec<u32> = (0..4 * len).map(|_| rng.below(OBSTACLES.len() as u32) | rng.below(1 << 16) << 16).collect();
    // φ, solid fraction, sink, diagonal: unknowns here and there.
    let mut cells = rng.f32s(5 * len, -0.5, 1.0);
    cells[len..2 * len].iter_mut().for_each(|solid| *solid = solid.clamp(0.0, 1.0));
    let params = BodiesParams {
        nx: shape.nx as u32,
        nz: shape.nz as u32,
        samples: shape.samples() as u32,
        total: len as u32,
        items: items.len() as u32,
        bodies: BODIES as u32,
        columns: columns.len() as u32,
        kind: 0,
        level: bottom as f32 + rng.range(0.0, 6.0),
        weight: 0.3,
        cell: 0.25,
        dot_at: 3,
    };
    exec.write(&buffers.aperture, 0, &rng.f32s(3 * len, 0.0, 1.0))?;
    Ok(Fleet {
        owner: exec.buffer_from("owner", &owners)?,
        sums: exec.buffer_from("sums", &rng.f32s(SUMS * items.len().max(1), -1.0, 1.0))?,
        items: exec.buffer_from("items", &items)?,
        columns: exec.buffer_from("columns", &columns)?,
        bodies: exec.buffer_from("bodies", &words)?,
        cells: exec.buffer_from("cells", &cells)?,
        scene,
        buffers,
        params,
    })
}

fn parity(run: impl Fn(&Executor, &Fleet, &mut Rng, &mut Outputs) -> Result<(), ComputeError>) {
    assert_parity(8, |exec, rng, out| {
        let fleet = fleet(exec, rng)?;
        run(exec, &fleet, rng, out)
    });
}

/// Sums of some ten products of numbers around 1, with arms of some ten cells.
const SUM: Tolerance = Tolerance::Absolute(2e-4);

#[test]
fn press_parity() {
    parity(|exec, fleet, rng, out| {
        let x = exec.buffer_from("x", &rng.f32s(fleet.scene.shape.len(), -1.0, 1.0))?;
        let Fleet { buffers: SceneBuffers { heights, aperture, .. }, cells, owner, bodies, items, sums, .. } = fleet;
        let mut rec = exec.record();
        let kernel = Press { heights, cells, aperture, owner, x: &x, bodies, items, sums };
        // Fewer workgroups than items, as in a solve.
        rec.run(&kernel, &fleet.params, Dispatch::Groups([1, 1, 1]))?;
        rec.submit()?;
        out.f32("sums", exec.read(sums)?, SUM);
        Ok(())
    });
}

#[test]
fn wet_parity() {
    parity(|exec, fleet, rng, out| {
        let len = fleet.scene.shape.len();
        let solid: Vec<f32> = rng.f32s(len, -0.5, 1.5).iter().map(|v| v.clamp(0.0, 1.0)).collect();
        let solid = exec.buffer_from("solid", &solid)?;
        let faces = exec.buffer_from("faces", &rng.f32s(3 * len, -1.0, 1.0))?;
        let Fleet { buffers: SceneBuffers { heights, phi, .. }, owner, bodies, items, sums, .. } = fleet;
        let mut rec = exec.record();
        let kernel = Wet { heights, phi, solid: &solid, owner, faces: &faces, bodies, items, sums };
        rec.run(&kernel, &fleet.params, Dispatch::Elements(items.len()))?;
        rec.submit()?;
        out.f32("sums", exec.read(sums)?, SUM);
        Ok(())
    });
}

#[test]
fn respond_parity() {
    for kind in 0..3 {
        parity(|exec, fleet, _, out| {
            let mut rec = exec.record();
            let kernel = Respond { sums: &fleet.sums, bodies: &fleet.bodies };
            let params = BodiesParams { kind, ..fleet.params };
            rec.run(&kernel, &params, Dispatch::Groups([1, 1, 1]))?;
            rec.submit()?;
            // Some hundred numbers in another order, and three of them multiplied.
            out.f32("bodies", exec.read(&fleet.bodies)?, Tolerance::Mixed { absolute: 2e-4, relative: 1e-5 });
            Ok(())
        });
    }
}

#[test]
fn carry_parity() {
    parity(|exec, fleet, _, out| {
        let velocity = exec.buffer_from("velocity", &vec![9.0; 3 * fleet.scene.shape.len()])?;
        let Fleet { buffers: SceneBuffers { heights, .. }, owner, bodies, columns, .. } = fleet;
        let mut rec = exec.record();
        let kernel = Carry { heights, owner, bodies, columns, velocity: &velocity };
        rec.run(&kernel, &fleet.params, Dispatch::Elements(columns.len()))?;
        rec.submit()?;
        out.f32("velocity", exec.read(&velocity)?, Tolerance::Absolute(1e-5));
        Ok(())
    });
}

#[test]
fn couple_parity() {
    parity(|exec, fleet, rng, out| {
        let q = exec.buffer_from("q", &rng.f32s(fleet.scene.shape.len(), -1.0, 1.0))?;
        let partials = exec.buffer_from("partials", &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
        let Fleet { buffers: SceneBuffers { heights, aperture, .. }, cells, owner, bodies, columns, .. } = fleet;
        let mut rec = exec.record();
        let kernel = Couple { heights, cells, aperture, owner, bodies, columns, q: &q, partials: &partials };
        rec.run(&kernel, &fleet.params, Dispatch::Groups([1, 1, 1]))?;
        rec.submit()?;
        out.f32("q", exec.read(&q)?, Tolerance::Absolute(2e-5));
        out.f32("partials", exec.read(&partials)?, Tolerance::Absolute(1e-6));
        Ok(())
    });
}

/// The second matrix is symmetric: `y·C x = x·C y`, and `x·C x` is what [`Couple`] adds to the sums.
#[test]
fn the_coupling_is_symmetric() {
    let exec = Executor::cpu().expect("an executor");
    let mut rng = Rng::new(7);
    for _ in 0..6 {
        let mut fleet = fleet(&exec, &mut rng).expect("memory");
        // Every column whole, so that every cell beside a face counts it; nobody is deep; inertia is symmetric.
        let (shape, len) = (fleet.scene.shape, fleet.scene.shape.len());
        let all = |body: i32| (0..shape.columns() as i32).map(move |column| [body, column, -1000, 1000]);
        let items: Vec<[i32; 4]> = all(0).chain(all(1)).collect();
        let mut words = exec.read(&fleet.bodies).expect("words");
        for body in 0..BODIES {
            let own = &mut words[body * word::COUNT..][..word::COUNT];
            (own[word::FIRST], own[word::ITEMS]) = ((body * shape.columns()) as f32, shape.columns() as f32);
            own[word::DEEP] = 0.0;
            own[word::PER_MASS..word::PER_MASS + 3].fill(0.4);
            own[word::PER_INERTIA..word::PER_INERTIA + 9]
                .copy_from_slice(&[0.3, 0.1, 0.0, 0.1, 0.2, 0.05, 0.0, 0.05, 0.1]);
        }
        fleet.bodies = exec.buffer_from("bodies", &words).expect("memory");
        fleet.sums = exec.buffer("sums", SUMS * items.len()).expect("memory");
        fleet.items = exec.buffer_from("items", &items).expect("memory");
        fleet.columns = exec.buffer_from("columns", &items[..shape.columns()]).expect("memory");
        fleet.params.items = items.len() as u32;
        fleet.params.columns = shape.columns() as u32;
        (fleet.params.kind, fleet.params.weight, fleet.params.dot_at) = (1, 0.0, 0);
        let cells = exec.read(&fleet.cells).expect("cells");
        // Vectors are 0 where there is no unknown.
        let vector = |rng: &mut Rng| -> Vec<f32> {
            let values = rng.f32s(len, -1.0, 1.0);
            values.iter().zip(&cells[3 * len..]).map(|(v, d)| if *d > 0.0 { *v } else { 0.0 }).collect()
        };
        let product = |x: &[f32]| {
            let Fleet {
                buffers: SceneBuffers { heights, aperture, .. },
                cells,
                owner,
                bodies,
                items,
                columns,
                sums,
                ..
            } = &fleet;
            let (x, q) = (exec.buffer_from("x", x).expect("x"), exec.buffer("q", len).expect("q"));
            let partials = exec.buffer("partials", 1).expect("partials");
            let mut rec = exec.record();
            let press = Press { heights, cells, aperture, owner, x: &x, bodies, items, sums };
            rec.run(&press, &fleet.params, Dispatch::Elements(items.len())).expect("press");
            rec.run(&Respond { sums, bodies }, &fleet.params, Dispatch::Groups([1, 1, 1])).expect("respond");
            let couple = Couple { heights, cells, aperture, owner, bodies, columns, q: &q, partials: &partials };
            rec.run(&couple, &fleet.params, Dispatch::Elements(columns.len())).expect("couple");
            rec.submit().expect("a product");
            (exec.read(&q).expect("q"), exec.read(&partials).expect("partials")[0])
        };
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let (x, y) = (vector(&mut rng), vector(&mut rng));
        let ((cx, energy), (cy, _)) = (product(&x), product(&y));
        let (own, there, back) = (dot(&x, &cx), dot(&y, &cx), dot(&x, &cy));
        let scale = own.abs().max(1e-3);
        assert!(own >= 0.0 && (own - f64::from(energy)).abs() < 1e-4 * scale, "{own} and {energy}");
        assert!((there - back).abs() < 1e-4 * scale, "{there} and {back} of {scale}");
    }
}
