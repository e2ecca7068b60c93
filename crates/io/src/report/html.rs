//! The page's markup.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::media::{self, Media};
use super::{MOST_FRAMES, Report, Section, Video, shares};
use crate::plot::{self, DARK_THEME, escape};

/// `write!` to a `String` cannot fail; this says so once.
macro_rules! put {
    ($html:expr, $($arg:tt)*) => { let _ = write!($html, $($arg)*); };
}

/// Where pictures come from, and how many bytes of them may still be embedded.
struct Pictures<'a> {
    folder: &'a Path,
    budget: u64,
    linked: usize,
}

pub(super) fn page(report: &Report, folder: &Path) -> String {
    let mut pictures = Pictures { folder, budget: report.embed_limit, linked: 0 };
    let mut body = String::new();
    let mut first = String::new();
    if let Some(shown) = &report.video {
        video(&mut first, shown, report.video_limit, &mut pictures);
    }
    for section in &report.sections {
        add_section(&mut body, section, &mut pictures);
    }

    let title = escape(&report.title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>\n<style>\n{}\n\
         @media(prefers-color-scheme:dark){{{DARK_THEME}}}\n</style></head>\n<body><main>\n<header><h1>{title}</h1>",
        include_str!("report.css")
    );
    if !report.description.is_empty() {
        put!(html, "<p class=\"lead\">{}</p>", escape(&report.description));
    }
    html.push_str("</header>\n");
    html.push_str(&first);
    if !report.summary.is_empty() {
        html.push_str("<dl class=\"summary\">");
        for (name, value) in &report.summary {
            put!(html, "<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value));
        }
        html.push_str("</dl>\n");
    }
    if pictures.linked > 0 {
        put!(
            html,
            "<p class=\"note\">To keep this page small, {} of its pictures are linked, not embedded: \
             keep it in its folder to see them.</p>\n",
            pictures.linked
        );
    }
    html.push_str(&body);
    put!(
        html,
        "<dialog id=\"zoom\"><img alt=\"\"></dialog>\n</main>\n<script>\n{}\n</script></body></html>\n",
        include_str!("report.js")
    );
    html
}

fn add_section(html: &mut String, section: &Section, pictures: &mut Pictures<'_>) {
    let title = match section {
        Section::Frames { title, .. }
        | Section::Charts { title, .. }
        | Section::Shares { title, .. }
        | Section::Table { title, .. }
        | Section::Text { title, .. }
        | Section::Html { title, .. } => title,
    };
    put!(html, "<section><h2>{}</h2>\n", escape(title));
    match section {
        Section::Frames { paths, .. } => frames(html, paths, pictures),
        Section::Charts { charts, .. } => {
            html.push_str("<div class=\"charts\">");
            for chart in charts {
                put!(html, "<figure>{}</figure>", plot::inline(chart));
            }
            html.push_str("</div>");
        }
        Section::Shares { unit, parts, .. } => shares::draw(html, unit, parts),
        Section::Table { header, rows, .. } => table(html, header, rows),
        Section::Text { text, .. } => {
            put!(html, "<pre>{}</pre>", escape(text));
        }
        Section::Html { html: markup, .. } => html.push_str(markup),
    }
    html.push_str("</section>\n");
}

impl Pictures<'_> {
    /// Address of a picture, or a note in its place.
    fn address(&mut self, path: &Path) -> Result<String, String> {
        match media::source(path, self.folder, &mut self.budget) {
            Media::Source { address, linked } => {
                self.linked += usize::from(linked);
                Ok(address)
            }
            Media::Missing => Err(missing(path)),
        }
    }
}

fn missing(path: &Path) -> String {
    format!("<p class=\"note\">{} is missing.</p>", escape(&path.display().to_string()))
}

fn video(html: &mut String, video: &Video, limit: u64, pictures: &mut Pictures<'_>) {
    html.push_str("<figure class=\"video\">");
    let mut room = limit;
    let poster = video.poster.as_deref().map(|path| pictures.address(path));
    match (&video.path, poster) {
        (Some(path), poster) => match media::source(path, pictures.folder, &mut room) {
            Media::Source { address, linked } => {
                let poster =
                    poster.and_then(Result::ok).map(|address| format!(" poster=\"{address}\"")).unwrap_or_default();
                put!(html, "<video controls loop muted playsinline{poster} src=\"{address}\"></video>");
                if linked {
                    put!(
                        html,
                        "<p class=\"note\">The video is linked, not embedded, since it is larger than {} MiB: keep this \
                         page in its folder to see it.</p>",
                        limit >> 20
                    );
                }
            }
            Media::Missing => html.push_str(&missing(path)),
        },
        (None, Some(Ok(address))) => {
            put!(html, "<img src=\"{address}\" alt=\"a picture of the run\">");
        }
        (None, Some(Err(note))) => html.push_str(&note),
        (None, None) => {}
    }
    put!(html, "<figcaption>{}</figcaption></figure>\n", escape(&video.caption));
}

fn frames(html: &mut String, paths: &[PathBuf], pictures: &mut Pictures<'_>) {
    let shown = paths.len().min(MOST_FRAMES);
    if shown < paths.len() {
        put!(
            html,
            "<p class=\"note\">{shown} of {} frames, evenly spread; the others are in their folder.</p>",
            paths.len()
        );
    }
    html.push_str("<div class=\"frames\">");
    for i in 0..shown {
        // The first and the last are always among them.
        let path = &paths[i * (paths.len() - 1) / (shown - 1).max(1)];
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = escape(&name);
        match pictures.address(path) {
            Ok(address) => {
                put!(
                    html,
                    "<figure><img loading=\"lazy\" src=\"{address}\" alt=\"frame {name}\">\
                     <figcaption>{name}</figcaption></figure>"
                );
            }
            Err(note) => html.push_str(&note),
        }
    }
    html.push_str("</div>");
}

fn table(html: &mut String, header: &[String], rows: &[Vec<String>]) {
    html.push_str("<div class=\"scroll\"><table class=\"data\"><thead><tr>");
    for name in header {
        put!(html, "<th>{}</th>", escape(name));
    }
    html.push_str("</tr></thead><tbody>");
    for row in rows {
        html.push_str("<tr>");
        for field in row {
            put!(html, "<td>{}</td>", escape(field));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
}
