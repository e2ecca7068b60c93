use super::parity::multiply_flagged;
use super::{FoldCount, FoldCountParams};
use crate::parity::{Rng, test_executors};
use crate::{Dispatch, fold};

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
