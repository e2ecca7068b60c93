//! A recorded run as a part of an HTML page: picture, three.js and water in one text, nothing from the network.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::assets::{DECODE, PLAYER, PLAYER_STYLE, SCENERY, THREE, VIEW, WATER};
use crate::frame::{Frame, Geometry};
use crate::recording::{RecordingError, block, read};

/// Characters of the water at most.
const MOST_TEXT: usize = 20 << 20;

/// The player for a file of [`Recording`](crate::Recording), for the body of a page that has no other; `None` if the file holds
/// fewer than two frames. Of frames that would take more than 20 MiB every other is left out, as often as it takes; the text below the
/// picture says how many are shown.
pub fn player(path: &Path) -> Result<Option<String>, RecordingError> {
    let blocks = read(path)?;
    let [hello, ground, frames @ ..] = blocks.as_slice() else { return Ok(None) };
    if frames.len() < 2 {
        return Ok(None);
    }
    let mut stride = 1;
    let (water, kept) = loop {
        let kept: Vec<&Vec<u8>> = frames.iter().step_by(stride).collect();
        let packed = pack([hello, ground].into_iter().chain(kept.iter().copied()))
            .map_err(|source| RecordingError::File { path: path.to_owned(), source })?;
        if packed.len() <= MOST_TEXT || kept.len() <= 2 {
            break (packed, kept);
        }
        stride *= 2;
    };
    let mut modules = String::new();
    for (name, text) in [
        ("three", THREE),
        ("decode", DECODE),
        ("scenery", SCENERY),
        ("water", WATER),
        ("view", VIEW),
        ("player", PLAYER),
    ] {
        let comma = if modules.is_empty() { "" } else { ",\n" };
        // Writing to a String cannot fail.
        let _ = write!(modules, "{comma}\"thalweg/{name}\": \"data:text/javascript;base64,{}\"", STANDARD.encode(text));
    }
    let what = detail(&kept);
    Ok(Some(format!(
        "<style>{PLAYER_STYLE}</style>\n<div class=\"tw-player\" tabindex=\"0\"><canvas class=\"tw-water\" \
         aria-label=\"The water: drag to turn, wheel to zoom\"></canvas>\
         <div class=\"tw-bar\"><button class=\"tw-play\" title=\"Play\">▶</button>\
         <input class=\"tw-scrub\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"Time\">\
         <span class=\"tw-time\"></span><span class=\"tw-volume\"></span></div><p class=\"tw-trouble\"></p>\
         <script type=\"application/x-thalweg\">{water}</script></div>\n<p class=\"note\">{what} Drag turns, the wheel zooms, the right \
         button moves.</p>\n<script type=\"importmap\">{{\"imports\": {{{modules}}}}}</script>\n\
         <script type=\"module\">import 'thalweg/player';</script>\n"
    )))
}

fn pack<'a>(blocks: impl Iterator<Item = &'a Vec<u8>>) -> std::io::Result<String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    for bytes in blocks {
        encoder.write_all(&block(bytes))?;
    }
    Ok(STANDARD.encode(encoder.finish()?))
}

/// How much of the run is shown.
fn detail(frames: &[&Vec<u8>]) -> String {
    let most = frames.iter().filter_map(|bytes| Frame::decode(bytes).ok()).map(|frame| match frame.geometry {
        Geometry::Mesh { triangles, .. } => triangles.len(),
        Geometry::Heights { size, .. } => size[0] * size[1],
    });
    let most = most.max().unwrap_or(0);
    let is_mesh = frames.first().and_then(|bytes| Frame::decode(bytes).ok());
    let what = match is_mesh.map(|frame| frame.geometry) {
        Some(Geometry::Mesh { .. }) => "triangles",
        _ => "columns",
    };
    format!("{} frames of at most {most} {what}.", frames.len())
}
