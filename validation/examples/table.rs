//! Runs cases and prints their figures as a Markdown table: `table [cpu|gpu] [CASE …] [--charts FOLDER]`.

use std::path::PathBuf;
use std::sync::Arc;

use thalweg_compute::{Executor, GpuOptions};
use thalweg_io::plot::line_chart;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut names, mut folder, mut gpu) = (Vec::new(), None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "cpu" => gpu = false,
            "gpu" => gpu = true,
            "--charts" => folder = arguments.next().map(PathBuf::from),
            name => names.push(name.to_owned()),
        }
    }
    let exec = Arc::new(if gpu {
        Executor::gpu(&GpuOptions { allow_software: true, name_contains: None })?
    } else {
        Executor::cpu()?
    });
    let place = if gpu { "GPU" } else { "CPU" };
    println!("| case | metric | value on the {place} | limit | reference |\n| --- | --- | --- | --- | --- |");
    let mut failed = 0;
    for case in thalweg_validation::cases() {
        if !names.is_empty() && !names.iter().any(|n| n == case.name) {
            continue;
        }
        let began = std::time::Instant::now();
        let outcome = case.run(&exec)?;
        eprintln!("{} on {}: {:.1} s", case.name, exec.describe(), began.elapsed().as_secs_f64());
        for note in &outcome.notes {
            eprintln!("  {note}");
        }
        for m in &outcome.metrics {
            let mark = if m.pass() { "" } else { " **fails**" };
            let space = if m.unit.is_empty() { "" } else { " " };
            let (value, limit, unit) = (significant(m.value), m.limit, m.unit);
            println!(
                "| {} | {} | {value}{space}{unit}{mark} | {limit}{space}{unit} | {} |",
                case.name, m.name, case.source
            );
        }
        failed += outcome.failures().len();
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder)?;
            for (n, chart) in outcome.charts.iter().enumerate() {
                std::fs::write(folder.join(format!("{}-{n}.svg", case.name)), line_chart(chart))?;
            }
        }
    }
    if failed > 0 {
        return Err(format!("{failed} metrics miss their limits").into());
    }
    Ok(())
}

/// Three significant digits.
fn significant(value: f64) -> String {
    if value == 0.0 || (1e-3..1e4).contains(&value.abs()) {
        let digits = 2 - value.abs().max(1e-9).log10().floor() as i32;
        format!("{value:.*}", if value == 0.0 { 0 } else { digits.clamp(0, 6) as usize })
    } else {
        format!("{value:.2e}")
    }
}
