use thalweg_compute::parity::test_executors;
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Control, ControlParams};
use crate::constants::{PARTIALS, scalar, slot};

/// Runs the control on these residuals; returns the scalars with the history, and the extents after each.
fn controlled(exec: &Executor, residuals: &[f32], capacity: u32) -> Result<(Vec<f32>, Vec<[u32; 3]>)> {
    let p = ControlParams { groups: 300, kernels: 1, capacity, bound: 0.25, relative: 0.0 };
    let partials = &exec.buffer::<f32>("partials", slot::COUNT * PARTIALS)?;
    let extents = &exec.buffer_from("extents", &[5u32, 6, 7])?;
    let scalars = &exec.buffer::<f32>("scalars", scalar::COUNT + 8)?;
    let args = &exec.buffer::<u32>("args", 3)?;
    let mut seen = Vec::new();
    for residual in residuals {
        exec.write(partials, slot::MAX_R * PARTIALS + 299, &[*residual])?;
        let mut rec = exec.record();
        rec.run(&Control { partials, extents, scalars, args }, &p, Dispatch::Groups([1, 1, 1]))?;
        rec.submit()?;
        let args = exec.read(args)?;
        seen.push([args[0], args[1], args[2]]);
    }
    Ok((exec.read(scalars)?, seen))
}

#[test]
fn control_stops_and_stays_stopped() {
    const ON: [u32; 3] = [5, 6, 7];
    const OFF: [u32; 3] = [0; 3];
    for exec in test_executors() {
        let (scalars, args) = controlled(exec, &[8.0, 1.0, 0.2, 3.0], 6).unwrap();
        assert_eq!(args, [ON, ON, OFF, OFF]);
        assert_eq!(scalars[scalar::RECORDED], 3.0);
        assert_eq!(scalars[scalar::COUNT..scalar::COUNT + 4], [8.0, 1.0, 0.2, 0.0]);
        for bad in [f32::NAN, f32::INFINITY] {
            let (scalars, args) = controlled(exec, &[8.0, bad, 0.2], 6).unwrap();
            assert_eq!(args, [ON, OFF, OFF], "{bad} on {}", exec.describe());
            assert_eq!(scalars[scalar::RECORDED], 2.0);
        }
        // Room for two only.
        let (scalars, args) = controlled(exec, &[8.0, 1.0, 1.0], 2).unwrap();
        assert_eq!(args, [ON, OFF, OFF]);
        assert_eq!(scalars[scalar::RECORDED], 2.0);
    }
}
