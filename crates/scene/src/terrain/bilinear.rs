//! Where a point lies between the samples of a map, and which of them count there: one rule for maps in memory and for streamed ones.

/// A position nearer than this to a sample, as a part of the spacing, is the sample itself, so that
/// rounding does not draw in a neighbour that has no data.
pub(crate) const SNAP: f64 = 1e-6;

/// Position of a coordinate among `count` samples, in steps from the first one. Beyond the outer samples the map goes on flat.
pub(crate) fn position(coordinate: f64, first: f64, spacing: f64, count: u32) -> f64 {
    let steps = ((coordinate - first) / spacing).clamp(0.0, f64::from(count - 1));
    if (steps - steps.round()).abs() < SNAP { steps.round() } else { steps }
}

/// The two samples around a position, with their weights.
pub(crate) fn corners(position: f64) -> [(usize, f64); 2] {
    let low = position.floor();
    let weight = position - low;
    [(low as usize, 1.0 - weight), (low as usize + 1, weight)]
}
