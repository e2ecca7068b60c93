//! The passes of a picture.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Later, Recording};

use crate::edges::{CONTRAST, Edges, EdgesParams, STRONG, squares};
use crate::finish::{Finish, FinishParams};
use crate::heights;
use crate::look::{Look, Show};
use crate::sky::Sky;
use crate::splat::{Splat, SplatParams};
use crate::tiles::{self, TilesParams};
use crate::trace::{Refine, Trace, TraceParams, mode};

/// What there is to see, in memory of the executor. Lengths are in cells from the low corner of the domain.
#[derive(Debug, Clone, Copy)]
pub struct WaterView<'a> {
    /// World coordinates of the corner, m.
    pub corner: [f64; 3],
    /// Edge of a cell, m.
    pub cell: f64,
    /// Columns along x and z.
    pub columns: [u32; 2],
    /// The water and the ground below it.
    pub water: WaterShape<'a>,
    /// Obstacles as [`thalweg_solids::packed`] packs them, and how many.
    pub obstacles: Option<(&'a Buffer<f32>, u32)>,
    /// Distances of obstacles that are meshes.
    pub distances: Option<&'a Buffer<f32>>,
    /// A field at the middles of cells, `j + ny * (i + nx * k)`, and its cells up, for [`Show::Field`].
    pub field: Option<(&'a Buffer<f32>, u32)>,
    /// Drops: place, and kind (0 spray, 1 mist, 2 foam) plus radius (less than 1), 0 for none; and how many.
    pub drops: Option<(&'a Buffer<[f32; 4]>, u32)>,
    /// Waves too small for the cells, and the sea around the view. Cuts do not show them.
    pub waves: Option<WaveView<'a>>,
}

/// Waves of an ocean over the columns of a view.
#[derive(Debug, Clone, Copy)]
pub struct WaveView<'a> {
    /// Tiles and coordinates as [`thalweg_waves::layout`] says.
    pub words: &'a Buffer<f32>,
    /// Tiles, at most 4.
    pub tiles: u32,
    /// Points along the side of a tile.
    pub points: u32,
    /// Strength of the waves on the simulated water; 1 is that of the sea, 0 is none.
    pub texture: f32,
    /// Level of the still sea and height of the highest waves over it, if the sea goes on beyond the view.
    pub far: Option<[f32; 2]>,
}

/// How the surface of the water is given.
#[derive(Debug, Clone, Copy)]
pub enum WaterShape<'a> {
    /// A level set, negative in water.
    LevelSet {
        /// Values in cells of the lattice, y fastest, then x.
        values: &'a Buffer<f32>,
        /// Values along x, y, z.
        size: [u32; 3],
        /// Values along the edge of a cell.
        per_cell: u32,
        /// Per column `i + nx * k`: height of the ground, wetness from 0 to 1, foam from 0 to 1, top of the tall cell.
        ground: &'a Buffer<[f32; 4]>,
        /// Height of the domain.
        height: f32,
    },
    /// A height field; the block ends above its highest water and ground.
    HeightField(HeightField<'a>),
}

/// A height field on equal cells `i + nx * k`, as solvers of shallow water keep it.
#[derive(Debug, Clone, Copy)]
pub struct HeightField<'a> {
    /// Surface of the water above the datum where the bed is below it, depth elsewhere, m; what comes behind the cells
    /// is not read.
    pub level: &'a Buffer<f32>,
    /// Bed above the datum, m.
    pub bed: &'a Buffer<f32>,
    /// Elevation of the datum, m.
    pub datum: f64,
}

/// Draws pictures on an executor; keeps the memory for them.
#[derive(Debug)]
pub struct Renderer {
    exec: Arc<Executor>,
    /// The sun for which the table of the sky stands.
    sky_sun: Option<[f64; 2]>,
    sky: Sky,
    table: Buffer<[f32; 4]>,
    /// Stand for what there is not.
    no_words: Buffer<f32>,
    no_list: Buffer<u32>,
    /// Ground and surface of a height field, per column.
    columns: Option<Buffer<[f32; 4]>>,
    picture: Option<Picture>,
}

