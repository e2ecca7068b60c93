//! Reading a buffer back without stopping the queue.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use bytemuck::Pod;

use super::Gpu;
use crate::buffer::RawBuffer;
use crate::error::{ComputeError, Result};
use crate::stopwatch::Stopwatch;

/// How long after a read its callback may come; only a lost device takes so long.
const CALLBACK_PATIENCE: Duration = Duration::from_secs(30);

/// A copy of a buffer to the host that has begun.
#[derive(Debug)]
pub(crate) struct GpuReadback {
    device: wgpu::Device,
    lost: Arc<Mutex<Option<String>>>,
    staging: wgpu::Buffer,
    bytes: u64,
    submission: wgpu::SubmissionIndex,
    mapped: Arc<OnceLock<std::result::Result<(), wgpu::BufferAsyncError>>>,
}

impl GpuReadback {
    pub(super) fn start(gpu: &Gpu, buffer: &RawBuffer, bytes: u64) -> Result<Self> {
        let size = bytes.max(4);
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("thalweg.readback"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        if pollster::block_on(scope.pop()).is_some() {
            return Err(ComputeError::OutOfMemory { label: format!("read-back of {}", buffer.label), bytes });
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(gpu.own(buffer)?, 0, &staging, 0, Some(size));
        let submission = gpu.queue.submit([encoder.finish()]);
        let mapped = Arc::new(OnceLock::new());
        let done = Arc::clone(&mapped);
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            let _ = done.set(result); // called once, so it was empty
        });
        Ok(Self { device: gpu.device.clone(), lost: Arc::clone(&gpu.lost), staging, bytes, submission, mapped })
    }

    pub(crate) fn is_ready(&self) -> bool {
        // An error here shows again, with its reason, in `wait`.
        self.device.poll(wgpu::PollType::Poll).is_err() || self.mapped.get().is_some()
    }

    pub(crate) fn wait<T: Pod>(self) -> Result<Vec<T>> {
        // Only for this read: work submitted after it goes on.
        let until = wgpu::PollType::Wait { submission_index: Some(self.submission), timeout: None };
        super::wait(&self.device, &self.lost, until)?;
        let lost = |reason: String| ComputeError::DeviceLost { reason };
        // Another thread's poll may have taken the callback and be about to call it.
        let begin = Stopwatch::start();
        while self.mapped.get().is_none() && begin.elapsed() < CALLBACK_PATIENCE {
            std::thread::yield_now();
        }
        match self.mapped.get() {
            Some(Ok(())) => {}
            Some(Err(e)) => return Err(lost(e.to_string())),
            None => return Err(lost("a read never came back".into())),
        }
        let view = self.staging.get_mapped_range(..).map_err(|e| lost(e.to_string()))?;
        // The mapping may be less aligned than T, so bytes are copied into place.
        let mut data = vec![T::zeroed(); self.bytes as usize / size_of::<T>()];
        bytemuck::cast_slice_mut(&mut data).copy_from_slice(&view[..self.bytes as usize]);
        Ok(data)
    }
}
