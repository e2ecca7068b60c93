use thalweg_compute::parity::test_executors;

use super::record;
use crate::renderer::HeightField;

/// Water of 1 m beside a beach: the surface goes on level below the dry cell at the shore, and lies deep below the
/// next; a film is wet ground.
#[test]
fn the_waterline_is_level() {
    for exec in test_executors() {
        // Elevations: bed 9, 9.6, 10.5, 12, 10.5 and the water at 10, over a datum of 10; cells of 0.5 m from 8 m on.
        let bed = exec.buffer_from("bed", &[-1.0_f32, -0.4, 0.5, 2.0, 0.5]).unwrap();
        let level = exec.buffer_from("level", &[0.0_f32, 0.0, 0.0, 0.0, 1e-3]).unwrap();
        let field = HeightField { level: &level, bed: &bed, datum: 10.0 };
        let mut kept = None;
        let mut rec = exec.record();
        record(&mut rec, exec, &mut kept, &field, ([5, 1], 8.0, 0.5)).unwrap();
        rec.submit().unwrap();
        let ground = exec.read(&kept.unwrap()).unwrap();
        let wanted = [
            [2.0, 1.0, 0.0, 4.0],
            [3.2, 1.0, 0.0, 4.0],
            [5.0, 1.0, 0.0, 4.0],
            [8.0, 0.0, 0.0, 4.0],
            [5.0, 1.0, 0.0, 1.0],
        ];
        for (found, wanted) in ground.iter().zip(wanted) {
            let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < 1e-5, "{}: {ground:?}", exec.describe());
        }
    }
}
