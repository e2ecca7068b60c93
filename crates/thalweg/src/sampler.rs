//! Meshes of a scene as distances: which part of them, and how finely.
//!
//! The water meets a mesh where the domain is. A mesh that rests is sampled there, whatever its size; one that moves on a given way wherever that brings
//! it into the domain; one that floats as a whole, for it may go anywhere.

use std::sync::Arc;

use thalweg_scene::mesh::TriangleMesh;
use thalweg_scene::{self as scene, PartShape, Scene, Solid};
use thalweg_tall::{DistanceGrid, Obstacle, ObstacleError, Sampling, TallError};

type Box3 = [[f64; 3]; 2];

/// Distances are exact so far from a surface, cells. Fractions ask for half a diagonal of a cell; soft shadows show where they are rough.
const REACH: f64 = 1.5;

/// Cells around the domain that are asked for too: faces at its sides, volumes that are written.
const MARGIN: f64 = 4.0;

/// Time after which nothing that moves is looked for in the domain any more, s.
const FOREVER: f64 = 1e9;

/// Steps of a cell, and numbers for which all meshes of a scene get them, each as a whole if that fits: pictures see an eighth of a cell, the water half of
/// one, and what is large costs every step its way through the caches of a processor.
const STEPS: [(f64, usize); 2] = [(8.0, 3 << 20), (4.0, 1 << 24)];

/// Steps of a cell at least: edges between cells are then as sharp as fractions of cells can tell.
const LEAST_STEPS: f64 = 2.0;

/// Numbers of all meshes: what the solver takes, less what it may need between them.
const MOST: usize = (1 << 25) - (1 << 16);

/// How the meshes of a scene are sampled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampler {
    cell: f64,
    /// Where the water can be, in coordinates of the scene, m.
    domain: Box3,
    /// Meshes that share what there is.
    meshes: usize,
}

impl Sampler {
    /// `floor` is the elevation of the lowest ground, m.
    pub(crate) fn new(scene: &Scene, floor: f64) -> Self {
        let (grid, margin) = (&scene.grid, MARGIN * scene.grid.cell);
        let [x, z] = grid.high();
        // Water may rise above the domain.
        let high = [x + margin, floor + 2.0 * grid.height + margin, z + margin];
        let domain = [[grid.origin[0] - margin, floor - margin, grid.origin[1] - margin], high];
        Self { cell: grid.cell, domain, meshes: meshes(scene).max(1) }
    }

    /// The part of a solid's surroundings, before it moves, that a motion brings into the domain. `middle` is the point that it turns around, unless its
    /// spin says otherwise.
    pub(crate) fn window(&self, motion: Option<&scene::Motion>, middle: [f64; 3]) -> Box3 {
        let Some(motion) = motion else { return self.domain };
        let [low, high] = self.domain;
        let [least, most] = motion.reach(FOREVER);
        let [low, high]: Box3 =
            [std::array::from_fn(|axis| low[axis] - most[axis]), std::array::from_fn(|axis| high[axis] - least[axis])];
        let Some(spin) = &motion.spin else { return [low, high] };
        // Whatever turns keeps its distance from the axis, and from any point of it.
        let pivot = spin.pivot.unwrap_or(middle);
        let far = |axis: usize| (low[axis] - pivot[axis]).abs().max((high[axis] - pivot[axis]).abs());
        let radius = (0..3).map(|axis| far(axis).powi(2)).sum::<f64>().sqrt();
        [pivot.map(|v| v - radius), pivot.map(|v| v + radius)]
    }

    /// The same for a part of a body, in the coordinates of the part; `None` if the body may go anywhere.
    pub(crate) fn window_of_part(&self, body: &scene::Body, part: &scene::BodyPart) -> Option<Box3> {
        if body.motion.is_none() && !body.locks.are_all() {
            return None;
        }
        let [low, high] = self.window(body.motion.as_ref(), body.pose.position);
        let corners = (0..8).map(|n: usize| {
            let corner = std::array::from_fn(|axis| if n >> axis & 1 == 1 { high[axis] } else { low[axis] });
            part.pose.local(body.pose.local(corner))
        });
        let start = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        Some(corners.fold(start, |[low, high], p| {
            [std::array::from_fn(|a| p[a].min(low[a])), std::array::from_fn(|a| p[a].max(high[a]))]
        }))
    }

    /// A mesh whose vertices are moved by `way`, of which the window is asked for, as finely as there is room for.
    pub(crate) fn sample(
        &self,
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        way: [f64; 3],
        window: Option<Box3>,
    ) -> Result<Obstacle, TallError> {
        // In double precision: what is left is small.
        let vertices: Vec<[f64; 3]> =
            vertices.iter().map(|v| std::array::from_fn(|axis| v[axis] + way[axis])).collect();
        for sampling in self.samplings(window) {
            match DistanceGrid::from_triangles(&vertices, triangles, &sampling) {
                Ok(distances) => return Ok(Obstacle::Mesh { distances: Arc::new(distances), position: [0.0; 3] }),
                Err(ObstacleError::TooFine { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ObstacleError::TooFine { most: MOST / self.meshes }.into())
    }

    /// Whether there is room for a mesh at a place, as coarsely as [`Self::sample`] may take it.
    pub(crate) fn fits(&self, mesh: &TriangleMesh, place: [f64; 3], window: Option<Box3>) -> Result<(), TallError> {
        let window = window.map(|window| window.map(|p| std::array::from_fn(|axis| p[axis] - place[axis])));
        let sampling = self.sampling(LEAST_STEPS, window, MOST);
        Ok(DistanceGrid::fits(&mesh.vertices, &mesh.triangles, &sampling)?)
    }

    /// From the finest to the coarsest: of all of the mesh, which pictures may show beyond the domain, and of the window alone.
    fn samplings(&self, window: Option<Box3>) -> impl Iterator<Item = Sampling> {
        let parts = [None, window].into_iter().take(1 + usize::from(window.is_some()));
        let own = *self;
        let fine = parts.flat_map(move |part| STEPS.map(|(steps, enough)| own.sampling(steps, part, enough)));
        fine.chain([self.sampling(LEAST_STEPS, window, MOST)])
    }

    /// `all` are the numbers of all meshes.
    fn sampling(&self, steps: f64, window: Option<Box3>, all: usize) -> Sampling {
        Sampling { spacing: self.cell / steps, reach: REACH * self.cell, window, most: all / self.meshes }
    }
}

/// Meshes and hulls of a scene.
fn meshes(scene: &Scene) -> usize {
    let is_mesh = |shape: &Solid| matches!(shape, Solid::Mesh { .. });
    let parts = scene.bodies.iter().flat_map(|body| &body.parts);
    let parts = parts.filter(|part| match &part.shape {
        PartShape::Solid(shape) => is_mesh(shape),
        _ => true,
    });
    scene.obstacles.iter().filter(|obstacle| is_mesh(&obstacle.shape)).count() + parts.count()
}
