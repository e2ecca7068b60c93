//! Tells crates with kernels where the WESL of solids lies, and the constants that it shares with Rust.
#![allow(unreachable_pub, reason = "the file is a module of the crate too")]

#[path = "src/constants.rs"]
mod constants;

fn main() {
    thalweg_wesl::share_modules_with(&[constants::WESL]);
}
