//! Tells crates with kernels where the WESL of solids lies.

fn main() {
    thalweg_wesl::share_modules();
}
