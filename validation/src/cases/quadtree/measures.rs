//! What else the uniform cases measure, on trees: with the limits of those cases.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_shallow::InitialCell;

use super::flows;
use crate::cases::{circular, stoker, thacker};
use crate::height_field::{FEWER, Tree, TreeCase, refinement};
use crate::{Limit, Outcome, Result};

/// Tolerances over those of the wet dam break, by depth of the tail water: with the same ones the plateaus over shallow
/// tail water are off by up to 2·10⁻³. Chosen by trying; errors do not fall evenly with them (`docs/quadtree.md`). Over
/// the thinnest tail water they scatter, by 4·10⁻⁴ with a tenth of the tolerance or with the last digit of a sum: there
/// the error is the mean over five trees.
const FINER: [&[f64]; 5] = [&[1.0], &[1.0], &[0.02], &[0.044], &[0.2, 0.25, 0.3, 0.35, 0.4]];

/// Plateau and bore of wet dam breaks, five depths of tail water.
pub(super) fn bores(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    for (n, ([plateau, bore], tolerances)) in stoker::LIMITS.into_iter().zip(FINER).enumerate() {
        let star = stoker::star(n)?;
        let (mut depths, mut speeds, mut fewer) = (0.0, 0.0, f64::INFINITY);
        for finer in tolerances {
            let flow = flows::wet_dam_break(star, 4, 4);
            let (surface, speed) = (flow.refinement.surface, flow.refinement.speed);
            let mut tree = flow.tolerate(finer * surface, finer * speed).on_a_tree(exec)?;
            // A tree stops after every frame.
            speeds += stoker::bore_speed(&mut tree, star)?.abs();
            depths += stoker::plateau(&mut tree, star)?.abs();
            fewer = tree.fewer_cells().min(fewer);
        }
        let (depth, speed) = (depths / tolerances.len() as f64, speeds / tolerances.len() as f64);
        out.ratio(format!("plateau depth error, tail water 1:{}", star.tail), depth, Limit::AtMost(plateau));
        out.ratio(format!("bore speed error, tail water 1:{}", star.tail), speed, Limit::AtMost(bore));
        let label = format!("cells of the uniform grid over those of the tree, tail water 1:{}", star.tail);
        out.ratio(label, fewer, FEWER);
    }
    Ok(())
}

/// A plane swings around the bowl of `n` × `n` finest cells for four periods.
pub(super) fn periods(exec: &Arc<Executor>, n: u32, out: &mut Outcome) -> Result<()> {
    let mut tree = flows::planar_swing(n).on_a_tree(exec)?;
    let found = thacker::swing(&mut tree, 4)?;
    let [period, noise, left] = thacker::SWING_LIMITS;
    out.ratio("planar swing, period error over four periods", found.period, Limit::AtMost(period));
    out.ratio("planar swing, roughness of the surface over bowl depth", found.noise, Limit::AtMost(noise));
    out.ratio("planar swing, swing left after 4 periods", found.left, Limit::AtLeast(left));
    out.notes.push(format!("planar swing for four periods: {:.1} times fewer cells", tree.fewer_cells()));
    Ok(())
}

/// The whole of the round dam in `n` × `n` finest cells: the bore stays round, mirror images stay equal.
pub(super) fn symmetry(exec: &Arc<Executor>, n: u32, out: &mut Outcome) -> Result<()> {
    let cell = 2.0 * circular::HALF / f64::from(n);
    let initial = |at: [f64; 2]| InitialCell {
        surface: circular::depth(at.map(|x| x - circular::HALF), cell),
        ..Default::default()
    };
    let mut grown = TreeCase::new([n; 2], cell, 4, &initial, refinement(0.01, 0.06));
    grown.frame = circular::TIME / 50.0;
    let mut tree = Tree::new(exec, grown, &circular::places(), &[])?;
    let found = circular::spread(&mut tree, n)?;
    let [radii, apart] = circular::LIMITS.map(Limit::AtMost);
    out.ratio("round dam break, largest over smallest radius", found.radii, radii);
    out.measure("round dam break, difference of mirror images", found.difference, apart, "m");
    out.notes.push(format!("round dam break, all of it: {:.1} times fewer cells", tree.fewer_cells()));
    Ok(())
}
