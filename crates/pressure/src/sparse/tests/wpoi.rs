//! Speed on the Poisson systems behind the published table, for comparison with other programs.

use super::super::*;
use crate::Stop;

/// Seven-point systems read from a file: the format of the Poisson systems behind the published table.
struct System {
    neighbours: [Vec<u32>; 6],
    diag: Vec<f64>,
    b: Vec<f64>,
    /// Edge of a cell, m. Matrix and right-hand side are scaled by its square.
    dx: f64,
}

fn read_system(path: &str) -> System {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"WPOI0001");
    let size = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let number = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let dims = [size(8), size(12), size(16)];
    let (dx, theta_min) = (number(24), number(40));
    let cells = dims[0] * dims[1] * dims[2];
    let phi = |c: usize| number(48 + 8 * c);
    let solid = |c: usize| number(48 + 8 * (cells + c)) >= 0.5;
    let mut id = vec![NONE; cells];
    let water: Vec<usize> = (0..cells).filter(|c| !solid(*c) && phi(*c) < 0.0).collect();
    water.iter().enumerate().for_each(|(u, c)| id[*c] = u as u32);
    let mut system = System {
        neighbours: std::array::from_fn(|_| vec![NONE; water.len()]),
        diag: vec![0.0; water.len()],
        b: water.iter().map(|c| dx * dx * number(48 + 8 * (2 * cells + c))).collect(),
        dx,
    };
    for (u, c) in water.iter().enumerate() {
        let mut stride = 1;
        for (axis, dim) in dims.iter().enumerate() {
            let at = c / stride % dim;
            for (side, inside) in [at > 0, at + 1 < *dim].into_iter().enumerate() {
                let other = if side == 0 { c.wrapping_sub(stride) } else { c + stride };
                if !inside || solid(other) {
                    continue;
                }
                system.neighbours[2 * axis + side][u] = id[other];
                let theta = phi(*c) / (phi(*c) - phi(other));
                system.diag[u] += if phi(other) < 0.0 { 1.0 } else { theta.max(theta_min).recip() };
            }
            stride *= dim;
        }
    }
    system
}

/// Iterations and seconds for comparison with other programs:
/// `WPOI=file.wpoi cargo test --release -p thalweg-pressure wpoi -- --ignored --nocapture`
#[test]
#[ignore = "a measurement: needs a system in the file that WPOI names"]
fn wpoi_iterations_and_seconds() {
    let system = read_system(&std::env::var("WPOI").unwrap());
    let a = SevenPoint::new(system.neighbours, system.diag);
    let unit = system.dx * system.dx;
    for (name, modified) in [("IC(0)", 0.0), ("MIC(0)", 0.97)] {
        let begin = std::time::Instant::now();
        let mut m = SevenPointCholesky::new(&a, modified);
        let setup = begin.elapsed();
        let mut x = vec![0.0; a.unknowns()];
        let report = pcg(&a, &mut m, &system.b, &mut x, Stop { residual: 1e-8 * unit, iterations: 5000 });
        let loose = report.reached(1e-4 * unit).unwrap();
        let residual = largest_residual(&a, &system.b, &x) / unit;
        println!(
            "{name} unknowns {} runs {} setup {setup:.3?} | 1e-4: {} {:.3?} | 1e-8: {} {:.3?} | true {residual:.1e}",
            a.unknowns(),
            a.run_count(),
            loose.0,
            loose.1,
            report.iterations,
            report.time()
        );
        assert!(report.converged);
    }
}
