//! Caches: a pipeline per kernel, a bind group per set of buffers, pages of uniform blocks.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Gpu, liberties};
use crate::buffer::RawBuffer;
use crate::error::{ComputeError, Result};
use crate::kernel::{Access, KernelInfo};

/// Bytes between two uniform blocks: the largest alignment that WebGPU lets a device ask for.
const UNIFORM_STRIDE: usize = 256;
/// Bytes of one page of uniform blocks.
const PAGE_BYTES: usize = 256 * UNIFORM_STRIDE;

/// A compiled kernel.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

/// What is made once and used in every step.
#[derive(Debug, Default)]
pub(crate) struct Pipelines {
    compiled: HashMap<&'static str, Arc<Pipeline>>,
    bind_groups: HashMap<Vec<u64>, (&'static str, wgpu::BindGroup)>,
}

/// Parameters of the kernels of one recording: written once, at submission; kernels bind it with a
/// dynamic offset, so that bind groups do not depend on the parameters.
#[derive(Debug)]
pub(crate) struct UniformPage {
    buffer: RawBuffer,
    bytes: Vec<u8>,
}

impl UniformPage {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let desc = wgpu::BufferDescriptor {
            label: Some("thalweg.uniforms"),
            size: PAGE_BYTES as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        let buffer = RawBuffer::new("uniforms", gpu.own_memory(gpu.device.create_buffer(&desc)));
        Self { buffer, bytes: Vec::new() }
    }

    /// Adds a block and returns its offset, or `None` when the page is full.
    pub(crate) fn push(&mut self, block: &[u8]) -> Option<u32> {
        debug_assert!(block.len() <= UNIFORM_STRIDE);
        let offset = self.bytes.len();
        if offset + UNIFORM_STRIDE > PAGE_BYTES {
            return None;
        }
        self.bytes.extend_from_slice(block);
        self.bytes.resize(offset + UNIFORM_STRIDE, 0);
        Some(offset as u32)
    }

    /// Sends the blocks and empties the page for its next recording.
    pub(crate) fn flush(&mut self, gpu: &Gpu) -> Result<()> {
        gpu.queue.write_buffer(self.buffer.wgpu()?, 0, &self.bytes);
        self.bytes.clear();
        Ok(())
    }
}

impl Pipelines {
    /// Cached bind groups.
    #[cfg(test)]
    pub(super) fn bind_group_count(&self) -> usize {
        self.bind_groups.len()
    }

    /// Forgets bind groups of buffers that were dropped.
    pub(crate) fn forget(&mut self, dropped: &mut Vec<u64>) {
        if !dropped.is_empty() {
            self.bind_groups.retain(|key, _| !key.iter().any(|id| dropped.contains(id)));
            dropped.clear();
        }
    }

    /// The compiled form of a kernel.
    pub(crate) fn pipeline(&mut self, gpu: &Gpu, info: &KernelInfo) -> Result<Arc<Pipeline>> {
        if let Some(found) = self.compiled.get(info.name) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(compile(gpu, info)?);
        self.compiled.insert(info.name, Arc::clone(&made));
        Ok(made)
    }

    /// The bind group of these buffers, parameters in `page`.
    pub(crate) fn bind_group(
        &mut self,
        gpu: &Gpu,
        info: &KernelInfo,
        pipeline: &Pipeline,
        page: &UniformPage,
        buffers: &[&RawBuffer],
    ) -> Result<wgpu::BindGroup> {
        // The kernel's own text address tells kernels apart; ids tell buffers apart.
        let mut key = vec![info.name.as_ptr() as u64, page.buffer.id];
        key.extend(buffers.iter().map(|b| b.id));
        if let Some((_, found)) = self.bind_groups.get(&key).filter(|(name, _)| *name == info.name) {
            return Ok(found.clone());
        }
        let uniform = wgpu::BufferBinding {
            buffer: page.buffer.wgpu()?,
            offset: 0,
            size: std::num::NonZeroU64::new(info.params_size as u64),
        };
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(uniform) }];
        for (i, buffer) in buffers.iter().enumerate() {
            let resource = gpu.own(buffer)?.as_entire_binding();
            entries.push(wgpu::BindGroupEntry { binding: i as u32 + 1, resource });
        }
        let desc = wgpu::BindGroupDescriptor { label: Some(info.name), layout: &pipeline.layout, entries: &entries };
        let group = gpu.device.create_bind_group(&desc);
        self.bind_groups.insert(key, (info.name, group.clone()));
        Ok(group)
    }
}

fn compile(gpu: &Gpu, info: &KernelInfo) -> Result<Pipeline> {
    let device = &gpu.device;
    let invalid = |e: wgpu::Error| ComputeError::InvalidKernel { kernel: info.name.into(), reason: e.to_string() };
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let source = if gpu.take_liberties {
        let reason = |reason| ComputeError::InvalidKernel { kernel: info.name.into(), reason };
        wgpu::ShaderSource::Naga(std::borrow::Cow::Owned(liberties::rewrite(info.wgsl).map_err(reason)?))
    } else {
        wgpu::ShaderSource::Wgsl(info.wgsl.into())
    };
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(info.name), source });
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(info.name),
        entries: &layout_entries(info),
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(info.name),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(info.name),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(info.entry),
        compilation_options: wgpu::PipelineCompilationOptions {
            // Our kernels write workgroup memory before they read it.
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    });
    match pollster::block_on(scope.pop()) {
        Some(error) => Err(invalid(error)),
        None => Ok(Pipeline { pipeline, layout }),
    }
}

fn layout_entries(info: &KernelInfo) -> Vec<wgpu::BindGroupLayoutEntry> {
    let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, true)];
    for (i, binding) in info.bindings.iter().enumerate() {
        let read_only = binding.access == Access::Read;
        entries.push(entry(i as u32 + 1, wgpu::BufferBindingType::Storage { read_only }, false));
    }
    entries
}
