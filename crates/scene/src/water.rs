//! The water at the start, and the settings of its solver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::{Abilities, Ability, Body, Datum, Limiter, Obstacle};

use crate::context::Context;
use crate::diagnostics::{Diagnostic, SceneError, quoted};
use crate::format::{self, HeightFile, SurfaceKind};
use crate::grid::Grid;
use crate::number::{exact, tidy};
use crate::quadtree::Quadtree;
use crate::report::At;
use crate::suggest::nearest;
use crate::tall::Tall;
use crate::terrain::{LARGEST_ELEVATION, PlacedMap};

/// Solvers that are planned but not in this version.
const COMING_SOLVERS: [&str; 2] = ["hybrid", "particles"];

/// The water of a scene. Sample its start onto a grid with [`Water::rasterise`].
#[derive(Debug, Clone)]
pub struct Water {
    /// The method that moves it.
    pub solver: Solver,
    /// Elevation of still water, m: cells whose bed is lower start wet up to it.
    pub level: Option<f64>,
    /// Boxes of water.
    pub boxes: Vec<WaterBox>,
    /// Velocity `[ux, uz]` of all water at the start, m/s.
    pub velocity: [f64; 2],
    /// Settings of the shallow-water solvers.
    pub shallow: Shallow,
    /// Where cells of the quadtree are fine.
    pub quadtree: Quadtree,
    /// Settings of the solvers of three-dimensional water.
    pub tall: Tall,
    surface: Option<(PlacedMap, SurfaceKind)>,
    /// Highest points of level and boxes, m, with their places in the scene.
    tops: Vec<(f64, Diagnostic)>,
}

/// The method that moves the water.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solver {
    /// Shallow-water equations on a uniform grid.
    Shallow,
    /// Shallow-water equations on a quadtree, fine where the water moves.
    Quadtree,
    /// Three-dimensional water: a tall cell below and cubic cells near the surface in every column.
    TallCells,
    /// Three-dimensional water on cubic cells only.
    Uniform,
}

impl Solver {
    const ALL: [Self; 4] = [Self::Shallow, Self::Quadtree, Self::TallCells, Self::Uniform];

    /// The name in scene files.
    pub fn name(self) -> &'static str {
        self.abilities().solver
    }

    /// Whether it can do something.
    pub fn has(self, ability: Ability) -> bool {
        self.abilities().has(ability)
    }

    /// What it can do: the one list that scenes are checked against, and by which a running simulation refuses.
    pub fn abilities(self) -> &'static Abilities {
        use Ability as A;
        macro_rules! three_dimensional {
            ($($more:expr)?) => {
                &[
                    $($more,)?
                    A::ThreeDimensional,
                    A::Pour,
                    A::Push,
                    A::Tune,
                    A::Obstacles,
                    A::Bodies,
                    A::Whitewater,
                    A::Section,
                    A::Volume,
                    A::Mesh,
                    A::ClosedMesh,
                    A::SourceHeights,
                    A::WaveSides,
                ]
            };
        }
        const TALL_CELLS: &[Ability] = three_dimensional!(A::TallCells);
        const UNIFORM: &[Ability] = three_dimensional!();
        const SHALLOW: &[Ability] = &[A::MapsOverTime, A::Rain, A::StartFromFile, A::RiverSides, A::FlowProbes];
        const QUADTREE: &[Ability] =
            &[A::AdaptiveCells, A::Mesh, A::Rain, A::StartFromFile, A::StreamedGround, A::RiverSides, A::FlowProbes];
        match self {
            Self::Shallow => &Abilities { solver: "shallow", list: SHALLOW },
            Self::Quadtree => &Abilities { solver: "quadtree", list: QUADTREE },
            Self::TallCells => &Abilities { solver: "tall-cells", list: TALL_CELLS },
            Self::Uniform => &Abilities { solver: "uniform", list: UNIFORM },
        }
    }

    /// The solver of a name, or shallow water with the reason in the report.
    pub(crate) fn lower(name: &str, context: &mut Context<'_>) -> Self {
        if let Some(found) = Self::ALL.into_iter().find(|solver| solver.name() == name) {
            return found;
        }
        let at = At::root().key("water").key("solver");
        let available = "available: `shallow`, `quadtree`, `tall-cells`, `uniform`";
        if COMING_SOLVERS.contains(&name) {
            let message = format!("the solver `{name}` is not available in this version");
            context.report.error_with(&at, message, available);
        } else {
            let near = nearest(name, Self::ALL.into_iter().map(Self::name));
            let hint = near.map_or_else(|| available.to_owned(), |near| format!("did you mean `{near}`?"));
            context.report.error_with(&at, format!("there is no solver {}", quoted(name)), hint);
        }
        Self::Shallow
    }
}

