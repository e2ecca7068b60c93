//! CPU against GPU: one closure, run on both executors, outputs compared.
//!
//! ```no_run
//! use thalweg_compute::parity::{assert_parity, Tolerance};
//! assert_parity(8, |exec, rng, out| {
//!     let input = exec.buffer_from("input", &rng.f32s(1000, -1.0, 1.0))?;
//!     // … record kernels, submit …
//!     out.f32("input", exec.read(&input)?, Tolerance::Absolute(1e-6));
//!     Ok(())
//! });
//! ```

use std::sync::{Arc, OnceLock};

use crate::adapter::GpuOptions;
use crate::error::Result;
use crate::executor::Executor;

/// How close two outputs must be. A NaN matches nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// The same bits: integers, copies, selections.
    Exact,
    /// `|a − b| ≤ t`.
    Absolute(f32),
    /// `|a − b| ≤ t · max(|a|, |b|)`.
    Relative(f32),
    /// `|a − b| ≤ absolute + relative · max(|a|, |b|)`.
    Mixed {
        /// The absolute part.
        absolute: f32,
        /// The relative part.
        relative: f32,
    },
}

impl Tolerance {
    fn allows(self, a: f32, b: f32) -> bool {
        let difference = (a - b).abs();
        let scale = a.abs().max(b.abs());
        match self {
            Self::Exact => a.to_bits() == b.to_bits() && !a.is_nan(),
            Self::Absolute(t) => difference <= t,
            Self::Relative(t) => difference <= t * scale,
            Self::Mixed { absolute, relative } => difference <= absolute + relative * scale,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Values {
    F32(Vec<f32>),
    U32(Vec<u32>),
}

/// Named outputs of one run.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    list: Vec<(String, Values, Tolerance)>,
}

impl Outputs {
    /// Adds floating point output.
    pub fn f32(&mut self, name: &str, values: Vec<f32>, tolerance: Tolerance) {
        self.list.push((name.into(), Values::F32(values), tolerance));
    }

    /// Adds integer output.
    pub fn u32(&mut self, name: &str, values: Vec<u32>, tolerance: Tolerance) {
        self.list.push((name.into(), Values::U32(values), tolerance));
    }

    /// Compares two runs; the error names the worst offender.
    pub fn compare(&self, other: &Self) -> std::result::Result<(), String> {
        if self.list.is_empty() {
            return Err("nothing was compared".into());
        }
        if self.list.len() != other.list.len() {
            return Err("the runs gave different numbers of outputs".into());
        }
        for ((name, a, tolerance), (_, b, _)) in self.list.iter().zip(&other.list) {
            compare_values(a, b, *tolerance).map_err(|e| format!("output `{name}`: {e}"))?;
        }
        Ok(())
    }
}

fn compare_values(a: &Values, b: &Values, tolerance: Tolerance) -> std::result::Result<(), String> {
    let bad: Vec<(usize, String)> = match (a, b) {
        (Values::F32(a), Values::F32(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b).enumerate().filter(|(_, (x, y))| !tolerance.allows(**x, **y));
            pairs.map(|(i, (x, y))| (i, format!("cpu {x:e}, gpu {y:e}, difference {:e}", x - y))).collect()
        }
        (Values::U32(a), Values::U32(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b).enumerate().filter(|(_, (x, y))| x != y);
            pairs.map(|(i, (x, y))| (i, format!("cpu {x}, gpu {y}"))).collect()
        }
        _ => return Err("lengths or types differ".into()),
    };
    match bad.first() {
        None => Ok(()),
        Some((i, what)) => Err(format!("{} elements outside {tolerance:?}; first at {i}: {what}", bad.len())),
    }
}

/// Runs `body` on both executors for seeds `0..seeds` and panics where they differ.
///
/// Without a GPU (Mesa's lavapipe counts) the test is skipped with a message; with the variable `CI` set
/// a missing GPU is a failure.
pub fn assert_parity(seeds: u64, body: impl Fn(&Executor, &mut Rng, &mut Outputs) -> Result<()>) {
    let Some(gpu) = test_gpu() else { return };
    let cpu = Executor::cpu().expect("the CPU executor always starts");
    for seed in 0..seeds {
        let run = |exec: &Executor, name: &str| {
            let mut outputs = Outputs::default();
            body(exec, &mut Rng::new(seed), &mut outputs).unwrap_or_else(|e| panic!("seed {seed} on {name}: {e}"));
            outputs
        };
        if let Err(difference) = run(&cpu, "cpu").compare(&run(gpu, "gpu")) {
            panic!("seed {seed}: {difference}");
        }
    }
}

/// The process's one test GPU, software allowed. `None` says so on stderr, and panics with `CI` set.
pub fn test_gpu() -> Option<&'static Executor> {
    static GPU: OnceLock<Option<Executor>> = OnceLock::new();
    let found = GPU.get_or_init(|| match Executor::gpu(&GpuOptions { allow_software: true, name_contains: None }) {
        Ok(gpu) => Some(gpu),
        Err(e) if std::env::var_os("CI").is_some() => panic!("CI needs a GPU or lavapipe: {e}"),
        Err(e) => {
            eprintln!("skipped: {e}");
            None
        }
    });
    found.as_ref()
}

/// Both executors, for tests that run one body on each: the CPU always, the GPU where there is one.
pub fn test_executors() -> Vec<&'static Executor> {
    static CPU: OnceLock<Executor> = OnceLock::new();
    let cpu = CPU.get_or_init(|| Executor::cpu().expect("the CPU executor always starts"));
    std::iter::once(cpu).chain(test_gpu()).collect()
}

