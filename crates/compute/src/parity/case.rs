//! A parity case: what it is, running it, and that every kernel has one.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::executors::parity_gpu;
use super::{Comparison, Outputs, Rng};
use crate::cpu::Cpu;
use crate::error::Result;
use crate::executor::Executor;
use crate::gpu::Gpu;
use crate::kernel::{KernelInfo, WORKGROUP};

/// Lists the parity cases of a file: functions `fn(&Executor, &mut Rng, &mut Outputs) -> Result<()>`, or of
/// `&Arc<Executor>`, each with the number of seeds that it runs with. It makes `cases()` of them, and a test of each.
///
/// A case of a kernel that not every device can run says so: `wide: 2 seeds where workgroups hold 512`.
#[macro_export]
macro_rules! parity_cases {
    ($($body:ident: $seeds:literal seeds $(where workgroups hold $threads:literal)?),+ $(,)?) => {
        /// The parity cases of this stage.
        pub(crate) fn cases() -> ::std::vec::Vec<$crate::parity::ParityCase> {
            ::std::vec![$($crate::parity::ParityCase::new(
                concat!(module_path!(), "::", stringify!($body)),
                $seeds,
                |exec, rng, out| $body(exec, rng, out),
            )$(.where_workgroups_hold($threads))?),+]
        }

        #[cfg(test)]
        mod agrees {
            $(#[test]
            fn $body() {
                $crate::parity::ParityCase::new(stringify!($body), $seeds, |exec, rng, out| {
                    super::$body(exec, rng, out)
                })
                $(.where_workgroups_hold($threads))?
                .assert_agreement();
            })+
        }
    };
}

type Body = fn(&Arc<Executor>, &mut Rng, &mut Outputs) -> Result<()>;

/// One comparison of the two executors. [`parity_cases!`](crate::parity_cases!) makes them.
#[derive(Debug, Clone)]
pub struct ParityCase {
    name: String,
    seeds: u64,
    /// Invocations that a workgroup of the device must be able to have.
    workgroup: u32,
    body: Body,
}

/// What came of a case.
#[derive(Debug, Clone, Default)]
pub struct CaseReport {
    /// Kernels that ran on both executors; of a case that was not run to its end, those that ran on the processor.
    pub kernels: BTreeSet<&'static str>,
    /// The outputs, each with the worst of all seeds.
    pub outputs: Vec<Comparison>,
    /// Why the case could not be run to its end.
    pub failure: Option<String>,
    /// What the device lacks to run it. Methods do without such a kernel there.
    pub skipped: Option<String>,
}

