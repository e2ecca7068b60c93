//! Pictures of the run: as one would see it, from above, and cut vertically. The water is read while the simulation
//! waits; workers draw it.

use std::borrow::Cow;
use std::sync::Arc;

use thalweg_compute::Later;
use thalweg_io::Image;
use thalweg_io::plan::{FieldKind, PlanView, SectionView, draw, draw_section};
use thalweg_render::Look;
use thalweg_scene::{Field, Inflow, Scene, Side};

use super::sequence::{Sequence, Turn};
use super::stage_times::{Stage, StageTimes};
use super::{Moment, Outcome, OutputError, Product, Task};
use crate::{Error, Painter, Picture, Simulation, WaterSection, WaterSurface};

/// Reads the water for the pictures of a frame.
pub struct Pictures {
    brush: Brush,
    /// z of the vertical cut, m.
    slice_z: Option<f64>,
    fields: Vec<Field>,
    /// Of all fields. Colour scales that the scene leaves open widen by nice steps as the water asks for it, frame by
    /// frame.
    scales: Sequence<Vec<Scale>>,
    /// What draws rendered pictures, if there are any.
    painter: Option<(Painter, Look)>,
}

/// What all pictures have in common.
#[derive(Clone)]
struct Brush {
    title: Arc<str>,
    width: usize,
    /// The field that the video shows.
    filmed: Option<Field>,
}

/// The colour scale of a field.
pub(super) struct Scale {
    field: Field,
    range: Option<[f32; 2]>,
    fixed: bool,
    /// Still level in the middle of a surface's scale.
    middle: f32,
}

impl Pictures {
    /// Those that the scene asks for, before the first step or the load of a checkpoint: the camera is chosen by the
    /// water at the start.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn new(simulation: &mut Simulation) -> Result<Self, OutputError> {
        let scene = simulation.scene().clone();
        let fields = if scene.output.frames { scene.render.fields.clone() } else { Vec::new() };
        let filmed = fields.first().copied().filter(|_| scene.output.animation);
        let brush = Brush { title: scene.name.as_str().into(), width: scene.render.width as usize, filmed };
        let is_rendered = fields.iter().any(|field| field.is_rendered());
        let painter = if is_rendered { Some((Painter::new(simulation)?, crate::look(simulation)?)) } else { None };
        let scales = Sequence::new(fields.iter().map(|&field| Scale::new(&scene, field)).collect());
        Ok(Self { brush, slice_z: scene.render.slice_z, fields, scales, painter })
    }

    /// No pictures at all.
    pub fn none() -> Self {
        let brush = Brush { title: "".into(), width: 0, filmed: None };
        Self { brush, slice_z: None, fields: Vec::new(), scales: Sequence::new(Vec::new()), painter: None }
    }

    /// Names of the fields that are drawn.
    pub fn fields(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name()).collect()
    }

    /// The field that the video shows, if there shall be one.
    pub fn filmed(&self) -> Option<&'static str> {
        self.brush.filmed.map(Field::name)
    }

    /// Whether anything looks at the water from above.
    pub(super) fn wants_surface(&self) -> bool {
        self.fields.iter().any(|&field| is_plan(field))
    }

    /// Reads the water for every field of the scene.
    pub(super) fn read(&mut self, simulation: &mut Simulation, moment: &Moment) -> Outcome<Vec<Task>> {
        let mut tasks: Vec<Task> = Vec::new();
        let frame = moment.frame;
        if self.fields.contains(&Field::Side)
            && let Some(cut) = simulation.section_later(self.slice_z)?
        {
            let (brush, time) = (self.brush.clone(), moment.time);
            tasks.push(Box::new(move |times| {
                let image = times.time(Stage::Draw, || brush.cut(cut, time))?;
                Ok(vec![brush.compressed(image, Field::Side, frame, times)?])
            }));
        }
        if let Some((painter, look)) = &mut self.painter {
            for &field in self.fields.iter().filter(|field| field.is_rendered()) {
                look.show = painter.show(simulation, field)?;
                let picture = painter.draw_later(simulation, look)?;
                let brush = self.brush.clone();
                tasks.push(Box::new(move |times| {
                    let image = times.time(Stage::Draw, || developed(picture))?;
                    Ok(vec![brush.compressed(image, field, frame, times)?])
                }));
            }
        }
        if self.fields.iter().any(|&field| is_plan(field)) {
            let (brush, time, scales) = (self.brush.clone(), moment.time, self.scales.turn());
            let surface = moment.surface_later(simulation)?;
            tasks.push(Box::new(move |times| {
                let plans = times.time(Stage::Draw, || brush.plans(surface, scales, time))?;
                plans.into_iter().map(|(field, image)| brush.compressed(image, field, frame, times)).collect()
            }));
        }
        Ok(tasks)
    }

    /// The colour scales as they are after the frames that have been read so far.
    pub(super) fn scales(&mut self) -> Turn<Vec<Scale>> {
        self.scales.turn()
    }

    /// Takes the colour scales up again, so that a resumed run's pictures match those before.
    pub fn restore(&mut self, ranges: &[Option<[f32; 2]>]) {
        // The first turn does not wait.
        let _ = self.scales.turn().run(|scales| {
            // Another number: the pictures were switched on or off since.
            if ranges.len() == scales.len() {
                scales.iter_mut().zip(ranges).filter(|(s, _)| !s.fixed).for_each(|(s, range)| s.range = *range);
            }
        });
    }
}

