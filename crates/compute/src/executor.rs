//! One interface over both executors: buffers, recordings, read-back, timings.

use bytemuck::Pod;

use crate::adapter::GpuOptions;
use crate::bindings;
use crate::buffer::Buffer;
use crate::cpu::{Cpu, CpuRecording};
use crate::dispatch::Dispatch;
use crate::error::{ComputeError, Result};
use crate::gpu::{Gpu, GpuReadback, GpuRecording};
use crate::kernel::{Kernel, WORKGROUP};
use crate::later::Later;
use crate::timing::Timings;
use crate::watch::SENTINEL;

/// Where kernels run. Methods hold one and use both in the same way.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a program has one or two")]
pub enum Executor {
    /// The processor, through rayon.
    Cpu(Cpu),
    /// A GPU, through wgpu.
    Gpu(Gpu),
}

impl From<Cpu> for Executor {
    fn from(cpu: Cpu) -> Self {
        Self::Cpu(cpu)
    }
}

impl From<Gpu> for Executor {
    fn from(gpu: Gpu) -> Self {
        Self::Gpu(gpu)
    }
}

impl Executor {
    /// The processor with all its cores.
    pub fn cpu() -> Result<Self> {
        Ok(Self::Cpu(Cpu::new()))
    }

    /// The best GPU, or [`ComputeError::NoAdapter`](crate::ComputeError::NoAdapter); without the feature `gpu` always
    /// [`ComputeError::BuiltWithoutGpu`](crate::ComputeError::BuiltWithoutGpu).
    pub fn gpu(options: &GpuOptions) -> Result<Self> {
        Gpu::new(options).map(Self::Gpu)
    }

    /// Short name for logs and summaries: `cpu (2 threads)` or `gpu (NVIDIA …, Vulkan)`.
    pub fn describe(&self) -> String {
        match self {
            Self::Cpu(cpu) => format!("cpu ({} threads)", cpu.threads()),
            Self::Gpu(gpu) => format!("gpu ({})", gpu.adapter().name),
        }
    }

    /// A buffer of zeros.
    pub fn zeros<T: Pod>(&self, label: &str, len: usize) -> Result<Buffer<T>> {
        let bytes = (len.max(1) as u64).saturating_mul(size_of::<T>() as u64); // too many are refused below
        let raw = match self {
            Self::Cpu(cpu) => cpu.allocate(label, bytes)?,
            Self::Gpu(gpu) => gpu.allocate(label, bytes)?,
        };
        Ok(Buffer::new(raw, len))
    }

    /// A zeroed buffer for what kernels write. While a parity case runs, it is filled with what shows that a word was
    /// never written; where a kernel must find zeros then, they are asked for by [`zeros`](Self::zeros).
    pub fn buffer<T: Pod>(&self, label: &str, len: usize) -> Result<Buffer<T>> {
        let buffer = self.zeros(label, len)?;
        if self.watch().is_on() {
            let words = vec![SENTINEL; len * size_of::<T>() / 4];
            self.write(&buffer, 0, bytemuck::cast_slice(&words))?;
        }
        Ok(buffer)
    }

    /// A buffer with this content.
    pub fn buffer_from<T: Pod>(&self, label: &str, data: &[T]) -> Result<Buffer<T>> {
        let buffer = self.zeros(label, data.len())?;
        self.write(&buffer, 0, data)?;
        Ok(buffer)
    }

    /// Overwrites elements from `offset` on, after all that was submitted before.
    pub fn write<T: Pod>(&self, buffer: &Buffer<T>, offset: usize, data: &[T]) -> Result<()> {
        if offset.checked_add(data.len()).is_none_or(|end| end > buffer.len()) {
            return Err(buffer.raw.misuse("write past its end"));
        }
        match self {
            Self::Cpu(_) => {
                buffer.lock_write()?.slice()[offset..offset + data.len()].copy_from_slice(data);
                Ok(())
            }
            Self::Gpu(gpu) => gpu.write(&buffer.raw, (offset * size_of::<T>()) as u64, bytemuck::cast_slice(data)),
        }
    }

