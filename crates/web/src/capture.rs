//! A simulation as messages.

use std::sync::Arc;

use thalweg::compute::{Later, Shared};
use thalweg::rigid::Shape;
use thalweg::tall::SurfaceMesh;
use thalweg::{Ability, Error, Pour, Simulation, Statistics, WaterSurface};
use thalweg_model::{Pose, Solid, TriangleMesh};
use thalweg_scene::{Body, PartShape, Scene, shipped};

use crate::coarse::{coarse_mesh, spread};
use crate::frame::{Figures, Frame, Geometry};
use crate::protocol::{BodyShape, Hello, PROTOCOL, Part};

/// How much of the water is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// Triangles of a mesh at most.
    pub triangles: usize,
    /// Columns of a height field along an axis at most.
    pub columns: usize,
}

impl Detail {
    /// For a page that looks on.
    pub const LIVE: Self = Self { triangles: 250_000, columns: 512 };
}

/// The scene without its water.
pub fn hello(simulation: &mut Simulation, name: &str, generation: u32) -> Result<Hello, Error> {
    let bed = simulation.water_surface()?.bed;
    let scene = simulation.scene();
    let (low, high) = (scene.grid.origin, scene.grid.high());
    let meshes = scene.water.solver.has(Ability::ClosedMesh);
    let [bottom, top] = match meshes {
        true => scene.elevations(&bed),
        // Shallow water has no ceiling: the ground tells how high the picture must be.
        false => {
            let ends = bed.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], y| [a.min(*y), b.max(*y)]);
            ends.map(f64::from)
        }
    };
    Ok(Hello {
        protocol: PROTOCOL,
        generation,
        scene: name.to_owned(),
        title: scene.name.clone(),
        description: scene.description.clone(),
        scenes: shipped().iter().map(|scene| scene.name.to_owned()).collect(),
        bounds: [[low[0], bottom, low[1]], [high[0], top, high[1]]],
        cell: scene.grid.cell,
        meshes,
        pour_radius: Pour::suitable_radius(scene),
        backend: simulation.executor().describe(),
        obstacles: scene.obstacles.iter().map(|obstacle| obstacle.shape.clone()).collect(),
        bodies: scene.bodies.iter().map(body).collect(),
    })
}

fn body(body: &Body) -> BodyShape {
    let part = |part: &thalweg_scene::BodyPart| {
        let solid = match &part.shape {
            PartShape::Solid(shape) => shape.clone(),
            // A hull that is none was refused with its scene.
            PartShape::Hull { points } => {
                let (vertices, triangles) = Shape::convex_hull(points).ok()?;
                let mesh = Arc::new(TriangleMesh { vertices, triangles, was_inside_out: false });
                Solid::Mesh { mesh, position: [0.0; 3] }
            }
        };
        Some(Part { solid, turn: part.pose.rotation, place: part.pose.position })
    };
    BodyShape {
        name: body.name.clone(),
        free: body.motion.is_none(),
        parts: body.parts.iter().filter_map(part).collect(),
    }
}

/// The ground.
pub fn ground(simulation: &mut Simulation, detail: Detail) -> Result<Frame, Error> {
    let surface = simulation.water_surface()?;
    let (columns, size) = chosen(surface.size, detail);
    let heights = columns.iter().map(|at| surface.bed[*at]).collect();
    let corners = corners(simulation.scene());
    let geometry = Geometry::Heights { is_ground: true, size, corners, heights, speeds: Vec::new() };
    Ok(Frame { figures: Figures::default(), poses: Vec::new(), geometry })
}

/// The water as it is. `figures` need no time, volume and steps.
pub fn water(simulation: &mut Simulation, detail: Detail, figures: Figures) -> Result<Frame, Error> {
    let statistics = simulation.statistics()?;
    water_later(simulation, &statistics, None, detail, figures)?.wait()
}

/// The same, to be made while the simulation goes on, of the `statistics` and, if somebody has it, the `surface` of the water as it is.
pub(crate) fn water_later(
    simulation: &mut Simulation,
    statistics: &Statistics,
    surface: Option<Shared<Arc<WaterSurface>, Error>>,
    detail: Detail,
    figures: Figures,
) -> Result<Later<Frame, Error>, Error> {
    let figures = Figures {
        time: simulation.time(),
        volume: statistics.volume,
        added: statistics.added,
        steps: u32::try_from(simulation.steps()).unwrap_or(u32::MAX),
        ..figures
    };
    let poses = poses(simulation);
    let scene = simulation.scene();
    let (is_volume, cell, corners) = (scene.water.solver.has(Ability::ClosedMesh), scene.grid.cell, corners(scene));
    // The mesh of a quadtree has no bound; heights are as many as the page asks for.
    if is_volume && let Some(mesh) = simulation.surface_mesh_later()? {
        return Ok(mesh.map(move |mesh: SurfaceMesh| {
            let speed = |v: &[f32; 3]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
            let speeds = mesh.velocities.iter().map(speed).collect();
            let (vertices, normals, triangles) = (mesh.vertices, mesh.normals, mesh.triangles);
            let geometry = Geometry::Mesh { vertices, normals, speeds, triangles };
            Frame { figures, poses, geometry: coarse_mesh(geometry, cell as f32, detail.triangles) }
        }));
    }
    let surface = match surface {
        Some(surface) => surface,
        None => simulation.water_surface_later()?.map(Arc::new).shared(),
    };
    Ok(Later::new(move || Ok(Frame { figures, poses, geometry: heights(&*surface.wait()?, (cell, corners), detail) })))
}

/// Where obstacles are, and bodies.
fn poses(simulation: &Simulation) -> Vec<Pose> {
    let bodies = simulation.bodies().into_iter().map(|body| body.pose);
    simulation.obstacle_poses().into_iter().chain(bodies).collect()
}

fn heights(surface: &WaterSurface, (cell, corners): (f64, [[f32; 2]; 2]), detail: Detail) -> Geometry {
    // What pictures of a run call dry.
    let dry = (1e-3 * cell).max(1e-6) as f32;
    let (columns, size) = chosen(surface.size, detail);
    let height = |at: &usize| if surface.depth[*at] > dry { surface.surface[*at] } else { f32::NAN };
    let [u, w] = &surface.velocity;
    let speed = |at: &usize| if surface.depth[*at] > dry { u[*at].hypot(w[*at]) } else { 0.0 };
    Geometry::Heights {
        is_ground: false,
        size,
        corners,
        heights: columns.iter().map(height).collect(),
        speeds: columns.iter().map(speed).collect(),
    }
}

fn corners(scene: &Scene) -> [[f32; 2]; 2] {
    [scene.grid.origin, scene.grid.high()].map(|corner| corner.map(|x| x as f32))
}

/// Columns that are shown, and how many there are along x and z.
fn chosen([nx, nz]: [usize; 2], detail: Detail) -> (Vec<usize>, [usize; 2]) {
    let (i, k) = (spread(nx, detail.columns), spread(nz, detail.columns));
    let all = k.iter().flat_map(|k| i.iter().map(move |i| i + nx * k)).collect();
    (all, [i.len(), k.len()])
}
