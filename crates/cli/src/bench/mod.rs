//! `bench`: speed as ratios, each figure beside the machine's own copy bandwidth from the same run.

mod convergence;
mod copy;
mod kernels;
mod narrow_band;
mod particles;
mod particles_liquid;
mod poisson;
mod poisson_gpu;
mod quadtree;
mod quadtree_cells;
mod render;
mod scenes;
mod shallow;
mod table_one;
mod tall_vs_uniform;
mod waves;

use serde_json::{Map, Value, json};

use crate::args::BenchArgs;
use crate::failure::{Failure, Outcome};
use crate::text;

/// A row of a benchmark: flat, numbers as numbers, the unit in the key.
type Row = Map<String, Value>;

/// A benchmark by name.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: Run,
}

/// Measures, tells each row as it comes, and returns all.
type Run = fn(&BenchArgs, &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>>;

const BENCHES: &[Bench] = &[
    Bench {
        name: "shallow",
        about: "shallow water: ns per cell and step, share of copy bandwidth, 256² to 8192², CPU and GPU",
        run: shallow::run,
    },
    Bench {
        name: "quadtree",
        about: "shallow water on a tree: ns per active cell and step beside the uniform grid and [004], refinement's share, dry land around a pond, cells for equal error",
        run: quadtree::run,
    },
    Bench {
        name: "poisson-table3",
        about: "pressure: the paper's Table 3, IC(0)-PCG and multigrid in f64, 64³ to 256³",
        run: poisson::table3,
    },
    Bench {
        name: "poisson",
        about: "pressure: systems stored in .wpoi files, one RES line per solver, to set beside other programs",
        run: poisson::files,
    },
    Bench {
        name: "narrow-band",
        about: "narrow band pressure: savings and errors against the full fine grid, dam break 512² and 128³",
        run: narrow_band::run,
    },
    Bench {
        name: "poisson-gpu",
        about: "pressure on an executor: ms, dispatches, bytes and share of copy bandwidth, up to 1024×(64+2)×1024",
        run: poisson_gpu::run,
    },
    Bench {
        name: "poisson-convergence",
        about: "pressure: residual against cycles on tall-cell scenes, CSV and plots in --out",
        run: convergence::run,
    },
    Bench {
        name: "scenes",
        about: "three-dimensional water: ms per stage beside the paper's Tables 1 and 2, and grids up to 1024×(64+2)×1024",
        run: scenes::run,
    },
    Bench {
        name: "table-one",
        about: "the four scenes of the paper's Table 1 with bodies, drops and waves: ms a step, frames a second with a 1920×1080 picture",
        run: table_one::run,
    },
    Bench {
        name: "kernels",
        about: "the same scenes, kernel by kernel: calls and ms a frame, µs a call, and what the host does meanwhile",
        run: kernels::run,
    },
    Bench {
        name: "render",
        about: "rendered pictures: ms on the executor and with the read-back, 640×360 and 1920×1080, 1 and 4 rays at edges",
        run: render::run,
    },
    Bench {
        name: "particles",
        about: "whitewater: ms a step and ns per particle with up to 10⁶ particles in the air",
        run: particles::run,
    },
    Bench {
        name: "particles-liquid",
        about: "liquid particles: µs per particle and sub-step by stage, one thread and all, 10⁴ to 10⁷, both methods",
        run: particles_liquid::run,
    },
    Bench {
        name: "tall-vs-uniform",
        about: "three-dimensional water: time, memory and surface of tall cells against cubic cells, depth 32 to 256",
        run: tall_vs_uniform::run,
    },
    Bench {
        name: "waves",
        about: "a sea of waves: ms per frame of three tiles of 128² to 512² points on the executor, and to draw the waves once",
        run: waves::run,
    },
];

pub(crate) fn bench(args: &BenchArgs) -> Outcome {
    if args.list {
        BENCHES.iter().for_each(|b| text::print(&format!("{:<20} {}", b.name, b.about)));
        return Ok(());
    }
    let name = args.name.as_deref().unwrap_or_default();
    let bench = BENCHES.iter().find(|b| b.name == name);
    let bench = bench
        .ok_or_else(|| Failure::Input(format!("no benchmark is called `{name}`; `thalweg bench --list` shows them")))?;
    let mut tell = |row: &Row| {
        if !args.json {
            let cells: Vec<String> = row.iter().map(|(k, v)| format!("{k} {}", cell(v))).collect();
            text::message(&cells.join(", "));
        }
    };
    let rows = (bench.run)(args, &mut tell)?;
    if args.json {
        text::print(&json!({"bench": bench.name, "machine": machine(), "rows": rows}).to_string());
        return Ok(());
    }
    // Rows that tell other things are a table of their own.
    for rows in rows.chunk_by(|a, b| a.keys().eq(b.keys())) {
        let header: Vec<&str> = rows[0].keys().map(String::as_str).collect();
        let lines: Vec<Vec<String>> = rows.iter().map(|r| r.values().map(cell).collect()).collect();
        text::print(&text::table(&header, &lines));
    }
    Ok(())
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Number(n) if n.is_f64() => n.as_f64().map_or_else(String::new, text::short),
        other => other.to_string(),
    }
}

/// Processor, threads and adapters, for the record.
fn machine() -> Value {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
        info.lines()
            .find_map(|l| l.strip_prefix("model name").map(|m| m.trim_start_matches([' ', '\t', ':']).to_string()))
    });
    let gpus: Vec<String> = thalweg::compute::adapters().into_iter().map(|a| a.name).collect();
    json!({"cpu": cpu, "threads": rayon::current_num_threads(), "gpus": gpus})
}