/// What is further away than this is the sky, cells.
const SKY: f32 = 1e6;

/// Memory for one size of picture.
#[derive(Debug)]
struct Picture {
    size: [u32; 2],
    edges: Edges,
    image: Buffer<[f32; 4]>,
    spray: Buffer<u32>,
    pixels: Buffer<u32>,
}

impl Renderer {
    /// Takes the memory that does not depend on the size of pictures.
    pub fn new(exec: Arc<Executor>) -> Result<Self, ComputeError> {
        let sky = Sky::new(Vec3::Y);
        Ok(Self {
            table: exec.buffer_from("render.sky", &sky.table)?,
            no_words: exec.buffer("render.nothing", 1)?,
            no_list: exec.buffer("render.no_list", 1)?,
            exec,
            sky_sun: None,
            sky,
            columns: None,
            picture: None,
        })
    }

    /// Draws a picture and waits for it: rows from the top, bytes red, green, blue, 255.
    pub fn draw(&mut self, view: &WaterView<'_>, look: &Look) -> Result<Vec<u8>, ComputeError> {
        let exec = Arc::clone(&self.exec);
        let pixels = exec.read_async(self.paint(view, look)?)?;
        Ok(bytemuck::cast_slice(&pixels.wait()?).to_vec())
    }

    /// Draws a picture that stays on the executor, a word per pixel with red in the lowest byte; does not wait.
    pub fn paint(&mut self, view: &WaterView<'_>, look: &Look) -> Result<&Buffer<u32>, ComputeError> {
        let exec = Arc::clone(&self.exec);
        exec.submit(|rec| {
            rec.stage("render");
            self.record(rec, view, look)
        })
    }

    /// Records a picture; its pixels are in the buffer that is returned, a word each with red in the lowest byte.
    pub fn record(
        &mut self,
        rec: &mut Recording<'_>,
        view: &WaterView<'_>,
        look: &Look,
    ) -> Result<&Buffer<u32>, ComputeError> {
        self.light(view, look)?;
        let params = self.params(view, look);
        let Self { exec, no_words, no_list, table, columns, picture, sky, .. } = self;
        let picture = Picture::of_size(picture, exec, look.size)?;
        let Picture { edges, image, spray, pixels, .. } = picture;
        let count = (look.size[0] * look.size[1]) as usize;
        let (water, ground) = match &view.water {
            WaterShape::LevelSet { values, ground, .. } => (*values, *ground),
            WaterShape::HeightField(field) => {
                let place = (view.columns, view.corner[1], view.cell);
                (&*no_words, heights::record(rec, exec, columns, field, place)?)
            }
        };
        let obstacles = view.obstacles.map_or(&*no_words, |(words, _)| words);
        let distances = view.distances.unwrap_or(no_words);
        // The same words hold what a cut shows or the waves that a cut does not show.
        let field = match view.waves.filter(|_| params.waves > 0) {
            Some(waves) => waves.words,
            None => view.field.map_or(&*no_words, |(values, _)| values),
        };
        let sky_table = &*table;
        let all = Dispatch::Elements(count);
        let TraceParams { nx, nz, lattice_x, lattice_y, lattice_z, per_cell, height_field, .. } = params;
        let of_tiles = TilesParams { nx, nz, lattice_x, lattice_y, lattice_z, per_cell, height_field };
        tiles::record(rec, &of_tiles, (water, ground), sky_table)?;
        let trace = Trace { water, ground, obstacles, distances, field, sky: sky_table, list: no_list, image };
        rec.run(&trace, &params, squares(look.size))?;
        if look.samples > 1 {
            let TraceParams { width, height, samples, exposure, .. } = params;
            // Thin lines, of the block or of cells, want their rays.
            let anywhere = if params.waves > 0 && params.edge == 0.0 { STRONG } else { CONTRAST };
            let of_edges = EdgesParams { width, height, samples, exposure, anywhere };
            edges.record(rec, &of_edges, image)?;
            let (list, rays) = (&edges.list, &edges.rays);
            let refine = Refine { water, ground, obstacles, distances, field, sky: sky_table, list, image: rays };
            rec.run(&refine, &params, edges.of_rays())?;
            edges.gather(rec, &of_edges, image)?;
        }
        rec.clear(spray)?;
        if let Some((drops, count)) = view.drops.filter(|(_, count)| *count > 0) {
            let kernel = Splat { drops, image, spray };
            rec.run(&kernel, &splat_params(&params, count), Dispatch::Elements(count as usize))?;
        }
        let [spray_r, spray_g, spray_b] = (0.8 * (sky.sun * 0.3 + sky.mean)).to_array();
        let finish = FinishParams { pixels: count as u32, exposure: params.exposure, spray_r, spray_g, spray_b };
        rec.run(&Finish { image, spray, pixels }, &finish, all)?;
        Ok(pixels)
    }

