use super::{Fill, FillParams};
use crate::Dispatch;
use crate::parity::{Tolerance, assert_parity};

#[test]
fn gpu_matches_cpu_parity() {
    assert_parity(4, |exec, rng, out| {
        let values = exec.buffer::<u32>("values", 1000 + rng.below(70_000) as usize)?;
        let mut rec = exec.record();
        rec.run(&Fill { values: &values }, &FillParams { value: rng.next_u32() }, Dispatch::Elements(values.len()))?;
        rec.submit()?;
        out.u32("values", exec.read(&values)?, Tolerance::Exact);
        Ok(())
    });
}
