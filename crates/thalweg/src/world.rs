//! The water of a scene as a whole: the methods that move it, when each of them steps, and where all of it went.

use thalweg_compute::Later;
use thalweg_ledger::Ledger;
use thalweg_scene::Scene;

use crate::error::Error;
use crate::method::Method;

/// The members of a world, which share a scene, a clock and a ledger: one today.
///
/// It owns what concerns all of them. What concerns the water at a place is asked of the member that has the place, which
/// is the only one.
pub struct World {
    /// In the order of their steps.
    members: Vec<Box<dyn Method>>,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kinds = self.members.iter().map(|member| member.kind());
        f.debug_struct("World").field("members", &kinds.collect::<Vec<_>>()).field("time", &self.time()).finish()
    }
}

impl World {
    /// All water moved by one method.
    pub fn of(member: Box<dyn Method>) -> Self {
        Self { members: vec![member] }
    }

    /// The methods, in the order of their steps.
    pub fn members(&self) -> impl Iterator<Item = &dyn Method> {
        self.members.iter().map(|member| &**member)
    }

    /// The member that has all places.
    pub fn water(&self) -> &dyn Method {
        &*self.members[0]
    }

    /// The same, to change it.
    pub fn water_mut(&mut self) -> &mut dyn Method {
        &mut *self.members[0]
    }

    /// Simulated time, s: that of every member between two steps.
    pub fn time(&self) -> f64 {
        self.water().time()
    }

    /// Steps that succeeded since the start or the last restore.
    pub fn frames(&self) -> u64 {
        self.water().frames()
    }

    /// Goes on by `dt` seconds: the schedule. Every member takes the whole step, in as many sub-steps as it needs, one after
    /// the other.
    pub fn step(&mut self, scene: &Scene, dt: f64) -> Result<(), Error> {
        self.members.iter_mut().try_for_each(|member| member.advance(scene, dt))
    }

    /// Where all water went since the start: the sum of the members' ledgers.
    pub fn ledger_later(&mut self) -> Result<Later<Ledger, Error>, Error> {
        let mut sum = self.water_mut().ledger_later()?;
        for member in &mut self.members[1..] {
            let more = member.ledger_later()?;
            sum = Later::new(move || Ok(sum.wait()?.sum(&more.wait()?)?));
        }
        Ok(sum)
    }
}
