use thalweg_compute::parity::Rng;

use super::layout::*;
use super::map::{Beyond, Map};
use super::tree_clock::arg;
use crate::clock::{DRIVER_STEPS, FIXED_DRIVERS};

#[test]
fn words_are_where_the_shaders_look_for_them() {
    let rust = [
        ("TILE", TILE),
        ("CELLS", CELLS),
        ("MAX_LEVELS", MAX_LEVELS),
        ("NONE", NONE as usize),
        ("CELL_WORDS", CELL_WORDS),
        ("NURSERY_WORDS", NURSERY_WORDS),
        ("SIDE_WORDS", SIDE_WORDS),
        ("REGISTER_WORDS", REGISTER_WORDS),
        ("TOPOLOGY_LEVEL_WORDS", topology::LEVEL_WORDS),
        ("TOPOLOGY_TILES", topology::TILES),
        ("TOPOLOGY_TILE_WORDS", topology::TILE_WORDS),
        ("LISTS_COUNTS", lists::COUNTS),
        ("LISTS_SPEEDS", lists::SPEEDS),
        ("LISTS_PLACES", lists::PLACES),
        ("OUT_EDGES", out::EDGES),
        ("OUT_SPEED", out::SPEED),
        ("OUT_MOTION", out::MOTION),
        ("OUT_HELD_BACK", out::HELD_BACK),
        ("OUT_ADDED", out::ADDED),
        ("OUT_REMOVED", out::REMOVED),
        ("OUT_WORDS", out::WORDS),
        ("STATUS_SPEED", status::SPEED),
        ("STATUS_MOTION", status::MOTION),
        ("STATUS_ADDED", status::ADDED),
        ("STATUS_REMOVED", status::REMOVED),
        ("STATUS_ADDED_REST", status::ADDED_REST),
        ("STATUS_REMOVED_REST", status::REMOVED_REST),
        ("STATUS_WORDS", status::WORDS),
        ("CLOCK_ELAPSED", clock::ELAPSED),
        ("CLOCK_FRAME", clock::FRAME),
        ("CLOCK_STATUS", clock::STATUS),
        ("CLOCK_TICK_DT", clock::TICK_DT),
        ("CLOCK_TICK", clock::TICK),
        ("CLOCK_TICKS", clock::TICKS),
        ("CLOCK_ROUNDS", clock::ROUNDS),
        ("CLOCK_ALL_TICKS", clock::ALL_TICKS),
        ("CLOCK_SPEED", clock::SPEED),
        ("CLOCK_RAIN_RATE", clock::RAIN_RATE),
        ("CLOCK_SINCE", clock::SINCE),
        ("CLOCK_DITHER", clock::DITHER),
        ("CLOCK_SIDE_VALUES", clock::SIDE_VALUES),
        ("CLOCK_PERIODS", clock::PERIODS),
        ("CLOCK_WORK", clock::WORK),
        ("CLOCK_WORK_REST", clock::WORK_REST),
        ("CLOCK_STRAIN", clock::STRAIN),
        ("CLOCK_CHANGES", clock::CHANGES),
        ("CLOCK_STEP", clock::STEP),
        ("CLOCK_SOURCES", clock::SOURCES),
        ("SOURCE_RATE", source::RATE),
        ("SOURCE_X", source::X),
        ("SOURCE_Z", source::Z),
        ("SOURCE_RADIUS2", source::RADIUS2),
        ("SOURCE_X1", source::X1),
        ("SOURCE_Z1", source::Z1),
        ("SOURCE_WORDS", source::WORDS),
    ];
    assert_eq!(constants(include_str!("layout.wesl")), rust);
}

#[test]
fn constants_of_the_kernels_are_those_of_rust() {
    let clock = [
        ("DRIVER_STEPS", DRIVER_STEPS),
        ("FIXED_DRIVERS", FIXED_DRIVERS),
        ("ARG_MUSTER", arg::MUSTER),
        ("ARG_JUDGE", arg::JUDGE),
        ("ARG_REPLAN", arg::REPLAN),
        ("ARG_CLOSE", arg::CLOSE),
        ("ARG_TRANSFER", arg::TRANSFER),
        ("ARG_COUNT", arg::COUNT),
        ("MOST_GROUPS", 65_535),
        ("SLOTS_A_GROUP", super::tally::GROUP),
    ];
    assert_eq!(constants(include_str!("tree_clock/tree_clock.wesl")), clock);
    let words = ("TALLY_WORDS", super::tally::WORDS);
    assert_eq!(constants(include_str!("tally.fragment.wesl")), [words]);
    assert_eq!(constants(include_str!("muster/muster.wesl")), [words]);
    assert_eq!(constants(include_str!("sums/sums.wesl")), [("WORDS", super::sums::WORDS)]);
    assert_eq!(constants(include_str!("lookup/lookup.wesl")), [("WORDS", super::lookup::WORDS)]);
}

/// `const NAME: u32 = 7u;` of every line, in order; also hexadecimal.
fn constants(wesl: &str) -> Vec<(&str, usize)> {
    fn parse(line: &str) -> Option<(&str, usize)> {
        let (name, rest) = line.strip_prefix("const ")?.split_once(": u32 = ")?;
        let number = rest.split_once("u;")?.0;
        let value = match number.strip_prefix("0x") {
            Some(digits) => usize::from_str_radix(digits, 16),
            None => number.parse(),
        };
        Some((name, value.ok()?))
    }
    wesl.lines().filter_map(parse).collect()
}

/// Trees for tests of kernels are balanced, and have what kernels could get wrong.
#[test]
fn groves_are_balanced_and_varied() {
    let mut seen = [0usize; 6];
    for seed in 0..6 {
        for tree in super::testing::TREES {
            let g = super::testing::grove(&mut Rng::new(seed), tree);
            let map = Map(&g.topology);
            let levels = tree.1;
            for slot in 0..g.params.capacity as u32 {
                let Some(place) = map.tile(slot) else {
                    seen[0] += 1;
                    continue;
                };
                assert_eq!(map.slot(place.level, place.x as i32, place.z as i32), slot);
                let shift = levels - 1 - place.level;
                let size = tree.0.map(|n| ((16 * n) >> shift) as i32);
                for (dx, dz) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                    match map.beyond(place, [dx, dz], size) {
                        Beyond::Outside => seen[1] += 1,
                        Beyond::Same(_) => seen[2] += 1,
                        Beyond::Coarser(_) => seen[3] += 1,
                        Beyond::Finer => {
                            seen[4] += 1;
                            let (x, z) = (2 * (place.x as i32 + dx), 2 * (place.z as i32 + dz));
                            let near = |d: i32| i32::from(d < 0);
                            assert_ne!(map.slot(place.level + 1, x + near(dx), z + near(dz)), NONE, "balanced");
                        }
                    }
                }
            }
            seen[5] += usize::from(g.clock[clock::TICKS] > 2.0);
        }
    }
    println!("free slots, sides by what lies beyond, rounds with long steps: {seen:?}");
    assert!(seen[..5].iter().all(|&n| n > 100) && seen[5] > 3, "{seen:?}");
}
