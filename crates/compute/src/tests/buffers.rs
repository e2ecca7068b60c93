use super::fill;
use crate::parity::{test_executors, test_gpu};
use crate::{ComputeError, Executor, GpuOptions};

#[test]
fn a_buffer_past_the_limit_is_refused() {
    let Some(Executor::Gpu(gpu)) = test_gpu() else { return };
    let limit = gpu.adapter().max_binding_bytes;
    let exec = test_gpu().unwrap();
    let error = exec.buffer::<u32>("depth", (limit / 4 + 1) as usize).unwrap_err();
    assert!(matches!(error, ComputeError::BufferTooLarge { limit: l, .. } if l == limit), "{error}");
    assert!(error.to_string().contains("`depth`"));
}

/// Sizes that no memory holds, some of which overflow when counted in bytes: errors, no aborts.
#[test]
fn absurd_sizes_are_typed_errors() {
    for exec in test_executors() {
        let errors = [
            exec.buffer::<f32>("x", usize::MAX / 8).unwrap_err(),
            exec.buffer::<f32>("x", usize::MAX).unwrap_err(),
            exec.buffer::<[f32; 4]>("x", usize::MAX / 4).unwrap_err(),
            exec.buffer::<[f32; 4]>("x", usize::MAX / 16 + 2).unwrap_err(), // wraps around to 16 bytes
        ];
        for error in errors {
            match exec {
                Executor::Cpu(_) => assert!(matches!(error, ComputeError::OutOfMemory { .. }), "{error}"),
                Executor::Gpu(_) => assert!(matches!(error, ComputeError::BufferTooLarge { .. }), "{error}"),
            }
        }
    }
}

#[test]
fn writes_past_the_end_are_refused() {
    for exec in test_executors() {
        let buffer = exec.buffer_from("x", &[1u32, 2, 3]).unwrap();
        for offset in [2, 3, 4, usize::MAX] {
            let error = exec.write(&buffer, offset, &[7u32, 7]).unwrap_err();
            assert!(matches!(error, ComputeError::BufferMisuse { .. }), "{error}");
        }
        exec.write(&buffer, 1, &[8u32, 9]).unwrap();
        exec.write::<u32>(&buffer, 3, &[]).unwrap();
        assert_eq!(exec.read(&buffer).unwrap(), [1, 8, 9]);
    }
}

#[test]
fn copies_and_clears() {
    for exec in test_executors() {
        let (short, long) =
            (exec.buffer_from("short", &[1u32, 2]).unwrap(), exec.buffer_from("long", &[7u32; 3]).unwrap());
        let mut rec = exec.record();
        rec.copy(&short, &long).unwrap();
        rec.clear(&short).unwrap();
        assert!(rec.copy(&long, &short).unwrap_err().to_string().contains("shorter"));
        assert!(rec.copy(&long, &long).unwrap_err().to_string().contains("onto itself"));
        rec.submit().unwrap();
        assert_eq!(exec.read(&long).unwrap(), [1, 2, 7]);
        assert_eq!(exec.read(&short).unwrap(), [0, 0]);
    }
}

#[test]
fn empty_buffers_are_buffers() {
    for exec in test_executors() {
        let empty = exec.buffer::<[f32; 4]>("empty", 0).unwrap();
        assert!(empty.is_empty() && exec.read(&empty).unwrap().is_empty());
        let none = exec.buffer::<u32>("none", 0).unwrap();
        let mut rec = exec.record();
        fill(&mut rec, &none, 1).unwrap();
        rec.copy(&none, &none).unwrap_err();
        rec.clear(&none).unwrap();
        rec.submit().unwrap();
    }
}

/// A buffer of another executor is named, whatever is done with it.
#[test]
fn buffers_of_another_executor_are_refused() {
    let options = GpuOptions { allow_software: true, ..GpuOptions::default() };
    let Some(gpu) = test_gpu() else { return };
    let (cpu, other_gpu) = (Executor::cpu().unwrap(), Executor::gpu(&options).unwrap());
    for (exec, foreign) in [(&cpu, gpu), (gpu, &cpu), (gpu, &other_gpu)] {
        let (theirs, ours) = (foreign.buffer::<u32>("theirs", 4).unwrap(), exec.buffer::<u32>("ours", 4).unwrap());
        let mut rec = exec.record();
        let errors = [
            exec.write(&theirs, 0, &[1]).unwrap_err(),
            exec.read(&theirs).unwrap_err(),
            fill(&mut rec, &theirs, 1).unwrap_err(),
            rec.copy(&theirs, &ours).unwrap_err(),
            rec.copy(&ours, &theirs).unwrap_err(),
            rec.clear(&theirs).unwrap_err(),
        ];
        for error in errors {
            let text = error.to_string();
            assert!(text.starts_with("buffer `theirs`: belongs to "), "{text}");
        }
        fill(&mut rec, &ours, 5).unwrap();
        rec.submit().unwrap(); // what was refused left the recording whole
        assert_eq!(exec.read(&ours).unwrap(), [5; 4]);
    }
}
