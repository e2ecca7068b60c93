//! Every case passes on the CPU; a short list also on a GPU.

use std::sync::Arc;

use thalweg_compute::parity::test_gpu;
use thalweg_compute::{Executor, Gpu, GpuOptions};
use thalweg_io::plot::line_chart;
use thalweg_validation::{Outcome, cases, long_cases};

fn run(name: &str, exec: &Arc<Executor>) -> Outcome {
    let case = cases().into_iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no case {name}"));
    case.run(exec).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// All metrics inside their limits, no name twice, every chart drawn.
fn check(name: &str, exec: &Arc<Executor>) {
    let outcome = run(name, exec);
    assert!(outcome.pass(), "{name} on {}: {:#?}", exec.describe(), outcome.failures());
    let mut names: Vec<&str> = outcome.metrics.iter().map(|m| m.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{name}: a metric occurs twice in {names:?}");
    assert!(!outcome.charts.is_empty(), "{name} draws nothing");
    for chart in &outcome.charts {
        assert!(chart.series.iter().all(|s| !s.points.is_empty()), "{name}: `{}` has an empty series", chart.title);
        assert!(line_chart(chart).starts_with("<svg"));
    }
}

macro_rules! on_the_cpu {
    ($($test:ident $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check($name, &Arc::new(Executor::cpu().unwrap()));
            }
        )*

        #[test]
        fn every_case_has_a_test() {
            let tested = [$($name),*];
            let listed: Vec<&str> = cases().iter().map(|c| c.name).collect();
            assert_eq!(listed, tested);
        }
    };
}

on_the_cpu! {
    lake_at_rest "lake-at-rest",
    ritter "ritter",
    stoker "stoker",
    double_rarefaction "double-rarefaction",
    circular_dam_break "circular-dam-break",
    thacker_planar "thacker-planar",
    thacker_radial "thacker-radial",
    bump_subcritical "bump-subcritical",
    bump_transcritical "bump-transcritical",
    macdonald "macdonald",
    jump_bump "jump-bump",
    jump_channel "jump-channel",
    standing_wave_decay "standing-wave-decay",
    absorbing_layer "absorbing-layer",
    maps_over_time "maps-over-time",
    level_waves "level-waves",
    plane_beach "plane-beach",
    conical_island "conical-island",
    quadtree "quadtree",
    quadtree_waves "quadtree-waves",
    hydrostatic_slope "hydrostatic-slope",
    buoyancy "buoyancy",
    standing_wave "standing-wave",
    basin_modes "basin-modes",
    sloshing "sloshing",
    solitary_wave "solitary-wave",
    dam_break_2d "dam-break-2d",
    dam_break_wet "dam-break-wet",
    dam_break_pressure "dam-break-pressure",
    dam_break_3d_front "dam-break-3d-front",
    dam_break_3d "dam-break-3d",
    zalesak "zalesak",
    deformation_3d "deformation-3d",
    floating_box "floating-box",
    heave "heave",
    roll "roll",
    stability "stability",
    water_entry "water-entry",
    water_entry_cone "water-entry-cone",
    neutral "neutral",
    sphere_afloat "sphere-afloat",
    prism "prism",
    quiet "quiet",
}

/// Long forms take minutes, so that nothing but their list is looked at here.
#[test]
fn long_forms_are_of_cases() {
    let (all, long) = (cases(), long_cases());
    assert!(!long.is_empty());
    for (n, case) in long.iter().enumerate() {
        let short = all.iter().find(|short| short.name == case.name).unwrap_or_else(|| panic!("no case {}", case.name));
        assert_ne!(short.about, case.about, "{} does the same in both forms", case.name);
        assert!(long[..n].iter().all(|other| other.name != case.name), "{} has two long forms", case.name);
    }
}

/// The cases that are short even on a software GPU.
#[test]
fn a_short_list_passes_on_a_gpu_parity() {
    if test_gpu().is_none() {
        return;
    }
    let options = GpuOptions { allow_software: true, ..GpuOptions::default() };
    let exec = Arc::new(Executor::from(Gpu::new(&options).unwrap()));
    let shallow = ["ritter", "double-rarefaction", "circular-dam-break", "standing-wave-decay", "maps-over-time"];
    for name in shallow.into_iter().chain(["hydrostatic-slope", "dam-break-wet"]) {
        check(name, &exec);
    }
}

/// A limit that nothing can meet is missed: the harness is able to fail.
#[test]
fn limits_can_fail() {
    let exec = Arc::new(Executor::cpu().unwrap());
    let mut outcome = run("double-rarefaction", &exec);
    assert!(outcome.pass());
    for metric in &mut outcome.metrics {
        metric.limit = thalweg_validation::Limit::AtMost(-1.0);
    }
    assert!(!outcome.pass());
    assert_eq!(outcome.failures().len(), outcome.metrics.len());
    outcome.metrics[0].limit = thalweg_validation::Limit::AtLeast(0.0);
    outcome.metrics[0].value = f64::NAN;
    assert!(!outcome.metrics[0].pass());
}
