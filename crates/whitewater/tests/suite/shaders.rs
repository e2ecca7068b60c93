//! Every shader of the crate parses, validates and agrees with its Rust declaration. Needs no GPU.

#[test]
fn every_shader_agrees_with_rust() {
    let src = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    thalweg_compute::shader_check::check_crate(src, &thalweg_whitewater::kernels()).unwrap_or_else(|e| panic!("{e}"));
}
