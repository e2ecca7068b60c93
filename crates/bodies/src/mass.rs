//! Mass, centre and inertia of shapes.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use thalweg_model::{Body, Mass, Pose};

use crate::error::BodyError;
use crate::polyhedron::{self, Moments, outer};
use crate::shape::{SMALLEST_VOLUME, Shape};
use crate::world::hull;

/// Mass properties of a body, in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Volume, m³.
    pub volume: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub centre: [f64; 3],
    /// Inertia about the centre of mass, kg m²: a symmetric matrix.
    pub inertia: [[f64; 3]; 3],
}

impl MassProperties {
    /// Those of a body that is the same throughout, whatever it says of its centre and inertia.
    pub fn of(body: &Body) -> Result<Self, BodyError> {
        Self::new(&Shape::of_body(body), body.mass)
    }

    /// Those of a shape that is the same throughout.
    pub fn new(shape: &Shape, mass: Mass) -> Result<Self, BodyError> {
        let moments = of_shape(shape)?;
        let density = match mass {
            Mass::Density(density) if density > 0.0 && density <= 1e6 => density,
            Mass::Density(value) => return Err(BodyError::Density { value }),
            Mass::Mass(mass) => mass / moments.volume,
        };
        let mass = density * moments.volume;
        if !(1e-6..=1e12).contains(&mass) {
            return Err(BodyError::Mass { value: mass });
        }
        let inertia = (moments.inertia * density).to_cols_array_2d();
        Ok(Self { volume: moments.volume, mass, centre: moments.centre.to_array(), inertia })
    }
}

/// Moments of a shape of density 1.
fn of_shape(shape: &Shape) -> Result<Moments, BodyError> {
    shape.check()?;
    let parts = shape.parts().into_iter().map(|(part, pose)| Ok(placed(of_part(part)?, &pose)));
    let parts = parts.collect::<Result<Vec<_>, BodyError>>()?;
    let volume: f64 = parts.iter().map(|part| part.volume).sum();
    if volume.is_nan() || volume < SMALLEST_VOLUME {
        return Err(BodyError::TooSmall { volume });
    }
    let centre = parts.iter().map(|part| part.centre * part.volume).sum::<DVec3>() / volume;
    // Parallel axes: m (|d|² − d dᵀ).
    let about = |part: &Moments| {
        let d = part.centre - centre;
        part.inertia + (DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer(d)) * part.volume
    };
    Ok(Moments { volume, centre, inertia: parts.iter().map(about).fold(DMat3::ZERO, |sum, part| sum + part) })
}

fn placed(part: Moments, pose: &Pose) -> Moments {
    let turn = DMat3::from_quat(DQuat::from_array(pose.rotation).normalize());
    Moments {
        volume: part.volume,
        centre: DVec3::from(pose.point(part.centre.to_array())),
        inertia: turn * part.inertia * turn.transpose(),
    }
}

fn of_part(shape: &Shape) -> Result<Moments, BodyError> {
    let round = |volume: f64, height: f64, across: f64, along: f64| Moments {
        volume,
        centre: DVec3::new(0.0, height, 0.0),
        inertia: DMat3::from_diagonal(DVec3::new(across, along, across)),
    };
    Ok(match shape {
        Shape::Box { half: [x, y, z] } => {
            let volume = 8.0 * x * y * z;
            let moments = DVec3::new(y * y + z * z, z * z + x * x, x * x + y * y) * (volume / 3.0);
            Moments { volume, centre: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }
        }
        Shape::Sphere { radius: r } => {
            let volume = 4.0 / 3.0 * PI * r * r * r;
            round(volume, 0.0, 0.4 * volume * r * r, 0.4 * volume * r * r)
        }
        Shape::Capsule { half_length: h, radius: r } => {
            let (middle, ends) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r * r * r);
            let across = middle * (0.25 * r * r + h * h / 3.0) + ends * (0.4 * r * r + h * h + 0.75 * h * r);
            round(middle + ends, 0.0, across, (0.5 * middle + 0.4 * ends) * r * r)
        }
        Shape::Cylinder { half_length: h, radius: r } => {
            let volume = 2.0 * PI * r * r * h;
            round(volume, 0.0, volume * (0.25 * r * r + h * h / 3.0), 0.5 * volume * r * r)
        }
        Shape::Cone { half_length: h, radii: [low, high] } => {
            // r = low + d t, t from 0 to 1; moments of r² in t.
            let (length, d) = (2.0 * h, high - low);
            let moment = |k: f64| low * low / (k + 1.0) + 2.0 * low * d / (k + 2.0) + d * d / (k + 3.0);
            let [m0, m1, m2] = [moment(0.0), moment(1.0), moment(2.0)];
            let fourth: f64 = (0..5).map(|n| low.powi(4 - n) * high.powi(n)).sum::<f64>() / 5.0;
            let along = 0.5 * PI * length * fourth;
            let spread = PI * length * length * length * (m2 - m1 * m1 / m0);
            round(PI * length * m0, length * m1 / m0 - h, 0.5 * along + spread, along)
        }
        Shape::Hull { points } => {
            let (vertices, triangles) = hull(points)?;
            polyhedron::moments(&vertices, &triangles)
        }
        Shape::Mesh { vertices, triangles } => {
            let moments = polyhedron::moments(vertices, triangles);
            if moments.volume < 0.0 {
                return Err(BodyError::InsideOut { volume: moments.volume });
            }
            moments
        }
        Shape::Compound { .. } => return Err(BodyError::Nested),
    })
}
