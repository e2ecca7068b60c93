//! `[camera]`, `[render]` and `[output]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::{HeightFormat, MeshFormat, PointFormat, VolumeFormat};

/// `[camera]`: where the rendered pictures are seen from. By default all of the domain is in the picture.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Camera {
    /// Where it is, `[x, y, z]`, m. Default: as near as shows the whole domain from `azimuth` and `elevation`.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub(crate) position: Option<[f64; 3]>,
    /// The point in the middle of the picture, m. Default: the middle of the domain.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub(crate) target: Option<[f64; 3]>,
    /// Direction from which it looks, counted from the side of large z towards large x, degrees; without `position`.
    #[serde(default = "default_azimuth")]
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "°"))]
    pub(crate) azimuth: f64,
    /// Height above the horizon from which it looks, degrees; without `position`.
    #[serde(default = "default_elevation")]
    #[schemars(range(min = -89, max = 89), extend("x-unit" = "°"))]
    pub(crate) elevation: f64,
    /// Angle between the upper and the lower edge of the picture, degrees.
    #[serde(default = "default_field_of_view")]
    #[schemars(range(min = 1, max = 120), extend("x-unit" = "°"))]
    pub(crate) field_of_view: f64,
    /// Distance relative to the one that shows the whole domain; less than 1 is nearer. Without `position`.
    #[serde(default = "one")]
    #[schemars(range(min = 0.05, max = 20), extend("x-unit" = "1"))]
    pub(crate) distance: f64,
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
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sun {
    /// Direction of the sun, counted like that of the camera, degrees.
    #[serde(default = "default_sun_azimuth")]
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "°"))]
    pub(crate) azimuth: f64,
    /// Height of the sun above the horizon, degrees. Low suns are red.
    #[serde(default = "default_sun_elevation")]
    #[schemars(range(min = 1, max = 90), extend("x-unit" = "°"))]
    pub(crate) elevation: f64,
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
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Materials {
    /// Light that water takes away per metre, of red, green and blue. Default: such that water as deep as the domain is high
    /// is blue and still clear.
    #[serde(default)]
    #[schemars(extend("x-unit" = "1/m"))]
    pub(crate) absorption: Option<[f64; 3]>,
    /// Share of the light that deep water sends back.
    #[serde(default)]
    pub(crate) water: Option<[f64; 3]>,
    /// Colour of the ground.
    #[serde(default)]
    pub(crate) ground: Option<[f64; 3]>,
    /// Colour of obstacles.
    #[serde(default)]
    pub(crate) obstacles: Option<[f64; 3]>,
}

/// `[render]`: what the pictures show.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Render {
    /// One picture each per frame; the first is the one of the video. Default: view, depth, speed and surface for shallow
    /// water, view, side and surface for three-dimensional water.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub(crate) fields: Option<Vec<FieldName>>,
    /// Width of the pictures, pixels.
    #[serde(default = "default_width")]
    #[schemars(range(min = 64, max = 8192), extend("x-unit" = "pixels"))]
    pub(crate) width: u32,
    /// Values at the two ends of the colour scale. Default: fitted to the run.
    #[serde(default)]
    pub(crate) range: Ranges,
    /// z of the vertical cut that the field `side` shows, m. Default: the middle of the domain.
    #[serde(default)]
    #[schemars(range(min = -1e8, max = 1e8), extend("x-unit" = "m"))]
    pub(crate) slice_z: Option<f64>,
    /// Pixels of rendered pictures (view, cells, velocity, pressure, divergence, level-set), across and down.
    #[serde(default = "default_size")]
    #[schemars(extend("x-unit" = "pixels"))]
    pub(crate) size: [u32; 2],
    /// Rays of a pixel at edges of rendered pictures.
    #[serde(default = "default_samples")]
    #[schemars(range(min = 1, max = 64))]
    pub(crate) samples: u32,
    /// Brightness of rendered pictures in stops: 1 is twice as bright.
    #[serde(default)]
    #[schemars(range(min = -10, max = 10))]
    pub(crate) exposure: f64,
    /// Time in which wet ground dries to a third, s. Default: 30 s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.1, max = 1e6), extend("x-unit" = "s"))]
    pub(crate) dries_in: Option<f64>,
    /// Where the light comes from.
    #[serde(default)]
    pub(crate) sun: Sun,
    /// Colours of water, ground and obstacles.
    #[serde(default)]
    pub(crate) materials: Materials,
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

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FieldName {
    /// The water as one would see it.
    View,
    /// Depth of the water, m.
    Depth,
    /// Speed of the water, m/s.
    Speed,
    /// Elevation of the water surface, m.
    Surface,
    /// A vertical cut through three-dimensional water.
    Side,
    /// The cells in a cut, tall cells below an orange line, and the water behind it.
    Cells,
    /// Speed in a cut, m/s.
    Velocity,
    /// Pressure in a cut, Pa.
    Pressure,
    /// Divergence of the velocity in a cut, 1/s.
    Divergence,
    /// Distance to the surface in a cut, m.
    LevelSet,
    /// Greatest depth so far, m; like the following ones it needs `[maps]`.
    MaxDepth,
    /// Highest elevation of the water surface so far, m.
    MaxSurface,
    /// Greatest speed so far, m/s.
    MaxSpeed,
    /// Time of the first wetting, s.
    Arrival,
    /// Time of the highest surface so far, s.
    PeakTime,
}

/// Ends of the colour scale per field.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ranges {
    /// Depths `[low, high]`, m, of `max-depth` too.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub(crate) depth: Option<[f64; 2]>,
    /// Speeds `[low, high]`, m/s, of `max-speed` too.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m/s"))]
    pub(crate) speed: Option<[f64; 2]>,
    /// Elevations `[low, high]`, m, of `max-surface` too.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub(crate) surface: Option<[f64; 2]>,
}

/// `[output]`: what is written, and how often.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Output {
    /// Simulated time between frames, s. Default: a sixtieth of the duration.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub(crate) every: Option<f64>,
    /// Write the frames as pictures.
    #[serde(default = "yes")]
    pub(crate) frames: bool,
    /// Write a video of the frames of the first field.
    #[serde(default = "yes")]
    pub(crate) animation: bool,
    /// Wall-clock time between checkpoints, s.
    #[serde(default = "default_checkpoint")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "s"))]
    pub(crate) checkpoint_every: f64,
    /// Write the surface of three-dimensional water at every frame as a closed mesh. Default: no meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) meshes: Option<MeshFormat>,
    /// Write level set, velocity and pressure of three-dimensional water at every frame, one file per format.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 3))]
    pub(crate) volumes: Vec<VolumeFormat>,
    /// Write spray, mist and foam at every frame. Default: no particles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) particles: Option<PointFormat>,
    /// Write depth, surface, bed and velocity as height maps at every frame, and with `[maps]` the maps over time up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5))]
    pub(crate) heights: Vec<HeightFormat>,
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
