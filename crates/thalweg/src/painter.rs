//! Pictures of a simulation as one would see it.

use std::sync::Arc;

use thalweg_compute::{Buffer, Executor, Later};
use thalweg_render::{Block, Camera, Look, Renderer, Show, WaterLook, WaterShape, WaveBlock};
use thalweg_scene::{Field, Scene};
use thalweg_tall::{self as tall, CutField};
use thalweg_whitewater::Whitewater;

use crate::error::Error;
use crate::methods::TallScene;
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
    water: Prepared,
    /// The field of the last cut.
    field: Option<Buffer<f32>>,
    sea: Option<PaintedSea>,
}

/// What the renderer reads, by the method that moves the water.
#[derive(Debug)]
enum Prepared {
    Tall(Box<tall::Picture>),
    Shallow(Buffer<[f32; 4]>),
}

impl Painter {
    /// For a simulation.
    pub fn new(simulation: &Simulation) -> Result<Self, Error> {
        let exec = Arc::clone(simulation.executor());
        let water = match simulation.method::<TallScene>() {
            Some(scene) => {
                let mut picture = scene.water.picture(scene.cells_up())?;
                picture.dries_in = simulation.scene().render.dries_in;
                Prepared::Tall(Box::new(picture))
            }
            None => {
                let grid = simulation.scene().surface_grid();
                Prepared::Shallow(exec.buffer("thalweg.ground", grid.nx as usize * grid.nz as usize)?)
            }
        };
        let sea = PaintedSea::new(&exec, simulation.scene())?;
        Ok(Self { renderer: Renderer::new(Arc::clone(&exec))?, exec, water, field: None, sea })
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
        let (values, [low, high]) = scene.water.cut(kind, scene.cells_up() as usize, rows)?;
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
        self.draw_later(simulation, None, look)?.wait()
    }

    /// The same, while the simulation goes on. On a GPU it does not wait; on a processor the picture is drawn at once. `surface` is that of the
    /// simulation as it is, if somebody has it: height fields are drawn by it.
    pub fn draw_later(
        &mut self,
        simulation: &mut Simulation,
        surface: Option<&WaterSurface>,
        look: &Look,
    ) -> Result<Later<Picture, Error>, Error> {
        let (exec, size) = (Arc::clone(&self.exec), look.size);
        let words = exec.read_async(self.paint_surface(simulation, surface, look)?)?;
        Ok(Later::new(move || {
            Ok(Picture { size, rgba: words.wait()?.into_iter().flat_map(u32::to_le_bytes).collect() })
        }))
    }

    /// Draws the simulation as it is, into a buffer of the executor: a word per pixel with red in the lowest byte, for a window on the same
    /// device. Does not wait.
    pub fn paint(&mut self, simulation: &mut Simulation, look: &Look) -> Result<&Buffer<u32>, Error> {
        self.paint_surface(simulation, None, look)
    }

    fn paint_surface(
        &mut self,
        simulation: &mut Simulation,
        surface: Option<&WaterSurface>,
        look: &Look,
    ) -> Result<&Buffer<u32>, Error> {
        let Self { renderer, exec, water, field, sea } = self;
        let time = simulation.time();
        Ok(match water {
            Prepared::Tall(picture) => {
                let scene = simulation.method::<TallScene>().ok_or(Error::OtherSimulation)?;
                let mut rec = exec.record();
                rec.stage("picture");
                let foam = scene.whitewater.as_ref().map(Whitewater::foam);
                scene.water.record_picture(&mut rec, picture, foam)?;
                if let Some(sea) = sea {
                    scene.water.record_drift(&mut rec, &sea.velocity)?;
                    sea.record(&mut rec, time)?;
                }
                rec.submit()?;
                let waves = sea.as_ref().map(|sea| sea.block(scene.corner()[1], scene.water.cell()));
                let mut block = Block { waves, ..tall_block(scene, picture, field.as_ref()) };
                // Drops before a cut would hang in the air.
                block.drops = block.drops.filter(|_| look.show == Show::Water);
                renderer.paint(&block, look)?
            }
            Prepared::Shallow(ground) => {
                let own;
                let surface = match surface {
                    Some(surface) => surface,
                    None => {
                        own = simulation.water_surface()?;
                        &own
                    }
                };
                let block = shallow_block(exec, surface, ground)?;
                let waves = shallow_waves(exec, surface, sea.as_mut(), time, block.corner[1])?;
                renderer.paint(&Block { waves, ..block }, look)?
            }
        })
    }

    /// What is at a pixel of the last picture, which was drawn with this look: a point of the world, m; `None` for the sky. Reads the picture
    /// back: for a click, not for every frame.
    pub fn point_at(&self, simulation: &Simulation, look: &Look, pixel: [u32; 2]) -> Result<Option<[f64; 3]>, Error> {
        let Some(cells) = self.renderer.distance_at(pixel)? else { return Ok(None) };
        let [width, height] = look.size.map(f64::from);
        let place = [(f64::from(pixel[0]) + 0.5) / width, (f64::from(pixel[1]) + 0.5) / height];
        let way = look.camera.through(place, width / height);
        let away = f64::from(cells) * simulation.scene().surface_grid().cell;
        Ok(Some(std::array::from_fn(|axis| look.camera.eye[axis] + away * way[axis])))
    }
}

