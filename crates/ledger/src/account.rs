//! What an account stands for.

use crate::word;

/// Where an amount can be, and where it can come from or go to.
///
/// A transfer debits one of them and credits another, so that all balances of a quantity add up to zero at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Account {
    /// The water of the method itself: in its cells or columns.
    Water = word::WATER,
    /// What was there when the ledger was opened: the counterpart of the first balance of [`Self::Water`].
    Opening = word::OPENING,
    /// Water in the air as drops that carry mass.
    Whitewater = word::WHITEWATER,
    /// Water that particles carry.
    Particles = word::PARTICLES,
    /// Rain, and evaporation while its rate is negative.
    Rain = word::RAIN,
    /// Sources, and drains while their rates are negative.
    Sources = word::SOURCES,
    /// The side of low x: inflow, outflow, waves, held levels, and the absorbing layer in front of it.
    West = word::SIDES,
    /// The side of high x.
    East = word::SIDES + 1,
    /// The side of low z.
    South = word::SIDES + 2,
    /// The side of high z.
    North = word::SIDES + 3,
    /// Solids that were put into the water, or taken out of it, between two steps.
    Solids = word::SOLIDS,
    /// Drops that flew out of the domain.
    Sprayed = word::SPRAYED,
    /// All of the outside, where a method does not tell sides, sources and rain apart.
    Outside = word::OUTSIDE,
}

impl Account {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; word::ACCOUNTS as usize] = [
        Self::Water,
        Self::Opening,
        Self::Whitewater,
        Self::Particles,
        Self::Rain,
        Self::Sources,
        Self::West,
        Self::East,
        Self::South,
        Self::North,
        Self::Solids,
        Self::Sprayed,
        Self::Outside,
    ];

    /// The sides in their usual order: low x, high x, low z, high z.
    pub const SIDES: [Self; 4] = [Self::West, Self::East, Self::South, Self::North];

    /// Its number in kernels.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Whether what it holds is in the domain.
    pub const fn is_inside(self) -> bool {
        matches!(self, Self::Water | Self::Whitewater | Self::Particles)
    }

    /// Whether it is beyond the domain: what it gives is added, what it receives is removed.
    pub const fn is_outside(self) -> bool {
        !self.is_inside() && !matches!(self, Self::Opening)
    }

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Opening => "opening",
            Self::Whitewater => "whitewater",
            Self::Particles => "particles",
            Self::Rain => "rain",
            Self::Sources => "sources",
            Self::West => "west",
            Self::East => "east",
            Self::South => "south",
            Self::North => "north",
            Self::Solids => "solids",
            Self::Sprayed => "sprayed",
            Self::Outside => "outside",
        }
    }
}

/// What is counted. Amounts are those of water by volume: times its density they are kg, kg·m/s and J.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Quantity {
    /// Mass as volume, m³.
    Mass,
    /// Momentum along x, m³·m/s.
    MomentumX,
    /// Momentum upwards, m³·m/s.
    MomentumY,
    /// Momentum along z, m³·m/s.
    MomentumZ,
    /// Energy, m³·m²/s².
    Energy,
}

impl Quantity {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [Self::Mass, Self::MomentumX, Self::MomentumY, Self::MomentumZ, Self::Energy];

    /// The number of an account of this quantity in kernels: the accounts of all quantities follow each other.
    pub const fn account(self, account: Account) -> u32 {
        self as u32 * word::ACCOUNTS + account.number()
    }
}

#[cfg(test)]
mod tests {
    use super::{Account, Quantity};

    #[test]
    fn accounts_are_numbered_in_order_and_belong_somewhere() {
        for (number, account) in (0..).zip(Account::ALL) {
            assert_eq!(account.number(), number, "{}", account.name());
            let places = [account.is_inside(), account.is_outside(), account == Account::Opening];
            assert_eq!(places.iter().filter(|is| **is).count(), 1, "{}", account.name());
        }
        let mut all: Vec<u32> =
            Quantity::ALL.iter().flat_map(|of| Account::ALL.map(|account| of.account(account))).collect();
        all.dedup();
        assert_eq!(all, (0..all.len() as u32).collect::<Vec<_>>());
    }
}
