//! Steady flow over a bump: Bernoulli's law, a hydraulic fall and a hydraulic jump.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::{InitialCell, Order, Setup, Side};

use crate::data::{Table, table};
use crate::rig::{
    Edge, GRAVITY, Run, center, channel_edges, downstream, inlet, largest, options, orders, profile, relative_l1,
    sides_and_far_fields,
};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const SUBCRITICAL: Case = Case {
    name: "bump-subcritical",
    about: "Steady subcritical flow over a bump: constant discharge, surface after Bernoulli",
    source: "exact: Delestre et al. 2013 (SWASHES) 3.1.3",
    run: subcritical,
};

pub(crate) const TRANSCRITICAL: Case = Case {
    name: "bump-transcritical",
    about: "Flow that turns supercritical over a bump, with and without a hydraulic jump behind it",
    source: "exact: Delestre et al. 2013 (SWASHES) 3.1.4 and 3.1.5",
    run: transcritical,
};

pub(super) const LENGTH: f64 = 25.0;
const CELLS: u32 = 250;
const CELL: f64 = LENGTH / CELLS as f64;
/// Long enough for every start-up wave to have left.
pub(super) const TIME: f64 = 150.0;

pub(super) fn bed(x: f64) -> f64 {
    (0.2 - 0.05 * (x - 10.0).powi(2)).max(0.0)
}

/// Depth with energy `head` over a bed at `z` and discharge `q`: the deep or the shallow one.
fn bernoulli(q: f64, head: f64, z: f64, deep: bool) -> f64 {
    let critical = (q * q / GRAVITY).cbrt();
    let (mut low, mut high) = if deep { (critical, head - z) } else { (1e-3 * critical, critical) };
    for _ in 0..60 {
        let h = 0.5 * (low + high);
        let energy = h + q * q / (2.0 * GRAVITY * h * h) + z;
        if (energy < head) == deep { low = h } else { high = h }
    }
    0.5 * (low + high)
}

/// A steady flow: discharge per width, depth at the outlet if it is subcritical there, initial level.
pub(super) struct Flow {
    pub(super) name: &'static str,
    pub(super) q: f64,
    pub(super) outlet: Option<f64>,
    pub(super) level: f64,
    /// Critical at the crest.
    pub(super) critical: bool,
    /// What is allowed at first and second order: of the discharge, of the discharge with the jump's cells, of the
    /// surface.
    pub(super) limits: [[f64; 3]; 2],
}

pub(super) const CALM: Flow = Flow {
    name: "subcritical",
    q: 4.42,
    outlet: Some(2.0),
    level: 2.0,
    critical: false,
    limits: [[0.0065, 0.0, 8e-4], [0.0017, 0.0, 6e-5]],
};
pub(super) const FALL: Flow = Flow {
    name: "no jump",
    q: 1.53,
    outlet: None,
    level: 0.1,
    critical: true,
    limits: [[0.01, 0.0, 0.004], [0.0032, 0.0, 3.5e-4]],
};
pub(super) const JUMP: Flow = Flow {
    name: "with a jump",
    q: 0.18,
    outlet: Some(0.33),
    level: 0.33,
    critical: true,
    limits: [[0.041, 0.33, 0.005], [0.01, 0.36, 0.0022]],
};

impl Flow {
    /// Depth at `x`, and the place of the jump.
    pub(super) fn exact(&self) -> (impl Fn(f64) -> f64 + use<>, Option<f64>) {
        let (q, outlet) = (self.q, self.outlet);
        let crest = 0.2 + 1.5 * (q * q / GRAVITY).cbrt();
        let tail = outlet.map(|h| h + q * q / (2.0 * GRAVITY * h * h));
        let force = move |h: f64| q * q / h + 0.5 * GRAVITY * h * h;
        // The jump stands where both branches push equally.
        let jump = tail.filter(|_| self.critical).map(|tail| {
            let (mut low, mut high) = (10.1, 12.0);
            for _ in 0..60 {
                let x = 0.5 * (low + high);
                let before = force(bernoulli(q, crest, bed(x), false));
                let after = force(bernoulli(q, tail.max(bed(x) + 1.5 * (q * q / GRAVITY).cbrt()), bed(x), true));
                if before > after { low = x } else { high = x }
            }
            0.5 * (low + high)
        });
        let critical = self.critical;
        let depth = move |x: f64| match (critical, tail) {
            (false, tail) => bernoulli(q, tail.unwrap_or(crest), bed(x), true),
            (true, _) if x < 10.0 => bernoulli(q, crest, bed(x), true),
            (true, Some(tail)) if jump.is_some_and(|at| x > at) => bernoulli(q, tail, bed(x), true),
            (true, _) => bernoulli(q, crest, bed(x), false),
        };
        (depth, jump)
    }

