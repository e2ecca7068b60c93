//! Settings of the solver on a quadtree.

use thalweg_model::{Ability, FineRegion, Measure, Observer, TreeScheme};

use crate::context::Context;
use crate::format;
use crate::grid::Grid;
use crate::number::{exact, tidy};
use crate::report::At;
use crate::scene::Scene;
use crate::water::Solver;

/// Cells along the side of a tile, the leaf of the tree.
pub const QUADTREE_TILE: u32 = 16;

/// Most tiles along a side of the domain.
const MOST_TILES: u32 = 4096;

/// Most levels, unless the scene says otherwise.
const USUAL_LEVELS: u32 = 8;

/// Viscosity of kernel advection unless the scene says otherwise, m²/s: almost none.
const USUAL_VISCOSITY: f64 = 1e-3;

/// Cells of the height fields that a quadtree gives out, about; its finest cells may be far more.
const SURFACE_CELLS: u64 = 4 << 20;

/// Settings of the solver on a quadtree. Those of its scheme are in [`Shallow`](crate::Shallow).
#[derive(Debug, Clone, PartialEq)]
pub struct Quadtree {
    /// What moves the water.
    pub scheme: TreeScheme,
    /// Sizes of cells; the finest are those of the scene's grid, and each level above has cells twice as large.
    pub levels: u32,
    /// Most cells at a time.
    pub budget: u64,
    /// What of the water asks for small cells.
    pub measure: Measure,
    /// Largest bend or step of the surface, m.
    pub surface: f64,
    /// Largest bend or step of the velocity, m/s.
    pub speed: f64,
    /// Whether cells at the edge of the water are the finest, as long as the budget has them.
    pub fronts: bool,
    /// Time steps of the finest cells between two looks at the tree; 0 never looks.
    pub interval: u32,
    /// Speed below which water may sleep, m/s.
    pub still: f64,
    /// Whether large cells take longer time steps than small ones.
    pub subcycling: bool,
    /// Somebody who looks at the water.
    pub observer: Option<Observer>,
    /// Rectangles with cells of at most a size.
    pub regions: Vec<FineRegion>,
}

/// What moves the water, with what the scheme needs.
fn lower_scheme(file: &format::Quadtree, context: &mut Context<'_>, at: &At) -> TreeScheme {
    if file.scheme == format::TreeSchemeName::KernelAdvection {
        let (viscosity, friction) = (file.viscosity.unwrap_or(USUAL_VISCOSITY), file.friction.unwrap_or(0.0));
        return TreeScheme::KernelAdvection { viscosity, friction };
    }
    for (key, given) in [("viscosity", file.viscosity), ("friction", file.friction)] {
        if given.is_some() {
            let message = format!("`{}` has no effect on the scheme `finite-volumes`", at.key(key));
            let hint = "leave it out, or set `scheme = \"kernel-advection\"`; `manning` of [water.shallow] is friction for both";
            context.report.error_with(&at.key(key), message, hint);
        }
    }
    TreeScheme::FiniteVolumes
}

impl Quadtree {
    /// Size of the largest cells on a grid of the finest, m.
    pub fn coarsest_cell(&self, grid: &Grid) -> f64 {
        grid.cell * f64::from(1u32 << (self.levels - 1))
    }

    pub(crate) fn lower(file: &format::Water, solver: Solver, grid: &Grid, context: &mut Context<'_>) -> Self {
        let at = At::root().key("water").key("quadtree");
        let settings = file.quadtree.clone().unwrap_or_default();
        let is_used = solver.has(Ability::AdaptiveCells);
        if is_used {
            check_domain(grid, context);
        }
        let levels = settings.levels.unwrap_or_else(|| usual_levels(grid));
        let coarsest = least_cells([grid.nx, grid.nz], levels);
        if is_used && coarsest > u64::from(settings.budget) {
            let message =
                format!("{levels} levels begin with {coarsest} cells, more than the budget of {}", settings.budget);
            let key = if settings.levels.is_some() { "levels" } else { "budget" };
            context.report.error_with(&at.key(key), message, fewer_at_the_start(grid, levels));
        }
        for (index, region) in settings.region.iter().enumerate() {
            let (min, max) = (region.min, region.max);
            let at = at.key("region").index(index);
            if min[0] >= max[0] || min[1] >= max[1] {
                context.report.error(&at.key("max"), "the rectangle is empty: `max` must be more than `min`");
            } else if !grid.touches(min, max) {
                context.report.error_with(&at, "the rectangle holds no cell of the domain", grid.extent_text());
            }
            if region.cell < grid.cell * (1.0 - 1e-9) {
                let (own, finest) = (exact(region.cell), exact(grid.cell));
                let message = format!("cells of {own} m are smaller than the finest of {finest} m");
                context.report.error_with(
                    &at.key("cell"),
                    message,
                    "`cell` of [domain] is the size of the finest cells",
                );
            }
        }
        let observer = settings.observer.as_ref();
        Self {
            scheme: lower_scheme(&settings, context, &at),
            levels,
            budget: u64::from(settings.budget),
            measure: settings.measure,
            surface: settings.surface,
            speed: settings.speed,
            fronts: settings.fronts,
            interval: settings.interval,
            still: settings.still,
            subcycling: settings.subcycling,
            observer: observer.and_then(|observer| lower_observer(observer, context, &at.key("observer"))),
            regions: settings.region,
        }
    }
}