    /// Distance along the axis of the camera, in cells, to what is at a pixel of the last picture; `None` for the sky,
    /// and where there is no picture. Reads the whole picture back: for a click, not for every frame.
    pub fn distance_at_later(&self, [x, y]: [u32; 2]) -> Result<Later<Option<f32>>, ComputeError> {
        let picture = self.picture.as_ref().filter(|picture| x < picture.size[0] && y < picture.size[1]);
        let Some(Picture { size: [width, _], image, .. }) = picture else { return Ok(Later::known(None)) };
        let (image, at) = (self.exec.read_async(image)?, (x + width * y) as usize);
        Ok(Later::new(move || {
            let away = image.wait()?[at][3];
            Ok((away < SKY).then_some(away))
        }))
    }

    /// Makes the table of the sky for the sun of a look, with room behind it for the tiles of a view.
    fn light(&mut self, view: &WaterView<'_>, look: &Look) -> Result<(), ComputeError> {
        let room = tiles::room(view.columns);
        if self.table.len() < room {
            self.table = self.exec.buffer("render.sky", room)?;
            self.sky_sun = None;
        }
        if self.sky_sun != Some(look.sun) {
            self.sky = Sky::new(direction(look.sun));
            self.exec.write(&self.table, 0, &self.sky.table)?;
            self.sky_sun = Some(look.sun);
        }
        Ok(())
    }

