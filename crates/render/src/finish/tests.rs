use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity};

use super::cpu::{Tones, byte};
use super::{Finish, FinishParams};
use crate::splat::ONE;

/// Powers and exponentials differ in their last bits: a byte may round the other way.
#[test]
fn finish_parity() {
    assert_parity(3, |exec, rng, out| {
        let image: Vec<[f32; 4]> = (0..700).map(|_| std::array::from_fn(|_| rng.range(0.0, 3.0).powi(3))).collect();
        let spray: Vec<u32> = (0..700).map(|at| if at % 3 == 0 { rng.below(3 * ONE as u32) } else { 0 }).collect();
        let (image, spray) = (exec.buffer_from("image", &image)?, exec.buffer_from("spray", &spray)?);
        let pixels = exec.buffer("pixels", 700)?;
        let p = FinishParams { pixels: 700, exposure: 0.8, spray_r: 0.9, spray_g: 1.0, spray_b: 1.1 };
        let mut rec = exec.record();
        rec.run(&Finish { image: &image, spray: &spray, pixels: &pixels }, &p, Dispatch::Elements(700))?;
        rec.submit()?;
        let bytes = exec.read(&pixels)?.into_iter().flat_map(u32::to_le_bytes).map(f32::from).collect();
        out.f32("bytes", bytes, Tolerance::Absolute(1.0));
        Ok(())
    });
}

/// The power is right to its last bit but one: only where a byte begins could a value that is rounded the other way matter.
#[test]
fn bytes_that_are_looked_up_are_those_that_are_worked_out() {
    let tones = Tones::new();
    let same = |bits: u32| {
        let linear = f32::from_bits(bits);
        assert_eq!(tones.byte(linear), byte(linear), "{linear}");
    };
    let one = 1.0_f32.to_bits();
    (0..=one).step_by(211).for_each(same);
    let begins =
        (1..one).step_by(1 << 12).filter(|bits| byte(f32::from_bits(*bits)) != byte(f32::from_bits(bits + (1 << 12))));
    for near in begins {
        (near..=(near + (1 << 12)).min(one)).for_each(same);
    }
    assert_eq!([f32::NAN, 0.0, 1.0].map(|linear| tones.byte(linear)), [0, 0, 255]);
}
