//! Accounts on the host.

use crate::account::{Account, Quantity};
use crate::error::LedgerError;
use crate::transfer::turnover;
use crate::word;

/// Accounts hold less than 2¹²⁶ quanta, so that sums and differences of two fit into 128 bits.
const MOST: u128 = 1 << 126;
/// Words of an account in [`Ledger::to_words`].
const SAVED_WORDS: usize = 8;

/// What an account has received and given since the ledger was opened, in quanta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Turnover {
    /// Credited to it.
    pub received: u128,
    /// Debited from it.
    pub given: u128,
}

impl Turnover {
    /// What it holds.
    pub fn balance(self) -> i128 {
        // Both are less than 2¹²⁶.
        self.received as i128 - self.given as i128
    }
}

/// The accounts of one quantity.
#[derive(Debug, Clone, PartialEq)]
struct Accounts {
    quantum: f64,
    /// A bit per account.
    kept: u32,
    turnovers: [Turnover; word::ACCOUNTS as usize],
}

impl Accounts {
    fn new(quantum: f64, kept: &[Account]) -> Self {
        let kept = kept.iter().fold(0, |kept, account| kept | 1 << account.number());
        Self { quantum, kept, turnovers: Default::default() }
    }

    fn keeps(&self, account: Account) -> bool {
        self.kept >> account.number() & 1 == 1
    }

    fn listed(&self) -> impl Iterator<Item = Account> {
        Account::ALL.into_iter().filter(|account| self.keeps(*account))
    }

    fn of(&self, account: Account) -> Turnover {
        self.turnovers[account.number() as usize]
    }
}

/// Where an amount was, and where it went: accounts by [`Quantity`], of which [`Self::transfer`] alone moves anything.
///
/// An account that a method does not keep is absent, which is not the same as empty.
///
/// ```
/// use thalweg_ledger::{Account, Ledger, Quantity};
///
/// let mut ledger = Ledger::of_mass(0.5, &[Account::Water, Account::Rain, Account::Sources]);
/// ledger.transfer(Quantity::Mass, Account::Rain, Account::Water, 7)?;
/// ledger.transfer(Quantity::Mass, Account::Water, Account::Sources, 3)?;
/// assert_eq!((ledger.added(), ledger.removed()), (3.5, 1.5));
/// assert_eq!(ledger.balance(Quantity::Mass, Account::Water), Some(4));
/// assert_eq!(ledger.balance(Quantity::Mass, Account::Whitewater), None);
/// # Ok::<(), thalweg_ledger::LedgerError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    quantities: [Option<Accounts>; Quantity::ALL.len()],
}

impl Ledger {
    /// Empty accounts of mass, of which a quantum is so many m³.
    pub fn of_mass(quantum: f64, kept: &[Account]) -> Self {
        Self { quantities: Default::default() }.keeping(Quantity::Mass, quantum, kept)
    }

    /// With empty accounts of another quantity.
    #[must_use]
    pub fn keeping(mut self, quantity: Quantity, quantum: f64, kept: &[Account]) -> Self {
        self.quantities[quantity as usize] = Some(Accounts::new(quantum, kept));
        self
    }

    /// Accounts of mass as an executor has them, see [`crate::word`].
    pub(crate) fn of_words(mut self, words: &[u32]) -> Result<Self, LedgerError> {
        match words[word::REFUSED as usize] {
            0 => {}
            count => return Err(LedgerError::Refused { count }),
        }
        if let Some(accounts) = &mut self.quantities[Quantity::Mass as usize] {
            for (account, entry) in (0..).zip(&mut accounts.turnovers) {
                let [received, given] = turnover(words, account).map(u128::from);
                *entry = Turnover { received, given };
            }
        }
        Ok(self)
    }

    fn accounts(&self, quantity: Quantity) -> Option<&Accounts> {
        self.quantities[quantity as usize].as_ref()
    }

    /// What a quantum is, in the unit of the quantity; `None` if it is not kept.
    pub fn quantum(&self, quantity: Quantity) -> Option<f64> {
        self.accounts(quantity).map(|accounts| accounts.quantum)
    }

    /// The accounts that are kept of a quantity.
    pub fn kept(&self, quantity: Quantity) -> impl Iterator<Item = Account> {
        self.accounts(quantity).into_iter().flat_map(Accounts::listed)
    }

