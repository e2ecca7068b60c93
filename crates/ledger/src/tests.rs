use thalweg_compute::parity::{Rng, test_executors};

use crate::transfer::{balance, load, transfer, transfer_f32, turnover};
use crate::{Account, DeviceLedger, Ledger, LedgerError, PostParams, Quantity, post, quantum_on, word};

const MASS: Quantity = Quantity::Mass;

fn account(rng: &mut Rng) -> Account {
    Account::ALL[rng.below(word::ACCOUNTS) as usize]
}

/// Amounts of every size up to 2^bits, those next to a carry among them.
fn amount(rng: &mut Rng, bits: u32) -> u64 {
    let size = rng.below(bits + 1);
    let any = rng.next_u64() & ((1 << size) - 1);
    [any, (1 << size) - 1, 1 << size][rng.below(3) as usize]
}

#[test]
fn words_hold_what_integers_of_any_size_would() {
    let mut rng = Rng::new(1);
    let (mut words, mut wanted) = ([0; word::WORDS as usize], [0_i128; word::ACCOUNTS as usize]);
    for _ in 0..20_000 {
        let (from, to, amount) = (account(&mut rng), account(&mut rng), amount(&mut rng, 45));
        transfer(&mut words, from.number(), to.number(), amount);
        wanted[from.number() as usize] -= i128::from(amount);
        wanted[to.number() as usize] += i128::from(amount);
        assert_eq!(Account::ALL.map(|account| i128::from(balance(&words, account))), wanted);
    }
    assert_eq!((wanted.iter().sum::<i128>(), words[word::REFUSED as usize]), (0, 0));
    assert!(wanted.iter().any(|balance| *balance < -(1 << 32)), "balances of both signs: {wanted:?}");
}

#[test]
fn small_amounts_are_not_lost_in_large_ones_and_negative_ones_go_back() {
    let mut words = [0; word::WORDS as usize];
    transfer(&mut words, word::OPENING, word::WATER, 1_000_000_000 << 32);
    (0..1_000_000).for_each(|_| transfer_f32(&mut words, word::SOURCES, word::WATER, 1e-6));
    (0..500_000).for_each(|_| transfer_f32(&mut words, word::SOURCES, word::WATER, -1e-6));
    let [received, given] = turnover(&words, word::SOURCES).map(|quanta| quanta as f64 / 4_294_967_296.0);
    assert!((given - 1.0).abs() < 1e-3 && (received - 0.5).abs() < 1e-3, "{given} {received}");
    let gained = balance(&words, Account::Water) - (1_000_000_000 << 32);
    assert_eq!(gained, -balance(&words, Account::Sources));
    let mut back = words;
    for amount in [0.25, -0.75, 3.5e-9, 100_000_008.0] {
        transfer_f32(&mut back, word::RAIN, word::WATER, amount);
        transfer_f32(&mut back, word::RAIN, word::WATER, -amount);
    }
    assert_eq!(Account::ALL.map(|account| balance(&back, account)), Account::ALL.map(|of| balance(&words, of)));
    assert_eq!(back[word::REFUSED as usize], 0);
    // More can be asked of the water than there was.
    let mut little = [0; word::WORDS as usize];
    transfer_f32(&mut little, word::RAIN, word::WATER, 0.25);
    transfer_f32(&mut little, word::WATER, word::SOURCES, 1.5);
    assert_eq!(balance(&little, Account::Water), -5 << 30);
}

#[test]
fn what_does_not_fit_is_refused_and_counted() {
    let mut words = [0; word::WORDS as usize];
    let most = (1_u64 << 63) - 1;
    transfer(&mut words, word::OPENING, word::WATER, most);
    let before = words;
    transfer(&mut words, word::RAIN, word::WATER, 1);
    transfer(&mut words, word::RAIN, word::SOURCES, 1 << 63);
    for amount in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2_147_483_648.0, -1e20] {
        transfer_f32(&mut words, word::RAIN, word::SOURCES, amount);
    }
    assert_eq!(words[word::REFUSED as usize], 8);
    assert_eq!(words[word::FIRST as usize..], before[word::FIRST as usize..], "nothing has moved");
    let ledger = Ledger::of_mass(1.0, &Account::ALL);
    let refused = ledger.clone().of_words(&words).expect_err("eight were refused");
    assert!(matches!(refused, LedgerError::Refused { count: 8 }), "{refused}");
    let read = ledger.of_words(&before).expect("none was refused");
    assert_eq!(read.balance(MASS, Account::Water), Some(i128::from(most)));
}

