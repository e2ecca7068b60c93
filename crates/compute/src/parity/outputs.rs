//! Outputs of a case, and how close those of two executors must be.

use crate::watch::SENTINEL;

/// How close two outputs must be. A NaN matches nothing.
///
/// WGSL lets an implementation take denormals (numbers below 1.2e-38, the smallest normal one) for zero wherever they
/// come up, so that they count as zero here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// The same bits: copies and selections, of which a denormal may come out as zero.
    Exact,
    /// `|a − b| ≤ t`.
    Absolute(f32),
    /// `|a − b| ≤ t · max(|a|, |b|)`.
    Relative(f32),
    /// `|a − b| ≤ absolute + relative · max(|a|, |b|)`.
    Mixed {
        /// The absolute part.
        absolute: f32,
        /// The relative part.
        relative: f32,
    },
}

/// What came of two values.
struct Verdict {
    difference: f64,
    limit: f64,
    agree: bool,
}

impl Tolerance {
    fn verdict(self, a: f32, b: f32) -> Verdict {
        let flushed = |x: f32| if x.is_subnormal() { 0.0 } else { x };
        // Equal infinities are no distance apart.
        let difference = if a == b { 0.0 } else { (flushed(a) - flushed(b)).abs() };
        let scale = flushed(a).abs().max(flushed(b).abs());
        let limit = match self {
            Self::Exact => 0.0,
            Self::Absolute(t) => t,
            Self::Relative(t) => t * scale,
            Self::Mixed { absolute, relative } => absolute + relative * scale,
        };
        let agree = match self {
            Self::Exact => {
                let was_flushed = (a.is_subnormal() && b == 0.0) || (b.is_subnormal() && a == 0.0);
                was_flushed || (a.to_bits() == b.to_bits() && !a.is_nan())
            }
            _ => difference <= limit,
        };
        Verdict { difference: difference.into(), limit: limit.into(), agree }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Values {
    F32(Vec<f32>, Tolerance),
    /// Numbers that belong together by so many (the channels of a pixel), and the share of such groups that may differ.
    Mostly(Vec<f32>, usize, Tolerance, f64),
    U32(Vec<u32>),
}

/// Named outputs of one run.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    list: Vec<(String, Values)>,
}

impl Outputs {
    /// Adds floating point output.
    pub fn f32(&mut self, name: &str, values: Vec<f32>, tolerance: Tolerance) {
        self.list.push((name.into(), Values::F32(values, tolerance)));
    }

    /// Adds output of which this share of elements may differ by more than the tolerance: pictures, where the last bit
    /// decides which side of an edge a ray meets.
    pub fn most_of_f32<const N: usize>(&mut self, name: &str, elements: &[[f32; N]], tolerance: Tolerance, share: f64) {
        self.list.push((name.into(), Values::Mostly(elements.concat(), N, tolerance, share)));
    }

    /// Adds integer output, which must be the same.
    pub fn u32(&mut self, name: &str, values: Vec<u32>) {
        self.list.push((name.into(), Values::U32(values)));
    }

    /// Compares the outputs of the CPU with those of a GPU, one by one. An error says that they are not the same
    /// outputs.
    pub(super) fn compare(&self, gpu: &Self, seed: u64) -> Result<Vec<Comparison>, String> {
        let names = |outputs: &Self| outputs.list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        if names(self) != names(gpu) {
            return Err(format!("outputs differ: cpu {:?}, gpu {:?}", names(self), names(gpu)));
        }
        let round = |at: usize| self.list[..at].iter().filter(|(name, _)| *name == self.list[at].0).count();
        let pairs = self.list.iter().zip(&gpu.list).enumerate();
        Ok(pairs.map(|(at, ((name, a), (_, b)))| Comparison::of(name, a, b, Run { seed, round: round(at) })).collect())
    }
}

/// What came of one output.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The name of the output.
    pub output: String,
    /// The element that comes closest to its limit, or goes farthest beyond it. An output without elements has none.
    pub worst: Option<Element>,
    /// In what the executors differ.
    pub fault: Option<String>,
}

/// Where an output came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The seed of the random numbers.
    pub seed: u64,
    /// How many outputs of the same name the body gave before: it may have a loop.
    pub round: usize,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {}, round {}", self.seed, self.round)
    }
}

/// One element of an output.
#[derive(Debug, Clone, Copy)]
pub struct Element {
    /// When it came up.
    pub run: Run,
    /// Its place in the output.
    pub index: usize,
    /// The value on the CPU.
    pub cpu: f64,
    /// The value on the GPU.
    pub gpu: f64,
    /// The difference of both; where a share of elements may differ, the number of those that do.
    pub difference: f64,
    /// The largest difference that passes; where a share of elements may differ, how many may.
    pub limit: f64,
}

impl Element {
    /// The difference in units of its limit: beyond 1 it is too large.
    pub fn excess(&self) -> f64 {
        match self.difference / self.limit {
            _ if self.difference == 0.0 => 0.0,
            ratio if ratio.is_nan() => f64::INFINITY,
            ratio => ratio,
        }
    }
}

