use super::{FoldCount, FoldCountParams, IndirectArgs};
use crate::parity::{Rng, Tolerance, assert_parity, test_executors};
use crate::primitives::Compact;
use crate::{Dispatch, Executor, Result, fold};

crate::uniform! {
    /// Parameters of the test kernel.
    struct MultiplyParams {
        /// What values are multiplied by.
        pub factor: u32,
    }
}

crate::kernel! {
    /// Multiplies the listed values only.
    struct Multiply slices MultiplySlices = "compute.test_multiply" {
        shader: MULTIPLY, entry: "multiply",
        workgroup: [64, 1, 1],
        params: MultiplyParams,
        cpu: multiply,
        read args: u32,
        read list: u32,
        write values: u32,
    }
}

const MULTIPLY: &str = "
struct MultiplyParams { factor: u32 }
@group(0) @binding(0) var<uniform> p: MultiplyParams;
@group(0) @binding(1) var<storage, read> args: array<u32>;
@group(0) @binding(2) var<storage, read> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> values: array<u32>;
@compute @workgroup_size(64)
fn multiply(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {
    let i = (group.x + group.y * groups.x) * 64u + local;
    if i < args[3] { values[list[i]] *= p.factor; }
}";

fn multiply(p: &MultiplyParams, s: MultiplySlices<'_>) {
    for &i in &s.list[..s.args[IndirectArgs::COUNT] as usize] {
        s.values[i as usize] *= p.factor;
    }
}

/// Flags to list to arguments to kernel, in one recording: the host never sees the count.
fn multiply_flagged(exec: &Executor, flags: &[u32], values: &[u32]) -> Result<Vec<u32>> {
    let (flags, values) = (exec.buffer_from("flags", flags)?, exec.buffer_from("values", values)?);
    let (list, count) = (exec.buffer::<u32>("list", flags.len())?, exec.buffer::<u32>("count", 1)?);
    let (compact, args) = (Compact::new(exec, flags.len())?, IndirectArgs::new(exec)?);
    let mut rec = exec.record();
    compact.indices(&mut rec, &flags, &list, &count)?;
    args.set::<Multiply<'_>>(&mut rec, &count)?;
    let kernel = Multiply { args: args.buffer(), list: &list, values: &values };
    rec.run(&kernel, &MultiplyParams { factor: 3 }, args.dispatch())?;
    rec.submit()?;
    exec.read(&values)
}

#[test]
fn a_kernel_runs_over_the_compacted_list_alone() {
    let mut rng = Rng::new(1);
    for n in [0, 1, 63, 64, 65, 10_000] {
        for flags in [rng.u32s(n, 2), vec![0; n], vec![1; n]] {
            let values = rng.u32s(n, 1000);
            let want: Vec<u32> = values.iter().zip(&flags).map(|(v, f)| if *f == 1 { v * 3 } else { *v }).collect();
            for exec in test_executors() {
                assert!(multiply_flagged(exec, &flags, &values).unwrap() == want, "{n} on {}", exec.describe());
            }
        }
    }
}

#[test]
fn gpu_matches_cpu_parity() {
    assert_parity(4, |exec, rng, out| {
        let len = rng.below(5000) as usize;
        let (flags, values) = (rng.u32s(len, 2), rng.u32s(len, 1000));
        out.u32("values", multiply_flagged(exec, &flags, &values)?, Tolerance::Exact);
        Ok(())
    });
}

#[test]
fn arguments_are_folded_as_on_the_host() {
    for exec in test_executors() {
        let args = exec.buffer::<u32>("args", 4).unwrap();
        for workgroup in [1u32, 64, 256] {
            for count in [0, 1, 256, 257, 65_535 * 256, 65_535 * 256 + 1, 1 << 30, u32::MAX] {
                let counted = exec.buffer_from("count", &[count]).unwrap();
                let mut rec = exec.record();
                let kernel = FoldCount { count: &counted, args: &args };
                rec.run(&kernel, &FoldCountParams { workgroup }, Dispatch::Groups([1, 1, 1])).unwrap();
                rec.submit().unwrap();
                let groups = u64::from(count.div_ceil(workgroup)).min(65_535 * 65_535); // no dispatch holds more
                let [x, y, z] = fold(groups).unwrap();
                assert_eq!(exec.read(&args).unwrap(), [x, y, z, count], "{count} by {workgroup}");
            }
        }
    }
}
