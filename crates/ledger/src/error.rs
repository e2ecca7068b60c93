//! Why an amount could not be moved.

use thalweg_compute::ComputeError;

use crate::account::{Account, Quantity};

/// Errors of a ledger. It is as it was before.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// An account would hold more than its integers can.
    #[error("the account `{}` cannot hold what it gets: the run is too long for its quantum", .account.name())]
    Full {
        /// Which one.
        account: Account,
    },
    /// An amount is not a number, or infinite.
    #[error("an amount for the account `{}` is not finite", .account.name())]
    NotFinite {
        /// Which one.
        account: Account,
    },
    /// The executor could not move some amounts: they were not finite, or too large for an account.
    #[error("{count} amounts of water were not finite or too large for their accounts")]
    Refused {
        /// How many.
        count: u32,
    },
    /// The ledger does not keep this account.
    #[error("no account `{}` of {quantity:?} is kept", .account.name())]
    NotKept {
        /// The quantity.
        quantity: Quantity,
        /// The account.
        account: Account,
    },
    /// Two ledgers count in different quanta.
    #[error("ledgers in quanta of {0} and {1} cannot be added up")]
    Quanta(f64, f64),
    /// Words that are not those of such a ledger.
    #[error("{0}")]
    Words(&'static str),
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
}
