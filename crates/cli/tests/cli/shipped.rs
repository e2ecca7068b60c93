//! The shipped scenes run, on the processor and on a GPU.

use serde_json::Value;

use crate::inspect::shipped_names;
use crate::program::{end, has_adapter, scratch};

/// The first frame of a shipped scene; its summary.
fn first_frame(name: &str, backend: &str) -> Value {
    let folder = scratch();
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let summary = end(["run", name, "--frames", "1", "--json", "--backend", backend, "--out", out]).expect(0).json();
    let number =
        |value: &Value| value.as_f64().filter(|x| x.is_finite()).unwrap_or_else(|| panic!("{name}: {summary}"));
    assert_eq!(summary["frames"], 2, "{name}: the start and one more");
    assert!(number(&summary["simulated_seconds"]) > 0.0 && number(&summary["max_speed"]) < 100.0, "{summary}");
    // A level set conserves no volume: its volume is put right after the fact.
    let solver = &end(["check", name, "--json"]).expect(0).json()["solver"];
    let limit = if solver == "shallow" || solver == "quadtree" { 1e-4 } else { 5e-3 };
    assert!(number(&summary["volume"]["drift"]).abs() < limit, "{name} loses water: {summary}");
    summary
}

#[test]
fn every_shipped_scene_runs_on_the_processor() {
    for name in shipped_names() {
        first_frame(&name, "cpu");
    }
}

#[test]
fn shipped_scenes_run_alike_on_a_gpu() {
    if !has_adapter() {
        eprintln!("skipped: there is no adapter, not even one in software");
        return;
    }
    for name in ["dam-valley", "river", "column-2d"] {
        let [cpu, gpu] = ["cpu", "gpu"].map(|backend| first_frame(name, backend));
        assert!(!gpu["backend"].as_str().expect("a name").starts_with("cpu"), "{}", gpu["backend"]);
        assert_eq!((&cpu["steps"], &cpu["cells"]), (&gpu["steps"], &gpu["cells"]));
        for key in ["initial", "final", "added"] {
            let [a, b] = [&cpu, &gpu].map(|summary| summary["volume"][key].as_f64().expect("a number"));
            assert!((a - b).abs() <= 1e-4 * a.abs().max(1.0), "{name}: volume {key} is {a} and {b} m³");
        }
        let [a, b] = [&cpu, &gpu].map(|summary| summary["max_speed"].as_f64().expect("a number"));
        assert!((a - b).abs() <= 0.02 * a.max(1e-3), "{name}: the fastest water moves at {a} and {b} m/s");
    }
}
