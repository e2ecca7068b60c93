//! Links the WESL of the kernels into the WGSL that they include, and tells other crates where the modules are.

fn main() {
    thalweg_wesl::link_kernels();
    thalweg_wesl::share_modules();
}
