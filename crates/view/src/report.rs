//! What the worker tells the window: all that it shows, in one piece.

use std::sync::Arc;

use thalweg::Picture;
use thalweg::render::Look;
use thalweg::tall::Tuning;

use crate::figures::Figures;
use crate::scene_source::{Overrides, SceneSource};

/// The newest state of the worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    /// The scene; `None` before the first one stands.
    pub(crate) world: Option<Arc<World>>,
    /// The newest picture, and its number.
    pub(crate) picture: Option<(Arc<Picture>, u64)>,
    pub(crate) figures: Figures,
    pub(crate) playing: bool,
    /// Simulated seconds per second that are asked for.
    pub(crate) speed: f64,
    /// Settings that can change while the water runs; `None` for shallow water.
    pub(crate) tuning: Option<Tuning>,
    /// What went wrong, and what to do.
    pub(crate) trouble: Option<String>,
    /// What was done, and its number.
    pub(crate) notice: (String, u64),
    /// Pictures recorded so far, while they are.
    pub(crate) recorded: Option<u64>,
    /// What the worker is busy with, if that takes long.
    pub(crate) busy: Option<String>,
}

/// A scene that runs.
#[derive(Debug)]
pub(crate) struct World {
    /// Changes with every scene.
    pub(crate) generation: u64,
    pub(crate) source: SceneSource,
    pub(crate) overrides: Overrides,
    pub(crate) title: String,
    /// How the scene wants to be seen.
    pub(crate) home: Look,
    /// Executor that it runs on.
    pub(crate) executor: String,
    pub(crate) solver: &'static str,
    /// Whether it has tall or cubic cells, and so tools.
    pub(crate) is_three_dimensional: bool,
    pub(crate) cells: u64,
    /// Edge of a cell, m.
    pub(crate) cell: f64,
    pub(crate) regular_cells: u32,
    pub(crate) surface: u32,
    /// z from and to, m.
    pub(crate) depth: [f64; 2],
    /// Radius of tools to begin with, m.
    pub(crate) tool_radius: f64,
}
