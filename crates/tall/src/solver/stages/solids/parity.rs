use std::sync::Arc;

use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};
use thalweg_model::{Motion, Spin, Travel};

use thalweg_solids::testing::{box_triangles, sphere_triangles};
use thalweg_solids::{DistanceGrid, Obstacle, Sampling};

use super::{FractionBuffers, Keel, Solids};
use crate::testing_heights::{Scene, random_scene};

/// Solid and open fractions and the ceiling.
pub(super) struct Found {
    pub(super) solid: Vec<f32>,
    pub(super) open: Vec<f32>,
    pub(super) ceiling: Vec<i32>,
    pub(super) keel: Vec<Keel>,
    pub(super) velocity: Vec<f32>,
    pub(super) owner: Vec<u32>,
}

/// At 0.7 s.
pub(super) fn find(exec: &Executor, scene: &Scene, obstacles: &[Obstacle]) -> Found {
    let solids = Solids::new(exec, scene.shape, 0.5, obstacles.to_vec()).expect("memory");
    let heights = exec.buffer_from("heights", &scene.heights).expect("memory");
    let terrain = exec.buffer_from("terrain", &scene.terrain).expect("memory");
    let solid = exec.buffer_from("solid", &vec![f32::NAN; scene.shape.len()]).expect("memory");
    let open = exec.buffer_from("open", &vec![f32::NAN; 3 * scene.shape.len()]).expect("memory");
    let ceiling = exec.buffer_from("ceiling", &vec![i32::MIN; scene.heights.len()]).expect("memory");
    let keel = exec.buffer_from("keel", &vec![[i32::MIN; 2]; scene.heights.len()]).expect("memory");
    let velocity = exec.buffer_from("velocity", &vec![f32::NAN; 3 * scene.shape.len()]).expect("memory");
    let owner = exec.buffer_from("owner", &vec![u32::MAX; 4 * scene.shape.len()]).expect("memory");
    solids.place(exec, 0.7).expect("memory");
    let mut rec = exec.record();
    let out = FractionBuffers { solid: &solid, open: &open, velocity: Some(&velocity), owner: Some(&owner) };
    solids.fractions(&mut rec, &heights, &terrain, out).expect("recorded");
    solids.ceiling(&mut rec, (&ceiling, &keel)).expect("recorded");
    rec.submit().expect("done");
    let [solid, open, velocity] = [&solid, &open, &velocity].map(|buffer| exec.read(buffer).expect("a buffer"));
    Found {
        solid,
        open,
        ceiling: exec.read(&ceiling).expect("a buffer"),
        keel: exec.read(&keel).expect("a buffer"),
        velocity,
        owner: exec.read(&owner).expect("a buffer"),
    }
}

pub(super) fn point(rng: &mut Rng, low: [f32; 3], high: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| rng.range(low[axis], high[axis]))
}

/// A box or a sphere of triangles, or what a window shows of it.
fn random_mesh(rng: &mut Rng, window: Option<[[f64; 3]; 2]>) -> Arc<DistanceGrid> {
    let (vertices, triangles) = if rng.below(2) == 0 {
        let high = point(rng, [0.5; 3], [5.0; 3]).map(f64::from);
        box_triangles([-1.0, 0.0, -0.5], high)
    } else {
        sphere_triangles(f64::from(rng.range(1.0, 4.0)), 6)
    };
    let sampling = Sampling { spacing: f64::from(rng.range(0.1, 0.5)), reach: 1.5, window, most: 1 << 20 };
    Arc::new(DistanceGrid::from_triangles(&vertices, &triangles, &sampling).expect("memory"))
}

fn random_motion(rng: &mut Rng) -> Motion {
    let vector = |rng: &mut Rng| point(rng, [-3.0; 3], [3.0; 3]).map(f64::from);
    let travel = match rng.below(4) {
        0 => Travel::Rest,
        1 => Travel::Constant { velocity: vector(rng) },
        2 => Travel::Swing { amplitude: vector(rng), period: 1.3, phase: 0.2, ramp: 1.0 },
        _ => Travel::Path { points: [[0.0; 4], [0.5, 1.0, -1.0, 0.0], [1.5, 2.0, 0.0, 3.0]].into() },
    };
    let spin = (rng.below(2) == 0).then(|| Spin { axis: vector(rng), rate: 2.0, pivot: None });
    Motion { travel, spin }
}

/// Any kind of obstacle near the columns of a scene, most of them in motion.
pub(super) fn random_obstacle(rng: &mut Rng, scene: &Scene) -> Obstacle {
    let shape = random_shape(rng, scene);
    if rng.below(3) == 0 { shape } else { Obstacle::Moving { shape: Box::new(shape), motion: random_motion(rng) } }
}

fn random_shape(rng: &mut Rng, scene: &Scene) -> Obstacle {
    let ground = scene.terrain[0];
    let top = [scene.shape.nx as f32 + 3.0, ground + 30.0, scene.shape.nz as f32 + 3.0];
    let mut place = || point(rng, [-3.0, ground - 5.0, -3.0], top);
    let ends = [place(), place()];
    let radius = rng.range(0.3, 6.0);
    match rng.below(6) {
        5 => Obstacle::Mesh { distances: random_mesh(rng, None), position: ends[0] },
        0 if rng.below(2) == 0 => {
            let shape = Box::new(Obstacle::Box { centre: [0.0; 3], half: point(rng, [0.2; 3], [5.0; 3]) });
            let turn =
                Motion { travel: Travel::Rest, spin: Some(Spin { axis: [1.0, 2.0, 3.0], rate: 1.0, pivot: None }) };
            let start = (ends[0].map(f64::from), turn.turn(f64::from(rng.range(0.0, 6.0))));
            Obstacle::Floating { shape, body: 0, part: ([0.0; 3], [0.0, 0.0, 0.0, 1.0]), start }
        }
        0 => Obstacle::Box { centre: ends[0], half: point(rng, [0.2; 3], [5.0; 3]) },
        1 => Obstacle::Sphere { centre: ends[0], radius },
        2 => Obstacle::Capsule { ends, radius },
        3 => Obstacle::Cylinder { ends, radius },
        _ => Obstacle::Cone { ends, radii: [radius, if rng.below(2) == 0 { 0.0 } else { rng.range(0.0, 4.0) }] },
    }
}

/// Distances of up to a hundred cells are rounded to 1e-5; inside a cone the square of one is a difference.
fn fractions(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let count = rng.below(6);
        let mut obstacles: Vec<Obstacle> = (0..count).map(|_| random_obstacle(rng, &scene)).collect();
        if number % 3 == 0 {
            let distances = random_mesh(rng, Some([[-2.0, 0.5, -5.0], [0.5, 5.0, 1.0]]));
            obstacles.push(Obstacle::Mesh { distances, position: [3.0, scene.terrain[0] + 4.0, 3.0] });
        }
        let found = find(exec, &scene, &obstacles);
        out.f32("solid", found.solid, Tolerance::Absolute(5e-5));
        out.f32("open", found.open, Tolerance::Absolute(5e-5));
        // Where several cover a face as a whole, the first counts on both executors: shares are cut off at 1.
        out.f32("velocity", found.velocity, Tolerance::Mixed { absolute: 2e-4, relative: 2e-5 });
        // Where two cover nearly the same, roundings decide who is first: such faces are left out.
        out.u32("owned", found.owner.iter().map(|owner| u32::from(*owner > 0)).collect());
        out.u32("ceiling", found.ceiling.iter().map(|t| *t as u32).collect());
        out.u32("keel", found.keel.iter().flatten().map(|t| *t as u32).collect());
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    fractions: 4 seeds,
}
