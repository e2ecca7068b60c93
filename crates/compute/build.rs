//! Links this crate's WESL kernels into WGSL.
fn main() {
    thalweg_wesl::link_kernels();
}
