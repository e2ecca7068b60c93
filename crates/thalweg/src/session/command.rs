//! What users ask of a session.

use thalweg_scene::Scene;
use thalweg_tall::Tuning;

use crate::body_preset::BodyPreset;
use crate::interaction::Interaction;
use crate::methods::tall::pour::Pour;

/// What a [`Session`](crate::Session) is asked to do. Places are in world coordinates, m.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Command {
    /// The water rests from now on.
    Pause,
    /// It goes on.
    Resume,
    /// One step, and then it rests.
    Step,
    /// The session ends: [`Session::advance`](crate::Session::advance) takes no step more.
    Interrupt,
    /// The scene as it was opened, from its beginning and with the settings as they are.
    Restart,
    /// Another scene, from its beginning and as fast as it wants to be shown. After an error the scene before goes on.
    Open(Box<Scene>),
    /// Simulated seconds per second of the clock, at least 0.01 and at most 10 000; `None` is as fast as can be.
    Speed(Option<f64>),
    /// Settings that can change while the water runs; a restart keeps them.
    Tune(Tuning),
    /// A stream of water flows for some simulated seconds, or with `None` until [`Command::Release`]. It replaces the
    /// one before.
    Pour {
        /// The stream.
        stream: Pour,
        /// s, more than 0 and at most 60.
        seconds: Option<f64>,
    },
    /// The water in a sphere is pushed along as the sphere goes from place to place, until [`Command::Release`].
    Push {
        /// Where the middle of the sphere is now, m.
        to: [f64; 3],
        /// Its radius, m.
        radius: f64,
    },
    /// Holds a body at a point of it. What was held before is released.
    Grab {
        /// Name of the body.
        body: String,
        /// The point, where it is now, m.
        at: [f64; 3],
    },
    /// Pulls the body that is held to a place; nothing without one.
    Drag {
        /// Where its point is pulled to, m.
        to: [f64; 3],
    },
    /// Ends what goes on until it is ended: a body that is held is released, and thrown if it moves, a stream
    /// without an end stops, nothing is pushed.
    Release,
    /// Drops a new body from above a point of the water or the ground.
    Drop {
        /// What body.
        body: BodyPreset,
        /// The point, m.
        at: [f64; 3],
        /// Radius of a sphere or half the edge of a box, m; `None` suits the scene.
        radius: Option<f64>,
    },
    /// Takes a body out.
    Remove {
        /// Its name.
        body: String,
    },
    /// Anything else that can be done to water and bodies between two steps.
    Apply(Interaction),
}
