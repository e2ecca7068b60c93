use super::parity::{SENTINEL, scan};
use super::{Scan, ScanParams, ScanTiles, TILE};
use crate::parity::{Rng, test_executors};
use crate::primitives::testing::{LENGTHS, threaded};
use crate::{Dispatch, Executor};

fn scanned(counts: &[u32]) -> (Vec<u32>, u32) {
    let add = |sum: &mut u32, n: &u32| {
        let before = *sum;
        *sum = sum.wrapping_add(*n);
        Some(before)
    };
    (counts.iter().scan(0, add).collect(), counts.iter().fold(0, |a, &b| a.wrapping_add(b)))
}

#[test]
fn equals_the_iterator_for_every_length() {
    let mut rng = Rng::new(1);
    for n in LENGTHS {
        let counts = rng.u32s(n, 9);
        for exec in test_executors() {
            assert!(scan(exec, &counts).unwrap() == scanned(&counts), "{n} on {}", exec.describe());
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    let counts = Rng::new(2).u32s(300_000, 100);
    let [one, three] = threaded().map(|exec| scan(&exec, &counts).unwrap());
    assert!(one == three);
}

/// Scratch of a long scan serves short ones, and what is past the end stays.
#[test]
fn a_shorter_input_leaves_the_rest_alone() {
    for exec in test_executors() {
        let scan = Scan::new(exec, 2_000_000).unwrap();
        let counts = exec.buffer_from("counts", &[5u32; 1500]).unwrap();
        let offsets = exec.buffer_from("offsets", &[SENTINEL; 1600]).unwrap();
        let mut rec = exec.record();
        scan.exclusive(&mut rec, &counts, &offsets).unwrap();
        rec.submit().unwrap();
        let got = exec.read(&offsets).unwrap();
        assert_eq!(got[1499], 5 * 1499);
        assert!(got[1500..].iter().all(|&x| x == SENTINEL));
        let mut rec = exec.record();
        assert!(scan.exclusive(&mut rec, &offsets, &counts).is_err(), "the output is too short");
    }
}

/// Dispatches of more than 65,535 groups have two rows; here are five, of few.
#[test]
fn folded_dispatches_cover_every_tile() {
    let counts = vec![1u32; TILE * 14 - 5];
    for exec in test_executors() {
        let input = exec.buffer_from("input", &counts).unwrap();
        let bases: Vec<u32> = (0..14).map(|tile| tile * TILE as u32).collect();
        let bases = exec.buffer_from("bases", &bases).unwrap();
        let output = exec.buffer_from("output", &vec![SENTINEL; counts.len()]).unwrap();
        let mut rec = exec.record();
        let kernel = ScanTiles { input: &input, bases: &bases, output: &output };
        rec.run(&kernel, &ScanParams { len: counts.len() as u32 }, Dispatch::Groups([3, 5, 1])).unwrap();
        rec.submit().unwrap();
        assert!(exec.read(&output).unwrap().iter().enumerate().all(|(i, &x)| x == i as u32));
    }
}

/// 2^26 elements and some: more tiles than one row of workgroups holds.
#[test]
fn the_longest_scan_is_folded() {
    let len = (1 << 26) + 12_345;
    let fits = |exec: &&Executor| match exec {
        Executor::Gpu(gpu) => gpu.adapter().max_binding_bytes >= 4 * len as u64, // lavapipe's are smaller
        Executor::Cpu(_) => true,
    };
    for exec in test_executors().into_iter().filter(fits) {
        let (offsets, total) = scan(exec, &vec![3u32; len]).unwrap();
        assert!(offsets.iter().enumerate().all(|(i, &x)| x == 3 * i as u32), "{}", exec.describe());
        assert_eq!(total, 3 * len as u32);
    }
}
