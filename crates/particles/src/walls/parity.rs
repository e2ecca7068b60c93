use std::sync::Arc;

use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};
use thalweg_solids::packed::Placed;
use thalweg_solids::{DistanceGrid, Obstacle, Sampling};

use super::Walls;
use crate::params::StepParams;
use crate::testing::{Sorted, params};

/// Ground and solids of most kinds in memory of an executor.
pub(crate) struct SolidBuffers {
    pub(crate) words: Buffer<f32>,
    pub(crate) distances: Buffer<f32>,
    pub(crate) ground: Buffer<f32>,
    count: u32,
}

impl SolidBuffers {
    /// The parameters where they are.
    pub(crate) fn params(&self, p: &StepParams) -> StepParams {
        StepParams { solids: self.count, ground_x: 7, ground_z: 5, per_ground: 5.0, ..*p }
    }
}

/// The octahedron around the origin with corners at this distance.
fn octahedron(radius: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut corners = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut corner = [0.0; 3];
            corner[axis] = sign * radius;
            corners.push(corner);
        }
    }
    let sides = (0..8u32).map(|n| {
        let [x, y, z] = [n & 1, 2 + (n >> 1 & 1), 4 + (n >> 2 & 1)];
        if n.count_ones() % 2 == 1 { [x, y, z] } else { [x, z, y] }
    });
    (corners, sides.collect())
}

pub(crate) fn solids(exec: &Executor, rng: &mut Rng, spacing: f32) -> Result<SolidBuffers> {
    let (vertices, triangles) = octahedron(0.15);
    let sampling = Sampling { spacing: f64::from(spacing), reach: 0.2, window: None, most: 1 << 20 };
    let mesh = DistanceGrid::from_triangles(&vertices, &triangles, &sampling).expect("an octahedron");
    let shapes = [
        Obstacle::Box { centre: [0.3, 0.2, 0.2], half: [0.1, 0.05, 0.07] },
        Obstacle::Sphere { centre: [0.7, 0.35, 0.4], radius: 0.12 },
        Obstacle::Cylinder { ends: [[0.5, 0.0, 0.6], [0.5, 0.3, 0.6]], radius: 0.06 },
        Obstacle::Mesh { distances: Arc::new(mesh.clone()), position: [0.45, 0.45, 0.35] },
    ];
    let placed = shapes.into_iter().map(|shape| {
        let velocity = [0; 3].map(|_| rng.range(-1.0, 1.0));
        let rates = [0; 3].map(|_| rng.range(-1.0, 1.0));
        Placed { velocity, rates, centre: [0.5, 0.3, 0.2], ..Placed::at_rest(shape) }
    });
    let words: Vec<f32> = placed.flat_map(|of| of.pack(0, 1.0)).collect();
    Ok(SolidBuffers {
        words: exec.buffer_from("solids", &words)?,
        distances: exec.buffer_from("distances", mesh.words())?,
        ground: exec.buffer_from("ground", &rng.f32s(35, 0.0, 0.1))?,
        count: 4,
    })
}

fn planes(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let free = params(3000);
    let sorted = Sorted::random(&free, rng);
    let solids = solids(exec, rng, free.spacing)?;
    let p = solids.params(&free);
    let b = sorted.upload(exec)?;
    let (planes, drifts) = (exec.buffer("planes", sorted.places.len())?, exec.buffer("drifts", sorted.places.len())?);
    let mut rec = exec.record();
    let kernel = Walls {
        extent: &b.extent,
        places: &b.places,
        solids: &solids.words,
        distances: &solids.distances,
        ground: &solids.ground,
        planes: &planes,
        drifts: &drifts,
    };
    rec.run(&kernel, &p, Dispatch::Elements(sorted.places.len()))?;
    rec.submit()?;
    let (planes, drifts) = (exec.read(&planes)?, exec.read(&drifts)?);
    let near = planes.iter().filter(|plane| plane[3] > -1.0).count();
    assert!(near > 300 && drifts.iter().any(|v| v[0] != 0.0), "{near} planes");
    // Normals are differences over a tenth of a spacing, 5 mm, of distances rounded to 1e-7 m. Where two solids are
    // equally near, or a point is on an edge, rounding chooses.
    out.most_of_f32("planes", &planes, Tolerance::Mixed { absolute: 5e-4, relative: 1e-4 }, 0.005);
    out.most_of_f32("drifts", &drifts, Tolerance::Absolute(1e-5), 0.005);
    Ok(())
}

thalweg_compute::parity_cases! {
    planes: 4 seeds,
}
