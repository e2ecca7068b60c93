//! Without the feature `gpu`: a GPU is refused, and the processor works.
#![cfg(not(feature = "gpu"))]

use thalweg_compute::{ComputeError, Executor, GpuOptions, adapters};

#[test]
fn a_gpu_is_refused_and_the_processor_works() {
    let refused = Executor::gpu(&GpuOptions::default());
    assert!(matches!(refused, Err(ComputeError::BuiltWithoutGpu)), "{refused:?}");
    assert!(adapters().is_empty());
    let exec = Executor::cpu().unwrap();
    let buffer = exec.buffer_from("words", &[1u32, 2]).unwrap();
    assert_eq!(exec.read(&buffer).unwrap(), [1, 2]);
}
