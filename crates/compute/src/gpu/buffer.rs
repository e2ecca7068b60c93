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
    /// Where it reports its death, so that cached bind groups let its memory go.
    graveyard: Arc<Mutex<Vec<u64>>>,
}

impl GpuBuffer {
    pub(crate) fn new(buffer: wgpu::Buffer, graveyard: Arc<Mutex<Vec<u64>>>) -> Self {
        Self { buffer, graveyard }
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// Reports that the buffer with this id is gone.
    pub(crate) fn bury(&self, id: u64) {
        lock(&self.graveyard).push(id);
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

    /// Whether the GPU executor with this graveyard made the buffer.
    pub(super) fn reports_to(&self, graveyard: &Arc<Mutex<Vec<u64>>>) -> bool {
        matches!(&self.storage, Storage::Gpu(memory) if Arc::ptr_eq(&memory.graveyard, graveyard))
    }
}

impl<T: Pod> Buffer<T> {
    /// The wgpu buffer behind a GPU buffer: for renderers and engines that share the device.
    pub fn wgpu(&self) -> Option<&wgpu::Buffer> {
        self.raw.wgpu().ok()
    }
}
