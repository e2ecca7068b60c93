use thalweg_columns::Shape;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Executor, Result};

use super::{Extrapolate, ExtrapolateBuffers};
use crate::testing::{Scene, SceneBuffers, random_scene};

/// The stage with velocities, in the memory of an executor.
pub(super) struct Bench {
    pub(super) scene: SceneBuffers,
    pub(super) stage: Extrapolate,
    pub(super) faces: Buffer<f32>,
    pub(super) inner: Buffer<f32>,
}

/// What it left there.
pub(super) struct Outcome {
    pub(super) layers: Vec<u32>,
    pub(super) known: Vec<u32>,
    pub(super) faces: Vec<f32>,
    pub(super) inner: Vec<f32>,
}

impl Bench {
    pub(super) fn new(exec: &Executor, scene: &Scene, faces: &[f32], inner: &[f32]) -> Self {
        Self {
            scene: scene.upload(exec),
            stage: Extrapolate::new(exec, scene.shape).expect("memory"),
            faces: exec.buffer_from("faces", faces).expect("memory"),
            inner: exec.buffer_from("inner", inner).expect("memory"),
        }
    }

    pub(super) fn buffers(&self) -> ExtrapolateBuffers<'_> {
        let Self { scene: SceneBuffers { heights, phi, aperture }, faces, inner, .. } = self;
        ExtrapolateBuffers { heights, phi, aperture, faces, inner }
    }

    pub(super) fn run_within(&self, exec: &Executor, passes: u32, reach: f32) -> Outcome {
        let mut rec = exec.record();
        self.stage.record(&mut rec, self.buffers(), passes, reach).expect("recorded");
        rec.submit().expect("done");
        self.outcome(exec)
    }

    pub(super) fn outcome(&self, exec: &Executor) -> Outcome {
        Outcome {
            layers: exec.read(self.stage.layers()).expect("a buffer"),
            known: exec.read(self.stage.known()).expect("a buffer"),
            faces: exec.read(&self.faces).expect("a buffer"),
            inner: exec.read(&self.inner).expect("a buffer"),
        }
    }
}

pub(super) fn random_velocity(rng: &mut Rng, shape: Shape) -> (Vec<f32>, Vec<f32>) {
    (rng.f32s(3 * shape.len(), -1.0, 1.0), rng.f32s(shape.columns(), -1.0, 1.0))
}

/// Layers and passes are exact. Weights of neighbours at nearly the same distance lose digits, and divergence is
/// divided by open areas down to 0.2.
fn extrapolation(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64(); // another scene for every number
        }
        let scene = random_scene(rng, number);
        let (faces, inner) = random_velocity(rng, scene.shape);
        let reach = if number % 2 == 0 { f32::INFINITY } else { 2.0 };
        let got = Bench::new(exec, &scene, &faces, &inner).run_within(exec, 4, reach);
        let close = Tolerance::Mixed { absolute: 2e-5, relative: 2e-5 };
        out.u32("layers", got.layers);
        out.u32("known", got.known);
        out.f32("faces", got.faces, close);
        out.f32("inner", got.inner, close);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    extrapolation: 2 seeds,
}
