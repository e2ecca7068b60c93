//! The drawing of a chart.

use std::fmt::Write;

use super::scale::Axis;
use super::{Chart, Mark, Series};
use crate::text::Typeface;
use crate::ticks::Ticks;

/// Okabe and Ito's colours, which differ for all kinds of colour vision; the yellow is darkened for white paper.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#b5568f", "#c08a00", "#3a9bd0", "#6a3d9a", "#555555"];

/// What changes on a dark page. Light is written into the elements themselves.
pub(crate) const DARK_THEME: &str = "\
.tw-chart .bg{fill:#15191f}.tw-chart .t{fill:#d5dbe3}.tw-chart .f{fill:#98a2ae}\
.tw-chart .g{stroke:#2a313a}.tw-chart .a{stroke:#7d8793}\
.tw-chart .c0{color:#4ea8de}.tw-chart .c1{color:#ff8c42}.tw-chart .c2{color:#3ccf9e}\
.tw-chart .c3{color:#e08bbf}.tw-chart .c4{color:#f0c04a}.tw-chart .c5{color:#8ccdf0}\
.tw-chart .c6{color:#b899e0}.tw-chart .c7{color:#b0b6bd}";

const FONT: &str = "font-family=\"Roboto,'Helvetica Neue',Arial,sans-serif\"";
const TITLE: f32 = 15.0;
const LABEL: f32 = 12.0;

/// A document of its own.
pub(super) fn document(chart: &Chart) -> String {
    let style = format!("<style>@media(prefers-color-scheme:dark){{{DARK_THEME}}}</style>");
    draw(chart, &style)
}

/// A part of a page that brings [`DARK_THEME`] itself.
pub(crate) fn inline(chart: &Chart) -> String {
    draw(chart, "")
}

/// `write!` to a `String` cannot fail; this says so once.
macro_rules! put {
    ($svg:expr, $($arg:tt)*) => { let _ = write!($svg, $($arg)*); };
}

fn draw(chart: &Chart, style: &str) -> String {
    let (w, h) = (f64::from(chart.width.max(120)), f64::from(chart.height.max(90)));
    let xs = chart.series.iter().flat_map(|s| s.points.iter().map(|p| p[0]));
    let ys = chart.series.iter().flat_map(|s| s.points.iter().map(|p| p[1]));
    let mut x = Axis::around(chart.x_scale, chart.x_range, xs, 0.0);
    let mut y = Axis::around(chart.y_scale, chart.y_range, ys, 0.06);

    // Lay out: what the labels need, the plot gets the rest.
    let face = Typeface::new(LABEL * 1.18);
    let legend = legend_rows(&chart.series, &face, w - 90.0);
    let top = 14.0 + f64::from(!chart.title.is_empty()) * 22.0 + 18.0 * legend.len() as f64;
    let bottom = h - 26.0 - f64::from(!chart.x_label.is_empty()) * 18.0;
    y.pixels = [bottom.max(top + 10.0), top];
    let y_ticks = y.ticks(34.0);
    let widest = y_ticks.values.iter().map(|&v| f64::from(face.width(&label(&y_ticks, v)))).fold(0.0, f64::max);
    let left = 18.0 + widest + f64::from(!chart.y_label.is_empty()) * 18.0;
    x.pixels = [left, (w - 18.0).max(left + 10.0)];
    let x_ticks = x.ticks(86.0);

    let mut svg = String::new();
    put!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tw-chart\" viewBox=\"0 0 {w} {h}\" \
         width=\"{w}\" height=\"{h}\" {FONT} font-size=\"{LABEL}\" role=\"img\" \
         aria-label=\"{}\" data-x=\"{}\" data-y=\"{}\" \
         data-box=\"{:.1} {:.1} {:.1} {:.1}\">{style}",
        escape(&chart.title),
        escape(&chart.x_label),
        escape(&chart.y_label),
        x.pixels[0],
        x.pixels[1],
        y.pixels[1],
        y.pixels[0]
    );
    put!(svg, "<rect class=\"bg\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    grid(&mut svg, &x, &y, &x_ticks, &y_ticks);
    names(&mut svg, chart, &x, &y);
    draw_legend(&mut svg, &legend, left, if chart.title.is_empty() { 18.0 } else { 40.0 });
    all_series(&mut svg, chart, &x, &y);
    svg.push_str("</svg>");
    svg
}

