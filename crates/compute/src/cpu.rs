//! The CPU executor: kernels run at once, on rayon's threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, RwLock};

use crate::buffer::{Buffer, RawBuffer, Storage};
use crate::dispatch::Dispatch;
use crate::error::{ComputeError, Result};
use crate::kernel::Kernel;
use crate::stopwatch::Stopwatch;
use crate::timing::{StageTime, Timings};
use crate::watch::Watch;

/// Runs kernels on the processor. Needs no driver; gives the same bits for any number of threads.
#[derive(Debug, Default)]
pub struct Cpu {
    /// `None` uses rayon's global pool.
    pool: Option<rayon::ThreadPool>,
    pub(crate) timed: AtomicBool,
    pub(crate) by_kernel: AtomicBool,
    pub(crate) timings: Mutex<Timings>,
    pub(crate) watch: Watch,
}

impl Cpu {
    /// An executor on rayon's global pool: all cores, or `RAYON_NUM_THREADS`.
    pub fn new() -> Self {
        Self::default()
    }

    /// An executor with its own pool of this many threads.
    pub fn with_threads(threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| ComputeError::Threads { threads, reason: e.to_string() })?;
        Ok(Self { pool: Some(pool), ..Self::default() })
    }

    /// An executor for one parity case.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn watched() -> Self {
        Self { watch: Watch::on(), ..Self::default() }
    }

    /// Threads that kernels use.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads)
    }

    pub(crate) fn allocate(&self, label: &str, bytes: u64) -> Result<RawBuffer> {
        let out_of_memory = || ComputeError::OutOfMemory { label: label.into(), bytes };
        let words = usize::try_from(bytes / 4).map_err(|_| out_of_memory())?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(words).map_err(|_| out_of_memory())?;
        memory.resize(words, 0u32);
        Ok(RawBuffer::new(label, Storage::Cpu(RwLock::new(memory))))
    }

    /// Runs `work` on one of the threads that kernels use.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => rayon::scope(|_| work()),
        }
    }
}

/// A recording on the CPU: nothing is stored, each kernel runs when it is recorded.
#[derive(Debug)]
pub(crate) struct CpuRecording<'e> {
    cpu: &'e Cpu,
    /// The stage that is being timed.
    stage: Option<RunningStage>,
}

#[derive(Debug)]
struct RunningStage {
    name: &'static str,
    start: Stopwatch,
    /// Whether a kernel ran in it; otherwise it does not count.
    ran: bool,
}

impl<'e> CpuRecording<'e> {
    pub(crate) fn new(cpu: &'e Cpu) -> Self {
        let mut rec = Self { cpu, stage: None };
        rec.stage("other");
        rec
    }

    pub(crate) fn stage(&mut self, name: &'static str) {
        self.end_stage();
        if self.cpu.timed.load(Ordering::Relaxed) {
            self.stage = Some(RunningStage { name, start: Stopwatch::start(), ran: false });
        }
    }

    pub(crate) fn end_stage(&mut self) {
        if let Some(RunningStage { name, start, ran: true }) = self.stage.take() {
            let time = StageTime { ms: start.elapsed().as_secs_f64() * 1e3, calls: 1 };
            self.cpu.timings.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(name, time);
        }
    }

    pub(crate) fn run<K: Kernel + Sync>(&mut self, kernel: &K, params: &K::Params, extent: Dispatch<'_>) -> Result<()>
    where
        K::Params: Sync,
    {
        let empty = match extent {
            Dispatch::Elements(n) => n == 0,
            Dispatch::Groups(groups) => groups.contains(&0),
            Dispatch::Indirect(args, offset) => {
                let words = args.lock_read()?;
                words.slice()[offset..offset + 3].contains(&0) // the range was checked
            }
        };
        if empty {
            return Ok(());
        }
        if self.cpu.by_kernel.load(Ordering::Relaxed) {
            self.stage(K::INFO.name);
        }
        if let Some(stage) = &mut self.stage {
            stage.ran = true;
        }
        self.cpu.watch.ran(K::INFO.name);
        self.cpu.install(|| kernel.run_cpu(params))
    }

    pub(crate) fn copy<T: bytemuck::Pod>(&mut self, from: &Buffer<T>, to: &Buffer<T>) -> Result<()> {
        let source = from.lock_read()?;
        let mut target = to.lock_write()?;
        target.slice()[..from.len()].copy_from_slice(source.slice());
        Ok(())
    }

    pub(crate) fn clear<T: bytemuck::Pod>(&mut self, buffer: &Buffer<T>) -> Result<()> {
        buffer.lock_write()?.slice().fill(T::zeroed());
        Ok(())
    }
}
