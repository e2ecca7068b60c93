use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity};

use super::{Mask, MaskParams};

#[test]
fn mask_parity() {
    assert_parity(4, |exec, rng, out| {
        let cells = exec.buffer_from("cells", &rng.f32s(1500, -1.0, 1.0))?;
        let q = exec.buffer_from("q", &rng.f32s(1000, -1.0, 1.0))?;
        let mut rec = exec.record();
        rec.run(&Mask { cells: &cells, q: &q }, &MaskParams { len: 1000, diagonal_at: 500 }, Dispatch::Elements(1000))?;
        rec.submit()?;
        let masked = exec.read(&q)?;
        let diagonals = exec.read(&cells)?;
        assert!(masked.iter().zip(&diagonals[500..]).all(|(q, d)| (*d <= 0.0) == (*q == 0.0)));
        out.f32("q", masked, Tolerance::Exact);
        Ok(())
    });
}