/// The ranges of scales, for a checkpoint.
pub(super) fn ranges(scales: &[Scale]) -> Vec<Option<[f32; 2]>> {
    scales.iter().map(|scale| scale.range).collect()
}

fn developed(picture: Later<Picture, Error>) -> Outcome<Image> {
    let picture = picture.wait()?;
    let [width, height] = picture.size.map(|n| n as usize);
    let rgb = picture.rgba.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    Ok(Image { width, height, rgb })
}

impl Brush {
    fn cut(&self, cut: Later<WaterSection, Error>, time: f64) -> Outcome<Image> {
        let cut = cut.wait()?;
        Ok(draw_section(&SectionView {
            nx: cut.size[0],
            ny: cut.size[1],
            cell: cut.cell,
            origin: cut.origin,
            water: &cut.water,
            obstacles: &cut.obstacles,
            ground: &cut.ground,
            tall_tops: &cut.tall_tops,
            title: &self.title,
            time,
            width: self.width,
        }))
    }

    /// All fields that are seen from above.
    fn plans(
        &self,
        surface: Later<Arc<WaterSurface>, Error>,
        scales: Turn<Vec<Scale>>,
        time: f64,
    ) -> Outcome<Vec<(Field, Image)>> {
        let water = surface.wait()?;
        let widened = scales.run(|scales| {
            let plans = scales.iter_mut().filter(|scale| is_plan(scale.field));
            let widened = plans.map(|scale| {
                let shown = Shown::new(&water, scale.field);
                scale.widen(&shown.values, &shown.depth);
                (scale.field, shown, scale.range.unwrap_or([0.0, 1.0]))
            });
            widened.collect::<Vec<_>>()
        })?;
        let drawn = widened.into_iter().map(|(field, shown, range)| {
            let view = PlanView {
                nx: water.size[0],
                nz: water.size[1],
                cell: water.cell,
                origin: water.origin,
                bed: &water.bed,
                depth: &shown.depth,
                field: shown.kind,
                values: &shown.values,
                range,
                // Thinner than this is wet ground, not water: rain would paint everything blue. Maps over time have a
                // limit of their own.
                dry_depth: if field.is_over_time() { 0.0 } else { (4e-3 * water.cell) as f32 },
                title: &self.title,
                time,
                width: self.width,
            };
            (field, draw(&view))
        });
        Ok(drawn.collect())
    }

    /// Compresses a picture.
    fn compressed(&self, image: Image, field: Field, frame: u64, times: &StageTimes) -> Outcome<Product> {
        let png = times.time(Stage::Write, || image.encode_png())?;
        let image = (self.filmed == Some(field)).then_some(image);
        Ok(Product::Picture { field: field.name(), frame, png, image })
    }
}

/// Whether a picture shows a field from above.
fn is_plan(field: Field) -> bool {
    !field.is_rendered() && field != Field::Side
}

