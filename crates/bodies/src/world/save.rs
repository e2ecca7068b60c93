//! A world as bytes, contacts and all: what is loaded goes on with the same bits.
//!
//! Layout: eight letters, version (u32, little endian), checksum of the rest (u64), the rest by `postcard`. The
//! checksum is there because Rapier does not check indices that it reads: damaged ones would be out of range.

use rapier3d::prelude::PhysicsWorld;
use serde::{Deserialize, Serialize};

use super::body::WorldBody;
use super::{MovingObstacle, World};
use crate::error::LoadError;
use thalweg_model::Coupling;

const LETTERS: &[u8; 8] = b"THWBODY\n";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 8;

#[derive(Serialize)]
struct SavedRef<'a> {
    numbers: (f64, f64, f64, [f64; 3]),
    coupling: Coupling,
    bodies: &'a [WorldBody],
    moving_obstacles: &'a [MovingObstacle],
    physics: &'a PhysicsWorld,
}

#[derive(Deserialize)]
struct Saved {
    numbers: (f64, f64, f64, [f64; 3]),
    coupling: Coupling,
    bodies: Vec<WorldBody>,
    moving_obstacles: Vec<MovingObstacle>,
    physics: PhysicsWorld,
}

impl World {
    /// Everything, as bytes for [`World::load`].
    ///
    /// # Panics
    ///
    /// Never: writing to memory cannot fail.
    pub fn save(&self) -> Vec<u8> {
        let saved = SavedRef {
            numbers: (self.gravity, self.water_density, self.time, self.origin),
            coupling: self.coupling,
            bodies: &self.bodies,
            moving_obstacles: &self.moving_obstacles,
            physics: &self.physics,
        };
        let rest = postcard::to_allocvec(&saved).expect("writing to memory cannot fail");
        let mut bytes = Vec::with_capacity(HEADER + rest.len());
        bytes.extend_from_slice(LETTERS);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&checksum(&rest).to_le_bytes());
        bytes.extend_from_slice(&rest);
        bytes
    }

    /// The world that was saved.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let rest = bytes.strip_prefix(LETTERS).ok_or(LoadError::NotBodies)?;
        let cut = || LoadError::Damaged("they end too early".to_owned());
        let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(LoadError::Version { found, wanted: VERSION });
        }
        let (sum, rest) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
        if u64::from_le_bytes(*sum) != checksum(rest) {
            return Err(LoadError::Damaged("their checksum is wrong".to_owned()));
        }
        let saved: Saved = postcard::from_bytes(rest).map_err(|error| LoadError::Damaged(error.to_string()))?;
        let (gravity, water_density, time, origin) = saved.numbers;
        let lost = saved.bodies.iter().find(|body| saved.physics.bodies.get(body.handle).is_none());
        if let Some(body) = lost {
            return Err(LoadError::Damaged(format!("body `{}` has no place", body.name)));
        }
        Ok(Self {
            gravity,
            water_density,
            coupling: saved.coupling,
            origin,
            time,
            physics: saved.physics,
            bodies: saved.bodies,
            moving_obstacles: saved.moving_obstacles,
        })
    }
}

/// FNV-1a, 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    bytes.iter().fold(start, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
