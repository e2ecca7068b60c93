//! What a window opens with.

use std::path::PathBuf;

use thalweg::Backend;

use crate::scale::Scale;
use crate::scene_source::SceneSource;

/// What a window opens with.
#[derive(Debug, Clone)]
pub struct ViewOptions {
    /// The first scene.
    pub scene: SceneSource,
    /// Where it runs.
    pub backend: Backend,
    /// Threads of the processor; `None`: all.
    pub threads: Option<usize>,
    /// Size of the window, points; default 1280 x 800.
    pub size: [u32; 2],
    /// Resolution of the picture.
    pub scale: Scale,
    /// Folder for screenshots and recordings; default the current one.
    pub out: PathBuf,
}

impl ViewOptions {
    /// A scene, and the defaults for all else.
    pub fn new(scene: SceneSource) -> Self {
        Self {
            scene,
            backend: Backend::Auto,
            threads: None,
            size: [1280, 800],
            scale: Scale::Auto,
            out: PathBuf::from("."),
        }
    }
}
