//! Executors for tests.

use std::sync::{Arc, OnceLock};

use crate::adapter::GpuOptions;
use crate::executor::Executor;

fn any_gpu() -> GpuOptions {
    GpuOptions { allow_software: true, ..GpuOptions::default() }
}

/// The process's one test GPU, software allowed. `None` says so on stderr, and panics with `CI` set.
pub fn test_gpu() -> Option<&'static Executor> {
    static GPU: OnceLock<Option<Executor>> = OnceLock::new();
    let found = GPU.get_or_init(|| match Executor::gpu(&any_gpu()) {
        Ok(gpu) => Some(gpu),
        Err(e) if std::env::var_os("CI").is_some() => panic!("CI needs a GPU or lavapipe: {e}"),
        Err(e) => {
            eprintln!("skipped: {e}");
            None
        }
    });
    found.as_ref()
}

/// The GPU that parity cases of tests run on: the test GPU, but that a software driver takes all the liberties of a
/// real one ([`GpuOptions::take_liberties`]). `thalweg selftest` runs the same cases on drivers as they are.
pub(super) fn parity_gpu() -> Option<&'static Executor> {
    static LOOSE: OnceLock<Executor> = OnceLock::new();
    match test_gpu()? {
        Executor::Gpu(gpu) if gpu.adapter().software => {
            let options = GpuOptions { take_liberties: true, ..any_gpu() };
            Some(LOOSE.get_or_init(|| Executor::gpu(&options).expect("the GPU of the tests starts twice")))
        }
        real => Some(real),
    }
}

/// Both executors, for tests that run one body on each: the CPU always, the GPU where there is one.
pub fn test_executors() -> Vec<&'static Executor> {
    static CPU: OnceLock<Executor> = OnceLock::new();
    let cpu = CPU.get_or_init(|| Executor::cpu().expect("the CPU executor always starts"));
    std::iter::once(cpu).chain(test_gpu()).collect()
}

/// Executors for physics that takes long: the CPU always, a GPU only if it is a real one. What kernels compute is
/// compared by parity cases, and every solver has shorter tests on [`test_executors`]; a software driver would repeat
/// what the processor has shown, ten times as slowly.
pub fn physics_executors() -> Vec<&'static Executor> {
    test_executors().into_iter().filter(|exec| !is_software(exec)).collect()
}

/// Whether it is a GPU in name only: a test may be shorter there, where the processor runs all of it.
pub fn is_software(exec: &Executor) -> bool {
    matches!(exec, Executor::Gpu(gpu) if gpu.adapter().software)
}

/// Both executors as [`test_executors`], new ones: for tests of what keeps an executor.
pub fn own_test_executors() -> Vec<Arc<Executor>> {
    let cpu = Executor::cpu().expect("the CPU executor always starts");
    let gpu = test_gpu().map(|_| Executor::gpu(&any_gpu()).expect("the GPU of the tests starts twice"));
    std::iter::once(cpu).chain(gpu).map(Arc::new).collect()
}

/// [`physics_executors`], new ones.
pub fn own_physics_executors() -> Vec<Arc<Executor>> {
    own_test_executors().into_iter().filter(|exec| !is_software(exec)).collect()
}
