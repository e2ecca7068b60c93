//! One ledger for all water: where an amount was, and where it went.
//!
//! | module | what |
//! | --- | --- |
//! | [`Account`], [`Quantity`] | what accounts stand for, and what is counted |
//! | [`Ledger`] | accounts on the host, in integers of 128 bits |
//! | [`DeviceLedger`] | accounts of mass that kernels write, in integers of 63 bits |
//! | [`transfer`](mod@transfer) | the function that moves an amount, on words; `transfer.fragment.wesl` for kernels |
//! | [`Post`] | the kernel that moves amounts which others have counted |
//!
//! A kernel with a binding `ledger: array<u32>` takes the functions in by `// fragment: ledger::transfer.fragment.wesl`
//! and imports numbers of accounts as `ledger::word::WATER`. `docs/ledger.md` says who keeps which account.

mod account;
mod device;
mod error;
mod ledger;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod post;
#[cfg(test)]
mod tests;
pub mod transfer;
pub mod word;

use thalweg_compute::{Kernel, KernelInfo};

pub use account::{Account, Quantity};
pub use device::DeviceLedger;
pub use error::LedgerError;
pub use ledger::{Ledger, Turnover, quantum_on};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use post::{Post, PostParams, post};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![Post::INFO]
}
