//! Behaviour of liquid particles.

mod comings;
mod house;
mod still;
mod violent;
