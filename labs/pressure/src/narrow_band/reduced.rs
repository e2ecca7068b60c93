//! The reduced system of a band: assembly, solve, prolongation.

use super::band::{Band, BandShape};
use super::basis::{Basis, Interpolation};
use super::galerkin::{Homes, Kind, galerkin_kinds, losasso};
use super::grid::{FineGrid, FineSystem};
use super::multigrid::Multigrid;
use super::runs::{RunCholesky, Split};
use super::smooth::{damping, jacobi, outside};
use crate::sparse::pcg;
use std::sync::Arc;
use thalweg_columns::Real;
use thalweg_pressure::{Csr, Report, Stop};

/// How the unknowns of a band are coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coupling {
    /// `PᵀAP`: the best pressure in the range of `P`, with no net source left.
    Galerkin(Interpolation),
    /// Area over distance on each face, after Losasso, Gibou & Fedkiw (2004), prolonged linearly between centres.
    Losasso,
}

impl Default for Coupling {
    fn default() -> Self {
        Self::Galerkin(Interpolation::default())
    }
}

/// What solves the reduced system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// Conjugate gradients with IC(0), as in Prakash & Chaudhuri.
    IncompleteCholesky,
    /// Conjugate gradients with one multigrid cycle.
    #[default]
    Multigrid,
}

/// One symmetric positive definite system for fine cells and coarse blocks together.
#[derive(Debug, Clone)]
pub struct Reduced<T> {
    /// Which cells are fine.
    pub band: Band,
    /// From the unknowns to the fine pressure.
    pub basis: Basis<T>,
    /// The reduced matrix.
    pub matrix: Csr<T>,
    /// Rows that are alike, for the assembly of coarser levels.
    pub(super) kinds: Vec<Kind>,
    /// The blocks of Losasso's form.
    pub(super) homes: Option<Homes>,
}

impl<T: Real> Reduced<T> {
    /// Chooses the band and assembles its matrix.
    pub fn new(grid: &FineGrid, system: &FineSystem<T>, shape: BandShape, coupling: Coupling) -> Self {
        let band = Band::new(grid, system, shape);
        match coupling {
            Coupling::Galerkin(interpolation) => {
                let basis = Basis::new(grid, system, &band, interpolation);
                let (matrix, kinds) = galerkin_kinds(grid, system, &band, &basis);
                Self { band, basis, matrix, kinds, homes: None }
            }
            Coupling::Losasso => {
                let basis = Basis::new(grid, system, &band, Interpolation::Centres);
                let matrix = losasso(grid, system, &band);
                let homes = Some(Homes::new(grid, system, &band));
                let kinds = vec![Kind::Other; band.unknowns()];
                Self { band, basis, matrix, kinds, homes }
            }
        }
    }

    /// The reduced right-hand side: `Pᵀb`, or sums over blocks in Losasso's form.
    pub fn rhs(&self, b: &[T]) -> Vec<T> {
        match &self.homes {
            Some(homes) => homes.sums(b),
            None => self.basis.restrict(b),
        }
    }

    /// Solves for the fine right-hand side `b`. `p` is the start (zeros, or the last pressure) and becomes the fine
    /// pressure `P q`.
    pub fn solve(
        &self,
        grid: &FineGrid,
        system: &FineSystem<T>,
        b: &[T],
        p: &mut [T],
        solver: Solver,
        stop: Stop,
    ) -> Report {
        let rhs = self.rhs(b);
        let mut q = self.basis.sample(grid, system, &self.band, p);
        let a = Arc::new(Split::new(&self.matrix));
        let report = match solver {
            Solver::Multigrid => {
                let mut m = Multigrid::with_finest(grid, system, &self.band, &self.matrix, &self.kinds, Arc::clone(&a));
                pcg(&*a, &mut m, &rhs, &mut q, stop)
            }
            Solver::IncompleteCholesky => pcg(&*a, &mut RunCholesky::new(&self.matrix), &rhs, &mut q, stop),
        };
        self.basis.prolong(&q, p);
        report
    }

    /// Damped Jacobi sweeps on the cells of coarse blocks (in Losasso's form on all). Three lower the error of the
    /// velocity three- to tenfold. Where none of these cells touches air, as with [`super::Surface::Fine`], their
    /// columns of the fine matrix sum to zero, so that the sweeps leave the sum of the residual, and with it the
    /// volume, alone.
    pub fn smooth(&self, grid: &FineGrid, system: &FineSystem<T>, b: &[T], p: &mut [T], sweeps: usize) {
        // The error of Losasso's form is at the seam, on both of its sides.
        let which = match &self.homes {
            Some(_) => (0..system.unknowns() as u32).collect(),
            None => outside(grid, system, &self.band),
        };
        jacobi(system, b, p, &which, sweeps, damping(grid.dimensions()));
    }
}
