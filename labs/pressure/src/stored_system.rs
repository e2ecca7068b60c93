//! Free-surface Poisson systems stored in files (`.wpoi`), to compare solvers on the same numbers.
//!
//! Little-endian: `WPOI0001`, u32 `nx ny nz 0`, f64 `dx dt theta_min`, then three arrays f64\[nx·ny·nz\] (x fastest,
//! then y, which is up, then z): level set in metres, solid fraction (0 or 1), right-hand side in 1/s. Outside the box
//! is solid. The unknown is `q = (Δt/ρ) p`, the residual has the unit 1/s.

use std::io::{Read, Write};
use std::path::Path;

use thalweg_columns::{ColumnGrid, GridError};
use thalweg_pressure::Fields;

/// A stored system as it is in the file.
#[derive(Debug, Clone)]
pub struct StoredSystem {
    /// Cells along x, y, z.
    pub size: [usize; 3],
    /// Cell size, m.
    pub dx: f64,
    /// Time step, s.
    pub dt: f64,
    /// Clamp of the ghost fluid.
    pub theta_min: f64,
    /// Level set in m, solid fraction, right-hand side in 1/s; x fastest, then y, then z.
    pub phi: Vec<f64>,
    /// Solid fraction, 0 or 1.
    pub solid: Vec<f64>,
    /// Right-hand side, 1/s.
    pub rhs: Vec<f64>,
}

