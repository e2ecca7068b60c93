//! Memory of a GPU.

use std::sync::{Arc, Mutex};

use bytemuck::Pod;

use super::lock;
use crate::buffer::{Buffer, RawBuffer, Storage};
use crate::error::Result;

/// A buffer of a device.
#[derive(Debug)]
pub(crate) struct GpuBuffer {
    buffer: wgpu::Buffer,
    /// Where it reports that it was dropped, so that cached bind groups release its memory.
    dropped: Arc<Mutex<Vec<u64>>>,
}

impl GpuBuffer {
    pub(crate) fn new(buffer: wgpu::Buffer, dropped: Arc<Mutex<Vec<u64>>>) -> Self {
        Self { buffer, dropped }
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// Reports that the buffer with this id was dropped.
    pub(crate) fn report_drop(&self, id: u64) {
        lock(&self.dropped).push(id);
    }
}

impl RawBuffer {
    /// The GPU's buffer, for executors and for renderers that share the device.
    pub(crate) fn wgpu(&self) -> Result<&wgpu::Buffer> {
        match &self.storage {
            Storage::Gpu(memory) => Ok(&memory.buffer),
            Storage::Cpu(_) => Err(self.misuse("belongs to the CPU executor")),
        }
    }

    /// Whether the GPU executor with this list made the buffer.
    pub(super) fn reports_to(&self, dropped: &Arc<Mutex<Vec<u64>>>) -> bool {
        matches!(&self.storage, Storage::Gpu(memory) if Arc::ptr_eq(&memory.dropped, dropped))
    }
}

impl<T: Pod> Buffer<T> {
    /// The wgpu buffer behind a GPU buffer: for renderers and engines that share the device.
    pub fn wgpu(&self) -> Option<&wgpu::Buffer> {
        self.raw.wgpu().ok()
    }
}