/// Both executors as [`test_executors`], new ones: for tests of what keeps an executor.
pub fn own_test_executors() -> Vec<Arc<Executor>> {
    let cpu = Executor::cpu().expect("the CPU executor always starts");
    let options = GpuOptions { allow_software: true, name_contains: None };
    let gpu = test_gpu().map(|_| Executor::gpu(&options).expect("the GPU of the tests starts twice"));
    std::iter::once(cpu).chain(gpu).map(Arc::new).collect()
}

/// Seeded random numbers for tests (SplitMix64): the same on every machine.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// Uniform in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// Uniform in `[low, high)`.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next_u32() >> 8) as f32 / 16_777_216.0
    }

    /// `n` numbers uniform in `[low, high)`.
    pub fn f32s(&mut self, n: usize, low: f32, high: f32) -> Vec<f32> {
        (0..n).map(|_| self.range(low, high)).collect()
    }

    /// `n` integers uniform in `0..below`.
    pub fn u32s(&mut self, n: usize, below: u32) -> Vec<u32> {
        (0..n).map(|_| self.below(below)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(values: &[f32], tolerance: Tolerance) -> Outputs {
        let mut out = Outputs::default();
        out.f32("x", values.to_vec(), tolerance);
        out
    }

    #[test]
    fn the_comparator_can_fail() {
        let base = [1.0, -2.0, 0.0, 1e10];
        for t in [Tolerance::Exact, Tolerance::Absolute(1e-3), Tolerance::Relative(1e-6)] {
            outputs(&base, t).compare(&outputs(&base, t)).unwrap();
            let mut perturbed = base;
            perturbed[1] += 0.01;
            assert!(outputs(&base, t).compare(&outputs(&perturbed, t)).is_err(), "{t:?} misses a perturbation");
            perturbed[1] = f32::NAN;
            assert!(outputs(&base, t).compare(&outputs(&perturbed, t)).is_err(), "{t:?} accepts a NaN");
            assert!(
                outputs(&perturbed, t).compare(&outputs(&perturbed, t)).is_err(),
                "{t:?} accepts NaN on both sides"
            );
            assert!(outputs(&base, t).compare(&outputs(&base[..3], t)).is_err(), "{t:?} accepts a short output");
        }
        assert!(Outputs::default().compare(&Outputs::default()).is_err(), "comparing nothing must not pass");
    }

    /// The whole harness, not only its comparator: bodies that disagree make it panic.
    #[test]
    fn executors_that_disagree_are_caught_parity() {
        if test_gpu().is_none() {
            return;
        }
        let caught = std::panic::catch_unwind(|| {
            assert_parity(1, |exec, rng, out| {
                let lie = if matches!(exec, Executor::Gpu(_)) { 1e-4 } else { 0.0 };
                out.f32("x", rng.f32s(10, 0.5, 1.0).iter().map(|x| x + lie).collect(), Tolerance::Relative(1e-6));
                Ok(())
            });
        });
        assert!(caught.is_err());
    }
}
