//! The cases, one file per family.

mod beach;
mod bump;
mod circular;
mod island;
mod lake;
mod layer;
mod macdonald;
mod rarefaction;
mod ritter;
mod standing;
mod stoker;
mod thacker;

use crate::Case;

/// Every case.
pub(crate) fn all() -> Vec<Case> {
    vec![
        lake::CASE,
        ritter::CASE,
        stoker::CASE,
        rarefaction::CASE,
        circular::CASE,
        thacker::PLANAR,
        thacker::RADIAL,
        bump::SUBCRITICAL,
        bump::TRANSCRITICAL,
        macdonald::CASE,
        standing::CASE,
        layer::CASE,
        beach::CASE,
        island::CASE,
    ]
}
