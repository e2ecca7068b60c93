//! What is drawn around the map: heading, axes, colour bar, scale bar.

use super::PlanView;
use super::layout::{Axis, FAINT, Page, Style, TEXT, bar_ticks};
use crate::canvas::{Align, Canvas, Rect};
use crate::ticks::nice_at_most;

/// Title on the left, time on the right.
pub(super) fn heading(canvas: &mut Canvas, style: &Style, page: &Page, title: &str, time: f64) {
    let y = style.px(33.0) as f32;
    let (left, right) = (style.px(16.0) as f32, page.size[0] as f32 - style.px(20.0) as f32);
    let clock = clock(time);
    let clock_room = style.small.width(&clock) + style.px(24.0) as f32;
    let title = style.large.fitted(title, right - left - clock_room);
    canvas.text(&style.large, &title, (left, y), Align::Left, TEXT);
    canvas.text(&style.small, &clock, (right, y), Align::Right, FAINT);
}

/// Simulated time as people say it.
fn clock(time: f64) -> String {
    if !time.is_finite() {
        return "t = –".to_owned();
    }
    let size = time.abs();
    if size < 100.0 {
        format!("t = {time:.2} s")
    } else if size < 6000.0 {
        format!("t = {time:.1} s")
    } else {
        let seconds = size.round() as u64;
        let sign = if time < 0.0 { "−" } else { "" };
        let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("t = {sign}{h} h {m:02} min {s:02} s")
    }
}

/// Frame, ticks and labels of the map.
pub(super) fn axes(canvas: &mut Canvas, style: &Style, page: &Page, x: &Axis, y: &Axis) {
    let map = page.map;
    let (rule, tick) = (style.rule(), style.px(5.0));
    canvas.frame(map, rule, TEXT);

    let ticks = x.ticks(map.w, 96.0 * style.unit);
    for &value in &ticks.values {
        let at = position(value, x.lo, x.hi, map.w);
        let mark = Rect { x: map.x + at - rule / 2, y: map.bottom() + rule, w: rule, h: tick };
        canvas.fill(mark, TEXT);
        let place = ((map.x + at) as f32, (map.bottom() + style.px(20.0)) as f32);
        canvas.text(&style.small, &ticks.label(value), place, Align::Centre, TEXT);
    }
    let ticks = y.ticks(map.h, 46.0 * style.unit);
    let half = style.small.cap_height() / 2.0;
    let mut widest = 0.0_f32;
    for &value in &ticks.values {
        let at = map.h - position(value, y.lo, y.hi, map.h);
        let mark = Rect { x: map.x - rule - tick, y: map.y + at - rule / 2, w: tick, h: rule };
        canvas.fill(mark, TEXT);
        let label = ticks.label(value);
        let place = ((map.x - style.px(9.0)) as f32, (map.y + at) as f32 + half);
        canvas.text(&style.small, &label, place, Align::Right, TEXT);
        widest = widest.max(style.small.width(&label));
    }

    let middle = (map.x + map.w / 2) as f32;
    canvas.text(&style.small, &x.label, (middle, page.foot as f32), Align::Centre, TEXT);
    let along = (map.x - style.px(18.0)) as f32 - widest;
    let middle = (map.y + map.h / 2) as f32;
    canvas.text_upwards(&style.small, &y.label, (along, middle), TEXT);
}

