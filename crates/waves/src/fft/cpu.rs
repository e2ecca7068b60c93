use rayon::prelude::*;

use super::{FftParams, FftSlices, LONGEST};

/// Columns that are transformed together: neighbours share lines of the cache.
const TOGETHER: usize = 8;

pub(super) fn fft(p: &FftParams, s: FftSlices<'_>) {
    let side = p.points as usize;
    let lines = p.lines as usize;
    if p.columns == 0 {
        s.fields[..lines * side].par_chunks_mut(side).with_min_len(8).for_each(|line| {
            let mut own = [[0.0; 2]; LONGEST];
            for (n, value) in line.iter().enumerate() {
                own[mirrored(n, p.stages)] = *value;
            }
            transform(&mut own[..side], s.roots, p.stages);
            line.copy_from_slice(&own[..side]);
        });
        return;
    }
    s.fields[..lines * side].par_chunks_mut(side * side).for_each(|field| {
        let mut own = vec![[[0.0; 2]; LONGEST]; TOGETHER];
        for first in (0..side).step_by(TOGETHER) {
            for n in 0..side {
                for (column, line) in own.iter_mut().enumerate() {
                    line[mirrored(n, p.stages)] = field[n * side + first + column];
                }
            }
            own.iter_mut().for_each(|line| transform(&mut line[..side], s.roots, p.stages));
            for n in 0..side {
                for (column, line) in own.iter().enumerate() {
                    field[n * side + first + column] = line[n];
                }
            }
        }
    });
}

/// The place of a value before the first stage: its number with the bits in the other order.
fn mirrored(n: usize, stages: u32) -> usize {
    (n as u32).reverse_bits() as usize >> (32 - stages)
}

fn transform(line: &mut [[f32; 2]], roots: &[[f32; 2]], stages: u32) {
    let half = line.len() / 2;
    for stage in 0..stages {
        let width = 1usize << stage;
        for n in 0..half {
            let within = n & (width - 1);
            let (low, [c, s]) = (((n >> stage) << (stage + 1)) + within, roots[within << (stages - 1 - stage)]);
            let ([ar, ai], [br, bi]) = (line[low], line[low + width]);
            let (tr, ti) = (br * c - bi * s, br * s + bi * c);
            line[low] = [ar + tr, ai + ti];
            line[low + width] = [ar - tr, ai - ti];
        }
    }
}