/// A box of water.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaterBox {
    /// Low corner `[x, y, z]`, m. Where the bed is higher than y the water starts at the bed.
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub min: [f64; 3],
    /// High corner `[x, y, z]`, m. y is the elevation of the surface.
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub max: [f64; 3],
}

/// Settings of the shallow-water solvers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shallow {
    /// The method that moves water between cells.
    pub scheme: Scheme,
    /// Order of accuracy, 1 or 2.
    pub order: u32,
    /// Slope limiter of the second-order scheme.
    pub limiter: Limiter,
    /// Courant number, more than 0 and at most 0.45.
    pub cfl: f64,
    /// Manning's roughness, s/m^(1/3), 0 to 0.5.
    pub manning: f64,
    /// Depth below which a cell counts as dry, m; `None` leaves it to the solver.
    pub dry_depth: Option<f64>,
    /// Elevation that the solver subtracts from the bed.
    pub datum: Datum,
}

/// The method that moves water between cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Finite volumes with the HLLC Riemann solver: shocks, dry fronts, steep beds.
    #[default]
    Hllc,
    /// The staggered semi-Lagrangian scheme of Chentanez and Müller (2010): fast and smooth.
    Cmf10,
}

impl WaterBox {
    /// Whether the box is above the point `[x, z]`. Low edges are part of it, high edges are not.
    fn holds(&self, point: [f64; 2]) -> bool {
        let inside = |value, axis: usize| value >= self.min[axis] && value < self.max[axis];
        inside(point[0], 0) && inside(point[1], 2)
    }

    /// Depth of the water where the bed is at `bed`, m.
    fn depth(&self, bed: f64) -> f64 {
        (self.max[1] - bed.max(self.min[1])).max(0.0)
    }

    /// Distance of a point to the surface of the box, m, negative inside: the largest along an axis. Faces in the
    /// ground or on a side of the domain are no surface of water.
    fn distance(&self, grid: &Grid, bed: f64, point: [f64; 3]) -> f64 {
        let slack = 1e-6 * grid.cell;
        let low = [grid.origin[0], bed, grid.origin[1]];
        let high = [grid.high()[0], f64::INFINITY, grid.high()[1]];
        (0..3).fold(f64::NEG_INFINITY, |distance, axis| {
            let below = if self.min[axis] <= low[axis] + slack { distance } else { self.min[axis] - point[axis] };
            let above = if self.max[axis] >= high[axis] - slack { distance } else { point[axis] - self.max[axis] };
            distance.max(below).max(above)
        })
    }
}

impl Water {
    /// The depth of the water at every cell's middle at the start, m, at least 0. Where level, boxes
    /// and file overlap, the highest surface counts.
    ///
    /// An error where the water's file has no data at a cell and the scene names no value to use, or
    /// a value that is no depth.
    ///
    /// # Panics
    /// If `bed` is not the bed of `grid`, one elevation per cell.
    pub fn rasterise(&self, grid: &Grid, bed: &[f32]) -> Result<Vec<f32>, SceneError> {
        assert_eq!(bed.len() as u64, grid.cells(), "one bed elevation per cell");
        let mut depth = Vec::with_capacity(bed.len());
        for k in 0..grid.nz {
            for i in 0..grid.nx {
                let (deepest, _) = self.deepest(grid.center(i, k), f64::from(bed[depth.len()]))?;
                depth.push(deepest as f32);
            }
        }
        Ok(depth)
    }

