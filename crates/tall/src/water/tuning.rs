//! Settings that can change while the water runs.

use crate::error::{Result, TallError};
use crate::water::TallWater;

/// Settings that can change between two steps; see [`Options`](crate::Options) for what they mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// Gravity, m/s², downwards, more than 0 and at most 1000. Water with open sides keeps the one it began with: their
    /// waves were made for it.
    pub gravity: f64,
    /// Whether drift of the volume is put right.
    pub hold_volume: bool,
    /// Steps between reinitialisations of the level set, 1 to 1000.
    pub reinitialise_every: u64,
    /// Residual of the pressure solve as a share of the largest right-hand side, 10⁻⁷ to 0.1.
    pub tolerance: f32,
    /// Most iterations of the pressure solve, from 1 to [`Self::most_iterations`].
    pub iterations: usize,
    /// Those that the solver has memory for; cannot be changed.
    pub most_iterations: usize,
    /// Most cells that water crosses in a step, more than 0 and at most 10.
    pub max_cfl: f64,
    /// Whether the level set is read by cubics near the surface.
    pub cubic_surface: bool,
}

impl TallWater {
    /// The settings as they are.
    pub fn tuning(&self) -> Tuning {
        let options = &self.options;
        Tuning {
            gravity: options.gravity,
            hold_volume: options.hold_volume,
            reinitialise_every: options.reinitialise_every,
            tolerance: options.tolerance,
            iterations: options.iterations,
            most_iterations: self.most_iterations(),
            max_cfl: options.max_cfl,
            cubic_surface: options.cubic_surface,
        }
    }

    /// Changes settings from the next step on; a value out of its range changes nothing.
    pub fn tune(&mut self, tuning: Tuning) -> Result<()> {
        let refuse = |setting: &'static str, range: String| Err(TallError::Setting { setting, range });
        let most = self.most_iterations();
        if !(tuning.gravity > 0.0 && tuning.gravity <= 1000.0) {
            return refuse("gravity", "more than 0 and at most 1000 m/s²".into());
        }
        if tuning.gravity != self.options.gravity && self.stages.exchange.has_zones() {
            return refuse(
                "gravity",
                format!("{} m/s² here, for its open sides were made for it", self.options.gravity),
            );
        }
        if !(1..=1000).contains(&tuning.reinitialise_every) {
            return refuse("reinitialise_every", "from 1 to 1000".into());
        }
        if !(1e-7..=0.1).contains(&tuning.tolerance) {
            return refuse("pressure_tolerance", "from 1e-7 to 0.1".into());
        }
        if !(1..=most).contains(&tuning.iterations) {
            return refuse("pressure_iterations", format!("from 1 to {most}, as many as the water began with"));
        }
        if !(tuning.max_cfl > 0.0 && tuning.max_cfl <= 10.0) {
            return refuse("max_cfl", "more than 0 and at most 10".into());
        }
        let options = &mut self.options;
        options.gravity = tuning.gravity;
        options.hold_volume = tuning.hold_volume;
        options.reinitialise_every = tuning.reinitialise_every;
        options.tolerance = tuning.tolerance;
        options.iterations = tuning.iterations;
        options.max_cfl = tuning.max_cfl;
        options.cubic_surface = tuning.cubic_surface;
        self.planning.iterations = self.planning.iterations.min(tuning.iterations);
        Ok(())
    }

    /// Iterations that the pressure solver has memory for.
    pub(crate) fn most_iterations(&self) -> usize {
        self.stages.projection.solver().options().iterations
    }
}

#[cfg(test)]
mod tests {
    use thalweg_columns::Shape;
    use thalweg_compute::parity::own_test_executors;

    use super::*;
    use crate::{Exchange, Options, Setup, Side, Sides};

    /// A column of water that falls: `[water, the same with an open side]`.
    fn falling() -> [TallWater; 2] {
        let setup = Setup {
            shape: Shape { nx: 24, nz: 1, regular: 30 },
            cell: 0.1,
            height: 3.0,
            terrain: &[0.0; 24],
            level_set: &|[x, y, _]| (x - 1.0).abs().max((y - 2.0).abs()) - 0.4,
            obstacles: &[],
            velocity: [0.0; 2],
            options: Options { band: None, ..Default::default() },
        };
        let exec = own_test_executors().remove(0);
        let open = Exchange { sides: Sides { west: Side::Outflow, ..Sides::default() }, ..Exchange::default() };
        let with = |exchange: &Exchange| TallWater::with_exchange(exec.clone(), &setup, exchange).expect("water");
        [with(&Exchange::default()), with(&open)]
    }

    #[test]
    fn gravity_acts_from_the_next_step_on() {
        let [mut water, mut open] = falling();
        water.tune(Tuning { gravity: 1.62, ..water.tuning() }).expect("the moon");
        assert_eq!(water.tuning().gravity, 1.62);
        for _ in 0..5 {
            water.step(0.02).expect("a step");
        }
        let speed = f64::from(water.statistics().expect("sums").speed);
        assert!((speed - 1.62 * 0.1).abs() < 0.02, "{speed}");
        let refused = open.tune(Tuning { gravity: 1.62, ..open.tuning() });
        assert!(matches!(refused, Err(TallError::Setting { setting: "gravity", .. })), "{refused:?}");
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let [mut water, _] = falling();
        let good = water.tuning();
        for bad in [
            Tuning { gravity: 0.0, ..good },
            Tuning { gravity: f64::NAN, ..good },
            Tuning { reinitialise_every: 0, ..good },
            Tuning { tolerance: f32::NAN, ..good },
            Tuning { iterations: 0, ..good },
            Tuning { iterations: good.most_iterations + 1, ..good },
            Tuning { max_cfl: 0.0, ..good },
        ] {
            assert!(matches!(water.tune(bad), Err(TallError::Setting { .. })), "{bad:?}");
        }
        assert_eq!(water.tuning(), good);
        let fewer = Tuning { iterations: 1, max_cfl: 0.5, hold_volume: false, ..good };
        water.tune(fewer).expect("in range");
        assert_eq!(water.tuning(), fewer);
    }
}
