use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Admit, Emit};
use crate::constants::tally;
use crate::neighbours::extent_of;
use crate::params::StepParams;
use crate::testing::params;

/// More than there is room for, in one case of two.
fn births(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let (capacity, count) = (1000, 500 + rng.below(300));
    let p = StepParams { births: 100 + rng.below(400), births_first: 3, births_id: 777, ..params(capacity) };
    let born: Vec<[f32; 4]> = (0..2 * (p.births + 3)).map(|_| [0; 4].map(|_| rng.range(-1.0, 1.0))).collect();
    let old = vec![[0.5; 4]; capacity];
    let (places, motions) = (exec.buffer_from("places", &old)?, exec.buffer_from("motions", &old)?);
    let ids = exec.buffer_from("ids", &vec![5; capacity])?;
    let extent = exec.buffer_from("extent", &[extent_of(count); 2].concat())?;
    let (born, counts) = (exec.buffer_from("born", &born)?, exec.buffer_from("tally", &[1; tally::WORDS])?);
    let mut rec = exec.record();
    let kernel = Emit { extent: &extent, born: &born, places: &places, motions: &motions, ids: &ids };
    rec.run(&kernel, &p, Dispatch::Elements(p.births as usize))?;
    rec.run(&Admit { extent: &extent, tally: &counts }, &p, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    let (words, counts) = (exec.read(&extent)?, exec.read(&counts)?);
    assert_eq!(words[3], (count + p.births).min(1000));
    assert_eq!(counts[tally::EMITTED as usize] + counts[tally::REFUSED as usize], p.births + 2);
    out.f32("places", exec.read(&places)?.concat(), Tolerance::Exact);
    out.f32("motions", exec.read(&motions)?.concat(), Tolerance::Exact);
    out.u32("ids", exec.read(&ids)?);
    out.u32("extent", words);
    out.u32("tally", counts);
    Ok(())
}

thalweg_compute::parity_cases! {
    births: 6 seeds,
}
