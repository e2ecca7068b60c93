//! Gauges: what they ask of the water, and what they make of the answers.
//!
//! A new kind of gauge is a type with [`Probe`] in a file of its own, and a line in [`of_scene`].

mod area;
mod body;
mod discharge;
mod front;
pub(crate) mod grid;
mod point;
mod pressure;
mod runup;

use std::ops::Range;
use std::sync::Arc;

use thalweg_bodies::BodyState;
use thalweg_scene::{Area, ProbeKind, Region, Scene};
use thalweg_shallow::Sample;

/// What a gauge wants to know of the water. Places are in world coordinates, m.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Question {
    /// The water around a point `[x, z]`: [`Answer::Around`].
    Point([f64; 2]),
    /// The water in the cells that hold some places `[x, z]`: [`Answer::Places`].
    Places(Vec<[f64; 2]>),
    /// The cells in a rectangle, with the area of each that lies in it: [`Answer::Cells`].
    Parts(Region),
    /// The cells whose middle is inside: [`Answer::Cells`].
    Cells(Area),
    /// How far water reaches along an axis (0 for x, 1 for z), up or down, with at least a depth, m: [`Answer::Vector`] with one number.
    Front {
        /// 0 for x, 1 for z.
        axis: usize,
        /// Whether the largest coordinate counts, not the smallest.
        largest: bool,
        /// Depth from which a cell counts, m.
        threshold: f64,
    },
    /// The pressure at a point, Pa: [`Answer::Vector`] with three times the same number.
    Pressure([f64; 3]),
    /// The force on an obstacle, by its number, N: [`Answer::Vector`].
    Force(usize),
    /// All rigid bodies: [`Answer::Bodies`].
    Bodies,
}

/// What a method says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// Cells around a point with their weights, which add up to 1; first the one that holds the point.
    Around(Vec<(Sample, f64)>),
    /// A cell for every place.
    Places(Vec<Sample>),
    /// Cells, and how much of their area counts.
    Cells(Vec<Sample>, CellAreas),
    /// Numbers; NaN where there is nothing to measure.
    Vector([f64; 3]),
    /// The bodies.
    Bodies(Vec<BodyState>),
    /// The method cannot tell.
    Unknown,
}

/// Areas of cells, m².
#[derive(Debug, Clone, PartialEq)]
pub enum CellAreas {
    /// All have the same.
    Equal(f64),
    /// One each.
    Each(Vec<f64>),
}

/// A gauge.
pub trait Probe: Send {
    /// Names of its columns; `name` is that of the gauge.
    fn columns(&self, name: &str) -> Vec<String> {
        vec![name.to_owned()]
    }

    /// What it wants to know; always the same.
    fn questions(&self) -> Vec<Question>;

    /// One value per column, from an answer per question. NaN is an empty field.
    fn read(&mut self, answers: &[Answer]) -> Vec<f64>;

    /// What it remembers, for a checkpoint.
    fn memory(&self) -> [f64; 2] {
        [f64::NEG_INFINITY; 2]
    }

    /// Takes up what it remembered.
    fn remember(&mut self, _memory: [f64; 2]) {}
}

/// The gauges of a simulation. All their questions are asked at once, so that a row costs one small read.
#[derive(Default)]
pub(crate) struct Probes {
    gauges: Vec<Gauge>,
    questions: Arc<[Question]>,
    /// Whether the questions were asked before.
    is_known: bool,
}

struct Gauge {
    name: String,
    probe: Box<dyn Probe>,
    /// Its part of the questions.
    asks: Range<usize>,
}

