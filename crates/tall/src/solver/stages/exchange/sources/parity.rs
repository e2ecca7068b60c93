use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};
use thalweg_ledger::DeviceLedger;

use super::constants::{BOX, DISC};
use super::{AFTERWARDS, FLOWING, PAINTING, Paint, Pump, Push, SourceBudget, SourceParams, Survey, state};
use crate::solver::stages::exchange::ledger::KEPT;
use crate::testing::{Scene, random_scene};

/// A region somewhere in the scene, a part of it outside; its jet goes anywhere.
fn random_source(rng: &mut Rng, scene: &Scene) -> SourceParams {
    let shape = scene.shape;
    let kind = if rng.below(2) == 0 { BOX } else { DISC };
    let middle = [rng.range(0.0, shape.nx as f32), rng.range(-8.0, 8.0), rng.range(0.0, shape.nz as f32)];
    let radius = rng.range(1.0, 5.0);
    let half = [radius, rng.range(1.0, 8.0), if kind == DISC { radius } else { rng.range(1.0, 5.0) }];
    let [low, high] = [-1.0, 1.0].map(|sign| std::array::from_fn::<f32, 3, _>(|axis| middle[axis] + sign * half[axis]));
    let range = |low: f32, high: f32, count: usize| {
        let first = low.floor().clamp(0.0, count as f32 - 1.0) as u32;
        (first, (high.ceil().clamp(0.0, count as f32) as u32).max(first + 1) - first)
    };
    let (first_i, count_i) = range(low[0], high[0], shape.nx);
    let (first_k, count_k) = range(low[2], high[2], shape.nz);
    let is_jet = rng.below(3) > 0;
    let along = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(0.1, 1.0)];
    let long = if is_jet { along.iter().map(|x| x * x).sum::<f32>().sqrt() } else { f32::INFINITY };
    SourceParams {
        nx: shape.nx as u32,
        nz: shape.nz as u32,
        samples: shape.samples() as u32,
        first_i,
        first_k,
        count_i,
        count_k,
        kind,
        low_x: low[0],
        low_y: low[1],
        low_z: low[2],
        high_x: high[0],
        high_y: high[1],
        high_z: high[2],
        along_x: along[0] / long,
        along_y: along[1] / long,
        along_z: along[2] / long,
        state_at: state::WORDS as u32,
        stage: PAINTING,
        amount: rng.range(-20.0, 60.0),
        most_owed: 200.0,
        dt: 0.02,
        cell: 0.1,
        diagonal_at: 7,
    }
}

/// All kernels of a source in the order of a step: what they leave.
pub(super) fn step(exec: &Executor, rng: &mut Rng, scene: &Scene, solid: &[f32]) -> Result<[Vec<f32>; 5]> {
    let p = random_source(rng, scene);
    let b = scene.upload(exec);
    let len = scene.shape.len();
    let solid = exec.buffer_from("solid", solid)?;
    let found = exec.buffer::<[f32; 2]>("found", p.columns())?;
    let states =
        exec.buffer_from("state", &[9.0, 9.0, 9.0, 9.0, rng.range(0.0, 30.0), rng.below(2) as f32, 0.0, 0.0])?;
    let ledger = DeviceLedger::new(exec, "ledger", 1.0, KEPT).expect("memory");
    ledger.open(exec, 1000.5).expect("opened");
    let faces = exec.buffer_from("faces", &rng.f32s(3 * len, -1.0, 1.0))?;
    let cells = exec.buffer_from("cells", &rng.f32s(len + 7, -0.2, 1.0))?;
    let rhs = exec.buffer_from("b", &rng.f32s(len, -1.0, 1.0))?;
    let (heights, phi, state, words) = (&b.heights, &b.phi, &states, ledger.words());
    let mut rec = exec.record();
    let columns = Dispatch::Elements(p.columns());
    let samples = Dispatch::Elements(p.columns() * scene.shape.samples());
    rec.run(&Survey { heights, phi, solid: &solid, found: &found }, &p, columns)?;
    rec.run(&SourceBudget { found: &found, state, ledger: words }, &p, Dispatch::Groups([1, 1, 1]))?;
    rec.run(&Paint { heights, state, phi }, &p, samples)?;
    let p = SourceParams { stage: FLOWING, ..p };
    rec.run(&Survey { heights, phi, solid: &solid, found: &found }, &p, columns)?;
    rec.run(&SourceBudget { found: &found, state, ledger: words }, &p, Dispatch::Groups([1, 1, 1]))?;
    let wide = ((p.count_i + 1) * (p.count_k + 1)) as usize * scene.shape.samples();
    rec.run(&Push { heights, state, faces: &faces }, &p, Dispatch::Elements(3 * wide))?;
    let afterwards = SourceParams { stage: AFTERWARDS, low_y: p.low_y - 1.0, ..p };
    rec.run(&Push { heights, state, faces: &faces }, &afterwards, Dispatch::Elements(3 * wide))?;
    rec.run(&Pump { heights, phi, cells: &cells, state, b: &rhs }, &p, samples)?;
    rec.submit()?;
    let surveyed = exec.read(&found)?.into_iter().flatten().collect();
    let mut balanced = exec.read(&states)?;
    let ledger = ledger.read_later(exec).and_then(|later| later.wait()).expect("nothing is refused");
    let water = ledger.expected().expect("opened");
    balanced.extend([water, ledger.added(), ledger.removed()].map(|volume| volume as f32));
    Ok([surveyed, balanced, exec.read(phi)?, exec.read(&faces)?, exec.read(&rhs)?])
}

/// Regions with corners anywhere, in tall cells and above them, with debts and drains.
fn sources(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let solid: Vec<f32> = (0..scene.shape.len()).map(|_| [0.0, 0.0, 0.4, 1.0][rng.below(4) as usize]).collect();
        let [surveyed, balanced, phi, faces, rhs] = step(exec, rng, &scene, &solid)?;
        let close = Tolerance::Mixed { absolute: 2e-5, relative: 1e-5 };
        out.f32("survey", surveyed, close);
        out.f32("state and volumes", balanced, close);
        out.f32("level set", phi, Tolerance::Absolute(2e-6));
        out.f32("faces", faces, close);
        out.f32("right-hand side", rhs, close);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    sources: 4 seeds,
}
