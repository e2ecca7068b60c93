//! What server and page say to each other.
//!
//! After the connection the server sends a [`Message::Hello`] and, if there is ground, a binary message of kind 3. Then come binary
//! messages of the water ([`crate::frame`]), each only after the page has asked for it by [`Command::Next`]: a slow page gets
//! the newest water, and no queue grows. A [`Message::Status`] follows every change of it. Loading a scene, beginning again and bodies that come or go
//! send a hello with a higher generation; frames of an older one are to be dropped.

use serde::{Deserialize, Serialize};
use thalweg::BodyPreset;
use thalweg_model::Solid;

/// Version of the protocol.
pub const PROTOCOL: u32 = 2;

/// Longest command, bytes.
pub const LONGEST_COMMAND: usize = 4096;

/// What the page asks for, as JSON: `{"do": "pause"}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
#[non_exhaustive]
pub enum Command {
    /// The last frame is drawn: send the newest.
    Next,
    /// Stand still.
    Pause,
    /// Go on.
    Resume,
    /// One step, and stand still.
    Step,
    /// Begin the scene again.
    Restart,
    /// Simulated seconds per second at most; `null` is as fast as can be.
    Speed {
        /// The factor.
        factor: Option<f64>,
    },
    /// Load another scene that ships.
    Scene {
        /// Its name.
        name: String,
    },
    /// A stream of water falls onto a point for a while.
    Pour {
        /// The point that the stream shall hit, world coordinates, m.
        at: [f64; 3],
        /// Radius of the stream, m; `null` leaves it to the server.
        radius: Option<f64>,
        /// Simulated seconds that it lasts, at most 60.
        seconds: f64,
    },
    /// Takes hold of a body; whatever was held before is let go.
    Grab {
        /// Its name.
        body: String,
        /// The point that is held, world coordinates, m.
        at: [f64; 3],
    },
    /// Pulls what is held to a place.
    Drag {
        /// World coordinates, m.
        to: [f64; 3],
    },
    /// Releases what is held: it is thrown if the pointer moves.
    Release,
    /// Drops a new body onto a point. A hello with the new bodies follows.
    Drop {
        /// Its shape.
        shape: DroppedShape,
        /// The point of the water or the ground above which it begins, world coordinates, m.
        at: [f64; 3],
        /// Radius of a ball or half the edge of a box, m; `null` leaves it to the server.
        radius: Option<f64>,
    },
    /// Takes a body out. A hello with the others follows.
    Remove {
        /// Its name.
        body: String,
    },
}

/// A body to drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DroppedShape {
    /// A cube.
    Box,
    /// A sphere.
    Ball,
}

impl DroppedShape {
    /// The body.
    pub fn preset(self) -> BodyPreset {
        match self {
            Self::Box => BodyPreset::Box,
            Self::Ball => BodyPreset::Sphere,
        }
    }
}

/// What the server tells, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Message {
    /// A scene begins.
    Hello(Box<Hello>),
    /// How the simulation stands.
    Status(Status),
}

/// A scene, without its water.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hello {
    /// See [`PROTOCOL`].
    pub protocol: u32,
    /// Goes up with every hello.
    pub generation: u32,
    /// The name by which it was asked for.
    pub scene: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// Names of the scenes that can be loaded.
    pub scenes: Vec<String>,
    /// Low and high corner of the domain, m.
    pub bounds: [[f64; 3]; 2],
    /// Edge of a cell, m.
    pub cell: f64,
    /// Whether frames are meshes; height fields otherwise. Only meshes can be poured onto.
    pub meshes: bool,
    /// Radius of a stream that the server would take, m.
    pub pour_radius: f64,
    /// Where it runs.
    pub backend: String,
    /// Obstacles before they move.
    #[serde(serialize_with = "on_page::all")]
    pub obstacles: Vec<Solid>,
    /// Rigid bodies; frames say where they are.
    pub bodies: Vec<BodyShape>,
}

/// A rigid body in its own frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BodyShape {
    /// Its name.
    pub name: String,
    /// Whether it can be grabbed: it does not follow a path.
    pub free: bool,
    /// What it is made of.
    pub parts: Vec<Part>,
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Its shape, around its own middle.
    #[serde(serialize_with = "on_page::one")]
    pub solid: Solid,
    /// How it is turned in the body's frame, a quaternion `x y z w`.
    pub turn: [f64; 4],
    /// Where its middle is there, m.
    pub place: [f64; 3],
}

/// How the simulation stands.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Status {
    /// Whether it stands still.
    pub paused: bool,
    /// See [`Command::Speed`].
    pub speed: Option<f64>,
    /// Why a command or the simulation failed; empty if all is well.
    pub trouble: String,
}

