//! The page, built in: nothing comes from the network.

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: &'static str,
}

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

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
/// The page itself; `NONCE` stands for a number used once.
pub(crate) const INDEX: &str = include_str!("../page/index.html");

/// Files that the page asks for.
pub(crate) const FILES: &[Asset] = &[
    Asset { name: "three.min.js", kind: JAVASCRIPT, text: THREE },
    Asset { name: "decode.js", kind: JAVASCRIPT, text: DECODE },
    Asset { name: "view.js", kind: JAVASCRIPT, text: VIEW },
    Asset { name: "water.js", kind: JAVASCRIPT, text: WATER },
    Asset { name: "scenery.js", kind: JAVASCRIPT, text: SCENERY },
    Asset { name: "hand.js", kind: JAVASCRIPT, text: include_str!("../page/hand.js") },
    Asset { name: "live.js", kind: JAVASCRIPT, text: include_str!("../page/live.js") },
    Asset { name: "page.css", kind: "text/css; charset=utf-8", text: include_str!("../page/page.css") },
];