    /// The elevation of the surface at the start at a point `[x, z]` over a bed at `bed`, m; the bed's where it is dry.
    /// The same water as that of [`Water::rasterise`], and the same errors.
    pub fn surface_at(&self, point: [f64; 2], bed: f64) -> Result<f64, SceneError> {
        Ok(self.deepest(point, bed)?.1)
    }

    /// Depth and surface of the deepest water at a point over a bed, m. Where a level made the water its surface is
    /// that level, to the last bit.
    fn deepest(&self, point: [f64; 2], bed: f64) -> Result<(f64, f64), SceneError> {
        let level = self.level.map_or((0.0, bed), |level| ((level - bed).max(0.0), level.max(bed)));
        let boxes = self.boxes.iter().filter(|water| water.holds(point)).map(|water| {
            let depth = water.depth(bed);
            (depth, if water.min[1] <= bed { water.max[1].max(bed) } else { bed + depth })
        });
        let deeper = |a: (f64, f64), b: (f64, f64)| if b.0 > a.0 { b } else { a };
        let mut deepest = boxes.fold(level, deeper);
        if let Some((map, kind)) = &self.surface {
            let value = map.at(point).ok_or_else(|| map.missing_at(point))?;
            if value.abs() > LARGEST_ELEVATION {
                return Err(map.unreasonable_at(point, value));
            }
            let from_file = match kind {
                SurfaceKind::Surface => (value - bed, value),
                SurfaceKind::Depth => (value, bed + value),
            };
            deepest = deeper(deepest, from_file);
        }
        Ok(deepest)
    }

    /// Signed distance from a world point `[x, y, z]` to the surface of the water at the start, m, negative in water;
    /// over a bed at `bed`. Near edges of boxes it is the largest distance along an axis, which is less than the true
    /// one. Of level and boxes only: water from a file is a height field.
    pub fn distance(&self, grid: &Grid, bed: f64, point: [f64; 3]) -> f64 {
        let level = self.level.map_or(f64::INFINITY, |level| point[1] - level);
        self.boxes.iter().map(|water| water.distance(grid, bed, point)).fold(level, f64::min)
    }

    /// An error if the water starts higher than the domain, whose elevations go from `low` to `high`, m.
    pub fn check_height(&self, [low, high]: [f64; 2]) -> Result<(), SceneError> {
        let slack = 1e-9 * (high - low);
        match self.tops.iter().find(|(top, _)| *top > high + slack) {
            None => Ok(()),
            Some((top, place)) => Err(Diagnostic {
                message: format!("water up to {} m is higher than the domain", exact(*top)),
                hint: Some(format!(
                    "the domain covers elevations from {} to {} m: raise `size` in [domain]",
                    tidy(low),
                    tidy(high)
                )),
                ..place.clone()
            }
            .into()),
        }
    }

    /// Memory that the file of the water's surface takes, bytes.
    pub fn bytes(&self) -> u64 {
        self.surface.as_ref().map_or(0, |(map, _)| map.bytes())
    }

    pub(crate) fn lower(
        file: &format::Water,
        solver: Solver,
        solids: (&[Obstacle], &[Body]),
        domain: (&Grid, bool),
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let (at, grid) = (At::root().key("water"), domain.0);
        for (index, water) in file.boxes.iter().enumerate() {
            check_box(water, grid, context, &at.key("boxes").index(index));
        }
        let surface = match &file.surface {
            Some(surface) => {
                let keys = HeightFile {
                    file: &surface.file,
                    height: surface.height,
                    scale: surface.scale,
                    offset: surface.offset,
                    origin: surface.origin,
                    size: surface.size,
                    nodata: &surface.nodata,
                };
                Some((PlacedMap::lower(keys, grid, context, &at.key("surface"))?, surface.kind))
            }
            None => None,
        };
        let boxes = file.boxes.iter();
        let level_top = file.level.map(|level| (level, context.report.template(&at.key("level"))));
        let box_tops = boxes.clone().enumerate().map(|(index, water)| {
            let at = at.key("boxes").index(index).key("max").index(1);
            (water.max[1], context.report.template(&at))
        });
        let tops = level_top.into_iter().chain(box_tops).collect();
        Some(Self {
            solver,
            tall: Tall::lower(file, solver, solids, domain, context),
            tops,
            level: file.level,
            boxes: file.boxes.clone(),
            velocity: file.velocity,
            shallow: Shallow::lower(&file.shallow.clone().unwrap_or_default()),
            quadtree: Quadtree::lower(file, solver, grid, context),
            surface,
        })
    }
}

