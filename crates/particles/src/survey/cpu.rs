use rayon::prelude::*;

use super::SurveySlices;
use crate::constants::{extent, survey as word};
use crate::params::StepParams;
use crate::state::CHUNK;

pub(super) fn survey(_: &StepParams, s: SurveySlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let all = s.places[..count].par_iter().zip(&s.motions[..count]).zip(&s.density[..count]).with_min_len(CHUNK);
    let largest = all.map(|((place, motion), density)| {
        let finite = place[..3].iter().chain(&motion[..3]).all(|v| v.is_finite());
        let speed2 = motion[0] * motion[0] + motion[1] * motion[1] + motion[2] * motion[2];
        [if finite { speed2.to_bits() } else { u32::MAX }, density.max(0.0).to_bits()]
    });
    let [speed2, density] = largest.reduce(|| [0; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])]);
    s.extremes[word::SPEED2] = s.extremes[word::SPEED2].max(speed2);
    s.extremes[word::DENSITY] = s.extremes[word::DENSITY].max(density);
}
