use super::fill;
use crate::parity::{test_executors, test_gpu};
use crate::primitives::{Fill, FillParams, Scan};
use crate::{ComputeError, Cpu, Dispatch, Executor, Gpu, GpuOptions};

/// The same words on both executors, and at once: not a message of the driver at submission.
#[test]
fn a_buffer_bound_twice_and_written_is_refused() {
    for exec in test_executors() {
        let x = exec.buffer::<u32>("x", 10).unwrap();
        let mut rec = exec.record();
        let error = Scan::new(exec, 10).unwrap().exclusive(&mut rec, &x, &x).unwrap_err();
        assert_eq!(
            error.to_string(),
            "buffer `x`: kernel `compute.scan_tiles` writes it as `output` and binds it as `input`"
        );
    }
}

/// Kernels need not wake a thread each.
#[test]
fn what_is_submitted_as_a_whole_is_recorded_where_kernels_run() {
    for exec in test_executors() {
        let values = exec.buffer::<u32>("values", 300).unwrap();
        let is_inside = exec.submit(|rec| -> crate::error::Result<bool> {
            rec.run(&Fill { values: &values }, &FillParams { value: 5 }, Dispatch::Elements(300))?;
            Ok(rayon::current_thread_index().is_some())
        });
        assert_eq!(is_inside.unwrap(), matches!(exec, Executor::Cpu(_)), "{}", exec.describe());
        assert_eq!(exec.read(&values).unwrap(), [5; 300]);
    }
    let own = Executor::Cpu(Cpu::with_threads(3).unwrap());
    let threads = own.submit(|_| Ok::<_, ComputeError>(rayon::current_num_threads()));
    assert_eq!(threads.unwrap(), 3, "the executor's own pool");
    let refused = own.submit(|_| Err::<(), _>(ComputeError::OutOfMemory { label: "x".into(), bytes: 1 }));
    assert!(refused.is_err(), "what fails while it is recorded is not submitted");
}

#[test]
fn indirect_arguments_are_checked() {
    for exec in test_executors() {
        let (args, values) =
            (exec.buffer_from("args", &[9u32, 0, 1, 1]).unwrap(), exec.buffer::<u32>("values", 300).unwrap());
        let mut rec = exec.record();
        let params = FillParams { value: 5 };
        for offset in [2, 4, usize::MAX] {
            let refused = rec.run(&Fill { values: &values }, &params, Dispatch::Indirect(&args, offset));
            assert!(refused.unwrap_err().to_string().contains("out of range"));
        }
        let refused = rec.run(&Fill { values: &args }, &params, Dispatch::Indirect(&args, 0));
        assert!(refused.unwrap_err().to_string().contains("takes its extent from it"));
        rec.run(&Fill { values: &values }, &params, Dispatch::Indirect(&args, 0)).unwrap();
        rec.submit().unwrap();
        assert_eq!(exec.read(&values).unwrap(), [0; 300], "no groups, no work");
    }
}

/// Seventeen million elements take more than the 65,535 groups of one row.
#[test]
fn long_dispatches_are_folded() {
    let Some(gpu) = test_gpu() else { return };
    let values = gpu.buffer::<u32>("values", 65_536 * 256 + 3).unwrap();
    let mut rec = gpu.record();
    fill(&mut rec, &values, 4).unwrap();
    rec.submit().unwrap();
    assert!(gpu.read(&values).unwrap().iter().all(|&x| x == 4));
}

/// More kernels than one page of parameters holds, each with its own.
#[test]
fn long_recordings_keep_every_parameter() {
    for exec in test_executors() {
        let buffers: Vec<_> = (0..7).map(|_| exec.buffer::<u32>("x", 1).unwrap()).collect();
        let mut rec = exec.record();
        for value in 0..600 {
            fill(&mut rec, &buffers[value as usize % 7], value).unwrap();
        }
        rec.submit().unwrap();
        let last: Vec<u32> = buffers.iter().map(|b| exec.read(b).unwrap()[0]).collect();
        assert_eq!(last, [595, 596, 597, 598, 599, 593, 594]);
    }
}

