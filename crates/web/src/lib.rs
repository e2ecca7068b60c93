//! A running simulation in the browser, and recorded ones inside reports.
//!
//! `Server` shows a [`Simulation`](thalweg::Simulation) to pages on the same machine: page and water come from it, nothing from
//! the network. The simulation has a thread of its own ([`protocol::Command`] drives it), pages get the newest water only
//! ([`frame`]). A [`Recording`] keeps water while a run goes on, and [`player`] makes of it a part of an HTML page that plays it.
//! The server is the feature `server`, on by default. `docs/web.md` tells how to use it and what keeps strangers out.

mod assets;
pub mod capture;
mod coarse;
pub mod frame;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod page;
mod player;
pub mod protocol;
mod recording;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod worker;

#[cfg(feature = "server")]
pub use guard::Token;
pub use player::player;
pub use recording::{Recording, RecordingError, Sampling};
#[cfg(feature = "server")]
pub use server::{ServeError, Server};
