//! Links this crate's WESL kernels into WGSL, and lets other crates import its modules and constants as `ledger::…`.
#![allow(unreachable_pub, reason = "the file is a module of the crate too")]

#[path = "src/word.rs"]
mod word;

fn main() {
    thalweg_wesl::link_kernels_with(&[word::WESL]);
    thalweg_wesl::share_modules_with(&[word::WESL]);
}
