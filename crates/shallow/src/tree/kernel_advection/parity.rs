use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::constants::SIDE;
use super::testing::{Memory, case};
use super::units::{momentum_of, momentum_units, wide};
use super::*;
use crate::testing::launch;
use crate::tree::layout::action;
use crate::tree::layout::{CELL_WORDS, clock};
use crate::tree::map::Map;

/// Drifts as parts of a cell.
fn parts(words: &[u32]) -> Vec<f32> {
    words.iter().map(|&word| word as i32 as f32 / SIDE as f32).collect()
}

fn drift(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let case = case(rng);
    let memory = Memory::new(exec, &case)?;
    memory.drift(exec, &case)?;
    // A dozen roundings, and 1/h of thin water.
    let close = Tolerance::Mixed { absolute: 2e-5, relative: 2e-5 };
    out.f32("flow", exec.read(&memory.flow)?, close);
    out.f32("drift", parts(&exec.read(&memory.drift)?), close);
    out.u32("asked", exec.read(&memory.asked)?);
    Ok(())
}

/// Whole numbers all the way: the executors agree to the last bit, whatever the order of their sums.
fn advection(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let case = case(rng);
    let memory = Memory::new(exec, &case)?;
    memory.advect(exec, &case)?;
    out.u32("asked", exec.read(&memory.asked)?);
    out.u32("tallies", exec.read(&memory.tallies)?);
    let (volumes, momenta) = arrived(&exec.read(&memory.arrivals)?);
    out.u32("volumes", volumes);
    // Sums of up to sixteen products.
    out.f32("momenta", momenta, Tolerance::Mixed { absolute: 1e-6, relative: 2e-6 });
    Ok(())
}

/// Words of volumes, and momenta in m²/s.
fn arrived(arrivals: &[u32]) -> (Vec<u32>, Vec<f32>) {
    let planes: Vec<&[u32]> = arrivals.chunks_exact(CELLS).collect();
    let tiles = || planes.chunks_exact(plane::ARRIVALS);
    let momentum = |tile: &[&[u32]], axis: usize| -> Vec<f32> {
        let words = tile[2 + 2 * axis..][..2].concat();
        (0..CELLS).map(|at| momentum_of(wide(&words, at))).collect()
    };
    let volumes = tiles().flat_map(|tile| tile[..2].concat()).collect();
    (volumes, tiles().flat_map(|tile| [momentum(tile, 0), momentum(tile, 1)].concat()).collect())
}

/// Rain, a spring and a drain: what a step is due may differ in the last digit of f32; from the same portions volumes
/// and counts are the same.
fn supply(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let mut case = case(rng);
    let memory = Memory::new(exec, &case)?;
    launch(
        exec,
        &SourceShare { clock: &memory.clock, portions: &memory.portions },
        &case.params[0],
        Dispatch::Groups([1, 1, 1]),
    )?;
    let due: Vec<f32> = exec.read(&memory.portions)?.chunks_exact(2).map(|words| words[0] + words[1]).collect();
    out.f32("due", due, Tolerance::Mixed { absolute: 1e-3, relative: 2e-7 });
    // No time passes now, so that portions are what is owed here.
    case.clock[clock::TICK_DT] = 0.0;
    case.portions = vec![0.0, 322.5, 0.0, 1.6e6, 0.0, -3e7];
    let memory = Memory::new(exec, &case)?;
    memory.advect(exec, &case)?;
    memory.supply(exec, &case)?;
    out.f32("portions", exec.read(&memory.portions)?, Tolerance::Exact);
    out.u32("tallies", exec.read(&memory.tallies)?);
    let (volumes, momenta) = arrived(&exec.read(&memory.arrivals)?);
    out.u32("volumes", volumes);
    out.f32("momenta", momenta, Tolerance::Mixed { absolute: 1e-6, relative: 2e-6 });
    Ok(())
}

fn arrive(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let case = case(rng);
    let memory = Memory::new(exec, &case)?;
    let slots = case.slots();
    // Volumes from nothing to some metres, momenta of both signs.
    let mut arrivals = vec![0u32; slots * plane::ARRIVALS * CELLS];
    for tile in arrivals.chunks_exact_mut(plane::ARRIVALS * CELLS) {
        for at in 0..CELLS {
            let volume = if rng.below(5) == 0 { 0 } else { rng.next_u64() >> (28 + rng.below(20)) };
            units::put_wide(tile, at, volume);
            for axis in 0..2 {
                units::put_wide(tile, at + (2 + 2 * axis) * CELLS, momentum_units(rng.range(-3.0, 3.0)));
            }
        }
    }
    exec.write(&memory.arrivals, 0, &arrivals)?;
    memory.arrive(exec, &case)?;
    out.u32("volumes", exec.read(&memory.volumes)?);
    out.f32("cells", exec.read(&memory.cells)?, Tolerance::Exact);
    out.f32("status", exec.read(&memory.status)?, Tolerance::Relative(3e-6));
    Ok(())
}

/// Tiles split and merge as a plan says; surfaces are set as if by `adapt_apply`, with its rounding.
fn carry(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let case = case(rng);
    let memory = Memory::new(exec, &case)?;
    let map = Map(&case.topology);
    // Any four slots in use will do: their words alone are looked at.
    let used: Vec<u32> = (0..case.slots() as u32).filter(|&slot| map.tile(slot).is_some()).collect();
    let mut plan = vec![0u32; case.slots() * action::WORDS];
    let mut cells = case.cells.clone();
    for four in used.chunks_exact(4).step_by(2) {
        let kind = if rng.below(2) == 0 { action::SPLIT } else { action::MERGE };
        let words = [kind, four[1], four[2], four[3]];
        plan[action::WORDS * four[0] as usize..][..action::WORDS].copy_from_slice(&words);
        for slot in four {
            for s in &mut cells[CELL_WORDS * *slot as usize..][..CELLS] {
                *s += rng.range(-1e-6, 1e-6);
            }
        }
    }
    exec.write(&memory.cells, 0, &cells)?;
    let plan = exec.buffer_from("test.plan", &plan)?;
    let carry =
        AdaptVolumes { plan: &plan, topology: &memory.topology, volumes: &memory.volumes, cells: &memory.cells };
    launch(exec, &carry, &case.params[0], Dispatch::Groups([case.slots() as u32, 1, 1]))?;
    out.u32("volumes", exec.read(&memory.volumes)?);
    out.f32("cells", exec.read(&memory.cells)?, Tolerance::Exact);
    Ok(())
}

thalweg_compute::parity_cases! {
    drift: 4 seeds,
    advection: 4 seeds,
    supply: 4 seeds,
    arrive: 4 seeds,
    carry: 4 seeds,
}
