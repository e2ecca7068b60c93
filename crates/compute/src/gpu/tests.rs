use super::{Gpu, lock};
use crate::adapter::GpuOptions;
use crate::parity::test_gpu;
use crate::primitives::{Fill, FillParams, Scan};
use crate::{Buffer, ComputeError, Dispatch, Executor, Result};

/// A GPU of the test's own, to be switched or broken.
fn own_gpu() -> Option<Executor> {
    test_gpu()?;
    Some(Executor::gpu(&GpuOptions { allow_software: true, ..GpuOptions::default() }).unwrap())
}

fn inner(exec: &Executor) -> &Gpu {
    match exec {
        Executor::Gpu(gpu) => gpu,
        Executor::Cpu(_) => panic!("a GPU was asked for"),
    }
}

fn fill(exec: &Executor, values: &Buffer<u32>) -> Result<()> {
    let mut rec = exec.record();
    rec.run(&Fill { values }, &FillParams { value: 3 }, Dispatch::Elements(values.len()))?;
    rec.submit()
}

#[test]
fn a_lost_device_is_a_typed_error_everywhere() {
    let Some(exec) = own_gpu() else { return };
    let values = exec.buffer::<u32>("values", 1000).unwrap();
    fill(&exec, &values).unwrap();
    let pending = exec.read_async(&values).unwrap();
    let rec = exec.record();
    inner(&exec).device().destroy();
    let lost = |result: Result<()>, what: &str| {
        assert!(matches!(result, Err(ComputeError::DeviceLost { .. })), "{what}: {result:?}");
    };
    lost(exec.wait(), "wait");
    lost(rec.submit(), "submission of what was recorded before");
    lost(pending.wait().map(drop), "read-back under way");
    lost(fill(&exec, &values), "recording");
    lost(exec.read(&values).map(drop), "read");
    lost(exec.write(&values, 0, &[1]), "write");
    lost(exec.buffer::<u32>("more", 10).map(drop), "allocation");
    lost(exec.take_timings().map(drop), "timings");
}

#[test]
fn a_device_of_the_caller_works() {
    if test_gpu().is_none() {
        return;
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default())).unwrap();
    let exec: Executor = Gpu::from_device(device.clone(), queue).into();
    let counts = exec.buffer_from("counts", &[2u32; 3000]).unwrap();
    let offsets = exec.buffer::<u32>("offsets", 3000).unwrap();
    let mut rec = exec.record();
    Scan::new(&exec, 3000).unwrap().exclusive(&mut rec, &counts, &offsets).unwrap();
    rec.submit().unwrap();
    assert_eq!(exec.read(&offsets).unwrap()[2999], 5998);
    // The device keeps its own, default limits: 128 MiB a binding.
    let error = exec.buffer::<u32>("large", (128 << 20) / 4 + 1).unwrap_err();
    assert!(matches!(error, ComputeError::BufferTooLarge { limit, .. } if limit == 128 << 20), "{error}");
    exec.set_timed(true); // no timestamps were asked for: nothing is timed, nothing fails
    fill(&exec, &offsets).unwrap();
    assert_eq!(exec.take_timings().unwrap().stages().count(), 0);
    drop(exec);
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap(); // still the caller's
}

#[test]
fn cached_bind_groups_let_dropped_buffers_go() {
    let Some(exec) = own_gpu() else { return };
    let cached = || lock(&inner(&exec).pipelines).bind_group_count();
    let kept = exec.buffer::<u32>("kept", 10).unwrap();
    fill(&exec, &kept).unwrap();
    fill(&exec, &kept).unwrap();
    assert_eq!(cached(), 1, "the same buffer, the same bind group");
    for _ in 0..20 {
        fill(&exec, &exec.buffer::<u32>("dropped", 10).unwrap()).unwrap();
    }
    drop(exec.record());
    assert_eq!(cached(), 1);
    assert!(lock(&inner(&exec).dropped).is_empty());
    fill(&exec, &kept).unwrap();
    assert_eq!(exec.read(&kept).unwrap(), [3; 10]);
}

/// A shader that does not compile is an error with the kernel's name, not a panic.
#[test]
fn a_broken_shader_is_a_typed_error() {
    crate::kernel! {
        /// Does not compile.
        struct Broken slices BrokenSlices = "compute.test_broken" {
            shader: "@compute @workgroup_size(1) fn broken() { let x: u32 = 1.5; }", entry: "broken",
            workgroup: [1, 1, 1],
            params: FillParams,
            cpu: nothing,
            write values: u32,
        }
    }
    fn nothing(_: &FillParams, s: BrokenSlices<'_>) {
        s.values.fill(0);
    }
    let Some(exec) = own_gpu() else { return };
    let values = exec.buffer::<u32>("values", 1).unwrap();
    let mut rec = exec.record();
    let broken = rec.run(&Broken { values: &values }, &FillParams { value: 0 }, Dispatch::Groups([1, 1, 1]));
    let error = broken.unwrap_err();
    assert!(matches!(&error, ComputeError::InvalidKernel { kernel, .. } if kernel == "compute.test_broken"), "{error}");
}