impl Comparison {
    fn of(name: &str, cpu: &Values, gpu: &Values, run: Run) -> Self {
        let mut found = Self { output: name.into(), worst: None, fault: None };
        let result = match (cpu, gpu) {
            (Values::F32(a, tolerance), Values::F32(b, _)) => {
                found.elements(a, b, run, |a, b| tolerance.verdict(a, b), f32::to_bits)
            }
            (Values::Mostly(a, group, tolerance, share), Values::Mostly(b, ..)) => {
                found.most_elements(a, b, *group, *tolerance, *share, run)
            }
            (Values::U32(a), Values::U32(b)) => {
                let verdict = |a: u32, b: u32| Verdict { difference: a.abs_diff(b).into(), limit: 0.0, agree: a == b };
                found.elements(a, b, run, verdict, |word| word)
            }
            _ => Err("types differ".into()),
        };
        found.fault = result.err();
        found
    }

    /// Compares element by element; the error says what differs.
    fn elements<T: Copy + Into<f64> + std::fmt::Debug>(
        &mut self,
        cpu: &[T],
        gpu: &[T],
        run: Run,
        verdict: impl Fn(T, T) -> Verdict,
        bits: impl Fn(T) -> u32,
    ) -> Result<(), String> {
        all_written(cpu, gpu, bits)?;
        let mut outside = 0;
        for (index, (&a, &b)) in cpu.iter().zip(gpu).enumerate() {
            let Verdict { difference, limit, agree } = verdict(a, b);
            outside += usize::from(!agree);
            let element = Element { run, index, cpu: a.into(), gpu: b.into(), difference, limit };
            // The first one that differs counts more than any that agrees, whatever the difference (of -0 and 0).
            let first_outside = !agree && outside == 1;
            if first_outside || self.worst.is_none_or(|worst| element.excess() > worst.excess()) {
                self.worst = Some(element);
            }
        }
        match self.worst {
            Some(Element { index, difference, limit, .. }) if outside > 0 => Err(format!(
                "{outside} of {} elements differ, the worst at {index} ({run}): cpu {:?}, gpu {:?}, {difference:e} apart, limit {limit:e}",
                cpu.len(),
                cpu[index],
                gpu[index],
            )),
            _ => Ok(()),
        }
    }

    fn most_elements(
        &mut self,
        cpu: &[f32],
        gpu: &[f32],
        group: usize,
        tolerance: Tolerance,
        share: f64,
        run: Run,
    ) -> Result<(), String> {
        all_written(cpu, gpu, f32::to_bits)?;
        let differs = |at: &usize| !tolerance.verdict(cpu[*at], gpu[*at]).agree;
        let groups = cpu.len() / group;
        let outside: Vec<usize> = (0..groups).filter_map(|n| (n * group..(n + 1) * group).find(differs)).collect();
        let limit = (share * groups as f64).floor();
        let Some(&index) = outside.first().or((groups > 0).then_some(&0)) else { return Ok(()) };
        let (a, b, difference) = (cpu[index], gpu[index], outside.len() as f64);
        self.worst = Some(Element { run, index, cpu: a.into(), gpu: b.into(), difference, limit });
        if difference <= limit {
            return Ok(());
        }
        let many = outside.len();
        Err(format!(
            "{many} of {groups} elements differ, {limit} may; the first at number {index} ({run}): cpu {a:?}, gpu {b:?}"
        ))
    }

    /// Takes over what another seed gave for the same output, if it is worse.
    pub(super) fn merge(&mut self, other: Self) {
        let rank = |c: &Self| (c.fault.is_some(), c.worst.map_or(-1.0, |worst| worst.excess()));
        if rank(&other) > rank(self) {
            *self = other;
        }
    }
}

