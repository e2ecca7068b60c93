//! Links the WESL of the kernels into the WGSL that they include, with the constants that they share with Rust, and
//! tells other crates where the modules are.
#![allow(unreachable_pub, reason = "the file is a module of the crate too")]

#[path = "src/constants.rs"]
mod constants;

fn main() {
    thalweg_wesl::link_kernels_with(&[constants::WESL]);
    thalweg_wesl::share_modules_with(&[constants::WESL]);
}
