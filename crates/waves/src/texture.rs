//! Layers of drifting coordinates over the columns of a simulation.

use thalweg_compute::{Buffer, Dispatch, Executor, Recording};

use crate::carry::{Carry, CarryParams, LAYERS, Publish, PublishParams};
use crate::error::Result;

/// Coordinates that drift with the water; see `carry/`.
#[derive(Debug)]
pub struct Texture {
    columns: [u32; 2],
    /// Edge of a column, m.
    cell: f64,
    now: Buffer<[f32; 2]>,
    next: Buffer<[f32; 2]>,
    spare: Buffer<[f32; 2]>,
    time: Option<f64>,
}

/// Life of a layer, s: longer ones are stretched more.
const LIFE: f64 = 6.0;

impl Texture {
    /// Layers over columns of an edge in m.
    pub fn new(exec: &Executor, columns: [u32; 2], cell: f64) -> Result<Self> {
        let count = LAYERS * (columns[0] * columns[1]) as usize;
        Ok(Self {
            columns,
            cell,
            now: exec.buffer("waves.offsets", count)?,
            next: exec.buffer("waves.offsets_next", count)?,
            spare: exec.buffer("waves.offsets_back", count)?,
            time: None,
        })
    }

    /// Offsets of all layers, columns; a plane of columns each.
    pub fn offsets(&self) -> &Buffer<[f32; 2]> {
        &self.now
    }

    /// Records the drift until a time, by velocities at columns, m/s. Going back in time sets all layers back.
    pub fn record(&mut self, rec: &mut Recording<'_>, velocity: &Buffer<[f32; 2]>, time: f64) -> Result<()> {
        let before = self.time.filter(|before| *before <= time);
        let dt = before.map_or(0.0, |before| time - before);
        let turn = |time: f64, layer: usize| time / LIFE + layer as f64 / LAYERS as f64;
        let keep = |layer: usize| {
            let is_kept = before.is_some_and(|before| turn(before, layer).floor() == turn(time, layer).floor());
            f32::from(u8::from(is_kept))
        };
        self.time = Some(time);
        let reach = (dt / self.cell) as f32;
        let [nx, nz] = self.columns;
        let plain = CarryParams { nx, nz, reach, correction: 0.0, keep_0: 1.0, keep_1: 1.0, keep_2: 1.0 };
        let all = Dispatch::Elements(self.now.len());
        let Self { now, next, spare, .. } = self;
        rec.run(&Carry { velocity, before: now, returned: now, after: next }, &plain, all)?;
        rec.run(
            &Carry { velocity, before: next, returned: next, after: spare },
            &CarryParams { reach: -reach, ..plain },
            all,
        )?;
        let last = CarryParams { correction: 0.5, keep_0: keep(0), keep_1: keep(1), keep_2: keep(2), ..plain };
        rec.run(&Carry { velocity, before: now, returned: spare, after: next }, &last, all)?;
        std::mem::swap(now, next);
        Ok(())
    }

    /// Weight of a layer by its age: none when it is set back, most in the middle of its life.
    pub fn weight(&self, layer: usize) -> f64 {
        let turn = self.time.unwrap_or(0.0) / LIFE + layer as f64 / LAYERS as f64;
        1.0 - (2.0 * (turn - turn.floor()) - 1.0).abs()
    }

