//! CPU against GPU, for every kernel of this crate.

use thalweg_compute::parity::ParityCase;

/// The parity cases of every kernel of this crate.
pub fn parity_cases() -> Vec<ParityCase> {
    [
        crate::advect::parity::cases(),
        crate::bodies::parity::cases(),
        crate::drift::parity::cases(),
        crate::exchange::parity_cases(),
        crate::extrapolate::parity::cases(),
        crate::far_field::parity::cases(),
        crate::fill::parity::cases(),
        crate::fine::parity::cases(),
        crate::nudge::parity::cases(),
        crate::picture::parity::cases(),
        crate::project::parity::cases(),
        crate::reinitialise::parity::cases(),
        crate::remesh::parity::cases(),
        crate::samples::parity::cases(),
        crate::solids::parity::cases(),
        crate::stats::parity::cases(),
        crate::thicken::parity::cases(),
        crate::volume::parity::cases(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use thalweg_compute::parity::check_compared;
    use thalweg_compute::shader_check::check_crate;

    #[test]
    fn every_shader_agrees_with_rust() {
        let src = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        check_crate(src, &crate::kernels()).unwrap_or_else(|e| panic!("{e}"));
    }

    #[test]
    fn every_kernel_is_compared() {
        check_compared(&crate::kernels(), &super::parity_cases()).unwrap_or_else(|e| panic!("{e}"));
    }
}