#[test]
fn the_host_refuses_what_it_cannot_keep_and_changes_nothing() {
    let mut ledger = Ledger::of_mass(0.5, &[Account::Water, Account::Rain, Account::Opening]);
    ledger.transfer(MASS, Account::Rain, Account::Water, (1 << 126) - 1).expect("just fits");
    let before = ledger.clone();
    let full = ledger.transfer(MASS, Account::Opening, Account::Water, 1).expect_err("too much");
    assert!(matches!(full, LedgerError::Full { account: Account::Water }), "{full}");
    let unknown = ledger.transfer(MASS, Account::Water, Account::Sources, 1).expect_err("no such account");
    assert!(matches!(unknown, LedgerError::NotKept { account: Account::Sources, .. }), "{unknown}");
    ledger.transfer(Quantity::Energy, Account::Water, Account::Rain, 1).expect_err("energy is not kept");
    ledger.exchange(Account::Rain, [[f64::NAN, 0.0]]).expect_err("not a number");
    ledger.exchange(Account::Rain, [[0.0, 1e300]]).expect_err("too much");
    assert_eq!(ledger, before);
}

/// The hybrids to come: a grid, particles, drops, sources, drains and sides, and momentum and energy of all of them.
#[test]
fn a_hybrid_closes_to_the_last_quantum() {
    let mut rng = Rng::new(3);
    let mut ledger = Ledger::of_mass(1e-9, &Account::ALL);
    for quantity in &Quantity::ALL[1..] {
        ledger = ledger.keeping(*quantity, 1e-9, &Account::ALL);
    }
    ledger.transfer(MASS, Account::Opening, Account::Water, 1 << 40).expect("opened");
    for _ in 0..20_000 {
        let (of, from, to) = (Quantity::ALL[rng.below(5) as usize], account(&mut rng), account(&mut rng));
        let amount = i128::from(amount(&mut rng, 60));
        let amount = if rng.below(2) == 0 { -amount } else { amount };
        let balances = |ledger: &Ledger| [from, to].map(|account| ledger.balance(of, account).expect("kept"));
        let before = balances(&ledger);
        ledger.transfer(of, from, to, amount).expect("it fits");
        let moved = if from == to { 0 } else { amount };
        assert_eq!(balances(&ledger), [before[0] - moved, before[1] + moved]);
    }
    for of in Quantity::ALL {
        assert_eq!(ledger.imbalance(of), 0, "{of:?}");
    }
    let inside = [Account::Water, Account::Particles, Account::Whitewater];
    let inside: i128 = inside.iter().filter_map(|account| ledger.balance(MASS, *account)).sum();
    let opened = -ledger.balance(MASS, Account::Opening).expect("kept");
    let net = ledger.added_quanta() as i128 - ledger.removed_quanta() as i128;
    assert_eq!(inside, opened + net, "what is there is what was there, and what came less what went");
    assert_eq!(ledger.expected(), Some(inside as f64 * 1e-9));
}