/// A field from above, and the water that it is on: of maps over time wherever there ever was any.
struct Shown<'a> {
    kind: FieldKind,
    values: Cow<'a, [f32]>,
    depth: Cow<'a, [f32]>,
}

impl<'a> Shown<'a> {
    fn new(water: &'a WaterSurface, field: Field) -> Self {
        let now = |kind, values| Self { kind, values, depth: Cow::Borrowed(&water.depth) };
        let speed = || water.velocity[0].iter().zip(&water.velocity[1]).map(|(u, w)| u.hypot(*w)).collect();
        if !field.is_over_time() {
            return match field {
                Field::Depth => now(FieldKind::Depth, Cow::Borrowed(&water.depth)),
                Field::Surface => now(FieldKind::Surface, Cow::Borrowed(&water.surface)),
                _ => now(FieldKind::Speed, speed()),
            };
        }
        let maps = water.maps.as_ref().expect("a scene without maps over time that shows one is refused");
        let (kind, values) = match field {
            Field::MaxSurface => (FieldKind::MaxSurface, &maps.surface),
            Field::MaxSpeed => (FieldKind::MaxSpeed, &maps.speed),
            Field::Arrival => (FieldKind::Arrival, &maps.arrival),
            Field::PeakTime => (FieldKind::PeakTime, &maps.peak),
            _ => (FieldKind::MaxDepth, &maps.depth),
        };
        // Ground that never was wet is dry.
        let depth = maps.depth.iter().map(|depth| if depth.is_nan() { 0.0 } else { *depth }).collect();
        Self { kind, values: Cow::Borrowed(values), depth }
    }
}

impl Scale {
    fn new(scene: &Scene, field: Field) -> Self {
        let fixed = scene.render.range(field).map(|[a, b]| [a as f32, b as f32]);
        let sides = &scene.boundary;
        let held = [&sides.west, &sides.east, &sides.south, &sides.north].into_iter().find_map(|b| match b {
            Side::Open { level, .. } | Side::Wave { level, .. } | Side::Ocean { level, .. } => *level,
            Side::Inflow { kind: Inflow::Surface(series), .. } | Side::Level { level: series, .. } => {
                Some(series.at(0.0))
            }
            _ => None,
        });
        let middle = scene.water.level.or(held).unwrap_or(0.0) as f32;
        Self { field, range: fixed, fixed: fixed.is_some(), middle }
    }

    /// Takes in the bulk of the values: the outermost half per cent, such as a splash at one cell, may saturate.
    fn widen(&mut self, values: &[f32], depth: &[f32]) {
        if self.fixed {
            return;
        }
        let mut wet: Vec<f32> =
            values.iter().zip(depth).filter(|(v, d)| **d > 1e-3 && v.is_finite()).map(|(v, _)| *v).collect();
        if wet.is_empty() {
            return;
        }
        let is_level = matches!(self.field, Field::Surface | Field::MaxSurface);
        let reach = |v: f32| if is_level { (v - self.middle).abs() } else { v };
        let place = (wet.len() - 1) * 199 / 200;
        let (_, &mut high, _) = wet.select_nth_unstable_by(place, |a, b| reach(*a).total_cmp(&reach(*b)));
        let now = self.range.map_or(0.0, |[_, b]| reach(b));
        let wanted = reach(high);
        if wanted > now {
            let wide = nice_above(wanted.max(1e-3));
            self.range = Some(if is_level { [self.middle - wide, self.middle + wide] } else { [0.0, wide] });
        }
    }
}

/// The next of 1, 2, 5 times a power of ten.
fn nice_above(x: f32) -> f32 {
    let base = 10f32.powf(x.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * base).find(|&n| n >= x * 0.999).unwrap_or(10.0 * base)
}

#[cfg(test)]
mod tests {
    #[test]
    fn scales_end_at_nice_numbers() {
        for (x, nice) in [(0.013, 0.02), (1.0, 1.0), (3.0, 5.0), (740.0, 1000.0)] {
            assert!((super::nice_above(x) / nice - 1.0).abs() < 1e-5, "{x} -> {}", super::nice_above(x));
        }
    }
}
