//! Gauges.

use std::collections::HashMap;
use std::ops::Range;

use thalweg_model::{Body, Obstacle, is_name};

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format::{self, FrontAxis};
use crate::grid::Grid;
use crate::number::exact;
use crate::report::At;
use crate::suggest::nearest;

/// A gauge. Its name is a column of `probes.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Unique; letters, digits, `_` and `-`.
    pub name: String,
    /// What it measures, and where.
    pub kind: ProbeKind,
}

/// What a gauge measures, and where. All places are inside the domain.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ProbeKind {
    /// Elevation of the water surface, m; none where it is dry.
    Surface {
        /// Where, `[x, z]`, m.
        at: [f64; 2],
    },
    /// Depth of the water, m.
    Depth {
        /// Where, `[x, z]`, m.
        at: [f64; 2],
    },
    /// Velocity of the water, m/s.
    Velocity {
        /// Where, `[x, z]`, m.
        at: [f64; 2],
    },
    /// Water that crosses the line, m³/s. Positive along the normal
    /// `[to.z − from.z, from.x − to.x]`: a line from south to north counts water that goes east.
    Discharge {
        /// One end `[x, z]`, m.
        from: [f64; 2],
        /// The other end `[x, z]`, m.
        to: [f64; 2],
    },
    /// Volume of water, m³.
    Volume {
        /// Where.
        region: Region,
    },
    /// Wet area, m².
    WetArea {
        /// Where.
        region: Region,
    },
    /// Run-up: of the highest cell that has been wet so far the elevation of its ground, and the highest level of the water on it, m.
    Runup {
        /// Where.
        area: Area,
        /// Depth from which a cell counts as wet, m.
        threshold: f64,
    },
    /// Pressure of three-dimensional water, Pa.
    Pressure {
        /// Where, `[x, y, z]`, m.
        at: [f64; 3],
    },
    /// Force of three-dimensional water on an obstacle, N.
    Force {
        /// Its number in [`Scene::obstacles`](crate::Scene::obstacles).
        obstacle: usize,
    },
    /// What a rigid body does, along the world's axes.
    Body {
        /// Its number in [`Scene::bodies`](crate::Scene::bodies).
        body: usize,
        /// What of it.
        what: BodyQuantity,
    },
    /// How far water reaches along x or z, m.
    Front {
        /// 0 for x, 1 for z.
        axis: usize,
        /// Whether the largest coordinate counts, not the smallest.
        largest: bool,
        /// Depth from which a cell counts, m.
        threshold: f64,
    },
}

/// What a gauge measures of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyQuantity {
    /// Place of its frame, m.
    Position,
    /// Velocity of its centre of mass, m/s.
    Velocity,
    /// Turn as axis times angle, rad.
    Rotation,
    /// Force of the water on it, N.
    Force,
}

/// A rectangle of the domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// Low corner `[x, z]`, m.
    pub min: [f64; 2],
    /// High corner `[x, z]`, m.
    pub max: [f64; 2],
}

/// A part of the domain.
#[derive(Debug, Clone, PartialEq)]
pub enum Area {
    /// A rectangle.
    Rectangle(Region),
    /// A polygon by its corners `[x, z]` in order, m. Where it crosses itself, places that it goes round an even number of times are outside.
    Polygon(Vec<[f64; 2]>),
}

impl Area {
    /// Whether the point `[x, z]` is inside. Of a line between two neighbouring areas every point is in exactly one of them.
    pub fn contains(&self, [x, z]: [f64; 2]) -> bool {
        match self {
            Self::Rectangle(region) => region.contains([x, z]),
            // How many sides a ray to the east crosses.
            Self::Polygon(corners) => crossings(corners, z).filter(|side| x < *side).count() % 2 == 1,
        }
    }

    /// Low and high corner of the rectangle around it.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        match self {
            Self::Rectangle(region) => [region.min, region.max],
            Self::Polygon(corners) => {
                let along = |axis: usize| corners.iter().map(move |corner| corner[axis]);
                let low = [0, 1].map(|axis| along(axis).fold(f64::INFINITY, f64::min));
                [low, [0, 1].map(|axis| along(axis).fold(f64::NEG_INFINITY, f64::max))]
            }
        }
    }

    /// The cells `[i, k]` of a grid whose middle is inside, row by row.
    pub fn cells<'a>(&'a self, grid: &'a Grid) -> impl Iterator<Item = [u32; 2]> + 'a {
        let [rows, last] = self.bounds().map(|corner| grid.cell_at([grid.origin[0], corner[1]])[1]);
        (rows..=last).flat_map(move |k| self.spans(grid, k).into_iter().flatten().map(move |i| [i, k]))
    }

    /// The cells of a row whose middle is inside.
    fn spans(&self, grid: &Grid, k: u32) -> Vec<Range<u32>> {
        let z = grid.center(0, k)[1];
        let mut sides: Vec<f64> = match self {
            Self::Rectangle(region) if z >= region.min[1] && z < region.max[1] => vec![region.min[0], region.max[0]],
            Self::Rectangle(_) => Vec::new(),
            Self::Polygon(corners) => crossings(corners, z).collect(),
        };
        sides.sort_by(f64::total_cmp);
        // The first cell whose middle is not west of a place: the quotient may be off by a rounding, the comparison is that of `contains`.
        let first = |x: f64| {
            let guess = ((x - grid.origin[0]) / grid.cell - 1.0).clamp(0.0, f64::from(grid.nx)) as u32;
            (guess..grid.nx).find(|i| grid.center(*i, k)[0] >= x).unwrap_or(grid.nx)
        };
        sides.as_chunks::<2>().0.iter().map(|[from, to]| first(*from)..first(*to)).collect()
    }
}

