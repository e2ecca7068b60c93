//! `validate`: physics against analysis and experiment.

use std::sync::Arc;

use serde_json::json;
use thalweg::Backend;
use thalweg::compute::{ComputeError, Executor};
use thalweg_io::report::Report;
use thalweg_validation::Limit;

use crate::args::{BackendArg, ValidateArgs};
use crate::failure::{Failure, Outcome};
use crate::text;

pub(crate) fn validate(args: &ValidateArgs) -> Outcome {
    let mut cases = if args.long { thalweg_validation::long_cases() } else { thalweg_validation::cases() };
    if let Some(part) = &args.case {
        cases.retain(|c| c.name.contains(part.as_str()));
        if cases.is_empty() {
            let (which, flag) = if args.long { ("with a long form ", "--long ") } else { ("", "") };
            return Err(Failure::Input(format!(
                "no case {which}is called `{part}`; `thalweg validate {flag}--list` shows them"
            )));
        }
    }
    if args.list {
        cases.iter().for_each(|c| text::print(&format!("{:<24} {}", c.name, c.about)));
        return Ok(());
    }
    let mut rows = Vec::new();
    let mut objects = Vec::new();
    let mut notes = Vec::new();
    let mut pictures = Vec::new();
    let mut failed = 0;
    for (label, exec) in executors(args.backend)? {
        for case in &cases {
            let outcome = case.run(&exec).map_err(|e| Failure::Run(format!("{} on {label}: {e}", case.name)))?;
            for m in &outcome.metrics {
                failed += usize::from(!m.pass());
                let verdict = if m.pass() { "pass" } else { "FAIL" };
                objects.push(json!({
                    "case": case.name, "backend": label, "metric": m.name, "value": m.value,
                    "limit": bound(m.limit), "limit_text": m.limit.to_string(), "unit": m.unit, "pass": m.pass(),
                    "source": case.source,
                }));
                rows.push(vec![
                    case.name.to_string(),
                    label.to_string(),
                    m.name.clone(),
                    text::short(m.value),
                    m.limit.to_string(),
                    m.unit.to_string(),
                    verdict.to_string(),
                ]);
                if !args.json {
                    text::print(&format!(
                        "{verdict}  {:<22} {label:<3}  {:<44} {:>11} {} {}",
                        case.name,
                        m.name,
                        text::short(m.value),
                        m.limit,
                        m.unit
                    ));
                }
            }
            if !args.json {
                outcome.notes.iter().for_each(|note| text::print(&format!("      {note}")));
            }
            notes.extend(outcome.notes.iter().map(|n| json!({ "case": case.name, "backend": label, "note": n })));
            pictures.push((format!("{} ({label})", case.name), outcome));
        }
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::Input(format!("cannot write into {}: {e}", folder.display())))?;
        let header = ["case", "backend", "metric", "value", "limit", "unit", "verdict"].map(String::from);
        let mut report = Report::new("Validation")
            .describe("Physics against analysis and experiment")
            .table("Results", header, rows);
        for (title, outcome) in pictures {
            if !outcome.notes.is_empty() {
                report = report.text(format!("{title}: remarks"), outcome.notes.join("\n"));
            }
            report = report.charts(title, outcome.charts);
        }
        report.write(folder.join("validation.html"))?;
    }
    if args.json {
        text::print(&json!({ "cases": objects, "notes": notes }).to_string());
    }
    if failed > 0 {
        text::message(&format!("{failed} metrics outside their limits"));
        return Err(Failure::Silent);
    }
    Ok(())
}

/// A limit as JSON: a number, or the two ends of a range.
fn bound(limit: Limit) -> serde_json::Value {
    match limit {
        Limit::AtMost(x) | Limit::AtLeast(x) => json!(x),
        Limit::Within(low, high) => json!([low, high]),
    }
}

/// The executors to validate: those asked for; `auto` is the processor and any GPU there is.
fn executors(backend: BackendArg) -> Outcome<Vec<(&'static str, Arc<Executor>)>> {
    let cpu = || Ok::<_, Failure>(("cpu", Arc::new(Backend::Cpu.open(None)?)));
    let gpu = || Backend::Gpu.open(None).map(|e| ("gpu", Arc::new(e)));
    match backend {
        BackendArg::Cpu => Ok(vec![cpu()?]),
        BackendArg::Gpu => Ok(vec![gpu()?]),
        BackendArg::Auto => match gpu() {
            Ok(gpu) => Ok(vec![cpu()?, gpu]),
            Err(ComputeError::NoAdapter { .. }) => Ok(vec![cpu()?]),
            Err(e) => Err(e.into()),
        },
    }
}
