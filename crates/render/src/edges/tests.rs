use thalweg_compute::parity::own_test_executors;

use super::{CONTRAST, Edges, EdgesParams, HEAD, STRONG};

/// Stripes on a slanted plane are no edges unless they are strong; where the plane ends they are, and so is the sky.
#[test]
fn weak_contrast_counts_where_a_surface_ends() {
    let (width, height) = (64_u32, 16_u32);
    let listed = |difference: f32, anywhere: f32, away: &dyn Fn(u32) -> f32| -> Vec<Vec<u32>> {
        let stripe = |at: u32| {
            let light = if (at % width / 8).is_multiple_of(2) { 0.4 } else { 0.4 + difference };
            [light, light, light, away(at % width)]
        };
        let image: Vec<[f32; 4]> = (0..width * height).map(stripe).collect();
        let list = |exec: &std::sync::Arc<thalweg_compute::Executor>| {
            let image = exec.buffer_from("image", &image).unwrap();
            let edges = Edges::new(exec, image.len()).unwrap();
            let mut rec = exec.record();
            let params = EdgesParams { width, height, samples: 4, exposure: 1.0, anywhere };
            edges.record(&mut rec, &params, &image).unwrap();
            rec.submit().unwrap();
            let list = exec.read(&edges.list).unwrap();
            let mut pixels = list[HEAD..][..list[0] as usize].to_vec();
            pixels.sort_unstable();
            pixels
        };
        own_test_executors().iter().map(list).collect()
    };
    let plane = |x: u32| 1.0 / (0.01 + 0.002 * x as f32);
    let torn = |x: u32| if x < 24 { plane(x) } else { plane(x) + 30.0 };
    let sky = |x: u32| if x < 24 { plane(x) } else { 1e9 };
    for (difference, anywhere, away, count) in [
        (0.15, STRONG, &plane as &dyn Fn(u32) -> f32, 0),
        (0.15, CONTRAST, &plane, 14 * height),
        (0.15, STRONG, &torn, 2 * height),
        (0.15, STRONG, &sky, 2 * height),
        (0.02, STRONG, &torn, 0),
        (1.0, STRONG, &plane, 14 * height),
    ] {
        for pixels in listed(difference, anywhere, away) {
            assert_eq!(pixels.len(), count as usize, "{difference}: {pixels:?}");
        }
    }
}
