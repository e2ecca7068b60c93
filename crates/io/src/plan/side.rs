//! A domain one cell thick, seen from the side: ground, water, air.

use super::layout::{Axis, PAPER, Style, side_page};
use super::{PlanView, annotations, factor};
use crate::canvas::{Canvas, Rect};
use crate::colour::{NOT_FINITE, linear_from_hex, mix};
use crate::image::Image;
use crate::ticks::nice_at_least;

const GROUND_TOP: u32 = 0xb79b74;
const GROUND_DEEP: u32 = 0x8d7458;
const GROUND_LINE: u32 = 0x4a3b2c;
const WATER_LINE: u32 = 0x12304f;

/// What stands in one column of pixels. Heights in m.
#[derive(Clone, Copy)]
struct Column {
    bed: f32,
    surface: f32,
    value: f32,
    wet: bool,
    bad: bool,
}

pub(super) fn draw(view: &PlanView<'_>, style: &Style, along: Axis) -> Image {
    let cells: Vec<_> = (0..view.nx * view.nz).map(|i| cell(view, i)).collect();
    let [lo, hi] = elevations(view, &cells);
    let up = Axis::elevation(lo, hi);
    let page = side_page(style, &up, view.range);
    let mut canvas = Canvas::new(page.size[0], page.size[1], PAPER);
    section(&mut canvas, style, view, &cells, page.map, [lo as f32, hi as f32]);
    annotations::heading(&mut canvas, style, &page, view.title, view.time);
    annotations::axes(&mut canvas, style, &page, &along, &up);
    annotations::colour_bar(&mut canvas, style, &page, view);
    annotations::scale_bar(&mut canvas, style, &page, along.length());
    let stretch = (page.map.h as f64 / (hi - lo)) / (page.map.w as f64 / along.length());
    if !(0.95..=1.05).contains(&stretch) {
        let text = format!("vertical exaggeration × {}", factor(stretch));
        annotations::remark(&mut canvas, style, &page, &text);
    }
    canvas.image
}

fn cell(view: &PlanView<'_>, i: usize) -> Column {
    let get = |array: &[f32]| array.get(i).copied().unwrap_or(f32::NAN);
    let (bed, depth, value) = (get(view.bed), get(view.depth), get(view.values));
    let wet = depth > view.dry_depth;
    let bad = !(bed.is_finite() && depth.is_finite() && (!wet || value.is_finite()));
    Column {
        bed,
        surface: if wet { bed + depth } else { bed },
        value: if wet { value } else { view.range[0] },
        wet,
        bad,
    }
}

/// Ends of the vertical axis: all that is drawn, some air, and round numbers, so that the axis
/// keeps still while the water moves.
fn elevations(view: &PlanView<'_>, cells: &[Column]) -> [f64; 2] {
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    let mut include = |y: f32| {
        if y.is_finite() {
            range = [range[0].min(y.into()), range[1].max(y.into())];
        }
    };
    for c in cells.iter().filter(|c| !c.bad) {
        include(c.bed);
        include(c.surface);
    }
    if matches!(view.field, super::FieldKind::Surface | super::FieldKind::MaxSurface) {
        view.range.into_iter().for_each(include);
    }
    let [lo, hi] = range;
    if lo > hi {
        return [0.0, 1.0];
    }
    let span = (hi - lo).max(1e-6 * lo.abs().max(hi.abs())).max(1e-9);
    let step = nice_at_least(span / 8.0);
    [((lo - 0.06 * span) / step).floor() * step, ((hi + 0.06 * span) / step).ceil() * step]
}

