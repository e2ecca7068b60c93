//! `selftest`: every kernel on the user's own GPU, held to the processor.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::{Value, json};
use thalweg::compute::parity::{CaseReport, Comparison, Element, ParityCase};
use thalweg::compute::{ComputeError, Gpu, GpuOptions};

use crate::args::SelftestArgs;
use crate::failure::{Failure, Outcome};
use crate::run::progress;
use crate::text;

pub(crate) fn selftest(args: &SelftestArgs) -> Outcome {
    let mut cases = [thalweg::parity_cases(), thalweg_pressure_labs::parity_cases()].concat();
    if let Some(part) = &args.case {
        cases.retain(|case| case.name().contains(part.as_str()));
        if cases.is_empty() {
            return Err(Failure::Input(format!(
                "no case has `{part}` in its name; names begin as those of kernels do"
            )));
        }
    }
    let gpu = open(args)?;
    let adapter = gpu.adapter().clone();
    if !args.json {
        let software = if adapter.software { ", software" } else { "" };
        text::print(&format!("adapter  {} ({}{software})\ndriver   {}", adapter.name, adapter.api, adapter.driver));
    }
    let begun = Instant::now();
    let mut findings = Findings { cases: run(&cases, gpu, args)?, missing: Vec::new() };
    if args.case.is_none() {
        let covered: BTreeSet<&str> = findings.cases.iter().flat_map(|(_, report)| report.kernels.clone()).collect();
        let all = thalweg::kernels().into_iter().chain(thalweg_pressure_labs::kernels()).map(|kernel| kernel.name);
        findings.missing = all.filter(|name| !covered.contains(name)).collect();
    }
    if args.json {
        let object = json!({ "adapter": adapter.name, "driver": adapter.driver, "kernels": findings.objects() });
        text::print(&object.to_string());
    } else {
        text::print(&findings.table());
        findings.faults().iter().for_each(|fault| text::print(fault));
        text::print(&format!("{} cases in {:.0} s", cases.len(), begun.elapsed().as_secs_f64()));
    }
    if findings.faults().is_empty() { Ok(()) } else { Err(Failure::Silent) }
}

/// The adapter that was named, or the best one; a software driver if it was named or there is nothing else.
fn open(args: &SelftestArgs) -> Outcome<Gpu> {
    let name = args.adapter.as_deref();
    let open = |allow_software| {
        let name_contains = name.map(String::from);
        Gpu::new(&GpuOptions { allow_software, name_contains, take_liberties: args.liberties })
    };
    match (open(name.is_some()), name) {
        (Err(ComputeError::NoAdapter { .. }), None) => Ok(open(true)?),
        (Err(e @ ComputeError::NoAdapter { .. }), Some(name)) => {
            Err(Failure::Input(format!("no adapter has `{name}` in its name; `thalweg info` lists them ({e})")))
        }
        (opened, _) => Ok(opened?),
    }
}

/// Runs the cases one after the other. What panics is in the report, and nowhere else.
fn run(cases: &[ParityCase], mut gpu: Gpu, args: &SelftestArgs) -> Outcome<Vec<(String, CaseReport)>> {
    let bar = progress::cases(cases.len() as u64);
    let mut reports = Vec::new();
    for case in cases {
        bar.set_message(case.name().to_string());
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let report = case.run(&gpu);
        std::panic::set_hook(hook);
        if report.failure.is_some() {
            gpu = open(args)?; // the driver may have lost the device
        }
        reports.push((case.name().to_string(), report));
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(reports)
}

/// What came of all cases.
struct Findings {
    cases: Vec<(String, CaseReport)>,
    /// Kernels that no case ran.
    missing: Vec<&'static str>,
}

impl Findings {
    /// A line per kernel: the difference that is worst for its limit, over all outputs of all cases in which it runs.
    fn table(&self) -> String {
        let kernels: BTreeSet<&str> = self.cases.iter().flat_map(|(_, report)| report.kernels.clone()).collect();
        let row = |kernel: &str| {
            let cases: Vec<&CaseReport> =
                self.cases.iter().map(|(_, report)| report).filter(|report| report.kernels.contains(kernel)).collect();
            let outputs = || cases.iter().flat_map(|report| &report.outputs);
            let worst = outputs().filter_map(|output| output.worst).max_by(|a, b| a.excess().total_cmp(&b.excess()));
            let number = |of: fn(&Element) -> f64| worst.as_ref().map_or_else(|| "–".into(), |w| text::short(of(w)));
            let verdict = match () {
                () if cases.iter().any(|report| report.failure.is_some()) => "FAILED",
                () if outputs().any(|output| output.fault.is_some()) => "DIFFERS",
                () if cases.iter().all(|report| report.skipped.is_some()) => "skipped",
                () => "ok",
            };
            [kernel.into(), number(|w| w.difference), number(|w| w.limit), cases.len().to_string(), verdict.into()]
                .into()
        };
        let mut rows: Vec<Vec<String>> = kernels.into_iter().map(row).collect();
        rows.extend(self.missing.iter().map(|kernel| [kernel, "–", "–", "0", "NOT COMPARED"].map(String::from).into()));
        text::table(&["kernel", "worst", "limit", "cases", ""], &rows)
    }

    /// All that is wrong, a line each.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, report) in &self.cases {
            faults.extend(report.failure.iter().map(|why| format!("{name}: {why}")));
            for Comparison { output, fault, .. } in &report.outputs {
                faults.extend(fault.iter().map(|fault| format!("{name}: `{output}`: {fault}")));
            }
        }
        faults.extend(self.missing.iter().map(|kernel| format!("{kernel}: no case ran it")));
        faults
    }

    /// An object for each output of each case in which a kernel runs.
    fn objects(&self) -> Vec<Value> {
        let mut objects = Vec::new();
        for (case, report) in &self.cases {
            for kernel in &report.kernels {
                let head = |output: Option<&str>, pass: bool| json!({ "kernel": kernel, "case": case, "output": output, "pass": pass });
                for found in &report.outputs {
                    let mut object = head(Some(&found.output), found.fault.is_none());
                    object["worst"] = found.worst.map(|worst| worst.difference).into();
                    object["limit"] = found.worst.map(|worst| worst.limit).into();
                    object["at"] = found.worst.map_or(Value::Null, |Element { run, index, cpu, gpu, .. }| {
                        json!({ "seed": run.seed, "round": run.round, "index": index, "cpu": cpu, "gpu": gpu })
                    });
                    object["fault"] = found.fault.clone().into();
                    objects.push(object);
                }
                if let Some(why) = &report.failure {
                    let mut object = head(None, false);
                    object["fault"] = why.clone().into();
                    objects.push(object);
                } else if let Some(why) = &report.skipped {
                    let mut object = head(None, true);
                    object["skipped"] = why.clone().into();
                    objects.push(object);
                }
            }
        }
        let missing = |kernel| json!({ "kernel": kernel, "case": null, "pass": false, "fault": "no case ran it" });
        objects.extend(self.missing.iter().map(missing));
        objects
    }
}