/// The gauge that a scene asks for.
fn of_scene(kind: &ProbeKind, scene: &Scene) -> Option<Box<dyn Probe>> {
    let cell = scene.grid.cell;
    Some(match kind {
        ProbeKind::Surface { at } => Box::new(point::Surface::new(*at, cell)),
        ProbeKind::Depth { at } => Box::new(point::Depth::new(*at)),
        ProbeKind::Velocity { at } => Box::new(point::Velocity::new(*at, cell)),
        ProbeKind::Discharge { from, to } => Box::new(discharge::Discharge::new(*from, *to, cell)),
        ProbeKind::Volume { region } => Box::new(area::Volume { region: *region }),
        ProbeKind::WetArea { region } => Box::new(area::WetArea::new(*region, cell)),
        ProbeKind::Runup { area, threshold } => Box::new(runup::Runup::new(area.clone(), *threshold)),
        ProbeKind::Front { axis, largest, threshold } => {
            Box::new(front::Front { axis: *axis, largest: *largest, threshold: *threshold })
        }
        ProbeKind::Pressure { at } => Box::new(pressure::Pressure { at: *at }),
        ProbeKind::Force { obstacle } => Box::new(pressure::Force { obstacle: *obstacle }),
        ProbeKind::Body { body, what } => {
            Box::new(body::OfBody { body: scene.bodies.get(*body)?.name.clone(), what: *what })
        }
        _ => return None,
    })
}

impl Probes {
    /// Those of a scene.
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut probes = Self::default();
        for probe in &scene.probes {
            if let Some(gauge) = of_scene(&probe.kind, scene) {
                probes.add(probe.name.clone(), gauge);
            }
        }
        probes
    }

    /// Another one, behind the others.
    pub(crate) fn add(&mut self, name: String, probe: Box<dyn Probe>) {
        let first = self.questions.len();
        self.questions = self.questions.iter().cloned().chain(probe.questions()).collect();
        self.gauges.push(Gauge { name, probe, asks: first..self.questions.len() });
        self.is_known = false;
    }

    /// Whether there is nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.gauges.is_empty()
    }

    /// What all of them want to know, and whether that was not asked before.
    pub(crate) fn questions(&mut self) -> (Arc<[Question]>, bool) {
        let is_new = !std::mem::replace(&mut self.is_known, true);
        (Arc::clone(&self.questions), is_new)
    }

    /// The method does not know the questions any more.
    pub(crate) fn ask_anew(&mut self) {
        self.is_known = false;
    }

    /// Column names, in order, without `time`.
    pub(crate) fn columns(&self) -> Vec<String> {
        self.gauges.iter().flat_map(|gauge| gauge.probe.columns(&gauge.name)).collect()
    }

    /// One row of values.
    pub(crate) fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        self.gauges.iter_mut().flat_map(|gauge| gauge.probe.read(&answers[gauge.asks.clone()])).collect()
    }

    /// What gauges remember, for a checkpoint.
    pub(crate) fn memory(&self) -> Vec<f64> {
        self.gauges.iter().flat_map(|gauge| gauge.probe.memory()).collect()
    }

    /// Whether it was the memory of these gauges. Older checkpoints have one number a gauge, without the level on the highest ground: that is an empty
    /// field until higher ground is wetted, or the same ground again.
    pub(crate) fn restore(&mut self, memory: &[f64]) -> bool {
        if memory.len() == self.gauges.len() {
            let both = self.gauges.iter_mut().zip(memory);
            both.for_each(|(gauge, &ground)| gauge.probe.remember([ground, f64::NEG_INFINITY]));
            return true;
        }
        let pairs = memory.as_chunks::<2>().0;
        self.gauges.iter_mut().zip(pairs).for_each(|(gauge, &pair)| gauge.probe.remember(pair));
        memory.len() == 2 * self.gauges.len()
    }
}

/// The first number of an answer.
fn number(answers: &[Answer]) -> f64 {
    vector(answers)[0]
}

fn vector(answers: &[Answer]) -> [f64; 3] {
    match answers {
        [Answer::Vector(values)] => *values,
        _ => [f64::NAN; 3],
    }
}

fn axes(name: &str) -> Vec<String> {
    ["x", "y", "z"].map(|axis| format!("{name}_{axis}")).to_vec()
}
