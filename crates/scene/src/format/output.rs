//! `[camera]`, `[render]` and `[output]`.

use crate::output::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::{HeightFormat, MeshFormat, PointFormat, VolumeFormat};

/// `[camera]`: where the rendered pictures are seen from. By default all of the domain is in the picture.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Where it is, `[x, y, z]`, m. Default: as near as shows the whole domain from `azimuth` and `elevation`.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub position: Option<[f64; 3]>,
    /// The point in the middle of the picture, m. Default: the middle of the domain.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub target: Option<[f64; 3]>,
    /// Direction from which it looks, counted from the side of large z towards large x, degrees; without `position`.
    #[serde(default = "default_azimuth")]
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "°"))]
    pub azimuth: f64,
    /// Height above the horizon from which it looks, degrees; without `position`.
    #[serde(default = "default_elevation")]
    #[schemars(range(min = -89, max = 89), extend("x-unit" = "°"))]
    pub elevation: f64,
    /// Angle between the upper and the lower edge of the picture, degrees.
    #[serde(default = "default_field_of_view")]
    #[schemars(range(min = 1, max = 120), extend("x-unit" = "°"))]
    pub field_of_view: f64,
    /// Distance relative to the one that shows the whole domain; less than 1 is nearer. Without `position`.
    #[serde(default = "one")]
    #[schemars(range(min = 0.05, max = 20), extend("x-unit" = "1"))]
    pub distance: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            position: None,
            target: None,
            azimuth: default_azimuth(),
            elevation: default_elevation(),
            field_of_view: default_field_of_view(),
            distance: 1.0,
        }
    }
}

fn default_azimuth() -> f64 {
    28.0
}

fn default_elevation() -> f64 {
    22.0
}

fn default_field_of_view() -> f64 {
    27.0
}

fn one() -> f64 {
    1.0
}

/// `[render.sun]`: where the light comes from.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sun {
    /// Direction of the sun, counted like that of the camera, degrees.
    #[serde(default = "default_sun_azimuth")]
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "°"))]
    pub azimuth: f64,
    /// Height of the sun above the horizon, degrees. Low suns are red.
    #[serde(default = "default_sun_elevation")]
    #[schemars(range(min = 1, max = 90), extend("x-unit" = "°"))]
    pub elevation: f64,
}

impl Default for Sun {
    fn default() -> Self {
        Self { azimuth: default_sun_azimuth(), elevation: default_sun_elevation() }
    }
}

fn default_sun_azimuth() -> f64 {
    -62.0
}

fn default_sun_elevation() -> f64 {
    42.0
}

/// `[render.materials]`: colours are linear red, green and blue from 0 to 1.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Materials {
    /// Light that water takes away per metre, of red, green and blue. Default: such that water as deep as the domain is high
    /// is blue and still clear.
    #[serde(default)]
    #[schemars(extend("x-unit" = "1/m"))]
    pub absorption: Option<[f64; 3]>,
    /// Share of the light that deep water sends back.
    #[serde(default)]
    pub water: Option<[f64; 3]>,
    /// Colour of the ground.
    #[serde(default)]
    pub ground: Option<[f64; 3]>,
    /// Colour of obstacles.
    #[serde(default)]
    pub obstacles: Option<[f64; 3]>,
}

/// `[render]`: what the pictures show.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Render {
    /// One picture each per frame; the first is the one of the video. Default: view, depth, speed and surface for shallow
    /// water, view, side and surface for three-dimensional water.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub fields: Option<Vec<Field>>,
    /// Width of the pictures, pixels.
    #[serde(default = "default_width")]
    #[schemars(range(min = 64, max = 8192), extend("x-unit" = "pixels"))]
    pub width: u32,
    /// Values at the two ends of the colour scale. Default: fitted to the run.
    #[serde(default)]
    pub range: Ranges,
    /// z of the vertical cut that the field `side` shows, m. Default: the middle of the domain.
    #[serde(default)]
    #[schemars(range(min = -1e8, max = 1e8), extend("x-unit" = "m"))]
    pub slice_z: Option<f64>,
    /// Pixels of rendered pictures (view, cells, velocity, pressure, divergence, level-set), across and down.
    #[serde(default = "default_size")]
    #[schemars(extend("x-unit" = "pixels"))]
    pub size: [u32; 2],
    /// Rays of a pixel at edges of rendered pictures.
    #[serde(default = "default_samples")]
    #[schemars(range(min = 1, max = 64))]
    pub samples: u32,
    /// Brightness of rendered pictures in stops: 1 is twice as bright.
    #[serde(default)]
    #[schemars(range(min = -10, max = 10))]
    pub exposure: f64,
    /// Time in which wet ground dries to a third, s. Default: 30 s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.1, max = 1e6), extend("x-unit" = "s"))]
    pub dries_in: Option<f64>,
    /// Where the light comes from.
    #[serde(default)]
    pub sun: Sun,
    /// Colours of water, ground and obstacles.
    #[serde(default)]
    pub materials: Materials,
}

impl Default for Render {
    fn default() -> Self {
        Self {
            fields: None,
            width: default_width(),
            range: Ranges::default(),
            slice_z: None,
            size: default_size(),
            samples: default_samples(),
            exposure: 0.0,
            dries_in: None,
            sun: Sun::default(),
            materials: Materials::default(),
        }
    }
}

fn default_size() -> [u32; 2] {
    [640, 360]
}

fn default_samples() -> u32 {
    4
}

fn default_width() -> u32 {
    960
}

/// Ends of the colour scale per field.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Depths `[low, high]`, m, of `max-depth` too.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub depth: Option<[f64; 2]>,
    /// Speeds `[low, high]`, m/s, of `max-speed` too.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m/s"))]
    pub speed: Option<[f64; 2]>,
    /// Elevations `[low, high]`, m, of `max-surface` too.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub surface: Option<[f64; 2]>,
}

/// `[output]`: what is written, and how often.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Simulated time between frames, s. Default: a sixtieth of the duration.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub every: Option<f64>,
    /// Write the frames as pictures.
    #[serde(default = "yes")]
    pub frames: bool,
    /// Write a video of the frames of the first field.
    #[serde(default = "yes")]
    pub animation: bool,
    /// Wall-clock time between checkpoints, s.
    #[serde(default = "default_checkpoint")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "s"))]
    pub checkpoint_every: f64,
    /// Write the surface of three-dimensional water at every frame as a closed mesh. Default: no meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meshes: Option<MeshFormat>,
    /// Write level set, velocity and pressure of three-dimensional water at every frame, one file per format.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 3))]
    pub volumes: Vec<VolumeFormat>,
    /// Write spray, mist and foam at every frame. Default: no particles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub particles: Option<PointFormat>,
    /// Write depth, surface, bed and velocity as height maps at every frame, and with `[maps]` the maps over time up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5))]
    pub heights: Vec<HeightFormat>,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            every: None,
            frames: true,
            animation: true,
            checkpoint_every: default_checkpoint(),
            meshes: None,
            volumes: Vec::new(),
            particles: None,
            heights: Vec::new(),
        }
    }
}

pub(super) fn yes() -> bool {
    true
}

fn default_checkpoint() -> f64 {
    60.0
}
