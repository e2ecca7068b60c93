//! What only reads the state: for pictures, gauges, other programs and the statistics of a run.
//!
//! Reading and making something of it are two things: a [`Later`](thalweg_compute::Later) has what it needs on the way
//! to the host, so that the water may go on while another thread makes the rest.

pub(crate) mod columns;
pub(crate) mod cut;
pub(crate) mod drift;
pub(crate) mod flow;
pub(crate) mod mesh;
pub(crate) mod picture;
pub(crate) mod pressures;
mod readback;
pub(crate) mod section;
pub(crate) mod statistics;
pub(crate) mod volume_grid;

use std::sync::Arc;

use thalweg_compute::Executor;

use crate::setup::Options;
use crate::solver::stages::Stages;
use crate::solver::state::State;

/// Water as views read it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) exec: &'a Arc<Executor>,
    pub(crate) state: &'a State,
    pub(crate) stages: &'a Stages,
    pub(crate) options: &'a Options,
    /// Simulated time, s.
    pub(crate) time: f64,
    /// Length of the last step, s; 0 before the first.
    pub(crate) last_step: f64,
}
