//! What stands for the GPU executor without the feature `gpu`: types of which there is no value, so that all else is
//! the same with and without it.

use bytemuck::Pod;

use crate::adapter::{AdapterSummary, GpuOptions};
use crate::buffer::RawBuffer;
use crate::dispatch::Dispatch;
use crate::error::{ComputeError, Result};
use crate::kernel::Kernel;
use crate::later::Later;
use crate::timing::Timings;
use crate::watch::Watch;

/// The executor of GPUs, which this program was built without: there is no value of this type.
#[derive(Debug)]
pub enum Gpu {}

/// Every adapter of this machine: none that this program could use, for it was built without the feature `gpu`.
pub fn adapters() -> Vec<AdapterSummary> {
    Vec::new()
}

impl Gpu {
    /// Always [`ComputeError::BuiltWithoutGpu`].
    pub fn new(_: &GpuOptions) -> Result<Self> {
        Err(ComputeError::BuiltWithoutGpu)
    }

    pub(crate) fn watch(&self) -> &Watch {
        match *self {}
    }

    /// What the adapter is.
    pub fn adapter(&self) -> &AdapterSummary {
        match *self {}
    }

    pub(crate) fn allocate(&self, _: &str, _: u64) -> Result<RawBuffer> {
        match *self {}
    }

    pub(crate) fn write(&self, _: &RawBuffer, _: u64, _: &[u8]) -> Result<()> {
        match *self {}
    }

    pub(crate) fn start_read(&self, _: &RawBuffer, _: u64) -> Result<GpuReadback> {
        match *self {}
    }

    pub(crate) fn wait(&self) -> Result<()> {
        match *self {}
    }

    pub(crate) fn set_timed(&self, _: bool) {
        match *self {}
    }

    pub(crate) fn set_timed_by_kernel(&self, _: bool) {
        match *self {}
    }

    pub(crate) fn largest_workgroup(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn timings_later(&self) -> Later<Timings> {
        match *self {}
    }
}

#[derive(Debug)]
pub(crate) enum GpuBuffer {}

impl GpuBuffer {
    pub(crate) fn bytes(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn report_drop(&self, _: u64) {
        match *self {}
    }
}

#[derive(Debug)]
pub(crate) enum GpuReadback {}

impl GpuReadback {
    pub(crate) fn is_ready(&self) -> bool {
        match *self {}
    }

    pub(crate) fn wait<T: Pod>(self) -> Result<Vec<T>> {
        match self {}
    }
}

#[derive(Debug)]
pub(crate) struct GpuRecording<'e>(&'e Gpu);

impl<'e> GpuRecording<'e> {
    pub(crate) fn new(gpu: &'e Gpu) -> Self {
        Self(gpu)
    }

    pub(crate) fn stage(&mut self, _: &'static str) {
        match *self.0 {}
    }

    pub(crate) fn run<K: Kernel>(&mut self, _: &K, _: &K::Params, _: Dispatch<'_>) -> Result<()> {
        match *self.0 {}
    }

    pub(crate) fn copy(&mut self, _: &RawBuffer, _: &RawBuffer, _: u64) -> Result<()> {
        match *self.0 {}
    }

    pub(crate) fn clear(&mut self, _: &RawBuffer) -> Result<()> {
        match *self.0 {}
    }

    pub(crate) fn submit(self) -> Result<()> {
        match *self.0 {}
    }
}
