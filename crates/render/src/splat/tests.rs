use thalweg_compute::Dispatch;
use thalweg_compute::parity::test_executors;

use super::Splat;
use super::parity::params;

#[test]
fn a_drop_is_seen_where_it_is_and_not_behind_things() {
    for exec in test_executors() {
        for (kind, depth, seen) in [
            (0.0, 11.0, true),
            (0.0, 9.0, false),
            (1.0, 11.0, true),
            (1.0, 9.0, false),
            (2.0, 9.6, true),
            (2.0, 9.0, false),
        ] {
            let drops = exec.buffer_from("drops", &[[0.0_f32, 0.0, 0.0, kind + 0.49]]).expect("memory");
            let image = exec.buffer_from("image", &vec![[0.0, 0.0, 0.0, depth]; 48 * 32]).expect("memory");
            let spray = exec.buffer("spray", 48 * 32).expect("memory");
            let mut rec = exec.record();
            let kernel = Splat { drops: &drops, image: &image, spray: &spray };
            rec.run(&kernel, &params(1), Dispatch::Elements(1)).expect("recorded");
            rec.submit().expect("run");
            let spray = exec.read(&spray).expect("read");
            assert_eq!(
                spray[24 + 48 * 16] > 0,
                seen,
                "{}: kind {kind} in the middle, at depth {depth}",
                exec.describe()
            );
            if kind != 1.0 {
                assert_eq!(spray[0], 0, "not in the corner");
            }
        }
    }
}
