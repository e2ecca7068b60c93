//! Choices of numerical methods that scenes and solvers call by the same name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Slope limiter of the second-order scheme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Limiter {
    /// The most cautious.
    #[default]
    Minmod,
    /// Monotonised central: sharper fronts.
    Mc,
}

/// The elevation that shallow water counts from in single precision. At sea it should be the still level, so that small
/// waves keep their digits on deep water; over land the lowest bed, so that thin films keep theirs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Datum {
    /// Chosen by the solver.
    #[default]
    Auto,
    /// An elevation, m.
    Elevation(f64),
}

/// Discretisation of three-dimensional water: where velocities live, and how the two rows of a tall cell in the
/// pressure matrix are formed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Discretisation {
    /// Velocities on faces, pressures restricted to the lines of tall cells: keeps volume and the speed of long waves.
    /// The matrix is `Pᵀ A P` of the uniform grid, symmetric and positive.
    #[default]
    Galerkin,
    /// Velocities at the centres of cells and the two ends of tall cells, as in Chentanez and Müller (2011): long
    /// waves are too slow, and kinetic energy may grow. The matrix is that of \[000\] §3.7 with its errors corrected,
    /// and not symmetric.
    Collocated,
}

/// What of the water asks for small cells of a quadtree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Second differences: a surface that is tilted but plane needs no small cells.
    #[default]
    Bends,
    /// First differences between neighbouring cells: wherever the water is steep.
    Steps,
}

/// What moves the water on a quadtree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeScheme {
    /// Well-balanced positive finite volumes.
    #[default]
    FiniteVolumes,
    /// \[004\], corrected: gravity by upwind differences, and semi-Lagrangian advection by kernel windows that keeps
    /// water to the last unit of 2⁻³⁰ m. All levels step together; sides are walls or let water out.
    KernelAdvection {
        /// Viscosity of the velocities, m²/s.
        viscosity: f64,
        /// Friction `F = −k u²` per area and density: water of depth d and speed v slows down by k v²/d. It suppresses
        /// thin flows.
        friction: f64,
    },
}

impl TreeScheme {
    /// Kernel advection of almost frictionless water: ν = 1e-3 m²/s, k = 0.
    #[must_use]
    pub fn kernel_advection() -> Self {
        Self::KernelAdvection { viscosity: 1e-3, friction: 0.0 }
    }

    /// The name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FiniteVolumes => "finite-volumes",
            Self::KernelAdvection { .. } => "kernel-advection",
        }
    }
}

/// A measured law for the energy of wind waves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Spectrum {
    /// Wind over a fetch, on water of a depth.
    #[default]
    Tma,
    /// Wind over a fetch, on deep water.
    Jonswap,
    /// Tessendorf's form, without a fetch; its height follows from the wind, `0.21 U²/g`, unless it is given.
    Phillips,
}