    /// What an account has received and given; `None` if it is not kept.
    pub fn turnover(&self, quantity: Quantity, account: Account) -> Option<Turnover> {
        let accounts = self.accounts(quantity).filter(|accounts| accounts.keeps(account))?;
        Some(accounts.of(account))
    }

    /// What an account holds, in quanta; `None` if it is not kept.
    pub fn balance(&self, quantity: Quantity, account: Account) -> Option<i128> {
        self.turnover(quantity, account).map(Turnover::balance)
    }

    /// What an account holds, in the unit of the quantity; `None` if it is not kept.
    pub fn amount(&self, quantity: Quantity, account: Account) -> Option<f64> {
        Some(self.balance(quantity, account)? as f64 * self.quantum(quantity)?)
    }

    /// The sum of all balances of a quantity, in quanta: zero, whatever was moved.
    pub fn imbalance(&self, quantity: Quantity) -> i128 {
        let turnovers = self.accounts(quantity).into_iter().flat_map(|accounts| &accounts.turnovers);
        turnovers.map(|turnover| turnover.balance()).sum()
    }

    /// Moves an amount, in quanta; a negative one goes the other way. Nothing else changes an account.
    ///
    /// # Errors
    /// If an account is not kept, or cannot hold what it gets; then nothing has moved.
    pub fn transfer(&mut self, of: Quantity, from: Account, to: Account, amount: i128) -> Result<(), LedgerError> {
        let (from, to) = if amount < 0 { (to, from) } else { (from, to) };
        let amount = amount.unsigned_abs();
        for account in [from, to] {
            if self.turnover(of, account).is_none() {
                return Err(LedgerError::NotKept { quantity: of, account });
            }
        }
        let Some(accounts) = &mut self.quantities[of as usize] else { return Ok(()) };
        let sum = |before: u128, account| {
            before.checked_add(amount).filter(|sum| *sum < MOST).ok_or(LedgerError::Full { account })
        };
        let given = sum(accounts.of(from).given, from)?;
        let received = sum(accounts.of(to).received, to)?;
        accounts.turnovers[from.number() as usize].given = given;
        accounts.turnovers[to.number() as usize].received = received;
        Ok(())
    }

    /// Mass that came from outside, in quanta.
    pub fn added_quanta(&self) -> u128 {
        self.outside().map(|turnover| turnover.given).sum()
    }

    /// Mass that went outside, in quanta.
    pub fn removed_quanta(&self) -> u128 {
        self.outside().map(|turnover| turnover.received).sum()
    }

    fn outside(&self) -> impl Iterator<Item = Turnover> {
        let accounts = self.accounts(Quantity::Mass);
        accounts.into_iter().flat_map(|all| all.listed().filter(|of| of.is_outside()).map(|of| all.of(of)))
    }

    /// Volume that came from outside since the ledger was opened, m³.
    pub fn added(&self) -> f64 {
        self.added_quanta() as f64 * self.quantum(Quantity::Mass).unwrap_or_default()
    }

    /// Volume that went outside since the ledger was opened, m³.
    pub fn removed(&self) -> f64 {
        self.removed_quanta() as f64 * self.quantum(Quantity::Mass).unwrap_or_default()
    }

    /// Volume that should be in the domain, m³: in the water, in drops, in particles. `None` without
    /// [`Account::Opening`]: then only changes are known.
    pub fn expected(&self) -> Option<f64> {
        let accounts = self.accounts(Quantity::Mass).filter(|accounts| accounts.keeps(Account::Opening))?;
        let inside = accounts.listed().filter(|account| account.is_inside());
        let quanta: i128 = inside.map(|account| accounts.of(account).balance()).sum();
        Some(quanta as f64 * accounts.quantum)
    }

    /// Moves volumes (m³) that are known as floating-point numbers: each pair is what `outside` gives to the water and
    /// what it receives from it.
    ///
    /// Each is rounded to the last digit of the f64 total that it joins ([`Self::added`] or [`Self::removed`]), and the
    /// account holds exactly what that total has changed by. So totals are those of a plain sum in f64, as far as f64
    /// and the quantum reach, and accounts add up to them without any error.
    ///
    /// # Errors
    /// As [`Self::transfer`]; and if a sum is not finite.
    pub fn exchange(
        &mut self,
        outside: Account,
        volumes: impl IntoIterator<Item = [f64; 2]>,
    ) -> Result<(), LedgerError> {
        let (mut added, mut removed) = (self.added(), self.removed());
        for [given, received] in volumes {
            added += given;
            removed += received;
        }
        let added = self.quanta(added, outside)? - self.added_quanta() as i128;
        let removed = self.quanta(removed, outside)? - self.removed_quanta() as i128;
        self.transfer(Quantity::Mass, outside, Account::Water, added)?;
        self.transfer(Quantity::Mass, Account::Water, outside, removed)
    }

