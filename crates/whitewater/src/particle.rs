//! What a particle is, and how it is stored.
//!
//! A place is `[x, y, z, w]`: cells from the corner of the domain, and in `w` the kind as whole part and the radius in
//! cells as fraction; 0 is an empty slot. A motion is `[vx, vy, vz, life]`: m/s, and the seconds that are left.

use thalweg_model::ParticleKind;

/// Kind and radius of a stored word.
pub(crate) fn parts(word: f32) -> (f32, f32) {
    let kind = word.floor();
    (kind, word - kind)
}

/// Volume of a drop in fractions of a cell of 32 bits; `volume` is that of a sphere of radius 1, or 0 without mass.
pub(crate) fn fraction(volume: f32, radius: f32) -> u32 {
    // Products alone: a GPU rounds them as the CPU does.
    (volume * (radius * radius * radius) * 4_294_967_296.0) as u32
}

/// A particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Place from the corner of the domain, m.
    pub place: [f32; 3],
    /// m/s.
    pub velocity: [f32; 3],
    /// Radius, m.
    pub radius: f32,
    /// Seconds left.
    pub life: f32,
    /// What it is.
    pub kind: ParticleKind,
}

impl Particle {
    /// From its stored form; `None` for an empty slot.
    pub(crate) fn unpack(place: [f32; 4], motion: [f32; 4], cell: f32) -> Option<Self> {
        let (kind, radius) = parts(place[3]);
        if place[3] <= 0.0 {
            return None;
        }
        Some(Self {
            place: [place[0] * cell, place[1] * cell, place[2] * cell],
            velocity: [motion[0], motion[1], motion[2]],
            radius: radius * cell,
            life: motion[3],
            kind: ParticleKind::ALL[(kind as usize).min(2)],
        })
    }
}
