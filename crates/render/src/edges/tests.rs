use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity, own_test_executors};

use super::{CONTRAST, COUNT, Edges, EdgesParams, GatherRays, HEAD, STRONG};

/// A picture of bright and dark patches at two distances that is no whole number of squares: the same pixels are listed, in whatever order.
#[test]
fn list_and_plan_parity() {
    let (width, height) = (70_u32, 45_u32);
    let image: Vec<[f32; 4]> = (0..width * height)
        .map(|at| {
            let (x, y) = (at % width, at / width);
            let light = if (x / 19 + y / 17) % 2 == 0 { 0.4 } else { 0.4 + 0.01 * y as f32 };
            [light, 0.9 * light, 1.1 * light, if x < 38 { 5.0 } else { 4.0 }]
        })
        .collect();
    for (samples, exposure) in [(4, 1.0), (2, 0.3), (300, 2.0), (4, 0.0)] {
        let params = EdgesParams { width, height, samples, exposure, anywhere: CONTRAST };
        let found: Vec<_> = own_test_executors()
            .iter()
            .map(|exec| {
                let image = exec.buffer_from("image", &image).unwrap();
                let edges = Edges::new(exec, (width * height) as usize).unwrap();
                let mut rec = exec.record();
                edges.record(&mut rec, &params, &image).unwrap();
                rec.submit().unwrap();
                let (list, args) = (exec.read(&edges.list).unwrap(), exec.read(&edges.args).unwrap());
                let mut pixels = list[HEAD..][..list[0] as usize].to_vec();
                pixels.sort_unstable();
                (pixels, list[1], args)
            })
            .collect();
        let (pixels, sums, args) = &found[0];
        assert_eq!(args[COUNT] as usize, pixels.len());
        assert!(256 * args[0] * args[1] >= args[COUNT] * sums && 256 * args[3] * args[4] >= args[COUNT], "{args:?}");
        assert_eq!(
            *sums,
            if samples > 4 && exposure > 0.0 { 1 } else { samples - 1 },
            "no room for {samples} rays a pixel"
        );
        if exposure > 0.0 {
            assert!(pixels.len() > 100 && pixels.len() < 2000, "some are edges: {}", pixels.len());
        } else {
            assert!(pixels.is_empty() && args[0] == 0, "in the dark there are none: {args:?}");
        }
        found.iter().skip(1).for_each(|other| assert_eq!(&found[0], other, "{samples} samples"));
    }
}

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

#[test]
fn gather_parity() {
    assert_parity(3, |exec, rng, out| {
        let list = exec.buffer_from("list", &[3_u32, 2, 7, 1, 4])?;
        let mut values = |count: usize| -> Vec<[f32; 4]> {
            (0..count).map(|_| std::array::from_fn(|_| rng.range(0.0, 2.0))).collect()
        };
        let (rays, image) = (exec.buffer_from("rays", &values(6))?, exec.buffer_from("image", &values(9))?);
        let params = EdgesParams { width: 3, height: 3, samples: 3, exposure: 1.0, anywhere: CONTRAST };
        let mut rec = exec.record();
        rec.run(&GatherRays { list: &list, rays: &rays, image: &image }, &params, Dispatch::Elements(3))?;
        rec.submit()?;
        out.f32("image", exec.read(&image)?.into_iter().flatten().collect(), Tolerance::Relative(1e-6));
        Ok(())
    });
}
