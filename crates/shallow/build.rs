//! Links this crate's WESL kernels into WGSL, with the constants that they share with Rust.
#![allow(unreachable_pub, reason = "the files are modules of the crate too")]

#[path = "src/boundary"]
mod boundary {
    pub(crate) mod kind;
}
#[path = "src/clock"]
mod clock {
    pub(crate) mod constants;
    pub(crate) mod word;
}
#[path = "src/cmf10"]
mod cmf10 {
    pub(crate) mod limits;
}
#[path = "src/hllc"]
mod hllc {
    pub(crate) mod constants;
}
#[path = "src/maps"]
mod maps {
    pub(crate) mod constants;
}
#[path = "src/sides"]
mod sides {
    pub(crate) mod constants;
}
#[path = "src/stats"]
mod stats {
    pub(crate) mod constants;
}
#[path = "src/tree"]
mod tree {
    pub(crate) mod refine_criteria {
        pub(crate) mod constants;
    }
    pub(crate) mod kernel_advection {
        pub(crate) mod constants;
    }
    pub(crate) mod layout;
    pub(crate) mod on_grid {
        pub(crate) mod constants;
    }
    pub(crate) mod flux_update {
        pub(crate) mod constants;
    }
    pub(crate) mod adapt_plan {
        pub(crate) mod constants;
    }
    pub(crate) mod tree_clock {
        pub(crate) mod constants;
    }
}

fn main() {
    thalweg_wesl::link_kernels_with(&[
        boundary::kind::WESL,
        clock::constants::WESL,
        clock::word::WESL,
        cmf10::limits::WESL,
        hllc::constants::WESL,
        maps::constants::WESL,
        sides::constants::WESL,
        stats::constants::WESL,
        tree::refine_criteria::constants::WESL,
        tree::kernel_advection::constants::WESL,
        tree::layout::WESL,
        tree::on_grid::constants::WESL,
        tree::flux_update::constants::WESL,
        tree::adapt_plan::constants::WESL,
        tree::tree_clock::constants::WESL,
    ]);
}
