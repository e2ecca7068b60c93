use thalweg_columns::Heights;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Adopt, AdoptParams};
use crate::coarse_fields::BubbleRule;
use crate::constants::plane;
use crate::device::cycle::CoarsestMatrix;
use crate::device::hierarchy::unit_vectors;
use crate::device::testing::random_scene;
use crate::device::{DeviceHierarchy, DeviceOptions};
use crate::host::HierarchyOptions;
use crate::rows::Discretisation;

pub(super) fn options(rng: &mut Rng) -> DeviceOptions {
    let discretisation = if rng.below(2) == 0 { Discretisation::Galerkin } else { Discretisation::Collocated };
    let bubbles = BubbleRule { levels: rng.below(3) as usize, sinks: rng.below(3) > 0 };
    let hierarchy = HierarchyOptions { discretisation, bubbles, border_sweeps: 0, ..Default::default() };
    DeviceOptions { hierarchy, ..Default::default() }
}

/// All kernels of the build, through all levels. Sums of few products, fused or not; conductances to air are divided
/// by a small θ, which multiplies the error of a level set by 1/θ.
fn levels(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64(); // another scene for every number
        }
        let scene = random_scene(rng, number);
        let options = options(rng);
        let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, options).expect("valid scene");
        let heights = exec.read(h.heights())?;
        out.u32("heights", heights.iter().flatten().map(|v| *v as u32).collect());
        out.u32("marks", exec.read(h.marks())?);
        let close = Tolerance::Mixed { absolute: 2e-6, relative: 2e-6 };
        out.f32("open", exec.read(h.open())?, close);
        let cells = exec.read(h.cells())?;
        let total = h.samples();
        for (name, number) in [("phi", plane::PHI), ("solid", plane::SOLID), ("sink", plane::SINK)] {
            out.f32(name, cells[number * total..(number + 1) * total].to_vec(), close);
        }
        let wide = Tolerance::Mixed { absolute: 1e-5, relative: 3e-4 };
        out.f32("diagonal", cells[plane::DIAGONAL * total..(plane::DIAGONAL + 1) * total].to_vec(), wide);
        out.f32("inverse", cells[plane::INVERSE * total..].to_vec(), wide);
        out.f32("matrix", exec.read(h.matrix())?, wide);
    }
    Ok(())
}

/// Small matrices of surfaces and tall cells, times their inverse.
fn the_inverse_of_the_coarsest_level(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64();
        }
        let scene = random_scene(rng, number);
        let options = options(rng);
        let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, options).expect("valid scene");
        let Some(n) = h.layout.coarsest_unknowns() else { continue };
        let DeviceHierarchy { heights, marks, cells, matrix, direct, .. } = &h;
        let inverse = exec.read(direct)?;
        let units = exec.buffer_from("units", &unit_vectors(n))?;
        let dense = exec.buffer("dense", n * n)?;
        let mut rec = exec.record();
        let kernel = CoarsestMatrix { heights, marks, cells, x: &units, q: &dense, matrix };
        rec.run(&kernel, &h.params(h.levels() - 1), Dispatch::Elements(n * n))?;
        rec.submit()?;
        let dense = exec.read(&dense)?;
        let relative = |list: &[f32]| {
            let largest = list.iter().fold(f32::MIN_POSITIVE, |a, v| a.max(v.abs()));
            list.iter().map(|v| v / largest).collect::<Vec<f32>>()
        };
        out.f32("matrix", relative(&dense), Tolerance::Absolute(1e-5));
        // The condition of these matrices is some thousands.
        out.f32("inverse", relative(&inverse), Tolerance::Absolute(2e-3));
    }
    Ok(())
}

/// Copies; what belongs to coarser levels and to other planes is left alone.
fn adopt(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for (columns, samples) in [(1, 3), (37, 5), (700, 9)] {
        let len = columns * samples;
        let total = len + len / 3 + 1;
        let own_heights: Vec<Heights> = (0..columns).map(|_| [rng.below(9) as i32 - 4, rng.below(30) as i32]).collect();
        let own_heights = &exec.buffer_from("own_heights", &own_heights)?;
        let phi = &exec.buffer_from("phi", &rng.f32s(len, -5.0, 5.0))?;
        let solid = &exec.buffer_from("solid", &rng.f32s(len, 0.0, 1.0))?;
        let own_open = &exec.buffer_from("own_open", &rng.f32s(3 * len, 0.0, 1.0))?;
        let heights = &exec.buffer_from("heights", &vec![[77; 2]; columns + 5])?;
        let open = &exec.buffer_from("open", &vec![77.0; 3 * total])?;
        let cells = &exec.buffer_from("cells", &vec![77.0; plane::COUNT * total])?;
        let p = AdoptParams { columns: columns as u32, len: len as u32, total: total as u32 };
        let mut rec = exec.record();
        let kernel = Adopt { own_heights, phi, solid, own_open, heights, open, cells };
        rec.run(&kernel, &p, Dispatch::Elements(3 * len))?;
        rec.submit()?;
        out.u32("heights", exec.read(heights)?.into_iter().flatten().map(i32::cast_unsigned).collect());
        out.f32("open", exec.read(open)?, Tolerance::Exact);
        out.f32("cells", exec.read(cells)?, Tolerance::Exact);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    levels: 3 seeds,
    the_inverse_of_the_coarsest_level: 3 seeds,
    adopt: 2 seeds,
}