/// The colours of the field with their values.
pub(super) fn colour_bar(canvas: &mut Canvas, style: &Style, page: &Page, view: &PlanView<'_>) {
    let bar = page.bar;
    let (rule, tick) = (style.rule(), style.px(4.0));
    let colours = view.field.colours();
    let length = if page.bar_upright { bar.h } else { bar.w };
    for step in 0..length {
        let colour = colours.at((step as f32 + 0.5) / length as f32);
        if page.bar_upright {
            (0..bar.w).for_each(|dx| canvas.set(bar.x + dx, bar.bottom() - 1 - step, colour));
        } else {
            (0..bar.h).for_each(|dy| canvas.set(bar.x + step, bar.y + dy, colour));
        }
    }
    canvas.frame(bar, rule, TEXT);

    let ticks = bar_ticks(style, view.range, length, page.bar_upright);
    let [lo, hi] = view.range.map(f64::from);
    let half = style.small.cap_height() / 2.0;
    let mut widest = 0.0_f32;
    for &value in &ticks.values {
        let at = position(value, lo, hi, length);
        let label = ticks.label(value);
        if page.bar_upright {
            let y = bar.bottom() - at;
            canvas.fill(Rect { x: bar.right() + rule, y: y - rule / 2, w: tick, h: rule }, TEXT);
            let place = ((bar.right() + style.px(9.0)) as f32, y as f32 + half);
            canvas.text(&style.small, &label, place, Align::Left, TEXT);
        } else {
            let x = bar.x + at;
            canvas.fill(Rect { x: x - rule / 2, y: bar.bottom() + rule, w: rule, h: tick }, TEXT);
            let place = (x as f32, (bar.bottom() + style.px(19.0)) as f32);
            canvas.text(&style.small, &label, place, Align::Centre, TEXT);
        }
        widest = widest.max(style.small.width(&label));
    }
    let label = view.field.label();
    if page.bar_upright {
        let x = (bar.right() + style.px(27.0)) as f32 + widest;
        canvas.text_upwards(&style.small, label, (x, (bar.y + bar.h / 2) as f32), TEXT);
    } else {
        let place = ((bar.x + bar.w / 2) as f32, (bar.bottom() + style.px(41.0)) as f32);
        canvas.text(&style.small, label, place, Align::Centre, TEXT);
    }
}

/// A length on the ground, right below the map. `metres` is the length of the x axis.
pub(super) fn scale_bar(canvas: &mut Canvas, style: &Style, page: &Page, metres: f64) {
    // A fifth of the map, or of a narrow one as much as can be read.
    let share = (style.px(60.0) as f64 / f64::from(page.map.w.max(1))).clamp(0.2, 1.0);
    let length = nice_at_most(metres * share);
    if !(length.is_finite() && length > 0.0) {
        return;
    }
    let text = if length >= 1000.0 {
        format!("{} km", length / 1000.0)
    } else if length >= 1.0 {
        format!("{length:.0} m")
    } else if length >= 0.01 {
        format!("{:.0} cm", length * 100.0)
    } else {
        format!("{:.3} mm", length * 1000.0)
    };
    let w = (length / metres * f64::from(page.map.w)).round() as i32;
    let right = page.size[0] as i32 - style.px(20.0);
    let thickness = style.px(2.0).max(1);
    let y = page.foot - style.small.cap_height() as i32 / 2;
    let x = right - style.small.width(&text) as i32 - style.px(8.0) - w;
    let (rule, serif) = (style.rule().max(thickness / 2), style.px(4.0));
    canvas.fill(Rect { x, y: y - thickness / 2, w, h: thickness }, TEXT);
    for end in [x, x + w - rule] {
        canvas.fill(Rect { x: end, y: y - serif, w: rule, h: 2 * serif }, TEXT);
    }
    canvas.text(&style.small, &text, (right as f32, page.foot as f32), Align::Right, TEXT);
}

/// A remark at the left of the foot line, such as that the axes differ in scale.
pub(super) fn remark(canvas: &mut Canvas, style: &Style, page: &Page, text: &str) {
    let place = (style.px(16.0) as f32, page.foot as f32);
    canvas.text(&style.small, text, place, Align::Left, FAINT);
}

/// Pixels from the axis' low end.
fn position(value: f64, lo: f64, hi: f64, length: i32) -> i32 {
    ((value - lo) / (hi - lo) * f64::from(length)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_read_well() {
        assert_eq!(clock(1.5), "t = 1.50 s");
        assert_eq!(clock(150.0), "t = 150.0 s");
        assert_eq!(clock(7325.2), "t = 2 h 02 min 05 s");
        assert_eq!(clock(f64::NAN), "t = –");
    }
}