#[test]
fn counted_amounts_are_posted_alike_on_every_executor() {
    const KEPT: &[Account] =
        &[Account::Water, Account::Opening, Account::Particles, Account::Whitewater, Account::Sprayed];
    for exec in test_executors() {
        let ledger = DeviceLedger::new(exec, "test.ledger", 2.0, KEPT).expect("memory");
        ledger.open(exec, 10.5).expect("opened");
        let mut rng = Rng::new(5);
        let mut wanted = Ledger::of_mass(2.0 / 4_294_967_296.0, KEPT);
        wanted.transfer(MASS, Account::Opening, Account::Water, 21 << 31).expect("opened");
        for _ in 0..20 {
            let words: Vec<u32> = (0..8).map(|n| if n % 2 == 0 { rng.next_u32() } else { rng.below(3) }).collect();
            let moves: Vec<_> = (0..4).map(|n| (KEPT[n % 5], KEPT[rng.below(5) as usize])).collect();
            for (n, (from, to)) in moves.iter().enumerate() {
                wanted.transfer(MASS, *from, *to, load(&words, 2 * n).into()).expect("it fits");
            }
            let amounts = exec.buffer_from("amounts", &words).expect("memory");
            let mut rec = exec.record();
            post(&mut rec, &amounts, ledger.words(), &PostParams::new(0, &moves)).expect("recorded");
            rec.submit().expect("run");
        }
        assert_eq!(
            ledger.read_later(exec).and_then(|later| later.wait()).expect("read"),
            wanted,
            "{}",
            exec.describe()
        );
    }
}

#[test]
fn volumes_in_floating_point_keep_the_bits_of_their_sum_and_close_in_integers() {
    let mut rng = Rng::new(7);
    let accounts = [Account::Water, Account::Rain, Account::West, Account::Sources];
    for area in [0.5, 96.0, 1e6, 3.7e9] {
        let mut ledger = Ledger::of_mass(quantum_on(area), &accounts);
        let mut sums = [0.0_f64; 2];
        for _ in 0..200 {
            let from = accounts[1 + rng.below(3) as usize];
            let size = (rng.range(-10.0, 1.0)).exp() * area as f32 * 1e-3;
            let volumes = rng.f32s(50, -size, size);
            let pairs = volumes.iter().map(|v| [f64::from(v.max(0.0)), f64::from((-v).max(0.0))]);
            for [given, received] in pairs.clone() {
                sums = [sums[0] + given, sums[1] + received];
            }
            ledger.exchange(from, pairs).expect("it fits");
            assert_eq!([ledger.added(), ledger.removed()].map(f64::to_bits), sums.map(f64::to_bits), "on {area} m²");
        }
        assert_eq!(ledger.imbalance(MASS), 0);
        let net = ledger.added_quanta() as i128 - ledger.removed_quanta() as i128;
        assert_eq!(ledger.balance(MASS, Account::Water), Some(net));
        assert_eq!(ledger.expected(), None, "what was there at the start is not known");
    }
}

#[test]
fn ledgers_are_saved_and_added_up() {
    let mut ledger = Ledger::of_mass(0.25, &[Account::Water, Account::Opening, Account::Rain]);
    ledger.transfer(MASS, Account::Opening, Account::Water, 5 << 70).expect("it fits");
    ledger.transfer(MASS, Account::Water, Account::Rain, 3).expect("it fits");
    let words = ledger.to_words();
    let mut other = Ledger::of_mass(0.25, &[Account::Water, Account::Opening, Account::Rain]);
    other.restore(&words).expect("the same accounts");
    assert_eq!(other, ledger);
    let mut unbalanced = words.clone();
    unbalanced[0] ^= 1;
    assert!(other.restore(&unbalanced).is_err() && other.restore(&words[1..]).is_err());
    assert_eq!(other, ledger, "nothing has changed");

    let mut rained = Ledger::of_mass(0.25, &[Account::Water, Account::Sources]);
    rained.transfer(MASS, Account::Sources, Account::Water, 8).expect("it fits");
    let sum = ledger.sum(&rained).expect("the same quantum");
    assert_eq!((sum.added(), sum.removed(), sum.expected()), (2.0, 0.75, None));
    assert_eq!(sum.imbalance(MASS), 0);
    assert_eq!(sum.kept(MASS).collect::<Vec<_>>(), [Account::Water, Account::Rain, Account::Sources]);
    assert!(ledger.sum(&Ledger::of_mass(0.5, &[])).is_err(), "another quantum");
    assert_eq!(ledger.sum(&other).expect("the same quantum").expected().map(f64::to_bits), {
        ledger.expected().map(|volume| (2.0 * volume).to_bits())
    });
}
