//! Settings of spray, mist and foam.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Most particles at a time.
pub const MOST_PARTICLES: u32 = 2_000_000;
/// Most drops that are made at one place at once.
pub const MOST_PER_TRIAL: u32 = 64;

/// A setting of whitewater is out of its range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{setting}` of the whitewater must be {range}")]
pub struct WhitewaterSettingError {
    /// Which one.
    pub setting: &'static str,
    /// What it may be.
    pub range: String,
}

/// `[whitewater]`: spray, mist and foam over three-dimensional water. There is none without this table; an empty one
/// takes the defaults.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Whitewater")]
pub struct WhitewaterSettings {
    /// Most particles at a time. When all are in use no new ones are made.
    #[schemars(range(min = 1, max = MOST_PARTICLES))]
    pub capacity: u32,
    /// Depth below the surface from which drops may come.
    #[schemars(range(min = 0.01, max = 8), extend("x-unit" = "cells"))]
    pub generate: f64,
    /// How often drops are thrown off where water surely breaks, for each place on the surface. 0: only water that the
    /// level set loses makes drops.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "1/s"))]
    pub breaking: f64,
    /// Change of the velocity from cell to cell at which water begins to break, in √(g Δx). At three times that it
    /// surely breaks.
    #[schemars(range(min = 0.01, max = 100))]
    pub breaks_at: f64,
    /// Drops that are made at a place where water leaves the surface.
    #[schemars(range(min = 1, max = MOST_PER_TRIAL))]
    pub per_trial: u32,
    /// Largest change of a new drop's velocity, as a share of its speed.
    #[schemars(range(min = 0, max = 10))]
    pub noise: f64,
    /// Drag of the air on spray.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "1/s"))]
    pub spray_drag: f64,
    /// Longest time that a drop flies.
    #[schemars(range(min = 0.001, max = 1e6), extend("x-unit" = "s"))]
    pub spray_life: f64,
    /// Share of new drops that are mist.
    #[schemars(range(min = 0, max = 1))]
    pub mist_share: f64,
    /// Drag of the air on mist.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "1/s"))]
    pub mist_drag: f64,
    /// Share of the drops that become foam where they fall into the water.
    #[schemars(range(min = 0, max = 1))]
    pub foam_share: f64,
    /// Mean time that a foam particle lives.
    #[schemars(range(min = 0.001, max = 1e6), extend("x-unit" = "s"))]
    pub foam_life: f64,
    /// Time in which white water fades to a third.
    #[schemars(range(min = 0.001, max = 1e6), extend("x-unit" = "s"))]
    pub foam_decay: f64,
    /// Share of a column's surface that a landing drop whitens.
    #[schemars(range(min = 0, max = 1))]
    pub foam_cover: f64,
    /// Mean radius of drops.
    #[schemars(range(min = 0.002, max = 0.3), extend("x-unit" = "cells"))]
    pub drop_radius: f64,
    /// Drops take their volume out of the water and bring it back.
    pub mass: bool,
    /// Of the random numbers.
    pub seed: u32,
}

impl Default for WhitewaterSettings {
    fn default() -> Self {
        Self {
            capacity: 200_000,
            generate: 1.0,
            breaking: 25.0,
            breaks_at: 0.4,
            per_trial: 10,
            noise: 0.25,
            spray_drag: 0.3,
            spray_life: 10.0,
            mist_share: 0.1,
            mist_drag: 3.0,
            foam_share: 0.2,
            foam_life: 3.0,
            foam_decay: 3.0,
            foam_cover: 0.003,
            drop_radius: 0.09,
            mass: false,
            seed: 0,
        }
    }
}

impl WhitewaterSettings {
    /// What the schema says of the ranges, for settings that come from elsewhere than a scene file.
    ///
    /// # Errors
    /// The first value out of its range.
    pub fn check(&self) -> Result<(), WhitewaterSettingError> {
        let refuse = |setting, range: &str| Err(WhitewaterSettingError { setting, range: range.into() });
        if !(1..=MOST_PARTICLES).contains(&self.capacity) {
            return refuse("capacity", "from 1 to 2000000");
        }
        if !(1..=MOST_PER_TRIAL).contains(&self.per_trial) {
            return refuse("per_trial", "from 1 to 64");
        }
        for (setting, value, low, high) in [
            ("generate", self.generate, 0.01, 8.0),
            ("breaking", self.breaking, 0.0, 1e3),
            ("breaks_at", self.breaks_at, 0.01, 100.0),
            ("noise", self.noise, 0.0, 10.0),
            ("spray_drag", self.spray_drag, 0.0, 1e3),
            ("spray_life", self.spray_life, 1e-3, 1e6),
            ("mist_share", self.mist_share, 0.0, 1.0),
            ("mist_drag", self.mist_drag, 0.0, 1e3),
            ("foam_share", self.foam_share, 0.0, 1.0),
            ("foam_life", self.foam_life, 1e-3, 1e6),
            ("foam_decay", self.foam_decay, 1e-3, 1e6),
            ("foam_cover", self.foam_cover, 0.0, 1.0),
            ("drop_radius", self.drop_radius, 0.002, 0.3),
        ] {
            if !(low..=high).contains(&value) {
                return refuse(setting, &format!("from {low} to {high}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The settings with one of them set to a value, if it may be; `None` if the type does not take it.
    fn checked(name: &str, value: &Value) -> Option<Result<(), WhitewaterSettingError>> {
        let mut settings = serde_json::to_value(WhitewaterSettings::default()).expect("serialises");
        settings[name] = value.clone();
        serde_json::from_value::<WhitewaterSettings>(settings).ok().map(|settings| settings.check())
    }

    #[test]
    fn ranges_are_those_of_the_schema() {
        let schema = serde_json::to_value(schemars::schema_for!(WhitewaterSettings)).expect("serialises");
        let ranges = schema["properties"].as_object().expect("properties");
        let mut held = 0;
        for (name, property) in ranges.iter().filter(|(name, _)| *name != "seed" && *name != "mass") {
            for (bound, beyond) in [("minimum", -1.0), ("maximum", 1.0)] {
                let number = property[bound].as_f64().unwrap_or_else(|| panic!("{name} has no {bound}"));
                let whole = property["type"] == "integer";
                let [at, out] = [number, number + beyond].map(|v| if whole { json!(v as i64) } else { json!(v) });
                assert_eq!(checked(name, &at), Some(Ok(())), "{name} at its {bound}");
                assert!(checked(name, &out).is_none_or(|result| result.is_err()), "{name} beyond its {bound}");
                held += 1;
            }
        }
        assert_eq!(held, 30);
    }

    #[test]
    fn an_empty_table_takes_the_defaults() {
        assert_eq!(serde_json::from_str::<WhitewaterSettings>("{}").ok(), Some(WhitewaterSettings::default()));
        assert!(WhitewaterSettings { noise: f64::NAN, ..Default::default() }.check().is_err());
    }
}
