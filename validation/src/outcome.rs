//! What a case returns.

use thalweg_io::plot::Chart;

/// The range in which a value passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// This or less.
    AtMost(f64),
    /// This or more.
    AtLeast(f64),
    /// From the first to the second.
    Within(f64, f64),
}

impl Limit {
    /// Whether a value passes. NaN never does.
    #[must_use]
    pub fn allows(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
            Self::Within(least, most) => value >= least && value <= most,
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let short = |v: f64| if v != 0.0 && v.abs() < 1e-3 { format!("{v:e}") } else { v.to_string() };
        match *self {
            Self::AtMost(most) => write!(f, "≤ {}", short(most)),
            Self::AtLeast(least) => write!(f, "≥ {}", short(least)),
            Self::Within(least, most) => write!(f, "{} to {}", short(least), short(most)),
        }
    }
}

/// One measured number.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// What was measured.
    pub name: String,
    /// How much.
    pub value: f64,
    /// How much is allowed.
    pub limit: Limit,
    /// Unit of value and limit; empty for ratios.
    pub unit: &'static str,
}

impl Metric {
    /// Whether the value is inside its limit.
    #[must_use]
    pub fn pass(&self) -> bool {
        self.limit.allows(self.value)
    }
}

/// What a run gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Numbers and their limits.
    pub metrics: Vec<Metric>,
    /// Pictures: the computed flow beside the known one.
    pub charts: Vec<Chart>,
    /// Remarks on what was found.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Whether every metric passes (and there is one).
    #[must_use]
    pub fn pass(&self) -> bool {
        !self.metrics.is_empty() && self.metrics.iter().all(Metric::pass)
    }

    /// The metrics that miss their limits.
    #[must_use]
    pub fn failures(&self) -> Vec<&Metric> {
        self.metrics.iter().filter(|m| !m.pass()).collect()
    }

    /// Adds a metric without a unit.
    pub(crate) fn ratio(&mut self, name: impl Into<String>, value: f64, limit: Limit) {
        self.measure(name, value, limit, "");
    }

    /// Adds a metric.
    pub(crate) fn measure(&mut self, name: impl Into<String>, value: f64, limit: Limit, unit: &'static str) {
        self.metrics.push(Metric { name: name.into(), value, limit, unit });
    }

    /// Adds the metric that every closed case has: relative change of the volume.
    pub(crate) fn mass(&mut self, worst: f64) {
        self.ratio("mass error", worst, Limit::AtMost(1e-6));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_can_fail() {
        assert!(Limit::AtMost(1.0).allows(1.0) && !Limit::AtMost(1.0).allows(1.1));
        assert!(Limit::AtLeast(1.0).allows(1.0) && !Limit::AtLeast(1.0).allows(0.9));
        let within = Limit::Within(0.9, 1.1);
        assert!(within.allows(1.0) && !within.allows(0.8) && !within.allows(1.2));
        for limit in [Limit::AtMost(1.0), Limit::AtLeast(1.0), within] {
            assert!(!limit.allows(f64::NAN), "{limit} lets NaN pass");
        }
    }

    #[test]
    fn limits_read_well() {
        let limits = [Limit::AtMost(1e-6), Limit::AtLeast(0.0), Limit::Within(0.9, 1.1)];
        assert_eq!(limits.map(|l| l.to_string()), ["≤ 1e-6", "≥ 0", "0.9 to 1.1"]);
    }

    #[test]
    fn an_outcome_passes_only_if_all_of_it_does() {
        let mut outcome = Outcome::default();
        assert!(!outcome.pass(), "nothing measured is nothing shown");
        outcome.ratio("good", 0.5, Limit::AtMost(1.0));
        assert!(outcome.pass());
        outcome.mass(2e-6);
        assert!(!outcome.pass());
        assert_eq!(outcome.failures().len(), 1);
        assert_eq!(outcome.failures()[0].name, "mass error");
    }
}
