//! Links this crate's WESL kernels into WGSL, with the constants that they share with Rust.
#![allow(unreachable_pub, reason = "the files are modules of the crate too")]

#[path = "src/solver"]
mod solver {
    pub(crate) mod stages {
        pub(crate) mod bodies {
            pub(crate) mod constants;
            pub(crate) mod word;
        }
        pub(crate) mod exchange {
            pub(crate) mod sources {
                pub(crate) mod constants;
                pub(crate) mod state;
            }
            pub(crate) mod zones {
                pub(crate) mod outside;
                pub(crate) mod sea {
                    pub(crate) mod constants;
                }
            }
        }
        pub(crate) mod extrapolate {
            pub(crate) mod constants;
        }
        pub(crate) mod project {
            pub(crate) mod constants;
        }
        pub(crate) mod remesh {
            pub(crate) mod constants;
        }
        pub(crate) mod solids {
            pub(crate) mod constants;
        }
        pub(crate) mod volume {
            pub(crate) mod constants;
        }
    }
    pub(crate) mod surface {
        pub(crate) mod level_set {
            pub(crate) mod fill {
                pub(crate) mod constants;
            }
            pub(crate) mod fine {
                pub(crate) mod constants;
            }
            pub(crate) mod reinitialise {
                pub(crate) mod constants;
            }
            pub(crate) mod thicken {
                pub(crate) mod constants;
            }
        }
    }
    pub(crate) mod view {
        pub(crate) mod picture {
            pub(crate) mod constants;
        }
        pub(crate) mod statistics {
            pub(crate) mod constants;
            pub(crate) mod word;
        }
    }
}

fn main() {
    thalweg_wesl::link_kernels_with(&[
        solver::stages::bodies::constants::WESL,
        solver::stages::bodies::word::WESL,
        solver::stages::exchange::sources::constants::WESL,
        solver::stages::exchange::sources::state::WESL,
        solver::stages::exchange::zones::outside::WESL,
        solver::stages::exchange::zones::sea::constants::WESL,
        solver::stages::extrapolate::constants::WESL,
        solver::stages::project::constants::WESL,
        solver::stages::remesh::constants::WESL,
        solver::stages::solids::constants::WESL,
        solver::stages::volume::constants::WESL,
        solver::surface::level_set::fill::constants::WESL,
        solver::surface::level_set::fine::constants::WESL,
        solver::surface::level_set::reinitialise::constants::WESL,
        solver::surface::level_set::thicken::constants::WESL,
        solver::view::picture::constants::WESL,
        solver::view::statistics::constants::WESL,
        solver::view::statistics::word::WESL,
    ]);
}
