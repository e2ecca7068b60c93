use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::*;
use crate::{Sea, TilesSettings};

pub(super) const PLACE: Place = Place { corner: [-40.0, 1000.0], cell: 0.5, columns: [8, 6] };

fn settings(points: u32, cascades: u32) -> TilesSettings {
    TilesSettings { size: 200.0, points, cascades, ..Default::default() }
}

#[cfg(test)]
pub(super) fn tiles(points: u32, cascades: u32) -> Tiles {
    Tiles::new(&Sea::default(), &settings(points, cascades)).expect("a sea")
}

fn ocean(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let tiles = Tiles::new(&Sea { direction: 0.5, ..Sea::default() }, &settings(64, 3)).expect("a sea");
    let mut ocean = Ocean::new(exec, tiles, 1.0, Foam::default(), &PLACE).map_err(compute)?;
    let mut rec = exec.record();
    ocean.record(&mut rec, f64::from(rng.range(0.0, 4000.0))).map_err(compute)?;
    rec.submit()?;
    // Heights of a metre through two transforms, then an inversion on them.
    out.f32("words", exec.read(ocean.words())?, Tolerance::Mixed { absolute: 5e-4, relative: 1e-4 });
    Ok(())
}

fn compute(error: crate::WavesError) -> thalweg_compute::ComputeError {
    match error {
        crate::WavesError::Compute(error) => error,
        other => panic!("{other}"),
    }
}

thalweg_compute::parity_cases! {
    ocean: 2 seeds,
}