/// Where the sides of a polygon cross the line at `z`, x.
fn crossings(corners: &[[f64; 2]], z: f64) -> impl Iterator<Item = f64> {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let crossed = sides.filter(move |(a, b)| (a[1] > z) != (b[1] > z));
    crossed.map(move |(a, b)| a[0] + (z - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
}

impl Region {
    /// Whether the point `[x, z]` is inside. Low edges are part of it, high edges are not, so that
    /// neighbouring regions count every cell once.
    pub fn contains(&self, point: [f64; 2]) -> bool {
        (0..2).all(|axis| point[axis] >= self.min[axis] && point[axis] < self.max[axis])
    }
}

impl Probe {
    pub(crate) fn lower_all(
        file: &[format::Probe],
        grid: &Grid,
        solids: (&[Obstacle], &[Body]),
        context: &mut Context<'_>,
    ) -> Vec<Self> {
        let root = At::root().key("probe");
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut probes = Vec::new();
        for (index, file) in file.iter().enumerate() {
            let at = root.index(index);
            let probe = Self::lower(file, grid, solids, context, &at);
            check_name(&probe.name, context, &at.key("name"));
            if let Some(first) = seen.insert(probe.name.clone(), index) {
                let message = format!("the name {} is taken by probe {}", quoted(&probe.name), first + 1);
                context.report.error_with(&at.key("name"), message, "names become columns and must be unique");
            }
            probes.push(probe);
        }
        probes
    }

    fn lower(
        file: &format::Probe,
        grid: &Grid,
        (obstacles, bodies): (&[Obstacle], &[Body]),
        context: &mut Context<'_>,
        at: &At,
    ) -> Self {
        let mut place = Place { grid, context, at };
        let (name, kind) = match file {
            format::Probe::Surface { name, at } => (name, ProbeKind::Surface { at: place.point("at", *at) }),
            format::Probe::Depth { name, at } => (name, ProbeKind::Depth { at: place.point("at", *at) }),
            format::Probe::Velocity { name, at } => (name, ProbeKind::Velocity { at: place.point("at", *at) }),
            format::Probe::Discharge { name, from, to } => {
                let kind = ProbeKind::Discharge { from: place.point("from", *from), to: place.point("to", *to) };
                if from == to {
                    place.context.report.error(&at.key("to"), "the line has no length: `from` and `to` are the same");
                }
                (name, kind)
            }
            format::Probe::Volume { name, min, max } => (name, ProbeKind::Volume { region: place.region(*min, *max) }),
            format::Probe::WetArea { name, min, max } => {
                (name, ProbeKind::WetArea { region: place.region(*min, *max) })
            }
            format::Probe::Runup { name, min, max, polygon, depth } => {
                let area = match polygon {
                    Some(corners) => place.polygon(corners, min.is_some() || max.is_some()),
                    None => Area::Rectangle(place.region(*min, *max)),
                };
                (name, ProbeKind::Runup { area, threshold: *depth })
            }
            format::Probe::Pressure { name, at } => {
                place.point("at", [at[0], at[2]]);
                (name, ProbeKind::Pressure { at: *at })
            }
            format::Probe::Force { name, obstacle } => {
                (name, ProbeKind::Force { obstacle: place.obstacle("obstacle", obstacle, obstacles) })
            }
            format::Probe::BodyPosition { name, body } => (name, place.body(body, bodies, BodyQuantity::Position)),
            format::Probe::BodyVelocity { name, body } => (name, place.body(body, bodies, BodyQuantity::Velocity)),
            format::Probe::BodyRotation { name, body } => (name, place.body(body, bodies, BodyQuantity::Rotation)),
            format::Probe::BodyForce { name, body } => (name, place.body(body, bodies, BodyQuantity::Force)),
            format::Probe::Front { name, axis, depth } => {
                let (axis, largest) = match axis {
                    FrontAxis::East => (0, true),
                    FrontAxis::West => (0, false),
                    FrontAxis::North => (1, true),
                    FrontAxis::South => (1, false),
                };
                (name, ProbeKind::Front { axis, largest, threshold: *depth })
            }
        };
        Self { name: name.clone(), kind }
    }
}

/// Checks the places of one probe.
struct Place<'p, 'a> {
    grid: &'p Grid,
    context: &'p mut Context<'a>,
    at: &'p At,
}

impl Place<'_, '_> {
    fn point(&mut self, key: &str, point: [f64; 2]) -> [f64; 2] {
        if !self.grid.contains(point) {
            let message = format!("the probe at x {}, z {} is outside the domain", exact(point[0]), exact(point[1]));
            self.context.report.error_with(&self.at.key(key), message, self.grid.extent_text());
        }
        point
    }

    /// The number of the obstacle of a name; 0 after an error.
    fn obstacle(&mut self, key: &str, name: &str, obstacles: &[Obstacle]) -> usize {
        let names = || obstacles.iter().filter_map(|obstacle| obstacle.name.as_deref());
        let found = obstacles.iter().position(|obstacle| obstacle.name.as_deref() == Some(name));
        if found.is_none() {
            let hint = match (nearest(name, names()), names().next()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Some(_)) => format!("the obstacles with names are {}", names().collect::<Vec<_>>().join(", ")),
                (None, None) => "give the obstacle a `name`".to_owned(),
            };
            let message = format!("no obstacle has the name {}", quoted(name));
            self.context.report.error_with(&self.at.key(key), message, hint);
        }
        found.unwrap_or(0)
    }

    /// A gauge of the body of a name; after an error that of the first.
    fn body(&mut self, name: &str, bodies: &[Body], what: BodyQuantity) -> ProbeKind {
        let names = || bodies.iter().map(|body| body.name.as_str());
        let found = names().position(|known| known == name);
        if found.is_none() {
            let hint = match (nearest(name, names()), names().next()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Some(_)) => format!("the bodies are {}", names().collect::<Vec<_>>().join(", ")),
                (None, None) => "there is no [[body]]".to_owned(),
            };
            let message = format!("no body has the name {}", quoted(name));
            self.context.report.error_with(&self.at.key("body"), message, hint);
        }
        ProbeKind::Body { body: found.unwrap_or(0), what }
    }

    /// The polygon; the corners of a rectangle beside it are a slip.
    fn polygon(&mut self, corners: &[[f64; 2]], has_rectangle: bool) -> Area {
        let at = self.at.key("polygon");
        if has_rectangle {
            let message = "`min` and `max` are a rectangle, and there is a `polygon` already";
            self.context.report.error_with(&at, message, "give one of the two");
        }
        for corner in corners {
            self.point("polygon", *corner);
        }
        let area = Area::Polygon(corners.to_vec());
        if area.cells(self.grid).next().is_none() {
            let hint = format!("cells are {} m wide and count where their middle is inside", exact(self.grid.cell));
            self.context.report.error_with(&at, "the polygon holds no cell", hint);
        }
        area
    }

    /// The rectangle, or the whole domain where neither corner is given.
    fn region(&mut self, min: Option<[f64; 2]>, max: Option<[f64; 2]>) -> Region {
        let whole = Region { min: self.grid.origin, max: self.grid.high() };
        let region = match (min, max) {
            (None, None) => return whole,
            (Some(min), Some(max)) => Region { min: self.point("min", min), max: self.point("max", max) },
            (given, _) => {
                let (there, missing) = if given.is_some() { ("min", "max") } else { ("max", "min") };
                let message = format!("`{}` has `{there}` but not `{missing}`", self.at);
                self.context.report.error_with(self.at, message, "give both corners, or neither for the whole domain");
                return whole;
            }
        };
        if region.min[0] >= region.max[0] || region.min[1] >= region.max[1] {
            self.context.report.error(&self.at.key("max"), "the rectangle is empty: `max` must be more than `min`");
        } else if !self.grid.touches(region.min, region.max) {
            let hint = format!("cells are {} m wide and count where their middle is inside", exact(self.grid.cell));
            self.context.report.error_with(&self.at.key("max"), "the rectangle holds no cell", hint);
        }
        region
    }
}

fn check_name(name: &str, context: &mut Context<'_>, at: &At) {
    if !is_name(name) {
        context.report.error_with(
            at,
            format!("{} cannot be the name of a probe", quoted(name)),
            "a name has 1 to 64 letters, digits, `_` or `-`",
        );
    } else if name == "time" {
        context.report.error(at, "`time` is the first column of `probes.csv` and cannot be a probe");
    }
}