/// Solids as the page takes them: cylinders are cones, and meshes are packed.
mod on_page {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Serialize, Serializer};
    use thalweg_model::Solid;

    #[derive(Serialize)]
    #[serde(tag = "shape", rename = "mesh")]
    struct Mesh {
        /// Places as f32, base64.
        vertices: String,
        /// Corners as u32, base64.
        triangles: String,
    }

    struct OnPage<'a>(&'a Solid);

    impl Serialize for OnPage<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                Solid::Cylinder { ends, radius } => Solid::Cone { ends: *ends, radii: [*radius; 2] }.serialize(to),
                Solid::Mesh { mesh, position } => {
                    let place = |v: &[f64; 3]| std::array::from_fn::<f32, 3, _>(|n| (v[n] + position[n]) as f32);
                    let bytes: Vec<u8> = mesh.vertices.iter().flat_map(place).flat_map(f32::to_le_bytes).collect();
                    let corners: Vec<u8> = mesh.triangles.iter().flatten().flat_map(|n| n.to_le_bytes()).collect();
                    Mesh { vertices: STANDARD.encode(bytes), triangles: STANDARD.encode(corners) }.serialize(to)
                }
                other => other.serialize(to),
            }
        }
    }

    pub(super) fn one<S: Serializer>(solid: &Solid, to: S) -> Result<S::Ok, S::Error> {
        OnPage(solid).serialize(to)
    }

    pub(super) fn all<S: Serializer>(solids: &[Solid], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(solids.iter().map(OnPage))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use thalweg_model::TriangleMesh;

    use super::*;

    #[test]
    fn the_page_speaks_this_version() {
        assert!(include_str!("../page/live.js").contains(&format!("message.protocol !== {PROTOCOL})")));
    }

    #[test]
    fn commands_are_short_json() {
        let parse = |text: &str| serde_json::from_str::<Command>(text);
        assert_eq!(parse(r#"{"do":"pause"}"#).unwrap(), Command::Pause);
        assert_eq!(parse(r#"{"do":"speed","factor":0.5}"#).unwrap(), Command::Speed { factor: Some(0.5) });
        assert_eq!(parse(r#"{"do":"speed","factor":null}"#).unwrap(), Command::Speed { factor: None });
        let pour = Command::Pour { at: [1.0, 2.0, 3.0], radius: None, seconds: 1.0 };
        assert_eq!(parse(r#"{"do":"pour","at":[1,2,3],"seconds":1}"#).unwrap(), pour);
        assert_eq!(parse(&serde_json::to_string(&pour).unwrap()).unwrap(), pour);
        let grab = Command::Grab { body: "crate".into(), at: [1.0, 2.0, 3.0] };
        assert_eq!(parse(r#"{"do":"grab","body":"crate","at":[1,2,3]}"#).unwrap(), grab);
        assert_eq!(parse(r#"{"do":"release"}"#).unwrap(), Command::Release);
        let drop = Command::Drop { shape: DroppedShape::Ball, at: [1.0; 3], radius: None };
        assert_eq!(parse(r#"{"do":"drop","shape":"ball","at":[1,1,1]}"#).unwrap(), drop);
        assert!(parse(r#"{"do":"drop","shape":"whale","at":[1,1,1]}"#).is_err());
        for bad in [r#"{"do":"explode"}"#, r#"{"do":"pour","at":[1,2],"seconds":1}"#, r#"{"do":"scene"}"#, "[]", ""] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn messages_name_their_type() {
        let text = serde_json::to_string(&Message::Status(Status { paused: true, ..Status::default() })).unwrap();
        assert_eq!(text, r#"{"type":"status","paused":true,"speed":null,"trouble":""}"#);
    }

    #[test]
    fn solids_are_what_the_page_takes() {
        let part = |solid| Part { solid, turn: [0.0, 0.0, 0.0, 1.0], place: [0.0; 3] };
        let text = |solid| serde_json::to_value(part(solid)).unwrap()["solid"].to_string();
        let round = Solid::Cylinder { ends: [[0.0; 3], [0.0, 1.0, 0.0]], radius: 0.5 };
        assert_eq!(text(round), r#"{"shape":"cone","ends":[[0.0,0.0,0.0],[0.0,1.0,0.0]],"radii":[0.5,0.5]}"#);
        let ball = Solid::Sphere { center: [1.0, 2.0, 3.0], radius: 0.5 };
        assert_eq!(text(ball), r#"{"shape":"sphere","center":[1.0,2.0,3.0],"radius":0.5}"#);
        let mesh = TriangleMesh { vertices: vec![[0.5, 0.0, 0.0]], triangles: vec![[0, 1, 2]], was_inside_out: false };
        let mesh = Solid::Mesh { mesh: Arc::new(mesh), position: [0.5, 0.0, -2.0] };
        assert_eq!(text(mesh), r#"{"shape":"mesh","vertices":"AACAPwAAAAAAAADA","triangles":"AAAAAAEAAAACAAAA"}"#);
    }
}