/// Grid lines, axes and tick labels.
fn grid(svg: &mut String, x: &Axis, y: &Axis, x_ticks: &Ticks, y_ticks: &Ticks) {
    let ([left, right], [bottom, top]) = (x.pixels, y.pixels);
    svg.push_str("<g class=\"g\" stroke=\"#e3e7ec\">");
    for &v in &x_ticks.values {
        put!(svg, "<path d=\"M{:.1} {top:.1}V{bottom:.1}\"/>", x.pixel(v));
    }
    for &v in &y_ticks.values {
        put!(svg, "<path d=\"M{left:.1} {:.1}H{right:.1}\"/>", y.pixel(v));
    }
    put!(
        svg,
        "</g><path class=\"a\" fill=\"none\" stroke=\"#5b6570\" \
         d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/><g class=\"t\" fill=\"#262c34\">"
    );
    for &v in &x_ticks.values {
        let (at, y) = (x.pixel(v), bottom + 16.0);
        put!(svg, "<text x=\"{at:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>", label(x_ticks, v));
    }
    for &v in &y_ticks.values {
        let (x, at) = (left - 7.0, y.pixel(v) + 4.0);
        put!(svg, "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"end\">{}</text>", label(y_ticks, v));
    }
    svg.push_str("</g>");
}

/// Powers of ten as such on a logarithmic axis.
fn label(ticks: &Ticks, value: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if ticks.step > 0.0 || (1e-3..1e5).contains(&value) {
        return ticks.label(value);
    }
    let power = value.log10().round() as i32;
    let digits = power.unsigned_abs().to_string();
    let digits = digits.bytes().map(|d| DIGITS[usize::from(d - b'0')]);
    let sign = if power < 0 { "⁻" } else { "" };
    format!("10{sign}{}", digits.collect::<String>())
}

/// Title and axis labels.
fn names(svg: &mut String, chart: &Chart, x: &Axis, y: &Axis) {
    let ([left, right], [bottom, top]) = (x.pixels, y.pixels);
    let (middle, height) = ((left + right) / 2.0, (top + bottom) / 2.0);
    put!(
        svg,
        "<g class=\"t\" fill=\"#262c34\"><text x=\"{left:.1}\" y=\"20\" font-size=\"{TITLE}\" \
         font-weight=\"500\">{}</text>\
         <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(13 {height:.1})rotate(-90)\" text-anchor=\"middle\">{}</text></g>",
        escape(&chart.title),
        bottom + 35.0,
        escape(&chart.x_label),
        escape(&chart.y_label)
    );
    let shown = chart.series.iter().flat_map(|s| &s.points);
    if !shown.into_iter().any(|p| chart.x_scale.shows(p[0]) && chart.y_scale.shows(p[1])) {
        put!(
            svg,
            "<text class=\"f\" fill=\"#6e7680\" x=\"{middle:.1}\" y=\"{height:.1}\" \
             text-anchor=\"middle\">no data</text>"
        );
    }
}

/// A name in the legend: its series, and where it begins in its row.
type Entry<'a> = (usize, &'a Series, f64);

fn legend_rows<'a>(series: &'a [Series], face: &Typeface, room: f64) -> Vec<Vec<Entry<'a>>> {
    let mut rows: Vec<Vec<Entry<'a>>> = Vec::new();
    let mut x = f64::INFINITY;
    for (i, s) in series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()) {
        let width = 46.0 + f64::from(face.width(&s.name));
        if x + width > room {
            rows.push(Vec::new());
            x = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((i, s, x));
        }
        x += width;
    }
    rows
}

