use super::copy_all;
use crate::parity::{Outputs, Rng, Tolerance};
use crate::{Executor, Result};

fn every_element(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let len = [0, 1, 1023, 1025, 70_001][rng.below(5) as usize];
    let source = exec.buffer_from("source", &(0..len).map(|_| [rng.range(-1.0, 1.0); 4]).collect::<Vec<_>>())?;
    let copied = exec.buffer_from("copied", &vec![[9.0f32; 4]; len])?;
    let mut rec = exec.record();
    copy_all(&mut rec, &source, &copied)?;
    rec.submit()?;
    let (a, b) = (exec.read(&source)?, exec.read(&copied)?);
    assert_eq!(a, b);
    out.f32("copied", b.concat(), Tolerance::Exact);
    Ok(())
}

crate::parity_cases! {
    every_element: 4 seeds,
}