    /// Waits for all submitted work and returns the whole buffer.
    pub fn read<T: Pod>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        self.read_async(buffer)?.wait()
    }

    /// Starts to read the buffer as it is after all submitted work; does not wait.
    pub fn read_async<T: Pod>(&self, buffer: &Buffer<T>) -> Result<Readback<T>> {
        Ok(Readback(match self {
            Self::Cpu(_) => Read::Ready(buffer.lock_read()?.slice().to_vec()),
            Self::Gpu(gpu) => Read::Pending(gpu.start_read(&buffer.raw, buffer.bytes())?),
        }))
    }

    /// Starts to read the first `len` elements only.
    pub fn read_start<T: Pod>(&self, buffer: &Buffer<T>, len: usize) -> Result<Readback<T>> {
        if len > buffer.len() {
            return Err(buffer.raw.misuse("read past its end"));
        }
        Ok(Readback(match self {
            Self::Cpu(_) => Read::Ready(buffer.lock_read()?.slice()[..len].to_vec()),
            Self::Gpu(gpu) => Read::Pending(gpu.start_read(&buffer.raw, (len * size_of::<T>()) as u64)?),
        }))
    }

    /// Records what `record` says, and submits it: the way to run more than a kernel or two.
    ///
    /// On the CPU all of it happens on one of the threads that kernels use. A kernel that is recorded elsewhere
    /// ([`Self::record`]) wakes such a thread and waits for it, which takes longer than a small kernel itself: a step of
    /// three-dimensional water with some hundred kernels spent more than half of its time on that.
    pub fn submit<R: Send, E: From<ComputeError> + Send>(
        &self,
        record: impl FnOnce(&mut Recording<'_>) -> std::result::Result<R, E> + Send,
    ) -> std::result::Result<R, E> {
        let work = || {
            let mut rec = self.record();
            let made = record(&mut rec)?;
            rec.submit()?;
            Ok(made)
        };
        match self {
            Self::Cpu(cpu) => cpu.install(work),
            Self::Gpu(_) => work(),
        }
    }

    /// Starts a recording. On a GPU nothing runs before [`Recording::submit`].
    pub fn record(&self) -> Recording<'_> {
        Recording(match self {
            Self::Cpu(cpu) => Inner::Cpu(CpuRecording::new(cpu)),
            Self::Gpu(gpu) => Inner::Gpu(GpuRecording::new(gpu)),
        })
    }

    /// Most invocations that a workgroup may have. A kernel of more than 256 must have a variant of at most so many.
    pub fn largest_workgroup(&self) -> u32 {
        match self {
            Self::Cpu(_) => WORKGROUP,
            Self::Gpu(gpu) => gpu.largest_workgroup(),
        }
    }

    /// What a parity case learns of this executor.
    pub(crate) fn watch(&self) -> &crate::watch::Watch {
        match self {
            Self::Cpu(cpu) => &cpu.watch,
            Self::Gpu(gpu) => gpu.watch(),
        }
    }

    /// Waits until all submitted work is done.
    pub fn wait(&self) -> Result<()> {
        match self {
            Self::Cpu(_) => Ok(()),
            Self::Gpu(gpu) => gpu.wait(),
        }
    }

    /// Switches per-stage timing on or off. On a GPU it needs timestamp queries; without them stages
    /// read as empty.
    pub fn set_timed(&self, timed: bool) {
        match self {
            Self::Cpu(cpu) => cpu.timed.store(timed, std::sync::atomic::Ordering::Relaxed),
            Self::Gpu(gpu) => gpu.set_timed(timed),
        }
    }

    /// Makes every kernel a stage of its own, by its name, while timing is on; the names of stages do not count then.
    /// It shows where time goes, at the price of a little more of it.
    pub fn set_timed_by_kernel(&self, by_kernel: bool) {
        match self {
            Self::Cpu(cpu) => cpu.by_kernel.store(by_kernel, std::sync::atomic::Ordering::Relaxed),
            Self::Gpu(gpu) => gpu.set_timed_by_kernel(by_kernel),
        }
    }

    /// Time per stage of what was submitted since the last call.
    pub fn timings_later(&self) -> Later<Timings> {
        match self {
            Self::Cpu(cpu) => {
                Later::known(cpu.timings.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take())
            }
            Self::Gpu(gpu) => gpu.timings_later(),
        }
    }

    /// The same, waited for.
    pub fn take_timings(&self) -> Result<Timings> {
        self.timings_later().wait()
    }
}

