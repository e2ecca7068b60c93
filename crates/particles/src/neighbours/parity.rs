use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::Neighbours;
use crate::constants::{extent, tally};
use crate::grid::cells;
use crate::neighbours::{Carried, extent_of};
use crate::testing::params;

/// What a sort leaves.
#[derive(Debug, PartialEq)]
pub(super) struct Sorting {
    pub(super) places: Vec<[f32; 4]>,
    pub(super) motions: Vec<[f32; 4]>,
    pub(super) ids: Vec<u32>,
    pub(super) starts: Vec<u32>,
    pub(super) cells: Vec<u32>,
    pub(super) extent: Vec<u32>,
    pub(super) tally: Vec<u32>,
}

/// Sorts places, some of which are outside; the sides of low x and high z are open, and there is a drain.
pub(super) fn sorted(exec: &Executor, places: &[[f32; 4]], ids: &[u32]) -> Result<Sorting> {
    let count = places.len();
    let p = crate::params::StepParams { walls: 63 & !(1 | 32), drains: 1, ..params(count + 7) };
    let capacity = p.capacity as usize;
    let motions: Vec<[f32; 4]> = places.iter().map(|place| place.map(|x| 2.0 * x)).collect();
    let full = |of: &[[f32; 4]]| [of, &[[0.0; 4]; 7]].concat();
    let from_places = exec.buffer_from("places", &full(places))?;
    let from_motions = exec.buffer_from("motions", &full(&motions))?;
    let from_ids = exec.buffer_from("ids", &[ids, &[0; 7]].concat())?;
    let (to_places, to_motions) = (exec.buffer("to_places", capacity)?, exec.buffer("to_motions", capacity)?);
    let to_ids = exec.buffer("to_ids", capacity)?;
    let words = exec.buffer_from("extent", &[extent_of(count as u32); 2].concat())?;
    let drains = exec.buffer_from("drains", &[[0.9, 0.0, 0.0, 0.0], [1.0, 0.2, 0.7, 0.0]])?;
    let counts = exec.zeros("tally", tally::WORDS)?;
    let sort = Neighbours::new(exec, capacity, cells(&p) as usize).map_err(|e| panic!("{e}")).unwrap();
    let mut rec = exec.record();
    let from = Carried { places: &from_places, motions: &from_motions, ids: &from_ids };
    let to = Carried { places: &to_places, motions: &to_motions, ids: &to_ids };
    sort.record(&mut rec, &p, &words, (&drains, &counts), &from_places, [from, to]).map_err(|e| panic!("{e}")).unwrap();
    rec.submit()?;
    let extent = exec.read(&words)?;
    let alive = extent[extent::COUNT] as usize;
    Ok(Sorting {
        places: exec.read(&to_places)?[..alive].to_vec(),
        motions: exec.read(&to_motions)?[..alive].to_vec(),
        ids: exec.read(&to_ids)?[..alive].to_vec(),
        starts: exec.read(&sort.starts)?,
        cells: exec.read(&sort.cells)?[..alive].to_vec(),
        extent,
        tally: exec.read(&counts)?,
    })
}

/// Places in and a little around the domain, and numbers in no order.
pub(super) fn scattered(rng: &mut Rng, count: usize) -> (Vec<[f32; 4]>, Vec<u32>) {
    let p = params(count);
    let place = |rng: &mut Rng| {
        [rng.range(-0.1, p.size_x + 0.1), rng.range(-0.1, p.size_y + 0.1), rng.range(-0.1, p.size_z + 0.1), 0.0]
    };
    let places = (0..count).map(|_| place(rng)).collect();
    let mut ids: Vec<u32> = (0..count as u32).collect();
    for n in (1..count).rev() {
        ids.swap(n, rng.below(n as u32 + 1) as usize);
    }
    (places, ids)
}

fn counting_sort(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let count = 300 + rng.below(3000) as usize;
    let (places, ids) = scattered(rng, count);
    let found = sorted(exec, &places, &ids)?;
    assert!(found.places.len() < count && found.tally[tally::DRAINED as usize] > 0);
    out.f32("places", found.places.concat(), Tolerance::Exact);
    out.f32("motions", found.motions.concat(), Tolerance::Exact);
    out.u32("ids", found.ids);
    out.u32("starts", found.starts);
    out.u32("cells", found.cells);
    out.u32("extent", found.extent);
    out.u32("tally", found.tally);
    Ok(())
}

thalweg_compute::parity_cases! {
    counting_sort: 6 seeds,
}