#[cfg(test)]
mod tests {
    use thalweg::compute::parity::Run;

    use super::*;

    fn output(name: &str, [difference, limit]: [f64; 2]) -> Comparison {
        let run = Run { seed: 2, round: 0 };
        let worst = Some(Element { run, index: 7, cpu: 1.0, gpu: 1.0 + difference, difference, limit });
        let fault = (difference > limit).then(|| "1 of 9 elements differ".to_string());
        Comparison { output: name.into(), worst, fault }
    }

    fn findings() -> Findings {
        let case = |name: &str, kernels: &[&'static str], outputs: Vec<Comparison>| {
            let kernels = kernels.iter().copied().collect();
            (name.to_string(), CaseReport { kernels, outputs, ..CaseReport::default() })
        };
        let mut lost = case("a::lost", &["a.lost"], Vec::new());
        lost.1.failure = Some("seed 0 on gpu: lost".into());
        let mut wide = case("a::wide", &["a.wide"], Vec::new());
        wide.1.skipped = Some("needs workgroups of 512".into());
        let cases = vec![
            case("a::one", &["a.fill", "a.pour"], vec![output("x", [1e-7, 1e-6]), output("y", [0.0, 0.0])]),
            case("a::two", &["a.pour"], vec![output("z", [3e-3, 1e-3])]),
            lost,
            wide,
        ];
        Findings { cases, missing: vec!["a.new"] }
    }

    #[test]
    fn every_kernel_has_a_line_with_its_worst_difference() {
        let table = findings().table();
        let line = |kernel: &str| -> Vec<&str> {
            table.lines().find(|line| line.starts_with(kernel)).map(|line| line.split_whitespace().collect()).unwrap()
        };
        assert_eq!(line("a.fill")[1..], ["1.000e-7", "1.000e-6", "1", "ok"]);
        assert_eq!(line("a.pour")[1..], ["0.003000", "0.001000", "2", "DIFFERS"]);
        assert_eq!(line("a.lost")[1..], ["–", "–", "1", "FAILED"]);
        assert_eq!(line("a.wide")[1..], ["–", "–", "1", "skipped"]);
        assert_eq!(line("a.new")[1..], ["–", "–", "0", "NOT", "COMPARED"]);
    }

    #[test]
    fn whatever_is_wrong_is_told() {
        let faults = findings().faults();
        assert_eq!(
            faults,
            ["a::two: `z`: 1 of 9 elements differ", "a::lost: seed 0 on gpu: lost", "a.new: no case ran it"]
        );
        let objects = findings().objects();
        let wrong = |object: &&Value| object["pass"] == false;
        assert_eq!(
            objects.iter().filter(wrong).map(|o| &o["kernel"]).collect::<Vec<_>>(),
            ["a.pour", "a.lost", "a.new"]
        );
        let pour = objects.iter().find(wrong).unwrap();
        assert_eq!((&pour["case"], &pour["output"], &pour["worst"]), (&json!("a::two"), &json!("z"), &json!(3e-3)));
        assert_eq!(pour["at"], json!({ "seed": 2, "round": 0, "index": 7, "cpu": 1.0, "gpu": 1.003 }));
    }
}
