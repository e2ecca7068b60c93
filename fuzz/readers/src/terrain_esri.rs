//! Any bytes as a height map of this format: refused, or as many finite samples as it says.

use thalweg_scene::heightmap::read_esri;

/// The bytes, read.
pub fn run(bytes: &[u8]) {
    if let Ok(map) = read_esri(bytes) {
        assert_eq!(map.values.len() as u64, u64::from(map.width) * u64::from(map.height));
        assert!(map.values.iter().all(|value| !value.is_infinite()));
    }
}
