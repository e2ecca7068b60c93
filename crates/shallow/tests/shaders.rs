//! Every shader of the crate parses, validates and agrees with its Rust declaration. Needs no GPU.

#[test]
fn every_shader_agrees_with_rust() {
    for kernel in thalweg_shallow::kernels() {
        thalweg_compute::shader_check::check(&kernel).unwrap_or_else(|e| panic!("{e}"));
    }
}
