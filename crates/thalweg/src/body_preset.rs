//! Bodies that viewers and pages drop in at a click.

use thalweg_scene::{Body, BodyMass, PartShape, Scene, Solid};

/// Radius of a body that suits a scene: cells, so that the water sees a shape, and share of the narrower side of the
/// domain.
const CELLS: f64 = 2.5;
const SHARE: f64 = 0.07;

/// How high above the place it is let go, in radii.
const ABOVE: f64 = 2.5;

/// A body to drop in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyPreset {
    /// A cube of wood.
    Box,
    /// A sphere of a third of the density of water.
    Sphere,
}

impl BodyPreset {
    /// Its name without a number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Sphere => "ball",
        }
    }

    /// A radius, or half an edge, that suits a scene, m.
    pub fn suitable_radius(scene: &Scene) -> f64 {
        let grid = &scene.grid;
        // A slice is as narrow as it is long.
        let narrow = if grid.nz > 1 { grid.nx.min(grid.nz) } else { grid.nx };
        (SHARE * f64::from(narrow) * grid.cell).max(CELLS * grid.cell)
    }

    /// The body above a point of the water or the ground, m, inside the domain and with a name that is free: for
    /// [`Interaction::AddBody`](crate::Interaction::AddBody). `radius` is half the edge of a box.
    pub fn above(self, scene: &Scene, point: [f64; 3], radius: f64) -> Body {
        let (low, high) = (scene.grid.origin, scene.grid.high());
        let within = |value: f64, side: usize| {
            let rim = radius.min(0.5 * (high[side] - low[side]));
            value.max(low[side] + rim).min(high[side] - rim)
        };
        let position = [within(point[0], 0), point[1] + ABOVE * radius, within(point[2], 1)];
        let (shape, density) = match self {
            Self::Box => (Solid::Box { min: [-radius; 3], max: [radius; 3] }, 500.0),
            Self::Sphere => (Solid::Sphere { center: [0.0; 3], radius }, 333.0),
        };
        let is_taken = |name: &str| scene.bodies.iter().any(|body| body.name == name);
        // More names than bodies: one is free.
        let names = (1..=scene.bodies.len() + 1).map(|n| format!("{}-{n}", self.name()));
        let name = names.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
        Body { mass: BodyMass::Density(density), ..Body::new(name, PartShape::Solid(shape), position) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preset_bodies_have_room_and_names_of_their_own() {
        let mut scene = Scene::shipped("dam-break").expect("it ships");
        let radius = BodyPreset::suitable_radius(&scene);
        assert!(radius >= 2.5 * scene.grid.cell);
        let first = BodyPreset::Sphere.above(&scene, [-7.0, 0.5, 0.4], radius);
        assert_eq!((first.name.as_str(), first.is_well_named()), ("ball-1", true));
        assert!((first.position[0] - scene.grid.origin[0] - radius).abs() < 1e-9 && first.position[1] > 0.5 + radius);
        let names = scene.bodies.len();
        scene.bodies.push(first);
        assert_eq!(BodyPreset::Sphere.above(&scene, [0.5; 3], radius).name, "ball-2");
        assert_eq!((BodyPreset::Box.above(&scene, [0.5; 3], radius).name.as_str(), names), ("box-1", 0));
    }
}