    /// Records what a picture needs into words from `head` on.
    pub(crate) fn publish(&self, rec: &mut Recording<'_>, words: &Buffer<f32>, head: u32) -> Result<()> {
        let [nx, nz] = self.columns;
        let [weight_0, weight_1, weight_2] = [0, 1, 2].map(|layer| self.weight(layer) as f32);
        let p = PublishParams { nx, nz, head, weight_0, weight_1, weight_2 };
        Ok(rec.run(&Publish { offsets: &self.now, words }, &p, Dispatch::Elements((nx * nz) as usize))?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::layout::COLUMN;
    use thalweg_compute::parity::own_test_executors;

    /// Offsets and published words after steps of a flow.
    fn drifted(
        exec: &Arc<Executor>,
        flow: &dyn Fn(f32, f32) -> [f32; 2],
        seconds: f64,
    ) -> (Texture, Vec<[f32; 2]>, Vec<f32>) {
        let (nx, nz) = (48_u32, 32_u32);
        let mut texture = Texture::new(exec, [nx, nz], 0.5).unwrap();
        let values: Vec<[f32; 2]> = (0..nx * nz).map(|at| flow((at % nx) as f32, (at / nx) as f32)).collect();
        let velocity = exec.buffer_from("velocity", &values).unwrap();
        let words = exec.buffer("words", COLUMN * (nx * nz) as usize).unwrap();
        let steps = (seconds * 30.0).round() as u32;
        for step in 0..=steps {
            let mut rec = exec.record();
            texture.record(&mut rec, &velocity, f64::from(step) / 30.0).unwrap();
            texture.publish(&mut rec, &words, 0).unwrap();
            rec.submit().unwrap();
        }
        let offsets = exec.read(texture.offsets()).unwrap();
        let words = exec.read(&words).unwrap();
        (texture, offsets, words)
    }

    #[test]
    fn a_steady_flow_moves_the_texture_as_a_whole() {
        for exec in own_test_executors() {
            let (_, offsets, _) = drifted(&exec, &|_, _| [0.8, -0.3], 1.5);
            // Layers 1 and 2 are not set back before 2 s; all of their columns away from the edge have come the same
            // way.
            let columns = 48 * 32;
            for (k, i) in (8..24).flat_map(|k| (8..40).map(move |i| (k, i))) {
                let [x, z] = offsets[columns + i + 48 * k];
                assert!((x + 1.5 * 0.8 / 0.5).abs() < 1e-3 && (z - 1.5 * 0.3 / 0.5).abs() < 1e-3, "{x} {z}");
            }
        }
    }

    #[test]
    fn what_shear_has_stretched_to_twice_its_length_does_not_count() {
        for exec in own_test_executors() {
            // 0.5 m/s more per metre: in 6 s a layer is sheared by 3.
            let (_, offsets, words) = drifted(&exec, &|_, z| [0.25 * (z - 16.0), 0.0], 17.9);
            let columns = 48 * 32;
            let (mut torn, mut counted) = (0, 0);
            for layer in 0..3 {
                for (k, i) in (8..24).flat_map(|k| (16..32).map(move |i| (k, i))) {
                    let at = |k: usize| offsets[layer * columns + i + 48 * k][0];
                    let shear = 0.5 * (at(k + 1) - at(k - 1));
                    // Largest singular value of [1 s; 0 1].
                    let stretch = 0.5 * (shear.abs() + (shear * shear + 4.0).sqrt());
                    let weight = words[COLUMN * (i + 48 * k) + 3 * layer + 2];
                    if stretch > 2.01 {
                        torn += 1;
                        assert!(weight < 1e-3, "layer {layer}: {stretch} with {weight}");
                    }
                    counted += u32::from(weight > 0.1);
                }
            }
            assert!(torn > 100 && counted > 100, "{torn} torn, {counted} counted");
        }
    }

    #[test]
    fn layers_are_set_back_while_they_do_not_count() {
        let exec = &own_test_executors()[0];
        for seconds in [2.0, 4.0, 6.0, 8.0] {
            let (texture, offsets, _) = drifted(exec, &|_, _| [0.4, 0.0], seconds);
            let fresh: Vec<usize> = (0..3).filter(|layer| offsets[layer * 48 * 32 + 500] == [0.0; 2]).collect();
            assert_eq!(fresh.len(), 1, "one is set back at {seconds} s");
            assert!(texture.weight(fresh[0]) < 1e-9, "and has no weight");
            let sum: f64 = (0..3).map(|layer| texture.weight(layer)).sum();
            assert!((4.0 / 3.0 - 1e-9..=1.5 + 1e-9).contains(&sum), "{sum}");
        }
    }
}
