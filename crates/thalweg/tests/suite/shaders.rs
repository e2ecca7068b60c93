//! Every shader of every method parses, validates and agrees with its Rust declaration. Needs no GPU.

use std::collections::HashSet;

#[test]
fn every_shader_of_the_workspace_agrees_with_rust() {
    let kernels = thalweg::kernels();
    assert!(kernels.len() > 10);
    for kernel in &kernels {
        thalweg::compute::shader_check::check(kernel).unwrap_or_else(|e| panic!("{e}"));
    }
    // Executors cache pipelines by name: two kernels of one name would run as one.
    let names: HashSet<_> = kernels.iter().map(|k| k.name).collect();
    assert_eq!(names.len(), kernels.len());
}
