//! Finding and opening a GPU.

use crate::adapter::{AdapterSummary, GpuOptions};
use crate::error::{ComputeError, Result};

impl AdapterSummary {
    pub(super) fn of(info: &wgpu::AdapterInfo, limits: &wgpu::Limits, features: wgpu::Features) -> Self {
        Self {
            name: info.name.clone(),
            api: format!("{:?}", info.backend),
            kind: format!("{:?}", info.device_type),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
            software: info.device_type == wgpu::DeviceType::Cpu,
            max_binding_bytes: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
        }
    }
}

/// Every adapter of this machine, best first.
pub fn adapters() -> Vec<AdapterSummary> {
    let found = enumerate();
    found.iter().map(|a| AdapterSummary::of(&a.get_info(), &a.limits(), a.features())).collect()
}

fn enumerate() -> Vec<wgpu::Adapter> {
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    // Extents of indirect dispatches come from kernels of ours alone; checking each of them on the GPU costs a solve of
    // many small dispatches up to a third of its time. (Direct3D reads its group counts from that check.)
    if !cfg!(windows) {
        description.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    }
    let instance = wgpu::Instance::new(description);
    let mut found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    found.retain(|a| a.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS));
    found.sort_by_key(|a| match a.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    found
}

/// Opens the best allowed adapter with all the limits that it has: the defaults of WebGPU (128 MiB a
/// binding) would refuse grids that the card holds with ease.
pub(super) fn open(options: &GpuOptions) -> Result<(wgpu::Device, wgpu::Queue)> {
    let mut found = enumerate();
    let all: Vec<String> = found.iter().map(|a| a.get_info().name).collect();
    if let Some(part) = &options.name_contains {
        let part = part.to_lowercase();
        found.retain(|a| a.get_info().name.to_lowercase().contains(&part));
    }
    if !options.allow_software {
        found.retain(|a| a.get_info().device_type != wgpu::DeviceType::Cpu);
    }
    let Some(adapter) = found.into_iter().next() else {
        let reason = match all.as_slice() {
            [] => "no driver offers one".to_string(),
            names => format!("the options exclude what there is ({})", names.join(", ")),
        };
        return Err(ComputeError::NoAdapter { reason });
    };
    let desc = wgpu::DeviceDescriptor {
        label: Some("thalweg"),
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        required_limits: adapter.limits(),
        experimental_features: wgpu::ExperimentalFeatures::disabled(),
        memory_hints: wgpu::MemoryHints::Performance,
        trace: wgpu::Trace::Off,
    };
    pollster::block_on(adapter.request_device(&desc))
        .map_err(|e| ComputeError::NoDevice { adapter: adapter.get_info().name, reason: e.to_string() })
}