/// Cells that a tree begins with: tiles as large as fit into the domain, from its low corner on, and neighbours that
/// differ by one level at most, also across corners.
///
/// Along a side the tiles of a size that stay whole are the first ones: those that fit; where smaller ones follow,
/// those whose next neighbour of half their size is whole too. A tile is whole if it is so along both sides.
fn least_cells(size: [u32; 2], levels: u32) -> u64 {
    let tiles = size.map(|n| n / QUADTREE_TILE);
    let mut whole = tiles;
    let mut leaves = 0;
    for doubling in 1..levels {
        let larger = [0, 1].map(|axis| {
            let fitting = tiles[axis] >> doubling;
            let is_split = whole[axis] < tiles[axis].div_ceil(1 << (doubling - 1));
            // Tile `n` is made of `2n` and `2n + 1`: `2n + 2` must be whole.
            if is_split { fitting.min(whole[axis].saturating_sub(1) / 2) } else { fitting }
        });
        leaves += area(whole) - 4 * area(larger);
        whole = larger;
    }
    (leaves + area(whole)) * u64::from(QUADTREE_TILE * QUADTREE_TILE)
}

fn area([x, z]: [u32; 2]) -> u64 {
    u64::from(x) * u64::from(z)
}

/// How a tree begins with fewer cells.
fn fewer_at_the_start(grid: &Grid, levels: u32) -> String {
    let whole = QUADTREE_TILE << (levels - 1);
    if grid.nx.is_multiple_of(whole) && grid.nz.is_multiple_of(whole) {
        return "allow more cells (`budget`), or more `levels`".into();
    }
    let size = |n: u32| tidy(f64::from(n.next_multiple_of(whole)) * grid.cell);
    format!(
        "small tiles fill what the largest, {} m wide, leave over: a domain of {} m × {} m has whole ones; or allow more cells (`budget`)",
        tidy(f64::from(whole) * grid.cell),
        size(grid.nx),
        size(grid.nz)
    )
}

fn lower_observer(file: &format::QuadtreeObserver, context: &mut Context<'_>, at: &At) -> Option<Observer> {
    let path = match (file.at, &file.path) {
        (Some([x, z]), None) => vec![[0.0, x, z]],
        (None, Some(path)) => path.clone(),
        (given, _) => {
            let message = match given {
                Some(_) => format!("`{at}` has both `at` and `path`"),
                None => format!("`{at}` needs `at` or `path`"),
            };
            context.report.error_with(at, message, "give a place, `at = [x, z]`, or a way, `path = [[t, x, z], …]`");
            return None;
        }
    };
    if let Some(n) = path.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
        let [before, after] = [path[n][0], path[n + 1][0]].map(exact);
        let message = format!("times must increase: {after} s after {before} s");
        context.report.error(&at.key("path").index(n + 1), message);
        return None;
    }
    Some(Observer { path, near: file.near })
}

/// As many levels as make the largest tile a quarter of the domain's shorter side.
fn usual_levels(grid: &Grid) -> u32 {
    let tiles = grid.nx.min(grid.nz) / (4 * QUADTREE_TILE);
    (tiles.max(1).ilog2() + 1).min(USUAL_LEVELS)
}

