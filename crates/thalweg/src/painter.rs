//! Pictures of a simulation as one would see it.

use std::sync::Arc;

use thalweg_compute::{Buffer, Executor, Later};
use thalweg_model::Ability;
use thalweg_render::{Camera, Look, Renderer, Show, WaterLook};
use thalweg_scene::{Field, Scene};
use thalweg_shallow::HeightView;
use thalweg_tall::CutField;

use crate::error::Error;
use crate::methods::TallScene;
use crate::methods::view::of_height_field;
use crate::painted_sea::PaintedSea;
use crate::simulation::{Simulation, WaterSurface};

/// A picture: rows from the top, bytes red, green, blue, 255.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across and down.
    pub size: [u32; 2],
    /// `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

/// Draws pictures of one simulation; keeps what they need in memory of its executor.
#[derive(Debug)]
pub struct Painter {
    renderer: Renderer,
    exec: Arc<Executor>,
    /// Elevation at which the block under a height field begins, m.
    floor: f64,
    /// The field of the last cut.
    field: Option<Buffer<f32>>,
    sea: Option<PaintedSea>,
    /// The water of a method that has no view of its own.
    uploaded: Option<Uploaded>,
}

impl Painter {
    /// For a simulation. The block under a height field ends below the lowest ground, by how high ground and water are
    /// now.
    pub fn new(simulation: &mut Simulation) -> Result<Self, Error> {
        let floor = match simulation.abilities().has(Ability::ThreeDimensional) {
            true => 0.0,
            false => base(elevations(&simulation.water_surface_later()?.wait()?)),
        };
        let exec = Arc::clone(simulation.executor());
        let sea = PaintedSea::new(&exec, simulation.scene())?;
        Ok(Self { renderer: Renderer::new(Arc::clone(&exec))?, exec, floor, field: None, sea, uploaded: None })
    }

    /// What a field of rendered pictures is shown as, for [`Look::show`]. Reads the water back for fields of cuts: call it after every
    /// step. Colours go from the least to the largest value in the cut, those of signed fields as far down as up.
    pub fn show(&mut self, simulation: &Simulation, field: Field) -> Result<Show, Error> {
        let (grid, render) = (&simulation.scene().grid, &simulation.scene().render);
        let z = render.slice_z.unwrap_or(grid.origin[1] + 0.5 * f64::from(grid.nz) * grid.cell);
        let kind = match field {
            Field::Cells => return Ok(Show::Cells { z }),
            Field::Velocity => CutField::Speed,
            Field::Pressure => CutField::Pressure,
            Field::Divergence => CutField::Divergence,
            Field::LevelSet => CutField::LevelSet,
            _ => return Ok(Show::Water),
        };
        let scene = simulation.method::<TallScene>().ok_or(Error::OtherSimulation)?;
        let row = (z - grid.origin[1]) / grid.cell - 0.5;
        let last = grid.nz as usize - 1;
        let rows = (row.floor().max(0.0) as usize).min(last)..(row.floor().max(0.0) as usize + 1).min(last) + 1;
        let (values, [low, high]) = scene.water.cut_later(kind, scene.cells_up() as usize, rows)?.wait()?;
        let most = low.abs().max(high.abs()).max(1e-9);
        let range = match kind {
            CutField::Divergence | CutField::LevelSet => [-most, most],
            CutField::Speed | CutField::Pressure => [0.0, most],
        };
        match &self.field {
            Some(buffer) => self.exec.write(buffer, 0, &values)?,
            None => self.field = Some(self.exec.buffer_from("thalweg.field", &values)?),
        }
        Ok(Show::Field { z, range })
    }

    /// Draws the simulation as it is; waits for the executor.
    pub fn draw(&mut self, simulation: &mut Simulation, look: &Look) -> Result<Picture, Error> {
        self.draw_later(simulation, look)?.wait()
    }

