use thalweg_columns::Heights;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::{NewHeights, RemeshOptions};
use crate::solver::stages::exchange::{FREE, Reach};
use crate::solver::stages::solids::Keel;
use crate::testing_heights::{Scene, random_scene};

/// New heights, limits and the number of infeasible columns.
pub(super) struct Found {
    pub(super) heights: Vec<Heights>,
    pub(super) limits: Vec<[i32; 4]>,
    pub(super) infeasible: u32,
    pub(super) short: u32,
}

pub(super) fn find(exec: &Executor, scene: &Scene, ceiling: &[i32], options: RemeshOptions) -> Found {
    find_reaching(exec, scene, (ceiling, &vec![FREE; scene.heights.len()]), options)
}

pub(super) fn find_reaching(
    exec: &Executor,
    scene: &Scene,
    (ceiling, reach): (&[i32], &[Reach]),
    options: RemeshOptions,
) -> Found {
    // What moves lies a little higher than all, and its flow goes deeper.
    let lower = |y: i32| if y < i32::MAX { y - 2 } else { y };
    let keel: Vec<Keel> = ceiling.iter().map(|y| [y.saturating_add(3), lower(*y)]).collect();
    find_below(exec, scene, (ceiling, &keel, reach), options)
}

pub(super) fn find_below(
    exec: &Executor,
    scene: &Scene,
    (ceiling, keel, reach): (&[i32], &[Keel], &[Reach]),
    options: RemeshOptions,
) -> Found {
    let remesh = NewHeights::new(exec, scene.shape, options).expect("memory");
    let old = exec.buffer_from("old", &scene.heights).expect("memory");
    let phi = exec.buffer_from("phi", &scene.phi).expect("memory");
    let ceiling = exec.buffer_from("ceiling", ceiling).expect("memory");
    let keel = exec.buffer_from("keel", keel).expect("memory");
    let reach = exec.buffer_from("reach", reach).expect("memory");
    let new = exec.buffer_from("new", &vec![[i32::MIN; 2]; scene.heights.len()]).expect("memory");
    for _ in 0..2 {
        // The count is that of the last search.
        let mut rec = exec.record();
        remesh.record(&mut rec, &old, &phi, (&ceiling, &keel, &reach), &new).expect("recorded");
        rec.submit().expect("done");
    }
    Found {
        heights: exec.read(&new).expect("a buffer"),
        limits: exec.read(&remesh.limits).expect("a buffer"),
        infeasible: exec.read(remesh.infeasible()).expect("a buffer")[0],
        short: exec.read(remesh.infeasible()).expect("a buffer")[1],
    }
}

fn words<const N: usize>(list: &[[i32; N]]) -> Vec<u32> {
    list.iter().flatten().map(|v| *v as u32).collect()
}

/// Small bands fit the small scenes.
pub(super) const OPTIONS: RemeshOptions =
    RemeshOptions { below: 4, above: 3, step: 3, hysteresis: 4, smooth_passes: 2, limit_passes: 6 };

fn heights(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let ceiling: Vec<i32> =
            scene.heights.iter().map(|h| if rng.below(6) == 0 { h[0] + 5 } else { i32::MAX }).collect();
        let options = RemeshOptions { limit_passes: rng.below(7) as usize, ..OPTIONS };
        let found = find(exec, &scene, &ceiling, options);
        out.u32("heights", words(&found.heights));
        out.u32("limits", words(&found.limits));
        out.u32("infeasible", vec![found.infeasible, found.short]);
    }
    Ok(())
}

fn resign(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..8 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let remesh = NewHeights::new(exec, scene.shape, OPTIONS)?;
        let limits: Vec<[i32; 4]> = scene.heights.iter().map(|_| [0, 0, 0, rng.below(3) as i32 - 1]).collect();
        exec.write(&remesh.limits, 0, &limits)?;
        let heights = exec.buffer_from("heights", &scene.heights)?;
        let phi = exec.buffer_from("phi", &rng.f32s(scene.shape.len(), -3.0, 3.0))?;
        let mut rec = exec.record();
        remesh.resign(&mut rec, &heights, &phi)?;
        rec.submit()?;
        out.f32("phi", exec.read(&phi)?, Tolerance::Exact);
    }
    Ok(())
}

fn reach(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..8 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let reach: Vec<Reach> = (0..scene.heights.len())
            .map(|_| if rng.below(3) == 0 { [rng.below(60) as i32 - 10, rng.below(60) as i32 - 10] } else { FREE })
            .collect();
        let free = vec![i32::MAX; scene.heights.len()];
        let found = find_reaching(exec, &scene, (&free, &reach), RemeshOptions::default());
        out.u32("heights", found.heights.iter().flatten().map(|h| *h as u32).collect());
        out.u32("infeasible", vec![found.infeasible, found.short]);
    }
    Ok(())
}

fn flow(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..8 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let free = vec![i32::MAX; scene.heights.len()];
        let keel: Vec<Keel> = free.iter().map(|_| [i32::MAX, rng.below(60) as i32 - 10]).collect();
        let options = RemeshOptions { hysteresis: rng.below(4) as i32, ..OPTIONS };
        let found = find_below(exec, &scene, (&free, &keel, &vec![FREE; free.len()]), options);
        out.u32("heights", words(&found.heights));
        out.u32("limits", words(&found.limits));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    flow: 4 seeds,
    heights: 4 seeds,
    resign: 4 seeds,
    reach: 4 seeds,
}
