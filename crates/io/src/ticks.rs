//! Round numbers for axes, and short text for numbers.

/// Round values that cover a range, evenly spaced.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ticks {
    /// Ascending, all within the range.
    pub(crate) values: Vec<f64>,
    /// Distance between them: 1, 2 or 5 times a power of ten.
    pub(crate) step: f64,
}

impl Ticks {
    /// About `count` ticks within `[lo, hi]`. Empty and infinite ranges have no ticks.
    pub(crate) fn linear(lo: f64, hi: f64, count: usize) -> Self {
        let (lo, hi) = (lo.min(hi), lo.max(hi));
        let step = nice_at_least((hi - lo) / count.max(1) as f64);
        // The last test: the step must be visible beside the values, or rounding decides how long the loop is.
        if !(step.is_finite() && step > 0.0 && step > 1e-12 * lo.abs().max(hi.abs())) {
            return Self { values: Vec::new(), step: 0.0 };
        }
        let slack = 1e-6; // of a step: a tick at the very end counts
        let first = (lo / step - slack).ceil() as i64;
        let last = (hi / step + slack).floor() as i64;
        let values = (first..=last).map(|i| i as f64 * step).collect();
        Self { values, step }
    }

    /// Powers of ten within `[lo, hi]`, both above zero; every second or third one if there are
    /// many, and linear ticks if there are fewer than two.
    pub(crate) fn logarithmic(lo: f64, hi: f64, count: usize) -> Self {
        let first = (lo.log10() - 1e-9).ceil() as i32;
        let last = (hi.log10() + 1e-9).floor() as i32;
        if last <= first {
            return Self::linear(lo, hi, count);
        }
        let every = ((last - first) as usize).div_ceil(count.max(1)).max(1);
        let values = (first..=last).step_by(every).map(|e| 10f64.powi(e));
        Self { values: values.collect(), step: 0.0 }
    }

    /// A tick's label, with the decimals that the step asks for.
    pub(crate) fn label(&self, value: f64) -> String {
        let size = self.values.iter().fold(value.abs(), |m, v| m.max(v.abs()));
        if self.step <= 0.0 {
            return short(value);
        }
        // Map coordinates have seven digits and all of them matter; beyond, an exponent.
        if size >= 1e9 || (size >= 1e6 && self.step < 1.0) || (size > 0.0 && size < 1e-3) {
            return minus(&short(value));
        }
        let decimals = (-(self.step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
        minus(&format!("{:.decimals$}", value + 0.0)) // -0 becomes 0
    }
}

/// The smallest of 1, 2, 5 × 10ⁿ that is no smaller than `x`.
pub(crate) fn nice_at_least(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return f64::NAN;
    }
    let power = 10f64.powf(x.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&n| n >= x * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// The largest of 1, 2, 5 × 10ⁿ that is no larger than `x`.
pub(crate) fn nice_at_most(x: f64) -> f64 {
    1.0 / nice_at_least(1.0 / x)
}

/// A number in at most about six characters: 0.25, 1200, 3e-7.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !x.is_finite() {
        return "–".to_owned();
    }
    let size = x.abs();
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{x:.2e}");
        return match text.split_once('e') {
            Some((mantissa, power)) => {
                let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
                format!("{mantissa}e{power}")
            }
            None => text,
        };
    }
    let decimals = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A true minus sign.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (lo, hi) in [(0.0, 1.0), (-3.2, 17.9), (1e-7, 3e-7), (1e9, 1.0001e9), (5.0, -5.0)] {
            let ticks = Ticks::linear(lo, hi, 6);
            assert!((2..=8).contains(&ticks.values.len()), "{ticks:?}");
            let (lo, hi) = (f64::min(lo, hi), f64::max(lo, hi));
            let slack = 1e-5 * (hi - lo);
            assert!(ticks.values.iter().all(|&v| v >= lo - slack && v <= hi + slack));
        }
    }

    #[test]
    fn nonsense_gives_no_ticks() {
        for (lo, hi) in [(0.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (1.0, 1.0 + 1e-16)] {
            assert!(Ticks::linear(lo, hi, 5).values.is_empty(), "{lo} {hi}");
        }
    }

    #[test]
    fn labels_read_well() {
        let ticks = Ticks::linear(-0.2, 0.2, 4);
        let labels: Vec<_> = ticks.values.iter().map(|&v| ticks.label(v)).collect();
        assert_eq!(labels, ["−0.2", "−0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(short(0.25), "0.25");
        assert_eq!(short(123456.0), "123456");
        assert_eq!(short(3e-7), "3e-7");
        assert_eq!(short(f64::NAN), "–");
    }

    #[test]
    fn nice_numbers_bracket() {
        assert_eq!(nice_at_least(3.0), 5.0);
        assert_eq!(nice_at_least(5.0), 5.0);
        assert!((nice_at_most(3.0) - 2.0).abs() < 1e-12);
        assert!((nice_at_most(0.07) - 0.05).abs() < 1e-12);
    }
}