    fn params(&self, view: &WaterView<'_>, look: &Look) -> TraceParams {
        let [width, height] = look.size;
        let frame = look.camera.frame(f64::from(width) / f64::from(height));
        let eye = ((DVec3::from(look.camera.eye) - DVec3::from(view.corner)) / view.cell).as_vec3();
        let sun = direction(look.sun);
        let absorb = look.water.absorption.map(|a| (a * view.cell) as f32);
        let [nx, nz] = view.columns;
        let ([lattice_x, lattice_y, lattice_z], per_cell, top, height_field) = match view.water {
            WaterShape::LevelSet { size, per_cell, height, .. } => (size, per_cell, height, 0),
            // A kernel finds the top.
            WaterShape::HeightField(_) => ([1; 3], 1, 0.0, 1),
        };
        let (mode, cut, range) = match look.show {
            Show::Water => (mode::WATER, None, [0.0, 1.0]),
            Show::Cells { z } => (mode::CELLS, Some(z), [0.0, 1.0]),
            Show::Field { z, range } => (mode::FIELD, Some(z), range),
        };
        let end_z = cut.map_or(nz as f32, |z| ((z - view.corner[2]) / view.cell).clamp(0.5, nz.into()) as f32);
        let waves = view.waves.filter(|_| look.show == Show::Water);
        let far = waves.and_then(|w| w.far);
        let diagonal = (nx as f32).hypot(nz as f32);
        TraceParams {
            width,
            height,
            samples: look.samples,
            mode,
            nx,
            nz,
            lattice_x,
            lattice_y,
            lattice_z,
            per_cell: per_cell as f32,
            field_y: view.field.map_or(1, |(_, up)| up),
            height_field,
            obstacle_count: view.obstacles.map_or(0, |(_, count)| count),
            eye_x: eye.x,
            eye_y: eye.y,
            eye_z: eye.z,
            right_x: frame.right.x,
            right_y: frame.right.y,
            right_z: frame.right.z,
            up_x: frame.up.x,
            up_y: frame.up.y,
            up_z: frame.up.z,
            forward_x: frame.forward.x,
            forward_y: frame.forward.y,
            forward_z: frame.forward.z,
            top,
            end_z,
            sun_x: sun.x,
            sun_y: sun.y,
            sun_z: sun.z,
            sunlight_r: self.sky.sun.x,
            sunlight_g: self.sky.sun.y,
            sunlight_b: self.sky.sun.z,
            skylight_r: self.sky.mean.x,
            skylight_g: self.sky.mean.y,
            skylight_b: self.sky.mean.z,
            absorb_r: absorb[0],
            absorb_g: absorb[1],
            absorb_b: absorb[2],
            body_r: look.water.body[0],
            body_g: look.water.body[1],
            body_b: look.water.body[2],
            ground_r: look.ground[0],
            ground_g: look.ground[1],
            ground_b: look.ground[2],
            obstacle_r: look.obstacles[0],
            obstacle_g: look.obstacles[1],
            obstacle_b: look.obstacles[2],
            tile: (look.tile / view.cell) as f32,
            edge: if look.edges && far.is_none() { 1.5e-3 * diagonal } else { 0.0 },
            field_low: range[0],
            field_high: range[1],
            exposure: libm::exp2(look.exposure) as f32,
            waves: waves.map_or(0, |w| w.tiles),
            wave_points: waves.map_or(0, |w| w.points),
            texture: waves.map_or(0.0, |w| w.texture),
            far: u32::from(far.is_some()),
            sea: far.map_or(0.0, |[level, _]| level),
            crests: far.map_or(0.0, |[_, crests]| crests),
            pixel: 2.0 * frame.up.length() / height as f32,
        }
    }
}

impl Picture {
    fn of_size<'a>(slot: &'a mut Option<Self>, exec: &Executor, size: [u32; 2]) -> Result<&'a Self, ComputeError> {
        if slot.as_ref().is_none_or(|picture| picture.size != size) {
            let pixels = (size[0] * size[1]) as usize;
            *slot = Some(Self {
                size,
                edges: Edges::new(exec, pixels)?,
                image: exec.buffer("render.image", pixels)?,
                spray: exec.buffer("render.spray", pixels)?,
                pixels: exec.buffer("render.pixels", pixels)?,
            });
        }
        slot.as_ref().ok_or_else(|| unreachable!("filled above"))
    }
}

/// Unit vector towards azimuth and elevation in degrees; see [`Look::sun`].
fn direction([azimuth, elevation]: [f64; 2]) -> Vec3 {
    let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
    let flat = libm::cos(elevation);
    DVec3::new(libm::sin(azimuth) * flat, libm::sin(elevation), libm::cos(azimuth) * flat).as_vec3()
}

fn splat_params(p: &TraceParams, count: u32) -> SplatParams {
    SplatParams {
        count,
        width: p.width,
        height: p.height,
        eye_x: p.eye_x,
        eye_y: p.eye_y,
        eye_z: p.eye_z,
        right_x: p.right_x,
        right_y: p.right_y,
        right_z: p.right_z,
        up_x: p.up_x,
        up_y: p.up_y,
        up_z: p.up_z,
        forward_x: p.forward_x,
        forward_y: p.forward_y,
        forward_z: p.forward_z,
    }
}
