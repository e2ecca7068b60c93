//! Tells crates with kernels where the WESL of the grid lies.

fn main() {
    thalweg_wesl::share_modules();
}
