//! CPU against GPU, for every kernel of this crate.

use thalweg_compute::parity::ParityCase;

/// The parity cases of every kernel of this crate.
pub fn parity_cases() -> Vec<ParityCase> {
    crate::post::parity::cases()
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