fn draw_legend(svg: &mut String, rows: &[Vec<Entry<'_>>], left: f64, top: f64) {
    for (row, entries) in rows.iter().enumerate() {
        let y = top + 18.0 * row as f64;
        for &(i, series, x) in entries {
            let (x, y_line) = (left + x, y - 4.0);
            put!(svg, "<g {}>", paint(i));
            if series.mark != Mark::Points {
                put!(svg, "<path d=\"M{x:.1} {y_line:.1}h22\" {}/>", stroke(series.mark));
            }
            if matches!(series.mark, Mark::Points | Mark::LinePoints) {
                put!(svg, "{}", dot(x + 11.0, y_line));
            }
            put!(
                svg,
                "</g><text class=\"t\" fill=\"#262c34\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                x + 28.0,
                escape(&series.name)
            );
        }
    }
}

fn all_series(svg: &mut String, chart: &Chart, x: &Axis, y: &Axis) {
    let ([left, right], [bottom, top]) = (x.pixels, y.pixels);
    // A nested viewport clips without an id, which would have to be unique on the page. It leaves
    // room for points on the border.
    let (left, top) = (left - 4.0, top - 4.0);
    let (w, h) = (right + 4.0 - left, bottom + 4.0 - top);
    put!(
        svg,
        "<svg x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" \
         viewBox=\"{left:.1} {top:.1} {w:.1} {h:.1}\">"
    );
    for (i, series) in chart.series.iter().enumerate() {
        let points = thinned(&series.points, w.max(1.0) as usize);
        let shows = |p: &[f64; 2]| x.scale.shows(p[0]) && y.scale.shows(p[1]);
        put!(svg, "<g {} data-name=\"{}\" data-xy=\"", paint(i), escape(&series.name));
        for p in points.iter().filter(|p| shows(p)) {
            put!(svg, "{:.1} {:.1} {} {} ", x.pixel(p[0]), y.pixel(p[1]), six(p[0]), six(p[1]));
        }
        svg.push_str("\">");
        if series.mark != Mark::Points {
            let mut command = 'M';
            put!(svg, "<path {} d=\"", stroke(series.mark));
            for p in &points {
                if shows(p) {
                    put!(svg, "{command}{:.1} {:.1}", x.pixel(p[0]), y.pixel(p[1]));
                    command = 'L';
                } else {
                    command = 'M';
                }
            }
            svg.push_str("\"/>");
        }
        if matches!(series.mark, Mark::Points | Mark::LinePoints) {
            for p in points.iter().filter(|p| shows(p)) {
                svg.push_str(&dot(x.pixel(p[0]), y.pixel(p[1])));
            }
        }
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
}

/// Where there are many points to a pixel, the first, lowest, highest and last of each pixel
/// draw the same picture. Only for points in order of x.
fn thinned(points: &[[f64; 2]], pixels: usize) -> Vec<[f64; 2]> {
    let ordered = || points.windows(2).all(|w| w[0][0] <= w[1][0]);
    if points.len() <= 6 * pixels || !ordered() {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(4 * pixels);
    for part in points.chunks(points.len().div_ceil(pixels)) {
        let good = || (0..part.len()).filter(|&i| part[i][1].is_finite());
        let by_y = |&a: &usize, &b: &usize| part[a][1].total_cmp(&part[b][1]);
        let hole = (0..part.len()).find(|&i| !part[i][1].is_finite());
        let mut keep: Vec<_> = [Some(0), good().min_by(by_y), good().max_by(by_y), hole]
            .into_iter()
            .flatten()
            .chain([part.len() - 1])
            .collect();
        keep.sort_unstable();
        keep.dedup();
        kept.extend(keep.into_iter().map(|i| part[i]));
    }
    kept
}

/// Colour of a series, in both themes.
pub(crate) fn paint(series: usize) -> String {
    let i = series % COLOURS.len();
    format!("class=\"c{i}\" color=\"{}\"", COLOURS[i])
}

fn stroke(mark: Mark) -> &'static str {
    match mark {
        Mark::Dashed => "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\" stroke-dasharray=\"6 4\"",
        _ => "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\" stroke-linejoin=\"round\"",
    }
}

fn dot(x: f64, y: f64) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"currentColor\"/>")
}

/// Six significant digits, for the read-out.
fn six(value: f64) -> String {
    let text = format!("{value:.5e}");
    match text.parse::<f64>() {
        Ok(rounded) if (1e-4..1e7).contains(&rounded.abs()) || rounded == 0.0 => {
            format!("{rounded}")
        }
        _ => text,
    }
}

/// Text for HTML and XML, in content and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML has no place for the other control characters, escaped or not.
            c if c.is_control() && !matches!(c, '\n' | '\t') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
