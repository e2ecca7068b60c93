use super::IndirectArgs;
use crate::parity::{Outputs, Rng};
use crate::primitives::Compact;
use crate::{Executor, Result};

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
pub(super) fn multiply_flagged(exec: &Executor, flags: &[u32], values: &[u32]) -> Result<Vec<u32>> {
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

fn a_list_from_flags(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let len = rng.below(5000) as usize;
    let (flags, values) = (rng.u32s(len, 2), rng.u32s(len, 1000));
    out.u32("values", multiply_flagged(exec, &flags, &values)?);
    Ok(())
}

crate::parity_cases! {
    a_list_from_flags: 4 seeds,
}
