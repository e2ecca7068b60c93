//! Numbers of the accounts, and the layout of a ledger in memory of an executor.

thalweg_wesl::constants! {
    /// `Account::Water`
    pub const WATER: u32 = 0;
    /// `Account::Opening`
    pub const OPENING: u32 = 1;
    /// `Account::Whitewater`
    pub const WHITEWATER: u32 = 2;
    /// `Account::Particles`
    pub const PARTICLES: u32 = 3;
    /// `Account::Rain`
    pub const RAIN: u32 = 4;
    /// `Account::Sources`
    pub const SOURCES: u32 = 5;
    /// `Account::West`; the other sides follow it: high x, low z, high z.
    pub const SIDES: u32 = 6;
    /// `Account::Solids`
    pub const SOLIDS: u32 = 10;
    /// `Account::Sprayed`
    pub const SPRAYED: u32 = 11;
    /// `Account::Outside`
    pub const OUTSIDE: u32 = 12;
    /// How many there are.
    pub const ACCOUNTS: u32 = 13;

    /// Transfers that were refused because an account could not hold them.
    pub const REFUSED: u32 = 0;
    /// First word of the accounts.
    pub const FIRST: u32 = 1;
    /// In the words of an account: 64 bits of what it has received, low word first.
    pub const RECEIVED: u32 = 0;
    /// The same of what it has given.
    pub const GIVEN: u32 = 2;
    /// Words of an account.
    pub const ACCOUNT_WORDS: u32 = 4;
    /// Words of the accounts of one quantity, and those before them.
    pub const WORDS: u32 = FIRST + ACCOUNT_WORDS * ACCOUNTS;
}
