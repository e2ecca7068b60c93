use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{CONTRAST, COUNT, Edges, EdgesParams, GatherRays, HEAD};

/// A picture of bright and dark patches at two distances that is no whole number of squares: the same pixels are
/// listed, in whatever order.
fn list_and_plan(exec: &Executor, _: &mut Rng, out: &mut Outputs) -> Result<()> {
    let (width, height) = (70_u32, 45_u32);
    let image: Vec<[f32; 4]> = (0..width * height)
        .map(|at| {
            let (x, y) = (at % width, at / width);
            let light = if (x / 19 + y / 17) % 2 == 0 { 0.4 } else { 0.4 + 0.01 * y as f32 };
            [light, 0.9 * light, 1.1 * light, if x < 38 { 5.0 } else { 4.0 }]
        })
        .collect();
    let image = exec.buffer_from("image", &image)?;
    for (samples, exposure) in [(4, 1.0), (2, 0.3), (300, 2.0), (4, 0.0)] {
        let params = EdgesParams { width, height, samples, exposure, anywhere: CONTRAST };
        let edges = Edges::new(exec, (width * height) as usize)?;
        let mut rec = exec.record();
        edges.record(&mut rec, &params, &image)?;
        rec.submit()?;
        let (list, args) = (exec.read(&edges.list)?, exec.read(&edges.args)?);
        let (count, sums) = (list[0] as usize, list[1]);
        let mut pixels = list[HEAD..][..count].to_vec();
        pixels.sort_unstable();
        assert_eq!(args[COUNT] as usize, count);
        assert!(256 * args[0] * args[1] >= args[COUNT] * sums && 256 * args[3] * args[4] >= args[COUNT], "{args:?}");
        let wanted = if samples > 4 && exposure > 0.0 { 1 } else { samples - 1 };
        assert_eq!(sums, wanted, "no room for {samples} rays a pixel");
        if exposure > 0.0 {
            assert!(count > 100 && count < 2000, "some are edges: {count}");
        } else {
            assert!(count == 0 && args[0] == 0, "in the dark there are none: {args:?}");
        }
        out.u32("pixels", pixels);
        out.u32("rays a pixel", vec![sums]);
        out.u32("args", args);
    }
    Ok(())
}

fn gather(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let list = exec.buffer_from("list", &[3_u32, 2, 7, 1, 4])?;
    let mut values =
        |count: usize| -> Vec<[f32; 4]> { (0..count).map(|_| std::array::from_fn(|_| rng.range(0.0, 2.0))).collect() };
    let (rays, image) = (exec.buffer_from("rays", &values(6))?, exec.buffer_from("image", &values(9))?);
    let params = EdgesParams { width: 3, height: 3, samples: 3, exposure: 1.0, anywhere: CONTRAST };
    let mut rec = exec.record();
    rec.run(&GatherRays { list: &list, rays: &rays, image: &image }, &params, Dispatch::Elements(3))?;
    rec.submit()?;
    out.f32("image", exec.read(&image)?.into_iter().flatten().collect(), Tolerance::Relative(1e-6));
    Ok(())
}

thalweg_compute::parity_cases! {
    list_and_plan: 1 seeds,
    gather: 3 seeds,
}
