//! What the window tells the worker.

use thalweg::render::Look;
use thalweg::tall::Tuning;

use crate::scale::Scale;
use crate::scene_source::{Overrides, SceneSource};

/// What the window tells the worker.
#[derive(Debug, Clone)]
pub(crate) enum Command {
    /// How the water is looked at.
    Look {
        /// Of the scene that it is for.
        generation: u64,
        /// The size is that of the window.
        look: Box<Look>,
        scale: Scale,
    },
    /// Run or rest.
    Play(bool),
    /// One step, then rest.
    Step,
    /// The scene from its beginning, with the settings as they are.
    Restart,
    /// Simulated seconds per second.
    Speed(f64),
    /// Another scene, or the same with other settings.
    Open(SceneSource, Overrides),
    /// Settings that can change while the water runs.
    Tune(Tuning),
    /// What the mouse does to the water; `None`: it lets go.
    Touch(Option<Touch>),
    /// Puts an obstacle where one points.
    Place(Touch),
    /// Removes the body or the obstacle that one points at.
    Remove(Touch),
    /// Drops a body above where one points.
    Drop(Touch),
    /// Writes the picture into a file.
    Screenshot,
    /// Writes every picture into files, or ends that.
    Record(bool),
    /// Clears what went wrong from the window.
    Dismiss,
}

/// A tool at a place of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    pub(crate) tool: Tool,
    /// From the upper left corner `[0, 0]` to the lower right one `[1, 1]`.
    pub(crate) place: [f64; 2],
    /// Radius of what it does, m.
    pub(crate) radius: f64,
}

/// What the left button of the mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tool {
    /// Turns the camera.
    #[default]
    Look,
    /// Pours water.
    Pour,
    /// Pushes water along.
    Push,
    /// Puts a ball there.
    Ball,
    /// Puts a box there.
    Block,
    /// Removes a body or an obstacle.
    Remove,
    /// Takes hold of a body.
    Grab,
    /// Drops a box.
    DropBox,
    /// Drops a ball.
    DropBall,
}

impl Tool {
    pub(crate) const ALL: [Self; 9] = [
        Self::Look,
        Self::Pour,
        Self::Push,
        Self::Ball,
        Self::Block,
        Self::Remove,
        Self::Grab,
        Self::DropBox,
        Self::DropBall,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Look => "Look",
            Self::Pour => "Pour",
            Self::Push => "Push",
            Self::Ball => "Ball",
            Self::Block => "Box",
            Self::Remove => "Remove",
            Self::Grab => "Grab",
            Self::DropBox => "Drop box",
            Self::DropBall => "Drop ball",
        }
    }

    pub(crate) fn hint(self) -> &'static str {
        match self {
            Self::Look => "Drag turns the camera (1)",
            Self::Pour => "Drag pours water above the place under the mouse (2, or Shift with any tool)",
            Self::Push => "Drag takes the water along with the mouse (3, or Ctrl with any tool)",
            Self::Ball => "Click puts a ball where you point (4)",
            Self::Block => "Click puts a box where you point (5)",
            Self::Remove => "Click removes the body or the obstacle that you point at (6)",
            Self::Grab => "Drag moves a body; letting go while it moves throws it (7)",
            Self::DropBox => "Click drops a box of wood above where you point (8)",
            Self::DropBall => "Click drops a light ball above where you point (9)",
        }
    }

    /// Whether it acts on a click, and not while the button is held.
    pub(crate) fn clicks(self) -> bool {
        matches!(self, Self::Ball | Self::Block | Self::Remove | Self::DropBox | Self::DropBall)
    }

    /// Whether only three-dimensional water has it.
    pub(crate) fn needs_tall_cells(self) -> bool {
        self != Self::Look
    }
}
