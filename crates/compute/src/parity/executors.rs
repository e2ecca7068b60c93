//! Executors for tests.

use std::sync::{Arc, OnceLock};

use crate::executor::Executor;
use crate::gpu::GpuOptions;

/// The process's one test GPU, software allowed. `None` says so on stderr, and panics with `CI` set.
pub fn test_gpu() -> Option<&'static Executor> {
    static GPU: OnceLock<Option<Executor>> = OnceLock::new();
    let found = GPU.get_or_init(|| match Executor::gpu(&GpuOptions { allow_software: true, name_contains: None }) {
        Ok(gpu) => Some(gpu),
        Err(e) if std::env::var_os("CI").is_some() => panic!("CI needs a GPU or lavapipe: {e}"),
        Err(e) => {
            eprintln!("skipped: {e}");
            None
        }
    });
    found.as_ref()
}

/// Both executors, for tests that run one body on each: the CPU always, the GPU where there is one.
pub fn test_executors() -> Vec<&'static Executor> {
    static CPU: OnceLock<Executor> = OnceLock::new();
    let cpu = CPU.get_or_init(|| Executor::cpu().expect("the CPU executor always starts"));
    std::iter::once(cpu).chain(test_gpu()).collect()
}

/// Both executors as [`test_executors`], new ones: for tests of what keeps an executor.
pub fn own_test_executors() -> Vec<Arc<Executor>> {
    let cpu = Executor::cpu().expect("the CPU executor always starts");
    let options = GpuOptions { allow_software: true, name_contains: None };
    let gpu = test_gpu().map(|_| Executor::gpu(&options).expect("the GPU of the tests starts twice"));
    std::iter::once(cpu).chain(gpu).map(Arc::new).collect()
}