    fn run(&self, exec: &Arc<Executor>, order: Order) -> Result<Run> {
        let initial = |i: u32, _k: u32| {
            let z = bed(center(i, CELL));
            InitialCell { bed: z, surface: self.level.max(z), velocity: [0.0; 2] }
        };
        let mut setup = Setup::new(CELLS, 1, CELL, &initial);
        setup.options = options(order);
        let q = self.q;
        let outlet = self.outlet.map_or(Edge::Side(Side::Outflow), |h| downstream(0.0, h, q / h));
        (setup.sides, setup.far_fields) = sides_and_far_fields(channel_edges(inlet(q * CELL), outlet));
        let mut run = Run::new(exec, setup)?;
        run.to(TIME)?;
        Ok(run)
    }

    /// Largest relative error of discharges at places, less those `beside` a jump, m.
    pub(super) fn discharge_error(&self, flow: &[[f64; 2]], beside: f64) -> f64 {
        let (_, jump) = self.exact();
        let at_jump = |x: f64| jump.is_some_and(|at| (x - at).abs() < beside);
        largest(flow.iter().filter(|p| !at_jump(p[0])).map(|p| p[1] / self.q - 1.0))
    }

    /// Runs both orders.
    fn measure(&self, exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
        let (exact, jump) = self.exact();
        let name = self.name;
        let mut surfaces = Chart::new(format!("Flow over a bump, {name}")).axes("x (m)", "elevation (m)");
        let mut discharges = Chart::new(format!("Discharge, {name}")).axes("x (m)", "discharge (m²/s)");
        let places: Vec<f64> = (0..CELLS).map(|i| center(i, CELL)).collect();
        let curve = |f: &dyn Fn(f64) -> f64| places.iter().map(|&x| [x, f(x)]).collect::<Vec<_>>();
        surfaces = surfaces.with(Series::new("bed", curve(&bed)).mark(Mark::Dashed));
        surfaces = surfaces.with(Series::new("exact", curve(&|x| exact(x) + bed(x))).mark(Mark::Dashed));
        discharges = discharges.with(Series::new("exact", curve(&|_| self.q)).mark(Mark::Dashed));
        for (order_name, order, [q_limit, all_limit, surface_limit]) in orders(exec, self.limits) {
            let mut run = self.run(exec, order)?;
            let fields = run.fields()?;
            let flow: Vec<[f64; 2]> =
                (0..CELLS as usize).map(|i| [places[i], f64::from(fields.depth[i] * fields.u[i])]).collect();
            let what = format!("{name}, {order_name}");
            out.ratio(
                format!("discharge error, {what}"),
                self.discharge_error(&flow, 2.0 * CELL),
                Limit::AtMost(q_limit),
            );
            if jump.is_some() {
                let label = format!("discharge error with the jump's four cells, {what}");
                out.ratio(label, self.discharge_error(&flow, 0.0), Limit::AtMost(all_limit));
            }
            let surface = profile(&fields.surface, CELL);
            let l1 = relative_l1(&surface, |x| exact(x) + bed(x));
            out.ratio(format!("L1 error of the surface, {what}"), l1, Limit::AtMost(surface_limit));
            surfaces = surfaces.with(Series::new(order_name, surface));
            discharges = discharges.with(Series::new(order_name, flow));
        }
        if let Some(at) = jump {
            out.notes.push(format!("{name}: the jump stands at x = {at:.3} m"));
        }
        out.charts.extend([surfaces, discharges]);
        Ok(())
    }

    /// The formula against a table, m.
    fn check(&self, table: &Table, out: &mut Outcome) -> Result<()> {
        let (exact, _) = self.exact();
        let points = table.curve("x_m", "h_m", |_| true)?.points;
        let worst = largest(points.iter().map(|p| exact(p[0]) - p[1]));
        out.measure(format!("formula against table, {}", self.name), worst, Limit::AtMost(1e-6), "m");
        Ok(())
    }
}

fn subcritical(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    CALM.check(&table!("bump_subcritical")?, &mut out)?;
    CALM.measure(exec, &mut out)?;
    Ok(out)
}

fn transcritical(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    FALL.check(&table!("bump_transcritical_no_shock")?, &mut out)?;
    FALL.measure(exec, &mut out)?;
    out.notes.push(
        "the cells of a jump carry a discharge of their own, as in every scheme that keeps cell averages; what crosses \
         the faces is constant"
            .into(),
    );
    JUMP.measure(exec, &mut out)?;
    Ok(out)
}
