//! Pictures of the run: as one would see it, from above, and cut vertically.

use thalweg::render::Look;
use thalweg::{Painter, Simulation, WaterSurface};
use thalweg_io::Image;
use thalweg_io::plan::{FieldKind, PlanView, SectionView, draw, draw_section};
use thalweg_scene::{Boundary, Field, Inflow, Scene};

use super::folder::Folder;
use crate::failure::Outcome;

/// Draws frames; colour scales that the scene leaves open widen by nice steps as the water asks for it.
pub(super) struct Pictures<'a> {
    folder: &'a Folder,
    title: String,
    width: usize,
    /// z of the vertical cut, m.
    slice_z: Option<f64>,
    scales: Vec<Scale>,
    /// What draws rendered pictures, if there are any.
    painter: Option<(Painter, Look)>,
}

struct Scale {
    field: Field,
    range: Option<[f32; 2]>,
    fixed: bool,
    /// Still level in the middle of a surface's scale.
    middle: f32,
}

impl<'a> Pictures<'a> {
    /// Before the first step, or the load of a checkpoint: the camera is chosen by the water at the start.
    pub(super) fn new(simulation: &mut Simulation, folder: &'a Folder, off: bool) -> Outcome<Self> {
        let scene = simulation.scene().clone();
        let wanted = if off || !scene.output.frames { &[][..] } else { &scene.render.fields[..] };
        let scales: Vec<Scale> = wanted.iter().map(|&field| Scale::new(&scene, field)).collect();
        let (title, width, slice_z) = (scene.name.clone(), scene.render.width as usize, scene.render.slice_z);
        let is_rendered = scales.iter().any(|scale| scale.field.is_rendered());
        let painter = if is_rendered { Some((Painter::new(simulation)?, thalweg::look(simulation)?)) } else { None };
        Ok(Self { folder, title, width, slice_z, scales, painter })
    }

    /// Draws every field of the scene.
    pub(super) fn draw(&mut self, simulation: &mut Simulation, frame: u64) -> Outcome {
        if self.scales.iter().any(|scale| scale.field == Field::Side) {
            self.draw_side(simulation, frame)?;
        }
        self.render(simulation, frame)?;
        if self.scales.iter().all(|scale| !is_plan(scale.field)) {
            return Ok(());
        }
        let time = simulation.time();
        let water = simulation.water_surface()?;
        for scale in self.scales.iter_mut().filter(|scale| is_plan(scale.field)) {
            let (kind, values) = values(&water, scale.field);
            scale.widen(&values, &water.depth);
            let view = PlanView {
                nx: water.size[0],
                nz: water.size[1],
                cell: water.cell,
                origin: water.origin,
                bed: &water.bed,
                depth: &water.depth,
                field: kind,
                values: &values,
                range: scale.range.unwrap_or([0.0, 1.0]),
                // Thinner than this is wet ground, not water: rain would paint everything blue.
                dry_depth: (4e-3 * water.cell) as f32,
                title: &self.title,
                time,
                width: self.width,
            };
            draw(&view).write_png(self.folder.frame(scale.field.name(), frame))?;
        }
        Ok(())
    }

    fn render(&mut self, simulation: &mut Simulation, frame: u64) -> Outcome {
        let Some((painter, look)) = &mut self.painter else { return Ok(()) };
        for scale in self.scales.iter().filter(|scale| scale.field.is_rendered()) {
            look.show = painter.show(simulation, scale.field)?;
            let picture = painter.draw(simulation, look)?;
            let [width, height] = picture.size.map(|n| n as usize);
            let rgb = picture.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
            Image { width, height, rgb }.write_png(self.folder.frame(scale.field.name(), frame))?;
        }
        Ok(())
    }

    fn draw_side(&self, simulation: &Simulation, frame: u64) -> Outcome {
        let Some(cut) = simulation.section(self.slice_z)? else { return Ok(()) };
        let view = SectionView {
            nx: cut.size[0],
            ny: cut.size[1],
            cell: cut.cell,
            origin: cut.origin,
            water: &cut.water,
            obstacles: &cut.obstacles,
            ground: &cut.ground,
            tall_tops: &cut.tall_tops,
            title: &self.title,
            time: simulation.time(),
            width: self.width,
        };
        Ok(draw_section(&view).write_png(self.folder.frame(Field::Side.name(), frame))?)
    }

    /// The colour scales as far as they have widened, for a checkpoint.
    pub(super) fn ranges(&self) -> Vec<Option<[f32; 2]>> {
        self.scales.iter().map(|s| s.range).collect()
    }

    /// Takes the colour scales up again, so that a resumed run's pictures match those before.
    pub(super) fn restore(&mut self, ranges: &[Option<[f32; 2]>]) {
        // Another number: the pictures were switched on or off since.
        if ranges.len() == self.scales.len() {
            self.scales.iter_mut().zip(ranges).filter(|(s, _)| !s.fixed).for_each(|(s, range)| s.range = *range);
        }
    }

    /// Names of the fields that are drawn.
    pub(super) fn fields(&self) -> Vec<&'static str> {
        self.scales.iter().map(|s| s.field.name()).collect()
    }
}

/// Whether a picture shows a field from above.
fn is_plan(field: Field) -> bool {
    !field.is_rendered() && field != Field::Side
}

fn values(water: &WaterSurface, field: Field) -> (FieldKind, Vec<f32>) {
    match field {
        Field::Depth => (FieldKind::Depth, water.depth.clone()),
        Field::Surface => (FieldKind::Surface, water.surface.clone()),
        _ => {
            let [u, w] = &water.velocity;
            (FieldKind::Speed, u.iter().zip(w).map(|(u, w)| u.hypot(*w)).collect())
        }
    }
}

impl Scale {
    fn new(scene: &Scene, field: Field) -> Self {
        let fixed = scene.render.range(field).map(|[a, b]| [a as f32, b as f32]);
        let sides = &scene.boundary;
        let held = [&sides.west, &sides.east, &sides.south, &sides.north].into_iter().find_map(|b| match b {
            Boundary::Open { level, .. } | Boundary::Wave { level, .. } | Boundary::Ocean { level, .. } => *level,
            Boundary::Inflow { kind: Inflow::Surface(series), .. } => Some(series.at(0.0)),
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
        let reach = |v: f32| if self.field == Field::Surface { (v - self.middle).abs() } else { v };
        let place = (wet.len() - 1) * 199 / 200;
        let (_, &mut high, _) = wet.select_nth_unstable_by(place, |a, b| reach(*a).total_cmp(&reach(*b)));
        let now = self.range.map_or(0.0, |[_, b]| reach(b));
        let wanted = reach(high);
        if wanted > now {
            let wide = nice_above(wanted.max(1e-3));
            self.range = Some(match self.field {
                Field::Surface => [self.middle - wide, self.middle + wide],
                _ => [0.0, wide],
            });
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
