use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};
use thalweg_ledger::DeviceLedger;

use super::sea::BANDS;
use super::{RelaxCells, RelaxFaces, TransferZone, ZoneParams, outside};
use crate::solver::stages::exchange::ledger::KEPT;
use crate::testing::{Scene, random_scene};

fn random_zone(rng: &mut Rng, scene: &Scene, number: u64) -> ZoneParams {
    let shape = scene.shape;
    let side = number as u32 % 4;
    let across = if side < 2 { shape.nx } else { shape.nz } as u32;
    ZoneParams {
        nx: shape.nx as u32,
        nz: shape.nz as u32,
        samples: shape.samples() as u32,
        side,
        layer: 1 + rng.below(across),
        far_field: [outside::STILL, outside::AIRY, outside::SURFACE, outside::DRY, outside::SEA][rng.below(5) as usize],
        strength: rng.range(0.1, 4.0),
        level: rng.range(-2.0, 2.0),
        depth: rng.range(2.0, 40.0),
        amplitude: rng.range(0.0, 2.0),
        wave_number: rng.range(0.05, 0.8),
        phase: rng.range(0.0, 6.0),
        speed: rng.range(0.0, 2.0),
        at_side: rng.range(-1.0, 1.0),
        at_middle: rng.range(-1.0, 1.0),
        at_end: rng.range(-1.0, 1.0),
        celerity: rng.range(0.5, 9.0),
        band_0: rng.range(0.02, 0.1),
        band_1: rng.range(0.1, 0.2),
        band_2: rng.range(0.2, 0.4),
        band_3: rng.range(0.4, 0.8),
        turn: 0,
    }
}

/// All four sides and far fields, layers from one column to the whole domain.
fn zones(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number / 2);
        let p = random_zone(rng, &scene, number);
        let (len, columns) = (scene.shape.len(), scene.shape.columns());
        let b = scene.upload(exec);
        let terrain: Vec<f32> = scene.heights.iter().map(|h| h[0] as f32 + rng.range(0.0, 1.0)).collect();
        let terrain = exec.buffer_from("terrain", &terrain)?;
        let solid: Vec<f32> = (0..len).map(|_| [0.0, 0.0, 0.4, 1.0][rng.below(4) as usize]).collect();
        let solid = exec.buffer_from("solid", &solid)?;
        let faces = exec.buffer_from("faces", &rng.f32s(3 * len, -1.0, 1.0))?;
        let inner = exec.buffer_from("inner", &rng.f32s(columns, -1.0, 1.0))?;
        let sea: Vec<[f32; 4]> =
            (0..BANDS * p.columns()).map(|_| std::array::from_fn(|_| rng.range(-0.5, 0.5))).collect();
        let sea = exec.buffer_from("sea", &sea)?;
        let exchanged = exec.buffer("exchanged", p.columns())?;
        let ledger = DeviceLedger::new(exec, "ledger", 1.0, KEPT).expect("memory");
        ledger.open(exec, 5000.25).expect("opened");
        let mut rec = exec.record();
        let cells = RelaxCells {
            heights: &b.heights,
            terrain: &terrain,
            solid: &solid,
            sea: &sea,
            phi: &b.phi,
            exchanged: &exchanged,
        };
        rec.run(&cells, &p, Dispatch::Elements(p.columns()))?;
        let kernel = TransferZone { exchanged: &exchanged, ledger: ledger.words() };
        rec.run(&kernel, &p, Dispatch::Groups([1, 1, 1]))?;
        let kernel = RelaxFaces { heights: &b.heights, sea: &sea, faces: &faces, inner: &inner };
        rec.run(&kernel, &p, Dispatch::Elements(3 * p.columns() * scene.shape.samples()))?;
        rec.submit()?;
        let ledger = ledger.read_later(exec).and_then(|later| later.wait()).expect("nothing is refused");
        let change = ledger.expected().expect("opened") - 5000.25;
        let volumes = vec![ledger.added() as f32, ledger.removed() as f32, change as f32];
        // Exponentials and cosines differ in their last digits.
        let close = Tolerance::Absolute(2e-5);
        out.f32("level set", exec.read(&b.phi)?, close);
        out.f32("exchanged", exec.read(&exchanged)?, Tolerance::Absolute(2e-4));
        out.f32("ledger", volumes, Tolerance::Mixed { absolute: 2e-3, relative: 1e-4 });
        out.f32("faces", exec.read(&faces)?, close);
        out.f32("inner", exec.read(&inner)?, close);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    zones: 6 seeds,
}
