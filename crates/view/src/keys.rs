//! Keys, what they do, and what the help says of them: one table.

use egui::Key;

use crate::command::Tool;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Action {
    TogglePlay,
    Step,
    Restart,
    Slower,
    Faster,
    ResetCamera,
    /// Heights of the picture to the right and down.
    Turn([f64; 2]),
    Choose(Tool),
    Screenshot,
    ToggleRecord,
    TogglePanel,
    ToggleHelp,
    /// Closes the help, or takes the first tool again.
    Leave,
}

/// A key, its name and what it does.
pub(crate) struct Binding {
    pub(crate) key: Key,
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) action: Action,
}

const fn bind(key: Key, name: &'static str, what: &'static str, action: Action) -> Binding {
    Binding { key, name, what, action }
}

/// How far an arrow key turns the camera, heights of the picture.
const TURN: f64 = 0.04;

/// All keys. Those without words share the line of the one before.
pub(crate) const KEYS: &[Binding] = &[
    bind(Key::Space, "Space", "pause, go on", Action::TogglePlay),
    bind(Key::N, "N", "one step", Action::Step),
    bind(Key::R, "R", "restart", Action::Restart),
    bind(Key::Minus, "− +", "slower, faster", Action::Slower),
    bind(Key::Plus, "", "", Action::Faster),
    bind(Key::Equals, "", "", Action::Faster),
    bind(Key::Home, "Home, C", "first camera", Action::ResetCamera),
    bind(Key::C, "", "", Action::ResetCamera),
    bind(Key::ArrowLeft, "Arrows", "turn the camera", Action::Turn([TURN, 0.0])),
    bind(Key::ArrowRight, "", "", Action::Turn([-TURN, 0.0])),
    bind(Key::ArrowUp, "", "", Action::Turn([0.0, TURN])),
    bind(Key::ArrowDown, "", "", Action::Turn([0.0, -TURN])),
    bind(
        Key::Num1,
        "1 … 9",
        "look, pour, push, ball, box, remove; grab, drop a box, a ball",
        Action::Choose(Tool::Look),
    ),
    bind(Key::Num2, "", "", Action::Choose(Tool::Pour)),
    bind(Key::Num3, "", "", Action::Choose(Tool::Push)),
    bind(Key::Num4, "", "", Action::Choose(Tool::Ball)),
    bind(Key::Num5, "", "", Action::Choose(Tool::Block)),
    bind(Key::Num6, "", "", Action::Choose(Tool::Remove)),
    bind(Key::Num7, "", "", Action::Choose(Tool::Grab)),
    bind(Key::Num8, "", "", Action::Choose(Tool::DropBox)),
    bind(Key::Num9, "", "", Action::Choose(Tool::DropBall)),
    bind(Key::S, "S", "screenshot", Action::Screenshot),
    bind(Key::V, "V", "record pictures, stop recording", Action::ToggleRecord),
    bind(Key::P, "P", "hide or show the panel", Action::TogglePanel),
    bind(Key::H, "H, F1", "this help", Action::ToggleHelp),
    bind(Key::F1, "", "", Action::ToggleHelp),
    bind(Key::Escape, "Esc", "close the help, back to looking", Action::Leave),
];

/// What the mouse does, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("Left drag", "turn the camera, or what the tool does"),
    ("Right, middle drag", "move the camera sideways"),
    ("Wheel", "nearer, further"),
    ("Shift + drag", "pour water"),
    ("Ctrl + drag", "push water"),
    ("Ctrl + Q", "close the window"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things_and_every_tool_has_one() {
        for (at, binding) in KEYS.iter().enumerate() {
            assert!(KEYS[..at].iter().all(|other| other.key != binding.key), "{:?}", binding.key);
        }
        for tool in Tool::ALL {
            assert!(KEYS.iter().any(|binding| binding.action == Action::Choose(tool)), "{tool:?}");
        }
    }
}