    /// The same, while the simulation goes on. On a GPU it does not wait; on a processor the picture is drawn at once.
    pub fn draw_later(&mut self, simulation: &mut Simulation, look: &Look) -> Result<Later<Picture, Error>, Error> {
        let (exec, size) = (Arc::clone(&self.exec), look.size);
        let words = exec.read_async(self.paint(simulation, look)?)?;
        Ok(Later::new(move || {
            Ok(Picture { size, rgba: words.wait()?.into_iter().flat_map(u32::to_le_bytes).collect() })
        }))
    }

    /// Draws the simulation as it is, into a buffer of the executor: a word per pixel with red in the lowest byte, for a window on the same
    /// device. Does not wait.
    pub fn paint(&mut self, simulation: &mut Simulation, look: &Look) -> Result<&Buffer<u32>, Error> {
        let Self { renderer, exec, floor, field, sea, uploaded } = self;
        let time = simulation.time();
        let cells_up = simulation.method::<TallScene>().map_or(1, TallScene::cells_up);
        let drift = sea.as_ref().map(|sea| &sea.velocity);
        let mut view = match simulation.view(*floor, drift)? {
            Some(view) => view,
            None => {
                let water = simulation.water_surface_later()?.wait()?;
                let kept = Uploaded::keep(uploaded, exec, &water, drift)?;
                of_height_field(&simulation.scene().surface_grid(), *floor, kept.view())
            }
        };
        if let Some(sea) = sea {
            exec.submit(|rec| {
                rec.stage("picture");
                sea.record(rec, time)
            })?;
            view.waves = Some(sea.view(view.corner[1], view.cell));
        }
        view.field = field.as_ref().map(|values| (values, cells_up));
        // Drops before a cut would hang in the air.
        view.drops = view.drops.filter(|_| look.show == Show::Water);
        Ok(renderer.paint(&view, look)?)
    }

    /// What is at a pixel of the last picture, which was drawn with this look: a point of the world, m; `None` for the sky. Reads the picture
    /// back and waits for it: for a click, not for every frame.
    pub fn point_at(&self, simulation: &Simulation, look: &Look, pixel: [u32; 2]) -> Result<Option<[f64; 3]>, Error> {
        let Some(cells) = self.renderer.distance_at_later(pixel)?.wait()? else { return Ok(None) };
        let [width, height] = look.size.map(f64::from);
        let place = [(f64::from(pixel[0]) + 0.5) / width, (f64::from(pixel[1]) + 0.5) / height];
        let way = look.camera.through(place, width / height);
        let away = f64::from(cells) * simulation.scene().surface_grid().cell;
        Ok(Some(std::array::from_fn(|axis| look.camera.eye[axis] + away * way[axis])))
    }
}

/// A height field that was read back and brought to the executor again.
#[derive(Debug)]
struct Uploaded {
    state: Buffer<f32>,
    bed: Buffer<f32>,
}

impl Uploaded {
    /// Brings a height field to the executor, and its velocity where somebody asks for it.
    fn keep<'a>(
        kept: &'a mut Option<Self>,
        exec: &Executor,
        water: &WaterSurface,
        drift: Option<&Buffer<[f32; 2]>>,
    ) -> Result<&'a Self, Error> {
        let level: Vec<f32> = water.depth.iter().zip(&water.bed).map(|(depth, bed)| depth + bed.min(0.0)).collect();
        match kept {
            Some(kept) => {
                exec.write(&kept.state, 0, &level)?;
                exec.write(&kept.bed, 0, &water.bed)?;
            }
            None => {
                let (state, bed) =
                    (exec.buffer_from("thalweg.level", &level)?, exec.buffer_from("thalweg.bed", &water.bed)?);
                *kept = Some(Self { state, bed });
            }
        }
        if let Some(drift) = drift {
            let [x, z] = &water.velocity;
            let velocity: Vec<[f32; 2]> = x.iter().zip(z).map(|(x, z)| [*x, *z]).collect();
            exec.write(drift, 0, &velocity)?;
        }
        kept.as_ref().ok_or_else(|| unreachable!("filled above"))
    }

    fn view(&self) -> HeightView<'_> {
        HeightView { state: &self.state, bed: &self.bed, datum: 0.0 }
    }
}

