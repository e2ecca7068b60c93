//! The page of a running simulation and the files that it asks for.

use crate::assets::{DECODE, SCENERY, THREE, VIEW, WATER};

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: &'static str,
}

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

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
