//! Amounts that many invocations have counted, moved between accounts.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{Buffer, Dispatch, Recording, kernel, uniform};

use crate::account::Account;

/// Pairs of accounts that a [`Post`] can name.
const MOST: usize = 4;

uniform! {
    /// Where the amounts are, and between which accounts they move.
    pub struct PostParams {
        /// First word of the amounts.
        pub first: u32,
        /// How many there are.
        pub count: u32,
        /// The account that the first one leaves.
        pub from_0: u32,
        /// Where it goes.
        pub to_0: u32,
        /// See `from_0`.
        pub from_1: u32,
        /// See `to_0`.
        pub to_1: u32,
        /// See `from_0`.
        pub from_2: u32,
        /// See `to_0`.
        pub to_2: u32,
        /// See `from_0`.
        pub from_3: u32,
        /// See `to_0`.
        pub to_3: u32,
    }
}

impl PostParams {
    /// Amounts from a word on, two words each, low word first, and the accounts between which they move: at most four.
    pub fn new(first: u32, moves: &[(Account, Account)]) -> Self {
        assert!(moves.len() <= MOST, "{} amounts are posted at once, at most {MOST} can be", moves.len());
        let [a, b, c, d] =
            std::array::from_fn(|n| moves.get(n).map_or([0; 2], |(from, to)| [from.number(), to.number()]));
        Self {
            first,
            count: moves.len() as u32,
            from_0: a[0],
            to_0: a[1],
            from_1: b[0],
            to_1: b[1],
            from_2: c[0],
            to_2: c[1],
            from_3: d[0],
            to_3: d[1],
        }
    }

    fn moves(&self) -> [[u32; 2]; MOST] {
        [[self.from_0, self.to_0], [self.from_1, self.to_1], [self.from_2, self.to_2], [self.from_3, self.to_3]]
    }
}

kernel! {
    /// Moves amounts that were counted elsewhere: one invocation.
    pub struct Post slices PostSlices = "ledger.post" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/post.wgsl")), entry: "post",
        workgroup: [1, 1, 1],
        params: PostParams,
        cpu: cpu::post,
        read amounts: u32,
        write ledger: u32,
    }
}

/// Records the transfer of counted amounts.
pub fn post(
    rec: &mut Recording<'_>,
    amounts: &Buffer<u32>,
    ledger: &Buffer<u32>,
    params: &PostParams,
) -> thalweg_compute::Result<()> {
    rec.run(&Post { amounts, ledger }, params, Dispatch::Groups([1, 1, 1]))
}
