//! Timestamps around every stage's pass.

use crate::timing::{StageTime, Timings};

/// Queries in one set: WebGPU's limit.
const SET_SIZE: u32 = 4096;

/// One pass and the stage that it belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimedPass {
    pub(crate) stage: &'static str,
    /// Whether it goes on with a stage that a copy interrupted; the stage counts once.
    pub(crate) continued: bool,
}

/// The timestamps of a recording while it is made.
#[derive(Debug, Default)]
pub(crate) struct StageQueries {
    sets: Vec<(wgpu::QuerySet, Vec<TimedPass>)>,
}

/// Timestamps that were submitted and come back some day.
#[derive(Debug)]
pub(crate) struct PendingTimes {
    passes: Vec<TimedPass>,
    staging: wgpu::Buffer,
    mapping: bool,
}

impl StageQueries {
    /// A pair of timestamps for one more pass.
    pub(crate) fn begin(&mut self, device: &wgpu::Device, pass: TimedPass) -> wgpu::ComputePassTimestampWrites<'_> {
        if self.sets.last().is_none_or(|(_, passes)| passes.len() as u32 * 2 >= SET_SIZE) {
            let desc = wgpu::QuerySetDescriptor {
                label: Some("thalweg.timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: SET_SIZE,
            };
            self.sets.push((device.create_query_set(&desc), Vec::new()));
        }
        let (query_set, passes) = self.sets.last_mut().expect("a set was just made sure of");
        let first = passes.len() as u32 * 2;
        passes.push(pass);
        wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        }
    }

    /// Encodes the copies of all timestamps to memory that can be mapped.
    pub(crate) fn resolve(self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder) -> Vec<PendingTimes> {
        use wgpu::BufferUsages as U;
        let buffer = |size, usage| {
            let label = Some("thalweg.timestamps");
            device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
        };
        let resolve_set = |(set, passes): (wgpu::QuerySet, Vec<TimedPass>)| {
            let bytes = passes.len() as u64 * 16;
            let resolved = buffer(bytes, U::QUERY_RESOLVE | U::COPY_SRC);
            let staging = buffer(bytes, U::MAP_READ | U::COPY_DST);
            encoder.resolve_query_set(&set, 0..passes.len() as u32 * 2, &resolved, 0);
            encoder.copy_buffer_to_buffer(&resolved, 0, &staging, 0, Some(bytes));
            PendingTimes { passes, staging, mapping: false }
        };
        self.sets.into_iter().map(resolve_set).collect()
    }
}

impl PendingTimes {
    /// Asks for the mapping once the submission is made.
    pub(crate) fn start_map(&mut self) {
        if !std::mem::replace(&mut self.mapping, true) {
            self.staging.map_async(wgpu::MapMode::Read, .., |_| {});
        }
    }

    /// Adds the stages' times; the caller has waited for the device.
    pub(crate) fn collect(self, period_ns: f32, timings: &mut Timings) {
        let Ok(view) = self.staging.get_mapped_range(..) else { return };
        let ticks: &[u64] = bytemuck::cast_slice(&view);
        for (pass, pair) in self.passes.iter().zip(ticks.chunks_exact(2)) {
            let ms = pair[1].saturating_sub(pair[0]) as f64 * f64::from(period_ns) * 1e-6;
            timings.add(pass.stage, StageTime { ms, calls: u64::from(!pass.continued) });
        }
    }
}