    /// The nearest number of quanta of mass.
    fn quanta(&self, volume: f64, account: Account) -> Result<i128, LedgerError> {
        let of = Quantity::Mass;
        let quanta = (volume / self.quantum(of).ok_or(LedgerError::NotKept { quantity: of, account })?).round();
        match quanta {
            _ if !quanta.is_finite() => Err(LedgerError::NotFinite { account }),
            _ if quanta.abs() >= MOST as f64 => Err(LedgerError::Full { account }),
            _ => Ok(quanta as i128),
        }
    }

    /// The accounts of two bodies of water as one. An account is kept if either keeps it; the opening, if both do.
    ///
    /// # Errors
    /// If they count a quantity in different quanta, or an account cannot hold the sum.
    pub fn sum(&self, other: &Self) -> Result<Self, LedgerError> {
        let mut all = self.clone();
        for (sum, more) in all.quantities.iter_mut().zip(&other.quantities) {
            let (Some(own), Some(more)) = (&mut *sum, more) else {
                *sum = None; // of one of them nothing is known
                continue;
            };
            if own.quantum != more.quantum {
                return Err(LedgerError::Quanta(own.quantum, more.quantum));
            }
            let opening = 1 << word::OPENING;
            own.kept = (own.kept | more.kept) & !opening | own.kept & more.kept & opening;
            for (account, (own, more)) in Account::ALL.into_iter().zip(own.turnovers.iter_mut().zip(&more.turnovers)) {
                own.received += more.received;
                own.given += more.given;
                if own.received.max(own.given) >= MOST {
                    return Err(LedgerError::Full { account });
                }
            }
        }
        Ok(all)
    }

    /// All accounts as words, for a snapshot.
    pub fn to_words(&self) -> Vec<u32> {
        let turnovers = self.quantities.iter().flatten().flat_map(|accounts| &accounts.turnovers);
        let numbers = turnovers.flat_map(|turnover| [turnover.received, turnover.given]);
        numbers.flat_map(|number| (0..4).map(move |n| (number >> (32 * n)) as u32)).collect()
    }

    /// Takes up the words of a ledger of the same quantities and quanta.
    ///
    /// # Errors
    /// If they are not those of such a ledger, or if its accounts do not add up to zero; then nothing has changed.
    pub fn restore(&mut self, words: &[u32]) -> Result<(), LedgerError> {
        let wanted = self.quantities.iter().flatten().count() * word::ACCOUNTS as usize * SAVED_WORDS;
        if words.len() != wanted {
            return Err(LedgerError::Words("a ledger of other accounts was saved"));
        }
        let number = |words: &[u32]| words.iter().rev().fold(0u128, |number, word| number << 32 | u128::from(*word));
        let mut saved = self.clone();
        let entries = saved.quantities.iter_mut().flatten().flat_map(|accounts| &mut accounts.turnovers);
        for (turnover, words) in entries.zip(words.chunks_exact(SAVED_WORDS)) {
            *turnover = Turnover { received: number(&words[..4]), given: number(&words[4..]) };
            if turnover.received.max(turnover.given) >= MOST {
                return Err(LedgerError::Words("an account of the saved ledger holds more than it can"));
            }
        }
        if Quantity::ALL.iter().any(|quantity| saved.imbalance(*quantity) != 0) {
            return Err(LedgerError::Words("the accounts of the saved ledger do not add up to zero"));
        }
        *self = saved;
        Ok(())
    }
}

/// A quantum of mass (m³) for a method that knows its volumes as floating-point numbers: a power of two, 2⁻⁹⁶ m of
/// depth on an area (m²) or less than twice that. Accounts then hold 2³⁰ m of water over all of it, and f64 totals
/// of more than 2⁻⁴⁴ m keep their bits ([`Ledger::exchange`]).
pub fn quantum_on(area: f64) -> f64 {
    let exponent = (area.max(f64::MIN_POSITIVE).log2().ceil() - 96.0).clamp(-900.0, 900.0);
    2.0f64.powi(exponent as i32)
}