impl Shallow {
    fn lower(file: &format::Shallow) -> Self {
        Self {
            scheme: file.scheme,
            order: file.order,
            limiter: file.limiter,
            cfl: file.cfl,
            manning: file.manning,
            dry_depth: file.dry_depth,
            datum: match file.datum {
                format::Datum::Name(format::DatumName::Auto) => Datum::Auto,
                format::Datum::Elevation(elevation) => Datum::Elevation(elevation),
            },
        }
    }
}

fn check_box(water: &WaterBox, grid: &Grid, context: &mut Context<'_>, at: &At) {
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if water.min[axis] >= water.max[axis] {
            context.report.error(
                &at.key("max").index(axis),
                format!(
                    "the box is empty: {name} goes from {} to {} m",
                    exact(water.min[axis]),
                    exact(water.max[axis])
                ),
            );
            return;
        }
    }
    if !grid.touches([water.min[0], water.min[2]], [water.max[0], water.max[2]]) {
        let message = "the box holds no cell of the domain";
        context.report.error_with(at, message, grid.extent_text());
    }
}

#[cfg(test)]
mod tests {
    use crate::{Files, Scene, SceneError};

    /// Depths over 4 x 1 m in cells of 1 m, on a bed that rises by 1 m per cell from -0.5 m.
    fn depth(water: &str) -> Result<Vec<f32>, SceneError> {
        let text = format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [4, 4, 1], cell = 1 }}\n\
             terrain.shapes = [{{ shape = 'slope', from = [1, 0], to = [3, 0], heights = [0, 2], clamp = false }}]\n\
             [water]\n{water}\n"
        );
        let table = [("a.csv", &b"3,3,,0\n"[..])];
        let scene = Scene::with_files(&text, "a.toml", &Files::Table(&table))?;
        let bed = scene.terrain.rasterise(&scene.grid)?;
        assert_eq!(bed, [-0.5, 0.5, 1.5, 2.5]);
        scene.water.rasterise(&scene.grid, &bed)
    }

    #[test]
    fn dry_unless_said_otherwise() {
        assert_eq!(depth("").expect("water"), [0.0; 4]);
    }

    #[test]
    fn a_level_fills_what_is_lower() {
        assert_eq!(depth("level = 1").expect("water"), [1.5, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn boxes_stand_on_the_bed_or_on_their_floor() {
        let boxes = "boxes = [{ min = [1, 0, 0], max = [3, 2, 1] }]";
        assert_eq!(depth(boxes).expect("water"), [0.0, 1.5, 0.5, 0.0]);
        let raised = "boxes = [{ min = [0, 1, 0], max = [4, 2, 1] }]";
        assert_eq!(depth(raised).expect("water"), [1.0, 1.0, 0.5, 0.0]);
    }

    #[test]
    fn the_highest_surface_counts() {
        let both = "level = 1\nboxes = [{ min = [0, -9, 0], max = [1, 3, 1] }, { min = [0, -9, 0], max = [2, 0, 1] }]";
        assert_eq!(depth(both).expect("water"), [3.5, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn files_hold_surfaces_or_depths() {
        let surface = "surface = { file = 'a.csv', nodata = 2 }";
        assert_eq!(depth(surface).expect("water"), [3.5, 2.5, 0.5, 0.0]);
        let depths = "surface = { file = 'a.csv', nodata = 0, kind = 'depth', scale = 0.5 }";
        assert_eq!(depth(depths).expect("water"), [1.5, 1.5, 0.0, 0.0]);
        let error = depth("surface = { file = 'a.csv', nodata = 0, offset = 1e5, scale = 1e6 }").expect_err("high");
        assert!(error.to_string().contains("check its unit"), "{error}");
        let error = depth("surface = { file = 'a.csv' }").expect_err("a hole").to_string();
        assert!(error.contains("has no data"), "{error}");
    }
}
