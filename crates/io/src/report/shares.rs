//! Parts of a whole: one bar with a colour for each part, and a table that names them.

use std::fmt::Write;

use crate::plot::{escape, paint};
use crate::ticks::short;

/// Width and height of the bar in its own coordinates; it fills the page's width.
const SIZE: [f64; 2] = [1072.0, 44.0];
/// Narrower parts have no room for their share, in the same coordinates.
const LABEL_ROOM: f64 = 40.0;

/// `write!` to a `String` cannot fail; this says so once.
macro_rules! put {
    ($html:expr, $($arg:tt)*) => { let _ = write!($html, $($arg)*); };
}

pub(super) fn draw(html: &mut String, unit: &str, parts: &[(String, f64)]) {
    // What takes no time, or no known time, has no part in the whole.
    let mut parts: Vec<(&str, f64)> =
        parts.iter().map(|(name, value)| (name.as_str(), *value)).filter(|(_, v)| v.is_finite() && *v > 0.0).collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sum: f64 = parts.iter().map(|part| part.1).sum();
    let [width, height] = SIZE;
    let unit = escape(unit);

    put!(html, "<svg class=\"tw-chart shares\" viewBox=\"0 0 {width} {height}\" role=\"img\">");
    let mut left = 0.0;
    for (n, (name, value)) in parts.iter().enumerate() {
        let wide = value / sum * width;
        let label = format!("{} {} {unit}, {:.0} %", escape(name), short(*value), 100.0 * value / sum);
        put!(
            html,
            "<g {}><rect class=\"share\" x=\"{left:.1}\" width=\"{wide:.1}\" height=\"{height}\" \
             fill=\"currentColor\"><title>{label}</title></rect></g>",
            paint(n)
        );
        if wide > LABEL_ROOM {
            put!(html, "<text x=\"{:.1}\" y=\"27\">{:.0} %</text>", left + wide / 2.0, 100.0 * value / sum);
        }
        left += wide;
    }
    html.push_str("</svg><table class=\"key\">");
    for (n, (name, value)) in parts.iter().enumerate() {
        put!(
            html,
            "<tr><th><svg class=\"tw-chart\" viewBox=\"0 0 12 12\"><rect {} width=\"12\" height=\"12\" rx=\"2\" \
             fill=\"currentColor\"/></svg>{}</th><td>{} {unit}</td><td>{:.1} %</td></tr>",
            paint(n),
            escape(name),
            short(*value),
            100.0 * value / sum
        );
    }
    put!(html, "<tr class=\"sum\"><th>together</th><td>{} {unit}</td><td></td></tr></table>", short(sum));
}
