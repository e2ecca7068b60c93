//! The cases, one file per family.

mod baselines;
mod beach;
mod bump;
mod buoyancy;
mod circular;
mod dam_2d;
mod dam_3d;
mod dam_front_3d;
mod dam_wall;
mod dam_wet;
mod deformation;
mod floating_box;
mod heave;
mod island;
mod jumps;
mod lake;
mod layer;
mod level_waves;
mod macdonald;
mod maps;
mod modes;
mod neutral;
mod prism;
mod quadtree;
mod quadtree_waves;
mod quiet;
mod rarefaction;
mod ritter;
mod roll;
mod slope;
mod sloshing;
mod solitary;
mod sphere;
mod stability;
mod standing;
mod standing_deep;
mod stoker;
mod thacker;
mod water_entry;
mod water_entry_cone;
mod zalesak;

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
        jumps::BUMP,
        jumps::CHANNEL,
        standing::CASE,
        layer::CASE,
        maps::CASE,
        level_waves::CASE,
        beach::CASE,
        island::CASE,
        quadtree::CASE,
        quadtree_waves::CASE,
        // Three-dimensional water.
        slope::CASE,
        buoyancy::CASE,
        standing_deep::CASE,
        modes::CASE,
        sloshing::CASE,
        solitary::CASE,
        dam_2d::CASE,
        dam_wet::CASE,
        dam_wall::CASE,
        dam_front_3d::CASE,
        dam_3d::CASE,
        zalesak::CASE,
        deformation::CASE,
        // Rigid bodies in it.
        floating_box::CASE,
        heave::CASE,
        roll::CASE,
        stability::CASE,
        water_entry::CASE,
        water_entry_cone::CASE,
        neutral::CASE,
        sphere::CASE,
        prism::CASE,
        quiet::CASE,
    ]
}

/// Long forms of cases that have one, under the same names.
pub(crate) fn long() -> Vec<Case> {
    vec![quadtree::LONG, sphere::LONG, quiet::LONG]
}
