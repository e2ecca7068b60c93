use thalweg_columns::Shape;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};

use super::{
    LevelResidual, MatrixParams, MultiplyDot, Prolong, Relax, RelaxTall, Residual, Restrict, Start, Tail, TailWide,
};
use crate::constants::{PARTIALS, slot};
use crate::device::layout::column_groups;
use crate::device::testing::regular_scene;
use crate::device::{DeviceHierarchy, DeviceOptions};
use crate::host::HierarchyOptions;
use crate::rows::Discretisation;
use crate::smooth::{Group, SWEEP};
use crate::transfer::Prolongation;

/// Sums of some ten products of numbers of size 1 with weights up to 1/θ = 100, in blocks divided by a determinant.
const CLOSE: Tolerance = Tolerance::Mixed { absolute: 3e-4, relative: 3e-4 };

/// A random hierarchy with random vectors, zero where there are no unknowns.
struct Case {
    h: DeviceHierarchy,
    x: Vec<f32>,
    b: Vec<f32>,
}

fn case(exec: &Executor, rng: &mut Rng, number: u64) -> Result<Case> {
    for _ in 0..number {
        rng.next_u64();
    }
    let discretisation = if rng.below(3) > 0 { Discretisation::Galerkin } else { Discretisation::Collocated };
    // A larger θ than usual: it is the condition of single rows, and so of the comparison.
    let hierarchy = HierarchyOptions { discretisation, theta_min: 0.1, border_sweeps: 0, ..Default::default() };
    let scene = regular_scene(rng, number, hierarchy);
    let options = DeviceOptions { hierarchy, ..Default::default() };
    let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, options).expect("valid scene");
    let cells = exec.read(h.cells())?;
    let unknown = &cells[3 * h.samples()..4 * h.samples()];
    let mut vector =
        || unknown.iter().map(|d| rng.range(-1.0, 1.0) * f32::from(u8::from(*d > 0.0))).collect::<Vec<f32>>();
    let (x, b) = (vector(), vector());
    exec.write(&h.x, 0, &x)?;
    exec.write(&h.b, 0, &b)?;
    Ok(Case { h, x, b })
}

/// Every shape twice; of what takes long (whole cycles, in one workgroup), once.
const SCENES: u64 = 16;
const SHORT: u64 = 8;

/// Runs `body` on every level of random hierarchies.
fn on_levels(
    exec: &Executor,
    rng: &mut Rng,
    out: &mut Outputs,
    scenes: u64,
    body: impl Fn(&Case, MatrixParams, &mut Outputs) -> Result<()>,
) -> Result<()> {
    for number in 0..scenes {
        let case = case(exec, &mut rng.clone(), number)?;
        for level in 0..case.h.levels() {
            exec.write(&case.h.x, 0, &case.x)?;
            exec.write(&case.h.b, 0, &case.b)?;
            body(&case, case.h.params(level), out)?;
        }
        out.f32("last x", exec.read(&case.h.x)?, CLOSE); // small scenes have nothing to transfer
    }
    Ok(())
}

fn per_sample(shape: Shape) -> Dispatch<'static> {
    Dispatch::Elements(column_groups(shape) * thalweg_compute::WORKGROUP as usize)
}

fn start_and_relaxation(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    on_levels(exec, rng, out, SCENES, |case, p, out| {
        let DeviceHierarchy { heights, marks, cells, x, b, matrix, .. } = &case.h;
        for group in SWEEP {
            exec.write(x, 0, &case.x)?;
            let mut rec = exec.record();
            let params = p.relaxing(group);
            if matches!(group, Group::TallEven | Group::TallOdd) {
                let columns = (p.nx * p.nz) as usize;
                let kernel = RelaxTall { heights, marks, cells, x, b, matrix };
                rec.run(&kernel, &params, Dispatch::Elements(4 * columns))?; // one for each side
            } else {
                rec.run(&Relax { heights, marks, cells, x, b, matrix }, &params, per_sample(p.level().shape))?;
            }
            rec.submit()?;
            out.f32(&format!("{group:?} of level {}", p.number), exec.read(x)?, CLOSE);
        }
        let mut rec = exec.record();
        rec.run(&Start { heights, marks, cells, x, b, matrix }, &p, per_sample(p.level().shape))?;
        rec.submit()?;
        out.f32("start", exec.read(x)?, CLOSE);
        Ok(())
    })
}

fn restriction(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    on_levels(exec, rng, out, SCENES, |case, p, out| {
        if p.number == p.last {
            return Ok(());
        }
        let DeviceHierarchy { heights, marks, cells, x, b, matrix, r, layout, .. } = &case.h;
        for residual in [true, false] {
            let mut rec = exec.record();
            let shape = layout.levels[p.number as usize].shape;
            let params = p.restricting(residual);
            let kernel = LevelResidual { heights, marks, cells, x, b, matrix, r };
            rec.run(&kernel, &params, per_sample(shape))?;
            rec.run(&Restrict { heights, marks, cells, x, b, matrix, r }, &params, per_sample(shape.coarser()))?;
            rec.submit()?;
            let own = exec.read(r)?[layout.levels[p.number as usize].samples()].to_vec();
            out.f32("residual", own, Tolerance::Mixed { absolute: 2e-3, relative: 3e-4 });
            // Up to hundreds of rows with diagonals of up to 100 go into one.
            out.f32("b", exec.read(b)?, Tolerance::Mixed { absolute: 2e-3, relative: 3e-4 });
        }
        Ok(())
    })
}