fn tall_block<'a>(scene: &'a TallScene, picture: &'a tall::Picture, field: Option<&'a Buffer<f32>>) -> Block<'a> {
    let obstacles = scene.water.obstacle_words();
    let shape = scene.water.shape();
    Block {
        corner: scene.corner(),
        cell: scene.water.cell(),
        columns: [shape.nx as u32, shape.nz as u32],
        height: scene.cells_up() as f32,
        water: WaterShape::LevelSet { values: &picture.lattice, size: picture.size, per_cell: picture.per_cell },
        ground: &picture.ground,
        obstacles: obstacles.map(|(words, _, count)| (words, count)),
        distances: obstacles.map(|(_, distances, _)| distances),
        field: field.map(|values| (values, scene.cells_up())),
        drops: scene.whitewater.as_ref().map(Whitewater::places),
        waves: None,
    }
}

/// Water thinner than this part of a cell is wet ground.
const FILM: f32 = 4e-3;

/// The block of a height field; it ends below the lowest ground.
fn shallow_block<'a>(exec: &Executor, water: &WaterSurface, ground: &'a Buffer<[f32; 4]>) -> Result<Block<'a>, Error> {
    let cell = water.cell;
    let [low, high] = elevations(water);
    let ([nx, nz], base) = (water.size, base(low, high));
    let height = |y: f32| ((f64::from(y) - base) / cell) as f32;
    let is_wet = |at: usize| f64::from(water.depth[at]) > f64::from(FILM) * cell;
    let words: Vec<[f32; 4]> = (0..nx * nz)
        .map(|at| {
            let (bed, wet) = (height(water.bed[at]), is_wet(at));
            if wet {
                return [bed, 1.0, 0.0, height(water.surface[at])];
            }
            // On dry ground the surface goes on below it at the level of the water beside: the waterline is then level.
            let (i, k) = (at % nx, at / nx);
            let around = [(i > 0, -1), (i + 1 < nx, 1), (k > 0, -(nx as isize)), (k + 1 < nz, nx as isize)];
            let beside = around.into_iter().filter(|(exists, _)| *exists).map(|(_, step)| at.wrapping_add_signed(step));
            let level = beside.filter(|at| is_wet(*at)).map(|at| height(water.surface[at])).fold(f32::MIN, f32::max);
            let damp = if water.depth[at] > 0.0 || level > f32::MIN { 1.0 } else { 0.0 };
            [bed, damp, 0.0, level.min(bed - 0.02).max(bed - 4.0)]
        })
        .collect();
    exec.write(ground, 0, &words)?;
    Ok(Block {
        corner: [water.origin[0], base, water.origin[1]],
        cell,
        columns: [nx as u32, nz as u32],
        height: ((high - base) / cell) as f32 + 0.5,
        water: WaterShape::Heights,
        ground,
        obstacles: None,
        distances: None,
        field: None,
        drops: None,
        waves: None,
    })
}

/// The sea of a scene of shallow water, over a block that begins at an elevation, m.
fn shallow_waves<'a>(
    exec: &Executor,
    water: &WaterSurface,
    sea: Option<&'a mut PaintedSea>,
    time: f64,
    floor: f64,
) -> Result<Option<WaveBlock<'a>>, Error> {
    let Some(sea) = sea else { return Ok(None) };
    let [x, z] = &water.velocity;
    let velocity: Vec<[f32; 2]> = x.iter().zip(z).map(|(x, z)| [*x, *z]).collect();
    exec.write(&sea.velocity, 0, &velocity)?;
    let mut rec = exec.record();
    rec.stage("picture");
    sea.record(&mut rec, time)?;
    rec.submit()?;
    Ok(Some(sea.block(floor, water.cell)))
}

/// Lowest ground and highest ground or water, m.
fn elevations(water: &WaterSurface) -> [f64; 2] {
    let fold = |values: &[f32], begin: f32, pick: fn(f32, f32) -> f32| values.iter().copied().fold(begin, pick);
    let low = fold(&water.bed, f32::INFINITY, f32::min);
    let high = fold(&water.surface, f32::NEG_INFINITY, f32::max).max(fold(&water.bed, f32::NEG_INFINITY, f32::max));
    [low.into(), high.into()]
}

/// Where the block under a height field ends.
fn base(low: f64, high: f64) -> f64 {
    low - 0.08 * (high - low).max(1e-3)
}

/// How the scene wants its pictures, with what it leaves open chosen for it. Call it before the first step: a dry scene and
/// a full one want other cameras.
pub fn look(simulation: &mut Simulation) -> Result<Look, Error> {
    let water = simulation.water_surface()?;
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
    let Some(corner) = corner else { return [base(low, high), high] };
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