#[test]
fn a_read_sees_what_was_submitted_before_it_only() {
    for exec in test_executors() {
        let values = exec.buffer::<u32>("values", 100_000).unwrap();
        let submit = |value| {
            let mut rec = exec.record();
            fill(&mut rec, &values, value).unwrap();
            rec.submit().unwrap();
        };
        submit(1);
        let first = exec.read_async(&values).unwrap();
        submit(2);
        let second = exec.read_async(&values).unwrap();
        submit(3);
        exec.write(&values, 0, &[4]).unwrap();
        assert!(second.wait().unwrap().iter().all(|&x| x == 2));
        assert!(first.is_ready(), "it came before the second");
        assert!(first.wait().unwrap().iter().all(|&x| x == 1));
        assert_eq!(exec.read(&values).unwrap()[..2], [4, 3]);
    }
}

/// Executors of their own: timing is a switch of the executor.
fn timed_executors() -> Vec<Executor> {
    let options = GpuOptions { allow_software: true, ..GpuOptions::default() };
    let gpu = test_gpu().map(|_| Gpu::new(&options).unwrap().into());
    let timed = |exec: &Executor| match exec {
        Executor::Gpu(gpu) => gpu.adapter().timestamps,
        Executor::Cpu(_) => true,
    };
    std::iter::once(Cpu::new().into()).chain(gpu).filter(timed).collect()
}

#[test]
fn stages_are_timed_and_counted_alike() {
    for exec in timed_executors() {
        let values = exec.buffer::<u32>("values", 1_000_000).unwrap();
        let spare = exec.buffer::<u32>("spare", 1_000_000).unwrap();
        let step = |exec: &Executor| {
            let mut rec = exec.record();
            fill(&mut rec, &values, 0).unwrap();
            rec.stage("flux");
            fill(&mut rec, &values, 1).unwrap();
            rec.copy(&values, &spare).unwrap(); // interrupts the stage, does not end it
            fill(&mut rec, &values, 2).unwrap();
            rec.stage("idle");
            rec.stage("solids");
            fill(&mut rec, &values, 3).unwrap();
            rec.submit().unwrap();
        };
        step(&exec); // not timed
        exec.set_timed(true);
        (0..3).for_each(|_| step(&exec));
        exec.set_timed(false);
        step(&exec);
        let timings = exec.take_timings().unwrap();
        let stages: Vec<_> = timings.stages().collect();
        let names: Vec<_> = stages.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["flux", "other", "solids"], "{}", exec.describe());
        for (name, time) in stages {
            assert!(time.ms > 0.0 && time.ms < 60_000.0, "{name}: {time:?}");
            assert_eq!(time.calls, 3, "{name} on {}", exec.describe());
        }
        assert!(timings.total_ms() > 0.0);
        assert_eq!(exec.take_timings().unwrap().stages().count(), 0, "taken once");
        exec.set_timed(true);
        exec.set_timed_by_kernel(true);
        step(&exec);
        let timings = exec.take_timings().unwrap();
        let kernels: Vec<_> = timings.stages().map(|(name, time)| (name, time.calls)).collect();
        assert_eq!(kernels, [("compute.fill", 4)], "{}", exec.describe());
        let submissions = u64::from(matches!(exec, Executor::Gpu(_)));
        assert_eq!(timings.recording().calls, submissions);
    }
}

#[test]
fn no_such_adapter_says_what_there_is() {
    let options = GpuOptions { allow_software: true, name_contains: Some("no such".into()), ..GpuOptions::default() };
    let error = Executor::gpu(&options).unwrap_err();
    assert!(matches!(error, ComputeError::NoAdapter { .. }));
    let text = error.to_string();
    assert!(text.starts_with("no usable GPU adapter: ") && text.contains("use the CPU executor"), "{text}");
    if let Some(Executor::Gpu(gpu)) = test_gpu() {
        assert!(text.contains(&gpu.adapter().name), "{text}");
    }
}
