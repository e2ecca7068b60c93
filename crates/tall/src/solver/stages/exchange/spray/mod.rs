//! Water that is in the air as drops: it leaves what should be there, and comes back.
//!
//! A drop that leaves the water is no loss: the ledger's wanted volume sinks by it and rises again where it lands, and the controller of the
//! volume takes and gives it near the surface. Only drops that fly out of the domain count as removed.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_columns::flow::spray_word as word;
use thalweg_compute::{Buffer, Dispatch, Recording, kernel, uniform};

use crate::error::Result;
use crate::solver::stages::exchange::Exchanger;

uniform! {
    /// Where the accounts are.
    pub struct BookSprayParams {
        /// First of them in `events`.
        pub first: u32,
    }
}

kernel! {
    /// Books what drops took and brought: one invocation.
    pub struct BookSpray slices BookSpraySlices = "tall.book_spray" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/spray.wgsl")), entry: "book_spray",
        workgroup: [1, 1, 1],
        params: BookSprayParams,
        cpu: cpu::book_spray,
        read events: u32,
        write ledger: u32,
    }
}

impl Exchanger {
    /// Records what drops took from the water and brought back, from the first words of `events`; see [`spray_word`](word).
    pub(crate) fn record_spray(&self, rec: &mut Recording<'_>, events: &Buffer<u32>) -> Result<()> {
        let kernel = BookSpray { events, ledger: self.ledger.words() };
        Ok(rec.run(&kernel, &BookSprayParams { first: 0 }, Dispatch::Groups([1, 1, 1]))?)
    }
}
