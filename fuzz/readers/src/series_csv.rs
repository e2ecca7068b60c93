//! Any bytes as a series: refused, or finite points with times that increase.

use thalweg_scene::Series;

/// The bytes, read.
pub fn run(bytes: &[u8]) {
    for value in [None, Some("q")] {
        if let Ok(series) = Series::from_csv(bytes, None, value) {
            let points = series.points();
            assert!(points.iter().flatten().all(|number| number.is_finite()));
            assert!(points.windows(2).all(|pair| pair[0][0] < pair[1][0]));
            assert!(series.at(points[0][0]) == points[0][1]);
        }
    }
}