/// Outputs of one run, and the kernels that ran so far.
type Outcome = std::result::Result<(Outputs, BTreeSet<&'static str>), String>;

impl ParityCase {
    /// A case that is run for seeds `0..seeds`. The name is a path: crate, stages, function.
    pub fn new(path: &str, seeds: u64, body: Body) -> Self {
        Self {
            name: path.trim_start_matches("thalweg_").replace("::parity::", "::"),
            seeds,
            workgroup: WORKGROUP,
            body,
        }
    }

    /// The same for devices alone whose workgroups can have this many invocations.
    pub fn where_workgroups_hold(self, invocations: u32) -> Self {
        Self { workgroup: invocations, ..self }
    }

    /// Crate, stage and name: `shallow::pour::sources`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs it on the CPU and on this GPU. What goes wrong is in the report, panics too.
    pub fn run(&self, gpu: &Gpu) -> CaseReport {
        let mut report = CaseReport::default();
        // One executor for all seeds, so that scratch memory and bind groups are found again.
        let executors = [Arc::new(Executor::Cpu(Cpu::watched())), Arc::new(Executor::Gpu(gpu.watched()))];
        let largest = executors[1].largest_workgroup();
        if largest < self.workgroup {
            report.skipped = Some(format!("needs workgroups of {}, the device has {largest}", self.workgroup));
            report.failure = self.run_on(&executors[0], 0).err();
            report.kernels = executors[0].watch().kernels();
            return report;
        }
        report.failure = (0..self.seeds).try_for_each(|seed| self.compare(seed, &executors, &mut report)).err();
        if report.failure.is_none() && report.outputs.iter().all(|c| c.worst.is_none() && c.fault.is_none()) {
            report.failure = Some("nothing was compared".into());
        }
        if report.failure.is_some() {
            report.kernels = executors[0].watch().kernels();
        }
        report
    }

    /// Runs it on the test GPU, if there is one, and panics if the executors differ.
    pub fn assert_agreement(&self) {
        let Some(Executor::Gpu(gpu)) = parity_gpu() else { return };
        if let Err(fault) = self.run(gpu).check() {
            panic!("{}: {fault}", self.name);
        }
    }

    fn compare(
        &self,
        seed: u64,
        [cpu, gpu]: &[Arc<Executor>; 2],
        report: &mut CaseReport,
    ) -> std::result::Result<(), String> {
        let (ours, on_cpu) = self.run_on(cpu, seed)?;
        let (theirs, on_gpu) = self.run_on(gpu, seed)?;
        report.kernels.extend(on_cpu.intersection(&on_gpu));
        for found in ours.compare(&theirs, seed)? {
            match report.outputs.iter_mut().find(|c| c.output == found.output) {
                Some(known) => known.merge(found),
                None => report.outputs.push(found),
            }
        }
        Ok(())
    }

    fn run_on(&self, exec: &Arc<Executor>, seed: u64) -> Outcome {
        let mut outputs = Outputs::default();
        let run = catch_unwind(AssertUnwindSafe(|| (self.body)(exec, &mut Rng::new(seed), &mut outputs)));
        let failed = |why: String| format!("seed {seed} on {}: {why}", exec.describe());
        match run {
            Ok(Ok(())) => Ok((outputs, exec.watch().kernels())),
            Ok(Err(e)) => Err(failed(e.to_string())),
            Err(panic) => Err(failed(message(panic.as_ref()))),
        }
    }
}

impl CaseReport {
    /// The first thing that is wrong.
    pub fn check(&self) -> std::result::Result<(), String> {
        let faulty =
            self.outputs.iter().find_map(|c| c.fault.as_ref().map(|fault| format!("output `{}`: {fault}", c.output)));
        self.failure.clone().or(faulty).map_or(Ok(()), Err)
    }
}

/// What a panic said.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("panicked").into()
}