/// A list of kernels in order. Each sees what those before it wrote.
#[derive(Debug)]
#[must_use = "a recording does nothing on a GPU until it is submitted"]
pub struct Recording<'e>(Inner<'e>);

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one lives at a time, and it does not move")]
enum Inner<'e> {
    Cpu(CpuRecording<'e>),
    Gpu(GpuRecording<'e>),
}

impl Recording<'_> {
    /// Names the stage that the next kernels belong to; timings are kept by it.
    pub fn stage(&mut self, name: &'static str) {
        match &mut self.0 {
            Inner::Cpu(rec) => rec.stage(name),
            Inner::Gpu(rec) => rec.stage(name),
        }
    }

    /// Records one kernel.
    pub fn run<K: Kernel + Sync>(&mut self, kernel: &K, params: &K::Params, extent: Dispatch<'_>) -> Result<()>
    where
        K::Params: Sync,
    {
        bindings::check(&K::INFO, &kernel.buffers(), &extent)?;
        match &mut self.0 {
            Inner::Cpu(rec) => rec.run(kernel, params, extent),
            Inner::Gpu(rec) => rec.run(kernel, params, extent),
        }
    }

    /// Copies all of `from` to the start of `to`.
    pub fn copy<T: Pod>(&mut self, from: &Buffer<T>, to: &Buffer<T>) -> Result<()> {
        if from.len() > to.len() {
            return Err(to.raw.misuse("is shorter than what is copied into it"));
        }
        if from.raw.id == to.raw.id {
            return Err(to.raw.misuse("is copied onto itself"));
        }
        match &mut self.0 {
            Inner::Cpu(rec) => rec.copy(from, to),
            Inner::Gpu(rec) => rec.copy(&from.raw, &to.raw, from.bytes()),
        }
    }

    /// Sets all of a buffer to zero.
    pub fn clear<T: Pod>(&mut self, buffer: &Buffer<T>) -> Result<()> {
        match &mut self.0 {
            Inner::Cpu(rec) => rec.clear(buffer),
            Inner::Gpu(rec) => rec.clear(&buffer.raw),
        }
    }

    /// Hands the work over. Returns at once on a GPU.
    pub fn submit(self) -> Result<()> {
        match self.0 {
            Inner::Cpu(mut rec) => {
                rec.end_stage();
                Ok(())
            }
            Inner::Gpu(rec) => rec.submit(),
        }
    }
}

/// A read under way.
#[derive(Debug)]
pub struct Readback<T>(Read<T>);

#[derive(Debug)]
enum Read<T> {
    Ready(Vec<T>),
    Pending(GpuReadback),
}

impl<T: Pod> Readback<T> {
    /// Whether [`wait`](Self::wait) would return at once.
    pub fn is_ready(&self) -> bool {
        match &self.0 {
            Read::Ready(_) => true,
            Read::Pending(read) => read.is_ready(),
        }
    }

    /// Waits for the data.
    pub fn wait(self) -> Result<Vec<T>> {
        match self.0 {
            Read::Ready(data) => Ok(data),
            Read::Pending(read) => read.wait(),
        }
    }
}
