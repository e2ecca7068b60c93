use super::cpu::{Tones, byte};

/// The power is right to its last bit but one: only where a byte begins could a value that is rounded the other way
/// matter.
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