fn section(canvas: &mut Canvas, style: &Style, view: &PlanView<'_>, cells: &[Column], map: Rect, [lo, hi]: [f32; 2]) {
    let colours = view.field.colours();
    let [ground_top, ground_deep, ground_line, water_line] =
        [GROUND_TOP, GROUND_DEEP, GROUND_LINE, WATER_LINE].map(linear_from_hex);
    let air_top = linear_from_hex(0xeef4f8);
    let y_of = |height: f32| (hi - height) / (hi - lo) * map.h as f32;
    let half_line = 0.8 * style.unit;
    let columns: Vec<_> = (0..map.w).map(|x| column(cells, x, map.w)).collect();
    for (x, c) in columns.iter().enumerate() {
        let px = map.x + x as i32;
        let Some(c) = c.filter(|c| !c.bad) else {
            if !cells.is_empty() {
                canvas.fill(Rect { x: px, y: map.y, w: 1, h: map.h }, NOT_FINITE);
            }
            continue;
        };
        let (bed, surface) = (y_of(c.bed), y_of(c.surface));
        let water = colours.at(view.position_in_range(c.value));
        // Lines run on to the next column's height, or cliffs and fronts would be gaps.
        let next = columns.get(x + 1).copied().flatten().filter(|n| !n.bad);
        let bed_line = next.map_or([bed; 2], |n| [bed, y_of(n.bed)]);
        let surface_line = next.map_or([surface; 2], |n| [surface, y_of(n.surface)]);
        for y in 0..map.h {
            let at = y as f32 + 0.5;
            let height = at / map.h as f32;
            let air = mix(air_top, [1.0; 3], height);
            let share = |edge: f32| (0.5 + at - edge).clamp(0.0, 1.0);
            let line = |[a, b]: [f32; 2]| {
                let outside = (a.min(b) - at).max(at - a.max(b)).max(0.0);
                (half_line + 0.5 - outside).clamp(0.0, 1.0)
            };
            let mut colour = air;
            if c.wet {
                // A little light from above gives the water body.
                let lit = mix(water, [1.0; 3], 0.12 * (-(at - surface).max(0.0) / 30.0).exp());
                colour = mix(colour, lit, share(surface));
            }
            let ground = mix(ground_top, ground_deep, ((at - bed) / 120.0).clamp(0.0, 1.0));
            colour = mix(colour, ground, share(bed));
            colour = mix(colour, ground_line, 0.9 * line(bed_line));
            if c.wet {
                colour = mix(colour, water_line, 0.9 * line(surface_line));
            }
            canvas.set(px, map.y + y, colour);
        }
    }
}

/// The column behind a pixel: between two cells where cells are wide, their average where they
/// are narrow.
fn column(cells: &[Column], x: i32, w: i32) -> Option<Column> {
    let n = cells.len();
    let per_pixel = n as f32 / w as f32;
    if per_pixel > 1.0 {
        let first = x as usize * n / w as usize;
        let last = ((x as usize + 1) * n / w as usize).clamp(first + 1, n);
        return average(cells.get(first..last)?);
    }
    let at = (x as f32 + 0.5) * per_pixel - 0.5;
    let first = at.clamp(0.0, n.checked_sub(1)? as f32) as usize;
    let share = (at - first as f32).clamp(0.0, 1.0);
    let (a, b) = (*cells.get(first)?, *cells.get(first + 1).or(cells.get(first))?);
    let near = if share < 0.5 { a } else { b };
    if near.bad || a.bad || b.bad {
        return Some(near);
    }
    let lerp = |a: f32, b: f32| a + (b - a) * share;
    let bed = lerp(a.bed, b.bed);
    if a.wet && b.wet {
        return Some(Column {
            bed,
            surface: lerp(a.surface, b.surface),
            value: lerp(a.value, b.value),
            wet: true,
            bad: false,
        });
    }
    // At a shore the surface stays level until it meets the ground; past a falling front's edge,
    // which is the edge of its cell, there is none.
    let wet = if a.wet { a } else { b };
    let reaches = near.wet || wet.surface < near.bed;
    let over_ground = (a.wet || b.wet) && wet.surface > bed && reaches;
    Some(Column {
        bed,
        surface: if over_ground { wet.surface } else { bed },
        value: wet.value,
        wet: over_ground,
        bad: false,
    })
}

fn average(cells: &[Column]) -> Option<Column> {
    let n = cells.len() as f32;
    let mean = |of: fn(&Column) -> f32| cells.iter().map(of).sum::<f32>() / n;
    let wet = cells.iter().filter(|c| c.wet).count() as f32;
    let bed = mean(|c| c.bed);
    let value = cells.iter().filter(|c| c.wet).map(|c| c.value).sum::<f32>() / wet.max(1.0);
    Some(Column { bed, surface: mean(|c| c.surface), value, wet: wet * 2.0 >= n, bad: cells.iter().any(|c| c.bad) })
}