/// Why a stored system could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StoredSystemError {
    /// The file cannot be read.
    #[error("cannot read the system: {0}")]
    Read(#[from] std::io::Error),
    /// It is something else.
    #[error("this is not a .wpoi file: it starts with {0:?} instead of \"WPOI0001\"")]
    Magic(String),
    /// The header asks for an impossible size.
    #[error("a system of {0} × {1} × {2} cells cannot be read: every size must be at least 3, the product below 2³¹")]
    Size(u32, u32, u32),
    /// A number in it cannot be used.
    #[error("{what} is {value}, which is not a positive number")]
    Header {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The grid refuses it.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl StoredSystem {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, StoredSystemError> {
        let mut file = std::io::BufReader::with_capacity(1 << 20, std::fs::File::open(path)?);
        Self::read_from(&mut file)
    }

    /// Reads from anything.
    pub fn read_from(source: &mut impl Read) -> Result<Self, StoredSystemError> {
        let mut magic = [0; 8];
        source.read_exact(&mut magic)?;
        if &magic != b"WPOI0001" {
            return Err(StoredSystemError::Magic(String::from_utf8_lossy(&magic).into_owned()));
        }
        let mut word = [0; 4];
        let mut sizes = [0u32; 4];
        for size in &mut sizes {
            source.read_exact(&mut word)?;
            *size = u32::from_le_bytes(word);
        }
        let [nx, ny, nz, _] = sizes;
        let cells = u64::from(nx) * u64::from(ny) * u64::from(nz);
        if nx == 0 || ny < 3 || nz == 0 || cells >= 1 << 31 {
            return Err(StoredSystemError::Size(nx, ny, nz));
        }
        let mut numbers = [0.0; 3];
        read_doubles(source, &mut numbers)?;
        let [dx, dt, theta_min] = numbers;
        for (what, value) in [("dx", dx), ("dt", dt), ("theta_min", theta_min)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(StoredSystemError::Header { what, value });
            }
        }
        let mut array = |what: &'static str| -> Result<Vec<f64>, StoredSystemError> {
            let mut values = vec![0.0; cells as usize];
            read_doubles(source, &mut values)?;
            match values.iter().position(|v| !v.is_finite()) {
                Some(index) => Err(GridError::NotFinite { what, index }.into()),
                None => Ok(values),
            }
        };
        let (phi, solid, rhs) = (array("phi")?, array("solid fraction")?, array("right-hand side")?);
        Ok(Self { size: [nx as usize, ny as usize, nz as usize], dx, dt, theta_min, phi, solid, rhs })
    }

    /// Writes the system in the same form.
    pub fn write_to(&self, out: &mut impl Write) -> std::io::Result<()> {
        out.write_all(b"WPOI0001")?;
        for size in self.size {
            out.write_all(&(size as u32).to_le_bytes())?;
        }
        out.write_all(&0u32.to_le_bytes())?;
        for value in [self.dx, self.dt, self.theta_min] {
            out.write_all(&value.to_le_bytes())?;
        }
        for array in [&self.phi, &self.solid, &self.rhs] {
            for value in array {
                out.write_all(&value.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// The system on a column grid of height two: grid, fields, right-hand side times `dx²`.
    pub fn on_columns(&self) -> Result<(ColumnGrid, Fields<f64>, Vec<f64>), StoredSystemError> {
        let [nx, ny, nz] = self.size;
        let grid = ColumnGrid::uniform(nx, ny, nz, self.dx)?;
        let len = grid.shape.len();
        let mut phi = vec![0.0; len];
        let mut solid = vec![0.0; len];
        let mut b = vec![0.0; len];
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    let (from, to) = (i + nx * (j + ny * k), (i + nx * k) * ny + j);
                    phi[to] = self.phi[from];
                    solid[to] = if self.solid[from] < 0.5 { 0.0 } else { 1.0 };
                    b[to] = self.rhs[from] * self.dx * self.dx;
                }
            }
        }
        let mut fields = Fields::open_water(&grid, &phi)?;
        for column in 0..grid.shape.columns() {
            fields.open[len + column * ny] = 0.0; // the box has a lid
        }
        fields.solid = solid;
        Ok((grid, fields, b))
    }
}

fn read_doubles(source: &mut impl Read, values: &mut [f64]) -> std::io::Result<()> {
    source.read_exact(bytemuck::cast_slice_mut(values))?;
    for value in values {
        *value = f64::from_le_bytes(value.to_ne_bytes());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{TankLevel, stream};
    use crate::{Method, Solver};
    use thalweg_pressure::{Discretisation, HierarchyOptions, Level, Stop, Sweeps};

    #[test]
    fn what_is_written_is_read() {
        let system = stream(16, TankLevel::Mid);
        let mut bytes = Vec::new();
        system.write_to(&mut bytes).unwrap();
        let again = StoredSystem::read_from(&mut bytes.as_slice()).unwrap();
        assert_eq!((again.size, again.dx, again.rhs), (system.size, system.dx, system.rhs));
        assert_eq!((again.phi, again.solid), (system.phi, system.solid));
    }

    #[test]
    fn broken_files_are_refused() {
        let mut bytes = Vec::new();
        stream(8, TankLevel::Low).write_to(&mut bytes).unwrap();
        let read = |bytes: &[u8]| StoredSystem::read_from(&mut &*bytes);
        assert!(matches!(read(&bytes[..bytes.len() - 1]), Err(StoredSystemError::Read(_))));
        let mut other = bytes.clone();
        other[0] = b'X';
        assert!(matches!(read(&other), Err(StoredSystemError::Magic(_))));
        let mut huge = bytes.clone();
        huge[8..20].copy_from_slice(&[0xff; 12]);
        assert!(matches!(read(&huge), Err(StoredSystemError::Size(..))));
        let mut flat = bytes.clone();
        flat[24..32].copy_from_slice(&0f64.to_le_bytes());
        assert!(matches!(read(&flat), Err(StoredSystemError::Header { what: "dx", .. })));
        let mut holes = bytes;
        holes[48..56].copy_from_slice(&f64::NAN.to_le_bytes());
        assert!(matches!(read(&holes), Err(StoredSystemError::Grid(GridError::NotFinite { .. }))));
    }

    /// All methods agree on one system, in both precisions where that makes sense.
    #[test]
    fn all_methods_find_the_same_pressure() {
        let system = stream(24, TankLevel::High);
        let (grid, fields, b) = system.on_columns().unwrap();
        let level = Level::new(grid, fields, system.theta_min, Discretisation::Galerkin);
        let sweeps = Sweeps { before: 2, after: 2 };
        let exact = {
            let mut x = vec![0.0; b.len()];
            let mut solver = Solver::new(&level, Method::MultigridCgSame, HierarchyOptions::default());
            let report = solver.solve(&b, &mut x, Stop { residual: 1e-13, iterations: 60 });
            assert!(report.converged, "{report:?}");
            x
        };
        let largest = exact.iter().fold(0.0f64, |a, v| a.max(v.abs()));
        for method in [
            Method::MultigridCg,
            Method::Multigrid { full: 0, sweeps },
            Method::Multigrid { full: 1, sweeps },
            Method::Multigrid { full: usize::MAX, sweeps },
            Method::IncompleteCholesky { modified: 0.0 },
            Method::IncompleteCholesky { modified: 0.97 },
            Method::Jacobi,
            Method::RedBlack,
            Method::BiCgStab,
        ] {
            let mut x = vec![0.0; b.len()];
            let mut solver = Solver::new(&level, method, HierarchyOptions::default());
            let report = solver.solve(&b, &mut x, Stop { residual: 1e-9 * system.dx * system.dx, iterations: 20_000 });
            assert!(report.converged, "{}: {report:?}", method.name());
            let error = x.iter().zip(&exact).fold(0.0f64, |a, (x, e)| a.max((x - e).abs()));
            assert!(error < 1e-6 * largest, "{}: {error:e} of {largest:e}", method.name());
        }
    }

    /// The count does not grow with the grid: 64³ is left to the benchmark.
    #[test]
    fn iterations_do_not_grow() {
        let count = |n: usize| {
            let system = stream(n, TankLevel::High);
            let (grid, fields, b) = system.on_columns().unwrap();
            let level = Level::new(grid, fields, system.theta_min, Discretisation::Galerkin);
            let mut x = vec![0.0; b.len()];
            let mut solver = Solver::new(&level, Method::MultigridCg, HierarchyOptions::default());
            let report = solver.solve(&b, &mut x, Stop { residual: 1e-8 * system.dx * system.dx, iterations: 40 });
            assert!(report.converged, "{n}: {report:?}");
            report.iterations
        };
        let (small, large) = (count(24), count(96));
        assert!(large <= small + 4 && large <= 16, "{small} at 24³, {large} at 96³");
    }
}
