//! Where to run.

use thalweg_compute::{ComputeError, Cpu, Executor, Gpu, GpuOptions};

/// Which executor a simulation gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backend {
    /// A real GPU if there is one, the processor otherwise. Software GPUs do not count.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// A GPU, software ones included, or an error.
    Gpu,
}

impl Backend {
    /// Opens the executor. `threads` limits the processor's.
    pub fn open(self, threads: Option<usize>) -> Result<Executor, ComputeError> {
        let cpu = || match threads {
            Some(n) => Cpu::with_threads(n).map(Executor::from),
            None => Executor::cpu(),
        };
        match self {
            Self::Cpu => cpu(),
            Self::Gpu => Gpu::new(&GpuOptions { allow_software: true, ..GpuOptions::default() }).map(Executor::from),
            Self::Auto => match Gpu::new(&GpuOptions::default()) {
                Ok(gpu) => Ok(gpu.into()),
                Err(ComputeError::NoAdapter { .. } | ComputeError::BuiltWithoutGpu) => cpu(),
                Err(other) => Err(other),
            },
        }
    }
}