/// Runs the cases on the CPU alone; an error names the kernels that none of them ran.
///
/// ```no_run
/// # let (kernels, cases) = (thalweg_compute::kernels(), thalweg_compute::parity_cases());
/// thalweg_compute::parity::check_compared(&kernels, &cases).unwrap_or_else(|e| panic!("{e}"));
/// ```
pub fn check_compared(kernels: &[KernelInfo], cases: &[ParityCase]) -> std::result::Result<(), String> {
    let mut missing: BTreeSet<_> = kernels.iter().map(|k| k.name).collect();
    // Nearly all kernels run with the first seed, so that this costs little.
    for seed in 0..cases.iter().map(|case| case.seeds).max().unwrap_or(0) {
        for case in cases.iter().filter(|case| seed < case.seeds) {
            if missing.is_empty() {
                return Ok(());
            }
            let (_, ran) = case.run_on(&Arc::new(Executor::Cpu(Cpu::watched())), seed)?;
            missing.retain(|name| !ran.contains(name));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("no parity case runs {}", missing.into_iter().collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parity::{Tolerance, test_gpu};
    use crate::primitives::{Fill, FillParams};
    use crate::{Buffer, ComputeError, Dispatch, Kernel};

    fn report(body: Body) -> Option<CaseReport> {
        let Some(Executor::Gpu(gpu)) = test_gpu() else { return None };
        Some(ParityCase::new("thalweg_compute::parity::case::body", 2, body).run(gpu))
    }

    fn fault(body: Body) -> Option<String> {
        report(body).map(|report| report.check().expect_err("the body is wrong"))
    }

    fn fill(exec: &Executor, values: &Buffer<u32>, count: usize) -> Result<()> {
        let mut rec = exec.record();
        rec.run(&Fill { values }, &FillParams { value: 3 }, Dispatch::Elements(count))?;
        rec.submit()
    }

    /// The whole harness, not only its comparator.
    #[test]
    fn executors_that_disagree_are_caught() {
        let caught = fault(|exec, rng, out| {
            let lie = if matches!(**exec, Executor::Gpu(_)) { 1e-4 } else { 0.0 };
            out.f32("x", rng.f32s(10, 0.5, 1.0).iter().map(|x| x + lie).collect(), Tolerance::Relative(1e-6));
            Ok(())
        });
        assert!(caught.is_none_or(|fault| fault.starts_with("output `x`: 10 of 10 elements differ")));
    }

    #[test]
    fn a_case_that_compares_nothing_fails() {
        let nothing = fault(|_, _, _| Ok(()));
        assert!(nothing.is_none_or(|fault| fault == "nothing was compared"));
        let empty = fault(|_, _, out| {
            out.u32("x", Vec::new());
            Ok(())
        });
        assert!(empty.is_none_or(|fault| fault == "nothing was compared"));
    }

    #[test]
    fn errors_and_panics_are_reported() {
        let error = fault(|exec, _, _| match **exec {
            Executor::Gpu(_) => Err(ComputeError::DeviceLost { reason: "unplugged".into() }),
            Executor::Cpu(_) => Ok(()),
        });
        assert!(error.is_none_or(|fault| fault.starts_with("seed 0 on gpu (") && fault.contains("unplugged")));
        let panic = fault(|_, rng, _| {
            assert!(rng.below(2) > 7, "seven is a lot");
            Ok(())
        });
        assert!(panic.is_none_or(|fault| fault.starts_with("seed 0 on cpu (") && fault.ends_with("seven is a lot")));
    }

    #[test]
    fn values_that_no_kernel_wrote_are_noticed() {
        let left = fault(|exec, _, out| {
            let values = exec.buffer("values", 1000)?;
            fill(exec, &values, 512)?; // the kernel looks at the length alone on the CPU
            out.u32("values", exec.read(&values)?);
            Ok(())
        });
        assert!(
            left.is_none_or(|fault| fault.contains("488 elements were never written on the gpu, the first at 512"))
        );
    }

    #[test]
    fn kernels_are_noted_where_both_executors_ran_them() {
        let found = report(|exec, _, out| {
            let values = exec.buffer("values", 10)?;
            fill(exec, &values, 10)?;
            let fill_none = exec.buffer_from("none", &[0u32, 1, 1])?;
            let mut rec = exec.record();
            let kernel = crate::primitives::BulkCopy { source: &exec.buffer("a", 1)?, copied: &exec.buffer("b", 1)? };
            let by = Dispatch::Indirect(&fill_none, 0); // the GPU records it, and the CPU knows that nothing runs
            rec.run(&kernel, &crate::primitives::BulkCopyParams { len: 0 }, by)?;
            rec.submit()?;
            out.u32("values", exec.read(&values)?);
            Ok(())
        });
        let Some(found) = found else { return };
        assert_eq!(found.check(), Ok(()));
        assert_eq!(found.kernels, BTreeSet::from(["compute.fill"]));
        assert!(found.outputs[0].worst.is_some_and(|worst| worst.difference == 0.0));
    }

    #[test]
    fn a_kernel_without_a_case_is_named() {
        let fills = ParityCase::new("fills", 1, |exec, _, _| fill(exec, &exec.buffer("values", 10)?, 10));
        let kernels = [Fill::INFO, crate::primitives::BulkCopy::INFO];
        assert_eq!(check_compared(&kernels[..1], std::slice::from_ref(&fills)), Ok(()));
        assert_eq!(check_compared(&kernels, &[fills]).unwrap_err(), "no parity case runs compute.copy");
    }
}