/// An error unless the lengths are the same and every element was written on both.
fn all_written<T: Copy>(cpu: &[T], gpu: &[T], bits: impl Fn(T) -> u32) -> Result<(), String> {
    if cpu.len() != gpu.len() {
        return Err(format!("lengths differ: cpu {}, gpu {}", cpu.len(), gpu.len()));
    }
    for (values, name) in [(cpu, "cpu"), (gpu, "gpu")] {
        let left: Vec<usize> = (0..values.len()).filter(|&at| bits(values[at]) == SENTINEL).collect();
        if let Some(first) = left.first() {
            return Err(format!("{} elements were never written on the {name}, the first at {first}", left.len()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(values: &[f32], tolerance: Tolerance) -> Outputs {
        let mut out = Outputs::default();
        out.f32("x", values.to_vec(), tolerance);
        out
    }

    fn fault(cpu: &Outputs, gpu: &Outputs) -> Option<String> {
        cpu.compare(gpu, 3).unwrap().into_iter().find_map(|c| c.fault)
    }

    #[test]
    fn the_comparator_can_fail() {
        let base = [1.0, -2.0, 0.0, 1e10];
        for t in [Tolerance::Exact, Tolerance::Absolute(1e-3), Tolerance::Relative(1e-6)] {
            assert_eq!(fault(&outputs(&base, t), &outputs(&base, t)), None);
            let mut perturbed = base;
            perturbed[1] += 0.01;
            assert!(fault(&outputs(&base, t), &outputs(&perturbed, t)).is_some(), "{t:?} misses a perturbation");
            perturbed[1] = f32::NAN;
            assert!(fault(&outputs(&base, t), &outputs(&perturbed, t)).is_some(), "{t:?} accepts a NaN");
            assert!(
                fault(&outputs(&perturbed, t), &outputs(&perturbed, t)).is_some(),
                "{t:?} accepts NaN on both sides"
            );
            assert!(fault(&outputs(&base, t), &outputs(&base[..3], t)).is_some(), "{t:?} accepts a short output");
        }
        let exact = |x: f32| outputs(&[x], Tolerance::Exact);
        assert!(fault(&exact(0.0), &exact(-0.0)).is_some(), "the sign of a zero is a bit");
        assert!(outputs(&base, Tolerance::Exact).compare(&Outputs::default(), 0).is_err(), "an output is missing");
    }

    #[test]
    fn the_worst_element_is_named() {
        let (a, b) = ([1.0, 1.0, 100.0, 5.0], [1.0, 1.1, 101.0, 5.0]);
        let t = Tolerance::Relative(0.02);
        let found = outputs(&a, t).compare(&outputs(&b, t), 3).unwrap().remove(0);
        let worst = found.worst.unwrap();
        assert_eq!((worst.index, worst.run.seed, worst.cpu), (1, 3, 1.0), "100 and 101 are within their limit");
        assert!((worst.difference - 0.1).abs() < 1e-6 && (worst.limit - 0.022).abs() < 1e-6, "{worst:?}");
        assert!(
            found
                .fault
                .unwrap()
                .starts_with("1 of 4 elements differ, the worst at 1 (seed 3, round 0): cpu 1.0, gpu 1.1")
        );
        let mut merged = outputs(&a, t).compare(&outputs(&a, t), 0).unwrap().remove(0);
        merged.merge(outputs(&a, t).compare(&outputs(&b, t), 1).unwrap().remove(0));
        merged.merge(outputs(&a, t).compare(&outputs(&a, t), 2).unwrap().remove(0));
        assert_eq!(merged.worst.unwrap().run.seed, 1);
        assert!(merged.fault.is_some());
    }

    #[test]
    fn denormals_are_zeros_and_nothing_else_is() {
        let (denormal, normal) = (7e-45_f32, f32::MIN_POSITIVE);
        for t in [Tolerance::Exact, Tolerance::Absolute(0.0), Tolerance::Relative(1e-6)] {
            for zero in [0.0, -0.0] {
                assert_eq!(fault(&outputs(&[denormal], t), &outputs(&[zero], t)), None, "{t:?}");
                assert_eq!(fault(&outputs(&[zero], t), &outputs(&[-denormal], t)), None, "{t:?}");
                assert!(fault(&outputs(&[normal], t), &outputs(&[zero], t)).is_some(), "{t:?}");
            }
        }
        let exact = |x: f32| outputs(&[x], Tolerance::Exact);
        assert!(fault(&exact(denormal), &exact(2.0 * denormal)).is_some(), "no copy gives another denormal");
    }

    #[test]
    fn equal_infinities_are_no_distance_apart() {
        let of = |x: f32| outputs(&[x], Tolerance::Exact);
        let same = of(f32::INFINITY).compare(&of(f32::INFINITY), 0).unwrap().remove(0);
        assert_eq!((same.fault, same.worst.unwrap().difference), (None, 0.0));
        assert!(fault(&of(f32::INFINITY), &of(f32::NEG_INFINITY)).is_some());
    }

    #[test]
    fn words_that_were_never_written_are_found() {
        let t = Tolerance::Absolute(1.0);
        let (written, left) = (outputs(&[1.0, 2.0], t), outputs(&[1.0, f32::from_bits(SENTINEL)], t));
        for (cpu, gpu, name) in [(&written, &left, "gpu"), (&left, &written, "cpu"), (&left, &left, "cpu")] {
            let found = fault(cpu, gpu).unwrap();
            assert_eq!(found, format!("1 elements were never written on the {name}, the first at 1"));
        }
        let mut words = Outputs::default();
        words.u32("x", vec![SENTINEL]);
        assert!(fault(&words, &words).is_some());
    }

    #[test]
    fn few_pixels_may_differ_and_no_more() {
        let picture = |wrong: usize| {
            let mut pixels = vec![[1.0; 4]; 200];
            pixels.iter_mut().skip(7).take(wrong).for_each(|pixel| pixel[2] = 1.5);
            let mut out = Outputs::default();
            out.most_of_f32("picture", &pixels, Tolerance::Absolute(0.1), 0.01);
            out
        };
        assert_eq!(fault(&picture(0), &picture(2)), None);
        let found = picture(0).compare(&picture(3), 0).unwrap().remove(0);
        let worst = found.worst.unwrap();
        assert_eq!((worst.difference, worst.limit, worst.index), (3.0, 2.0, 4 * 7 + 2));
        assert!(found.fault.unwrap().starts_with("3 of 200 elements differ, 2 may"));
    }
}
