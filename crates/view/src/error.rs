//! What can go wrong before there is a window to show it in.

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The system has no display, or none that can be reached.
    #[error(
        "no window can be opened: {0}\nset DISPLAY or WAYLAND_DISPLAY, or use `thalweg run`, which needs no display; on a server `xvfb-run` \
         makes a display"
    )]
    NoDisplay(String),
    /// Nothing can draw into the window.
    #[error(
        "no GPU driver can draw into the window: {0}\ninstall one, or Mesa's software driver (`mesa-vulkan-drivers`)"
    )]
    NoDriver(String),
    /// The worker could not be started, or it is gone.
    #[error("the simulation's thread failed: {0}")]
    Worker(String),
}