/// Lowest ground and highest ground or water, m.
fn elevations(water: &WaterSurface) -> [f64; 2] {
    let fold = |values: &[f32], begin: f32, pick: fn(f32, f32) -> f32| values.iter().copied().fold(begin, pick);
    let low = fold(&water.bed, f32::INFINITY, f32::min);
    let high = fold(&water.surface, f32::NEG_INFINITY, f32::max).max(fold(&water.bed, f32::NEG_INFINITY, f32::max));
    [low.into(), high.into()]
}

/// Where the block under a height field ends.
fn base([low, high]: [f64; 2]) -> f64 {
    low - 0.08 * (high - low).max(1e-3)
}

/// How the scene wants its pictures, with what it leaves open chosen for it. Call it before the first step: a dry scene and
/// a full one want other cameras.
pub fn look(simulation: &mut Simulation) -> Result<Look, Error> {
    let water = simulation.water_surface_later()?.wait()?;
    let scene = simulation.scene();
    let corner = simulation.method::<TallScene>().map(TallScene::corner);
    let [low, high] = shown_heights(scene, &water, corner);
    let grid = &scene.grid;
    let [x, z] = grid.origin;
    let far = [x + f64::from(grid.nx) * grid.cell, z + f64::from(grid.nz) * grid.cell];
    let (size, wanted) = (scene.render.size, &scene.camera);
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let mut camera = Camera::around([x, low, z], [far[0], high, far[1]], wanted.angles, wanted.field_of_view, aspect);
    for axis in 0..3 {
        camera.eye[axis] = camera.target[axis] + wanted.distance * (camera.eye[axis] - camera.target[axis]);
    }
    if let Some(target) = wanted.target {
        // The camera goes along, unless it has a place of its own.
        camera.eye = std::array::from_fn(|axis| camera.eye[axis] + target[axis] - camera.target[axis]);
        camera.target = target;
    }
    camera.eye = wanted.position.unwrap_or(camera.eye);
    let bed = |pick: fn(f32, f32) -> f32, begin: f32| f64::from(water.bed.iter().copied().fold(begin, pick));
    let is_flat = bed(f32::max, f32::NEG_INFINITY) - bed(f32::min, f32::INFINITY) < 1e-3 * grid.cell;
    let length = (far[0] - x).max(far[1] - z);
    let (render, colours) = (&scene.render, &scene.render.materials);
    let colour = |c: Option<[f64; 3]>, default: [f32; 3]| c.map_or(default, |c| c.map(|v| v as f32));
    // Water as deep as the block is high keeps a seventh of its green.
    let depth = (high - low).max(0.05 * length);
    let absorption = colours.absorption.unwrap_or([3.6 / depth, 1.1 / depth, 0.75 / depth]);
    Ok(Look {
        camera,
        size,
        samples: render.samples,
        sun: render.sun,
        exposure: render.exposure,
        water: WaterLook { absorption, body: colour(colours.water, [0.012, 0.10, 0.14]) },
        ground: colour(colours.ground, if is_flat { [0.60, 0.60, 0.57] } else { [0.56, 0.46, 0.32] }),
        tile: if is_flat { nice_below(length / 8.0) } else { 0.0 },
        obstacles: colour(colours.obstacles, [0.70, 0.34, 0.16]),
        edges: is_flat,
        show: Show::Water,
    })
}

/// Heights between which there will be something to see, m.
fn shown_heights(scene: &Scene, water: &WaterSurface, corner: Option<[f64; 3]>) -> [f64; 2] {
    let [low, high] = elevations(water);
    let Some(corner) = corner else { return [base([low, high]), high] };
    let is_dry = water.depth.iter().all(|d| *d <= 0.0);
    // Splashes rise above the highest water, and nobody knows where water that comes later will stand.
    let room = if is_dry { 0.4 * scene.grid.height } else { 0.3 * (high - corner[1]) };
    [corner[1], (high + room).min(corner[1] + scene.grid.height)]
}

/// The next smaller of 1, 2, 5 times a power of ten.
fn nice_below(x: f64) -> f64 {
    let base = 10f64.powf(x.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|m| m * base).find(|nice| *nice <= x * 1.001).unwrap_or(base)
}
