//! Any bytes as a matrix and as points: refused, or as many finite samples as it says.

use thalweg_scene::heightmap::{read_csv, read_xyz};

/// The bytes, read.
pub fn run(bytes: &[u8]) {
    for map in [read_csv(bytes), read_xyz(bytes)].into_iter().flatten() {
        assert_eq!(map.values.len() as u64, u64::from(map.width) * u64::from(map.height));
        assert!(map.values.iter().all(|value| !value.is_infinite()));
        assert!(map.spacing.is_none_or(|spacing| spacing.iter().all(|step| *step > 0.0 && step.is_finite())));
    }
}
