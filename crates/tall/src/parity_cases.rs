//! CPU against GPU, for every kernel of this crate.

use thalweg_compute::parity::ParityCase;

/// The parity cases of every kernel of this crate.
pub fn parity_cases() -> Vec<ParityCase> {
    [
        crate::solver::stages::advect::parity::cases(),
        crate::solver::stages::bodies::parity::cases(),
        crate::solver::view::drift::parity::cases(),
        crate::solver::stages::exchange::parity_cases(),
        crate::solver::stages::extrapolate::parity::cases(),
        crate::solver::stages::far_field::parity::cases(),
        crate::solver::surface::level_set::fill::parity::cases(),
        crate::solver::surface::level_set::fine::parity::cases(),
        crate::solver::stages::push_ball::parity::cases(),
        crate::solver::view::picture::parity::cases(),
        crate::solver::stages::project::parity::cases(),
        crate::solver::surface::level_set::reinitialise::parity::cases(),
        crate::solver::stages::remesh::parity::cases(),
        crate::solver::stages::samples::parity::cases(),
        crate::solver::stages::solids::parity::cases(),
        crate::solver::view::statistics::parity::cases(),
        crate::solver::surface::level_set::thicken::parity::cases(),
        crate::solver::stages::volume::parity::cases(),
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
