//! What page and player are made of, built in: nothing comes from the network.

/// three.js, only what the page needs; see `page/vendor/README.md`.
pub(crate) const THREE: &str = include_str!("../page/vendor/three.min.js");
/// Messages to geometry.
pub(crate) const DECODE: &str = include_str!("../page/decode.js");
/// The picture.
pub(crate) const VIEW: &str = include_str!("../page/view.js");
/// Water as the picture shows it.
pub(crate) const WATER: &str = include_str!("../page/water.js");
/// Ground, obstacles, sky.
pub(crate) const SCENERY: &str = include_str!("../page/scenery.js");
/// The player of reports.
pub(crate) const PLAYER: &str = include_str!("../page/player.js");
/// Its looks.
pub(crate) const PLAYER_STYLE: &str = include_str!("../page/player.css");
