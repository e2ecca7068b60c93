//! Fields on lattices of cells, and the formats that hold them: OpenVDB, NumPy, VTK.

pub use thalweg_model::VolumeFormat;

use crate::Error;
use crate::{npz, vdb, vtk};

/// A box of cells. Cell `(i, j, k)` has the number `i + nx * (j + ny * k)`; y is up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// Cells along x, y, z.
    pub size: [usize; 3],
    /// Edges of a cell along x, y, z, m.
    pub cell: [f64; 3],
    /// World coordinates of the low corner of cell `(0, 0, 0)`, m.
    pub origin: [f64; 3],
}

impl Lattice {
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.size.iter().product()
    }

    /// World coordinates of the middle of cell `(0, 0, 0)`, m.
    pub fn first_middle(&self) -> [f64; 3] {
        std::array::from_fn(|axis| self.origin[axis] + 0.5 * self.cell[axis])
    }
}

/// Water in a box; every field has one value per cell.
#[derive(Debug, Clone, Copy)]
pub struct Volume<'a> {
    /// The cells of all fields but [`Self::fine`].
    pub lattice: Lattice,
    /// Distance of the middles of cells to the surface of the water, m, negative in water.
    pub level_set: &'a [f32],
    /// Velocity, m/s.
    pub velocity: &'a [[f32; 3]],
    /// Pressure, Pa; NaN where none is known.
    pub pressure: &'a [f32],
    /// The same level set on finer cells, where the simulation has one. Only OpenVDB files hold it, instead of the
    /// other.
    pub fine: Option<(Lattice, &'a [f32])>,
    /// Simulated time, s.
    pub time: f64,
}

/// A field of a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VolumeField {
    /// Distance to the surface, m.
    LevelSet,
    /// m/s.
    Velocity,
    /// Pa.
    Pressure,
}

impl VolumeField {
    /// Every field.
    pub const ALL: [Self; 3] = [Self::LevelSet, Self::Velocity, Self::Pressure];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::LevelSet => "level_set",
            Self::Velocity => "velocity",
            Self::Pressure => "pressure",
        }
    }
}

impl Volume<'_> {
    /// The bytes of a file with the given fields; OpenVDB files always hold level set and velocity.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the format cannot count that far, [`Error::Fields`] if a field has not one value per
    /// cell.
    pub fn encode(&self, format: VolumeFormat, fields: &[VolumeField]) -> Result<Vec<u8>, Error> {
        let counts = [self.level_set.len(), self.velocity.len(), self.pressure.len()];
        let mut wanted: Vec<(usize, usize)> = counts.map(|count| (count, self.lattice.cells())).to_vec();
        wanted.extend(self.fine.map(|(lattice, values)| (values.len(), lattice.cells())));
        for (found, expected) in wanted {
            if found != expected {
                return Err(Error::Fields { found, expected });
            }
        }
        match format {
            VolumeFormat::Vdb => Ok(vdb::encode(self)),
            VolumeFormat::Npz => npz::volume(self, fields),
            VolumeFormat::Vti => Ok(vtk::image(self, fields)),
        }
    }
}
