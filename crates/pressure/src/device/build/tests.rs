use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, test_executors};

use super::parity::options;
use crate::constants::{flag, plane};
use crate::device::testing::{Scene, random_scene};
use crate::device::{DeviceHierarchy, DeviceOptions};
use crate::host::HierarchyOptions;
use crate::level::{Level, reciprocals};

/// The levels built on an executor are those of the host.
fn compare(exec: &Executor, h: &DeviceHierarchy, scene: &Scene, options: &HierarchyOptions) {
    let (cells, matrix, open) =
        (exec.read(h.cells()).unwrap(), exec.read(h.matrix()).unwrap(), exec.read(h.open()).unwrap());
    let (marks, heights) = (exec.read(h.marks()).unwrap(), exec.read(h.heights()).unwrap());
    let total = h.samples();
    let close = |what: &str, number: usize, a: &[f32], b: &[f32]| {
        assert_eq!(a.len(), b.len());
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            let bound = 1e-5 + 3e-4 * a.abs().max(b.abs());
            assert!((a - b).abs() <= bound, "{} level {number}: {what}[{at}] {a} and {b}", exec.describe());
        }
    };
    let mut level = Level::new(scene.grid.clone(), scene.fields.clone(), options.theta_min, options.discretisation);
    for packed in &h.layout.levels {
        let number = packed.number;
        if number > 0 {
            level = level.coarser(number, options.bubbles, options.theta_min);
        }
        assert_eq!(level.grid.shape, packed.shape);
        assert_eq!(level.grid.heights, heights[packed.columns()]);
        let plane = |p: usize| &cells[p * total..][packed.samples()];
        close("phi", number, &level.fields.phi, plane(plane::PHI));
        close("solid", number, &level.fields.solid, plane(plane::SOLID));
        let none = vec![0.0; level.fields.phi.len()];
        close(
            "sink",
            number,
            if level.fields.sink.is_empty() { &none } else { &level.fields.sink },
            plane(plane::SINK),
        );
        close("open", number, &level.fields.open, &open[packed.faces()]);
        close("weights", number, &level.weights, &matrix[packed.faces()]);
        close("diagonal", number, &level.diagonal, plane(plane::DIAGONAL));
        close("inverse", number, &reciprocals(&level.diagonal), plane(plane::INVERSE));
        let blocks: Vec<[f32; 4]> = bytemuck::cast_slice(&matrix[h.layout.blocks_at()..])[packed.columns()].to_vec();
        close("blocks", number, level.blocks.as_flattened(), blocks.as_flattened());
        assert_eq!(level.ends, marks[h.layout.ends_at()..][packed.columns()], "ends of level {number}");
        assert_eq!(level.solids, marks[h.layout.solids_at()..][packed.columns()], "solids of level {number}");
        assert_eq!(level.tall, marks[flag::COUNT * number + flag::HAS_TALL] != 0);
        // The executor may miss that only walled-in samples have odd faces, never the reverse.
        let unit = marks[flag::COUNT * number + flag::NOT_UNIT] == 0;
        assert!(!unit || level.unit, "level {number} is not unit");
    }
}

#[test]
fn levels_equal_those_of_the_host() {
    for exec in test_executors() {
        for seed in 0..24 {
            let mut rng = Rng::new(seed);
            let scene = random_scene(&mut rng, seed);
            let options = options(&mut rng);
            let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, options).unwrap();
            compare(exec, &h, &scene, &options.hierarchy);
        }
    }
}

/// Another scene of the same size comes in through the simulation's buffers.
#[test]
fn rebuilding_replaces_all_levels() {
    for exec in test_executors() {
        for seed in 0..8 {
            let mut rng = Rng::new(seed);
            let (old, new) = (random_scene(&mut rng, seed), random_scene(&mut rng, seed));
            let options = DeviceOptions { remeshed: true, ..options(&mut rng) };
            let h = DeviceHierarchy::new(exec, &old.grid, &old.fields, options).unwrap();
            let heights = exec.buffer_from("heights", &new.grid.heights).unwrap();
            let phi = exec.buffer_from("phi", &new.fields.phi).unwrap();
            let solid = exec.buffer_from("solid", &new.fields.solid).unwrap();
            let open = exec.buffer_from("open", &new.fields.open).unwrap();
            let mut rec = exec.record();
            h.adopt(&mut rec, &heights, &phi, &solid, &open).unwrap();
            h.rebuild(&mut rec).unwrap();
            rec.submit().unwrap();
            compare(exec, &h, &new, &options.hierarchy);
        }
    }
}
