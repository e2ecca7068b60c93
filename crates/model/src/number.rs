//! Numbers and names in messages to people.

/// Numbers from this size on are written with a power of ten, and so are those below [`SMALL`].
const LARGE: f64 = 1e9;

/// See [`LARGE`].
const SMALL: f64 = 1e-4;

/// A number that a person gave, with all of its digits. Very large and very small ones have a power of ten instead of
/// hundreds of zeros.
///
/// ```
/// use thalweg_model::number::exact;
///
/// assert_eq!([exact(0.05), exact(-1200.5), exact(1e300)], ["0.05", "-1200.5", "1e300"]);
/// ```
pub fn exact(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() || (SMALL..LARGE).contains(&size) { format!("{x}") } else { format!("{x:e}") }
}

/// A number that was worked out, without the noise of its last digits: twelve of them count.
///
/// ```
/// use thalweg_model::number::tidy;
///
/// assert_eq!([tidy(0.1 + 0.2), tidy(64.0 * 0.05)], ["0.3", "3.2"]);
/// ```
pub fn tidy(x: f64) -> String {
    exact(format!("{x:.11e}").parse().unwrap_or(x))
}

/// A number that was measured, with about four digits.
///
/// ```
/// use thalweg_model::number::short;
///
/// assert_eq!([short(0.012345), short(1234.5), short(1.5e-7)], ["0.01235", "1234", "1.500e-7"]);
/// ```
pub fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{x:.3e}")
    } else {
        let digits = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
        format!("{x:.digits$}")
    }
}

/// User text for use inside a message: quoted, and cut where it is long.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers to the last bit, in a width that a line has room for.
    #[test]
    fn exact_numbers_are_short_and_come_back() {
        let sizes = (-323..=308).map(|power| format!("1.2345678901234567e{power}").parse::<f64>().expect("a number"));
        for x in sizes.flat_map(|x| [x, -x]).chain([0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1.0 / 3.0]) {
            let text = exact(x);
            assert!(text.len() <= 24, "{text}");
            assert_eq!(text.parse(), Ok(x));
        }
        assert_eq!([exact(f64::NAN), exact(f64::INFINITY)], ["NaN", "inf"]);
        assert_eq!(
            [exact(999_999_999.0), exact(1e9), exact(1e-4), exact(9e-5)],
            ["999999999", "1e9", "0.0001", "9e-5"]
        );
    }

    #[test]
    fn tidy_numbers_lose_their_noise_alone() {
        assert_eq!([tidy(7.0 * 1e-12), tidy(123_456_789.125), tidy(1e300)], ["7e-12", "123456789.125", "1e300"]);
        assert_eq!([tidy(0.0), tidy(f64::INFINITY)], ["0", "inf"]);
    }
}
