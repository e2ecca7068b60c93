//! Kernels encoded into one command buffer.

use std::sync::atomic::Ordering;

use super::pipelines::UniformPage;
use super::timestamps::{StageQueries, TimedPass};
use super::{Gpu, lock};
use crate::buffer::RawBuffer;
use crate::dispatch::{Dispatch, fold};
use crate::error::{ComputeError, Result};
use crate::kernel::{Kernel, KernelInfo};
use crate::stopwatch::Stopwatch;

/// A recording on a GPU. One compute pass holds all kernels; with timing on, one pass per stage.
#[derive(Debug)]
pub(crate) struct GpuRecording<'e> {
    gpu: &'e Gpu,
    encoder: wgpu::CommandEncoder,
    pass: Option<wgpu::ComputePass<'static>>,
    pages: Vec<UniformPage>,
    queries: Option<StageQueries>,
    /// The stage that the next pass belongs to, once timing is on.
    stage: TimedPass,
    begun: Stopwatch,
}

impl<'e> GpuRecording<'e> {
    pub(crate) fn new(gpu: &'e Gpu) -> Self {
        lock(&gpu.pipelines).forget(&mut lock(&gpu.dropped));
        let encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("thalweg") });
        let queries = gpu.timed.load(Ordering::Relaxed).then(StageQueries::default);
        Self {
            gpu,
            encoder,
            pass: None,
            pages: Vec::new(),
            queries,
            stage: TimedPass { stage: "other", continued: false },
            begun: Stopwatch::start(),
        }
    }

    pub(crate) fn stage(&mut self, name: &'static str) {
        if self.queries.is_some() {
            self.pass = None; // a pass is what gets timed
            self.stage = TimedPass { stage: name, continued: false };
        }
    }

    fn pass(&mut self) -> &mut wgpu::ComputePass<'static> {
        let Self { gpu, encoder, queries, stage, .. } = self;
        self.pass.get_or_insert_with(|| {
            let timestamp_writes = queries.as_mut().map(|q| q.begin(&gpu.device, *stage));
            stage.continued = true;
            let desc = wgpu::ComputePassDescriptor { label: Some(stage.stage), timestamp_writes };
            encoder.begin_compute_pass(&desc).forget_lifetime()
        })
    }

    /// Puts a parameter block into a page; returns its offset in the last page.
    fn push_params(&mut self, block: &[u8]) -> u32 {
        if let Some(offset) = self.pages.last_mut().and_then(|page| page.push(block)) {
            return offset;
        }
        let page = lock(&self.gpu.free_pages).pop();
        self.pages.push(page.unwrap_or_else(|| UniformPage::new(self.gpu)));
        self.pages.last_mut().and_then(|page| page.push(block)).expect("an empty page holds a block")
    }

    pub(crate) fn run<K: Kernel>(&mut self, kernel: &K, params: &K::Params, extent: Dispatch<'_>) -> Result<()> {
        let groups = groups(extent, &K::INFO)?;
        if groups.is_some_and(|g| g.contains(&0)) {
            return Ok(());
        }
        let offset = self.push_params(bytemuck::bytes_of(params));
        let gpu = self.gpu;
        let (pipeline, group) = {
            let mut cache = lock(&gpu.pipelines);
            let pipeline = cache.pipeline(gpu, &K::INFO)?;
            let page = self.pages.last().expect("parameters were just pushed");
            let group = cache.bind_group(gpu, &K::INFO, &pipeline, page, &kernel.buffers())?;
            (pipeline, group)
        };
        gpu.watch.ran(K::INFO.name);
        if gpu.by_kernel.load(Ordering::Relaxed) {
            self.stage(K::INFO.name);
        }
        let pass = self.pass();
        pass.set_pipeline(&pipeline.pipeline);
        pass.set_bind_group(0, &group, &[offset]);
        match extent {
            Dispatch::Indirect(args, word) => pass.dispatch_workgroups_indirect(gpu.own(&args.raw)?, word as u64 * 4),
            _ => {
                let [x, y, z] = groups.unwrap_or_default();
                pass.dispatch_workgroups(x, y, z);
            }
        }
        Ok(())
    }

    pub(crate) fn copy(&mut self, from: &RawBuffer, to: &RawBuffer, bytes: u64) -> Result<()> {
        self.pass = None;
        self.encoder.copy_buffer_to_buffer(self.gpu.own(from)?, 0, self.gpu.own(to)?, 0, Some(bytes));
        Ok(())
    }

    pub(crate) fn clear(&mut self, buffer: &RawBuffer) -> Result<()> {
        self.pass = None;
        self.encoder.clear_buffer(self.gpu.own(buffer)?, 0, None);
        Ok(())
    }

    pub(crate) fn submit(mut self) -> Result<()> {
        self.gpu.check_alive()?;
        self.pass = None;
        if let Some(queries) = self.queries.take() {
            lock(&self.gpu.pending_times).extend(queries.resolve(&self.gpu.device, &mut self.encoder));
        }
        for page in &mut self.pages {
            page.flush(self.gpu)?;
        }
        let scope = self.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        self.gpu.queue.submit([self.encoder.finish()]);
        lock(&self.gpu.free_pages).append(&mut self.pages);
        for pending in lock(&self.gpu.pending_times).iter_mut() {
            pending.start_map();
        }
        lock(&self.gpu.timings).add_recording(self.begun.elapsed());
        match pollster::block_on(scope.pop()) {
            Some(e) => Err(ComputeError::InvalidKernel { kernel: "submission".into(), reason: e.to_string() }),
            None => self.gpu.check_alive(),
        }
    }
}

/// Workgroups along x, y, z; `None` if they are read from a buffer.
fn groups(extent: Dispatch<'_>, kernel: &KernelInfo) -> Result<Option<[u32; 3]>> {
    match extent {
        Dispatch::Elements(n) => {
            let groups = (n as u64).div_ceil(u64::from(kernel.workgroup[0]));
            fold(groups).map(Some).ok_or(ComputeError::TooManyGroups { kernel: kernel.name.into(), groups })
        }
        Dispatch::Groups(groups) => Ok(Some(groups)),
        Dispatch::Indirect(..) => Ok(None),
    }
}