/// The domain is whole tiles of the finest cells.
fn check_domain(grid: &Grid, context: &mut Context<'_>) {
    let at = At::root().key("domain").key("size");
    for (axis, count) in [(0, grid.nx), (2, grid.nz)] {
        let at = at.index(axis);
        if count == 1 {
            let message = "the solver `quadtree` has no domains that are one cell thick";
            context.report.error_with(&at, message, "use `solver = \"shallow\"` for a channel along x");
            continue;
        }
        let size = |count: u32| tidy(f64::from(count) * grid.cell);
        if count % QUADTREE_TILE != 0 {
            let below = count - count % QUADTREE_TILE;
            let above = below + QUADTREE_TILE;
            let fitting = if below > 0 {
                format!("{} m and {} m", size(below), size(above))
            } else {
                format!("{} m", size(above))
            };
            let message = format!(
                "{} m are {count} cells, which is no multiple of {QUADTREE_TILE}: a quadtree has whole tiles",
                size(count)
            );
            context.report.error_with(&at, message, format!("the nearest sizes that fit: {fitting}"));
        } else if count > MOST_TILES * QUADTREE_TILE {
            let most = MOST_TILES * QUADTREE_TILE;
            let message = format!("{count} of the finest cells along a side are more than {most}");
            context.report.error_with(&at, message, "make `cell` of [domain] larger");
        }
    }
}

impl Scene {
    /// The grid of the height fields that a run gives out, for pictures and exports: the scene's own. On a quadtree,
    /// cells of the finest size, a power of two times the scene's, that keeps them at about four million; the last ones
    /// may stick out of the domain.
    pub fn surface_grid(&self) -> Grid {
        let grid = self.grid;
        if !self.water.solver.has(Ability::AdaptiveCells) {
            return grid;
        }
        let coarse = |shift: u32| Grid {
            nx: grid.nx.div_ceil(1 << shift),
            nz: grid.nz.div_ceil(1 << shift),
            cell: grid.cell * f64::from(1u32 << shift),
            ..grid
        };
        // The domain has at most 2^16 cells along a side.
        (0..16).map(coarse).find(|grid| grid.cells() <= SURFACE_CELLS).unwrap_or_else(|| coarse(16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(size: [u32; 2], quadtree: &str) -> Scene {
        let text = format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [{}, 5, {}], cell = 2 }}\n\
             [water]\nsolver = 'quadtree'\n{quadtree}\n",
            2 * size[0],
            2 * size[1]
        );
        Scene::from_str(&text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn levels_fit_the_domain_unless_given() {
        let levels = |nx, nz| scene([nx, nz], "").water.quadtree.levels;
        assert_eq!((levels(16, 16), levels(64, 64), levels(128, 4096), levels(1024, 512)), (1, 1, 2, 4));
        assert_eq!(levels(65_536, 32_768), 8);
        let given = scene([256, 256], "quadtree.levels = 6");
        assert_eq!((given.water.quadtree.levels, given.water.quadtree.coarsest_cell(&given.grid)), (6, 64.0));
    }

    #[test]
    fn trees_begin_balanced() {
        // Whole tiles of the largest size; one level; small tiles along two sides, and the medium ones between.
        assert_eq!(least_cells([64, 128], 3), 2 * 256);
        assert_eq!(least_cells([48, 32], 1), 6 * 256);
        // Of 5 x 5 tiles 4 x 4 fit one of the largest size: the nine beside it are the finest, so it splits.
        assert_eq!(least_cells([80, 80], 3), (4 + 9) * 256);
        assert_eq!([least_cells([24_992; 2], 9), least_cells([4112; 2], 8)], [1_139_968, 321_280]);
        // Thinner than the largest tiles.
        assert_eq!(least_cells([16, 65_536], 16), 4096 * 256);
    }

    #[test]
    fn height_fields_have_about_four_million_cells() {
        let grid = |nx, nz| scene([nx, nz], "quadtree.budget = 2_000_000").surface_grid();
        assert_eq!(grid(2048, 2048), scene([2048, 2048], "").grid);
        let large = grid(24_992, 25_008);
        assert_eq!((large.nx, large.nz, large.cell), (1562, 1563, 32.0));
        let long = grid(32_768, 16);
        assert_eq!((long.nx, long.nz), (32_768, 16));
    }

    #[test]
    fn observers_stay_or_go() {
        let observer = |text: &str| scene([64, 64], text).water.quadtree.observer.expect("an observer");
        let still = observer("quadtree.observer = { at = [30, 40], near = 10 }");
        assert_eq!(still, Observer::at([30.0, 40.0], 10.0));
        let going = observer("quadtree.observer = { path = [[1, 0, 10], [3, 20, 10], [4, 20, 0]], near = 5 }");
        assert_eq!((going.place(2.0), going.moves(), going.near), ([10.0, 10.0], true, 5.0));
    }
}
