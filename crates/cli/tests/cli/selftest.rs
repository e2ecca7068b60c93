//! `selftest`: kernels on the GPU of this machine against the processor.

use crate::program::{end, has_adapter};

#[test]
fn a_crate_of_kernels_agrees() {
    if !has_adapter() {
        return;
    }
    let text = end(["selftest", "compute"]).expect(0).stdout;
    for kernel in ["compute.fill", "compute.sort_scatter", "compute.scan_tiles"] {
        let line =
            text.lines().find(|line| line.starts_with(kernel)).unwrap_or_else(|| panic!("no {kernel} in\n{text}"));
        assert!(line.ends_with("ok"), "{line}");
    }
    assert!(text.starts_with("adapter  ") && text.contains("\ndriver   "), "{text}");

    let object = end(["selftest", "compute::primitives::fill", "--json"]).expect(0).json();
    let adapters = end(["info", "--json"]).expect(0).json();
    let adapter = adapters["adapters"].as_array().expect("a list").iter().find(|a| a["name"] == object["adapter"]);
    assert_eq!(adapter.expect("one of those that `info` lists")["driver"], object["driver"]);
    let kernels = object["kernels"].as_array().expect("a list");
    assert_eq!(kernels.len(), 1, "one output of one case: {kernels:?}");
    let found = &kernels[0];
    assert_eq!(
        (&found["kernel"], &found["case"]),
        (&"compute.fill".into(), &"compute::primitives::fill::every_word".into())
    );
    assert_eq!((&found["output"], &found["pass"]), (&"values".into(), &true.into()));
    assert_eq!((found["worst"].as_f64(), found["limit"].as_f64()), (Some(0.0), Some(0.0)));
}

#[test]
fn names_that_nothing_has_are_refused() {
    assert!(end(["selftest", "tidal"]).expect(2).stderr.contains("no case has `tidal` in its name"));
    let refused = end(["selftest", "--adapter", "no such card"]).expect(2).stderr;
    assert!(refused.contains("no adapter has `no such card` in its name; `thalweg info` lists them"), "{refused}");
}
