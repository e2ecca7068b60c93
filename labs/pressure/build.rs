//! Links the WESL of the kernels into the WGSL that they include.

fn main() {
    thalweg_wesl::link_kernels();
}