fn prolongation(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    on_levels(exec, rng, out, SCENES, |case, p, out| {
        if p.number == p.last {
            return Ok(());
        }
        let DeviceHierarchy { heights, marks, cells, x, .. } = &case.h;
        for mode in [Prolongation::Add, Prolongation::Set] {
            let mut rec = exec.record();
            let kernel = Prolong { heights, marks, cells, x };
            rec.run(&kernel, &p.prolonging(mode), per_sample(p.level().shape))?;
            rec.submit()?;
            out.f32("x", exec.read(x)?, Tolerance::Absolute(3e-6));
        }
        Ok(())
    })
}

fn tail(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    on_levels(exec, rng, out, SHORT, |case, p, out| {
        [(1, p.coarsest), (0, 3), (0, p.coarsest)]
            .into_iter()
            .try_for_each(|how| run_tail(exec, case, p, how, false, out))
    })
}

fn wide_tail(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    on_levels(exec, rng, out, SHORT, |case, p, out| {
        [(0, p.coarsest), (1, 3)].into_iter().try_for_each(|how| run_tail(exec, case, p, how, true, out))
    })
}

/// A cycle over coarse levels: V or full, down to some level.
fn run_tail(
    exec: &Executor,
    case: &Case,
    p: MatrixParams,
    (full, coarsest): (u32, u32),
    is_wide: bool,
    out: &mut Outputs,
) -> Result<()> {
    let DeviceHierarchy { heights, marks, cells, x, b, matrix, r, direct, .. } = &case.h;
    let p = MatrixParams { before: 1, after: 1, coarsest, full, ..p };
    let mut rec = exec.record();
    let one = Dispatch::Groups([1, 1, 1]);
    if is_wide {
        rec.run(&TailWide { heights, marks, cells, x, b, matrix, r, direct }, &p, one)?;
    } else {
        rec.run(&Tail { heights, marks, cells, x, b, matrix, r, direct }, &p, one)?;
    }
    rec.submit()?;
    // Nearly singular coarse blocks: relative to the largest value.
    let values = exec.read(x)?;
    let scale = values.iter().fold(1.0f32, |a, v| a.max(v.abs()));
    out.f32("x", values.iter().map(|v| v / scale).collect(), Tolerance::Absolute(2e-3));
    Ok(())
}

/// Partial results are spread over workgroups on a GPU and in one word on the CPU: what counts is their sum.
fn total(partials: &[f32], slot: usize, p: &MatrixParams) -> f32 {
    super::sum(partials, slot, p.groups) as f32
}

fn largest(partials: &[f32], slot: usize, p: &MatrixParams) -> f32 {
    partials[slot * PARTIALS..slot * PARTIALS + p.groups as usize].iter().fold(0.0, |a, b| a.max(*b))
}

fn partials(exec: &Executor) -> Result<Buffer<f32>> {
    exec.buffer("partials", slot::COUNT * PARTIALS)
}

fn product_and_residual(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    on_levels(exec, rng, out, SCENES, |case, p, out| {
        if p.number > 0 {
            return Ok(());
        }
        let DeviceHierarchy { heights, marks, cells, matrix, .. } = &case.h;
        let x = &exec.buffer_from("x", &case.x[..p.level().shape.len()])?;
        let b = &exec.buffer_from("b", &case.b[..p.level().shape.len()])?;
        let (q, r) = (&exec.buffer("q", p.level().shape.len())?, &exec.buffer("r", p.level().shape.len())?);
        let partials = &partials(exec)?;
        let groups = Dispatch::Groups([p.groups, 1, 1]);
        let mut rec = exec.record();
        rec.run(&MultiplyDot { heights, marks, cells, x, q, matrix, partials }, &p, groups)?;
        rec.run(&Residual { heights, marks, cells, x, b, matrix, partials, whole: r }, &p, groups)?;
        rec.submit()?;
        out.f32("q", exec.read(q)?, CLOSE);
        out.f32("r", exec.read(r)?, CLOSE);
        let words = exec.read(partials)?;
        // Hundreds to thousands of products of size 10, of one sign only in part.
        out.f32("x·q", vec![total(&words, slot::PQ, &p)], Tolerance::Mixed { absolute: 1e-2, relative: 1e-4 });
        let sizes = [slot::MAX_R, slot::MAX_B].map(|s| largest(&words, s, &p));
        out.f32("sizes", sizes.to_vec(), CLOSE);
        Ok(())
    })
}

thalweg_compute::parity_cases! {
    start_and_relaxation: 2 seeds,
    restriction: 2 seeds,
    prolongation: 2 seeds,
    tail: 2 seeds,
    wide_tail: 2 seeds where workgroups hold 512,
    product_and_residual: 2 seeds,
}
