//! The GPU executor: kernels are recorded into one submission, on a device of ours or of the caller.

mod adapter;
mod buffer;
mod liberties;
mod pipelines;
mod readback;
mod recording;
#[cfg(test)]
mod tests;
mod timestamps;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use adapter::adapters;
pub(crate) use buffer::GpuBuffer;
pub(crate) use readback::GpuReadback;
pub(crate) use recording::GpuRecording;

use crate::adapter::{AdapterSummary, GpuOptions};
use crate::buffer::{RawBuffer, Storage};
use crate::error::{ComputeError, Result};
use crate::later::Later;
use crate::timing::Timings;
use crate::watch::Watch;
use pipelines::{Pipelines, UniformPage};
use timestamps::PendingTimes;

/// Runs kernels on a GPU through wgpu.
#[derive(Debug)]
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: AdapterSummary,
    pipelines: Arc<Mutex<Pipelines>>,
    /// Uniform pages that no recording holds.
    free_pages: Mutex<Vec<UniformPage>>,
    /// Ids of dropped buffers whose cached bind groups must go.
    dropped: Arc<Mutex<Vec<u64>>>,
    lost: Arc<Mutex<Option<String>>>,
    timed: AtomicBool,
    by_kernel: AtomicBool,
    /// See [`GpuOptions::take_liberties`].
    take_liberties: bool,
    pending_times: Mutex<Vec<PendingTimes>>,
    timings: Mutex<Timings>,
    watch: Watch,
}

/// A poisoned lock only means that another thread panicked: the data is still whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check_alive(lost: &Mutex<Option<String>>) -> Result<()> {
    match &*lock(lost) {
        Some(reason) => Err(ComputeError::DeviceLost { reason: reason.clone() }),
        None => Ok(()),
    }
}

fn wait(device: &wgpu::Device, lost: &Mutex<Option<String>>, until: wgpu::PollType) -> Result<()> {
    let polled = device.poll(until);
    check_alive(lost)?;
    polled.map(drop).map_err(|e| ComputeError::DeviceLost { reason: e.to_string() })
}

impl Gpu {
    /// Opens the best adapter that the options allow.
    pub fn new(options: &GpuOptions) -> Result<Self> {
        let (device, queue) = adapter::open(options)?;
        let mut gpu = Self::from_device(device, queue);
        gpu.take_liberties = options.take_liberties;
        let lost = Arc::clone(&gpu.lost);
        gpu.device.set_device_lost_callback(move |reason, message| {
            *lock(&lost) = Some(format!("{reason:?}: {message}"));
        });
        Ok(gpu)
    }

    /// Uses a device and queue that the caller owns, such as an engine's. Its limits and features are
    /// taken as they are; the caller keeps its own error and device-lost handlers.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let adapter = AdapterSummary::of(&device.adapter_info(), &device.limits(), device.features());
        Self {
            pipelines: Arc::default(),
            free_pages: Mutex::default(),
            dropped: Arc::default(),
            lost: Arc::default(),
            timed: AtomicBool::new(false),
            by_kernel: AtomicBool::new(false),
            take_liberties: false,
            pending_times: Mutex::default(),
            timings: Mutex::default(),
            watch: Watch::default(),
            adapter,
            device,
            queue,
        }
    }

    /// An executor for one parity case, on the same device and with the pipelines that are compiled already.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn watched(&self) -> Self {
        Self {
            pipelines: Arc::clone(&self.pipelines),
            dropped: Arc::clone(&self.dropped),
            lost: Arc::clone(&self.lost),
            watch: Watch::on(),
            take_liberties: self.take_liberties,
            ..Self::from_device(self.device.clone(), self.queue.clone())
        }
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The wgpu device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The wgpu queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// What the adapter is.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.adapter
    }

    pub(crate) fn allocate(&self, label: &str, bytes: u64) -> Result<RawBuffer> {
        self.check_alive()?;
        let limits = self.device.limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if bytes > limit {
            return Err(ComputeError::BufferTooLarge { label: label.into(), bytes, limit });
        }
        use wgpu::BufferUsages as U;
        let usage = U::STORAGE | U::COPY_SRC | U::COPY_DST | U::INDIRECT;
        let full = format!("thalweg.{label}");
        let desc = wgpu::BufferDescriptor { label: Some(&full), size: bytes, usage, mapped_at_creation: false };
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let buffer = self.device.create_buffer(&desc);
        if pollster::block_on(scope.pop()).is_some() {
            return Err(ComputeError::OutOfMemory { label: label.into(), bytes });
        }
        Ok(RawBuffer::new(label, self.own_memory(buffer)))
    }

    fn own_memory(&self, buffer: wgpu::Buffer) -> Storage {
        Storage::Gpu(GpuBuffer::new(buffer, Arc::clone(&self.dropped)))
    }

    /// The wgpu buffer, if this executor made it.
    fn own<'b>(&self, buffer: &'b RawBuffer) -> Result<&'b wgpu::Buffer> {
        let found = buffer.wgpu()?;
        if !buffer.reports_to(&self.dropped) {
            return Err(buffer.misuse("belongs to another GPU executor"));
        }
        Ok(found)
    }

    pub(crate) fn write(&self, buffer: &RawBuffer, offset: u64, bytes: &[u8]) -> Result<()> {
        self.check_alive()?;
        self.queue.write_buffer(self.own(buffer)?, offset, bytes);
        Ok(())
    }

    pub(crate) fn start_read(&self, buffer: &RawBuffer, bytes: u64) -> Result<GpuReadback> {
        self.check_alive()?;
        GpuReadback::start(self, buffer, bytes)
    }

    pub(crate) fn wait(&self) -> Result<()> {
        wait(&self.device, &self.lost, wgpu::PollType::wait_indefinitely())
    }

    /// An error once the device is lost, so that no call waits for work that never ends.
    fn check_alive(&self) -> Result<()> {
        check_alive(&self.lost)
    }

    pub(crate) fn set_timed(&self, timed: bool) {
        let possible = self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        self.timed.store(timed && possible, Ordering::Relaxed);
    }

    pub(crate) fn set_timed_by_kernel(&self, by_kernel: bool) {
        self.by_kernel.store(by_kernel, Ordering::Relaxed);
    }

    /// Most invocations that a workgroup may have.
    pub(crate) fn largest_workgroup(&self) -> u32 {
        let limits = self.device.limits();
        limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x)
    }

    pub(crate) fn timings_later(&self) -> Later<Timings> {
        let pending: Vec<PendingTimes> = lock(&self.pending_times).drain(..).collect();
        let (mut timings, period) = (lock(&self.timings).take(), self.queue.get_timestamp_period());
        let (device, lost, so_far) = (self.device.clone(), Arc::clone(&self.lost), self.queue.submit([]));
        Later::new(move || {
            wait(&device, &lost, wgpu::PollType::Wait { submission_index: Some(so_far), timeout: None })?;
            pending.into_iter().for_each(|pending| pending.collect(period, &mut timings));
            Ok(timings)
        })
    }
}
