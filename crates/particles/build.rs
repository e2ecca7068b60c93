//! Links the WESL of the kernels into the WGSL that they include, with the constants that they share with Rust.

#[path = "src/constants.rs"]
mod constants;

fn main() {
    thalweg_wesl::link_kernels_with(&[constants::WESL]);
}
