//! The two precisions of the CPU solvers.

use std::fmt::{Debug, Display};
use std::iter::Sum;
use std::ops::{AddAssign, DivAssign, MulAssign, SubAssign};

/// `f32` or `f64`: what a CPU solver computes in. GPUs compute in `f32`.
pub trait Real:
    num_traits::Float
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Sum
    + Default
    + Debug
    + Display
    + Send
    + Sync
    + bytemuck::Pod
{
    /// Rounds a double to this precision.
    fn of(value: f64) -> Self;

    /// Widens to a double.
    fn to_double(self) -> f64;
}

impl Real for f32 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value as f32
    }

    #[inline(always)]
    fn to_double(self) -> f64 {
        f64::from(self)
    }
}

impl Real for f64 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn to_double(self) -> f64 {
        self
    }
}
