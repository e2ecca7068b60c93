//! The blocks that were used last, up to a limit in bytes.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Values of a block, rows from the south, x fastest.
pub(super) type Block = Arc<[f32]>;

/// How much a cache holds, and what it did so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Most that it may hold, bytes.
    pub limit: u64,
    /// What it holds, bytes.
    pub bytes: u64,
    /// Most that it held so far, bytes.
    pub peak: u64,
    /// Blocks that were there when they were asked for.
    pub hits: u64,
    /// Blocks that were not, and were decoded.
    pub misses: u64,
    /// Blocks that made room for others.
    pub evicted: u64,
}

/// Decoded blocks; the one that was not used for the longest time goes first. Several threads may ask at once.
#[derive(Debug)]
pub(super) struct BlockCache(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Blocks by number, with the time of their last use.
    blocks: HashMap<u64, (u64, Block)>,
    /// Numbers by the time of their last use.
    by_use: BTreeMap<u64, u64>,
    now: u64,
    usage: CacheUse,
}

impl BlockCache {
    pub(super) fn new(limit: u64) -> Self {
        Self(Mutex::new(State { usage: CacheUse { limit, ..CacheUse::default() }, ..State::default() }))
    }

    /// The block of a number, decoded if it is not there. Two threads that miss the same block both decode it: waiting would cost as much.
    pub(super) fn get<E>(&self, number: u64, decode: impl FnOnce() -> Result<Block, E>) -> Result<Block, E> {
        if let Some(block) = self.lock().find(number) {
            return Ok(block);
        }
        let block = decode()?; // without the lock: others go on meanwhile
        self.lock().keep(number, &block);
        Ok(block)
    }

    pub(super) fn usage(&self) -> CacheUse {
        self.lock().usage
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn find(&mut self, number: u64) -> Option<Block> {
        let Some((used, block)) = self.blocks.get_mut(&number) else {
            self.usage.misses += 1;
            return None;
        };
        self.by_use.remove(used);
        self.now += 1;
        *used = self.now;
        self.by_use.insert(self.now, number);
        self.usage.hits += 1;
        Some(block.clone())
    }

    fn keep(&mut self, number: u64, block: &Block) {
        let bytes = bytes(block);
        if bytes > self.usage.limit || self.blocks.contains_key(&number) {
            return;
        }
        while self.usage.bytes + bytes > self.usage.limit {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            if let Some((_, block)) = self.blocks.remove(&oldest) {
                self.usage.bytes -= self::bytes(&block);
                self.usage.evicted += 1;
            }
        }
        self.now += 1;
        self.by_use.insert(self.now, number);
        self.blocks.insert(number, (self.now, block.clone()));
        self.usage.bytes += bytes;
        self.usage.peak = self.usage.peak.max(self.usage.bytes);
    }
}

fn bytes(block: &Block) -> u64 {
    size_of_val::<[f32]>(block) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(number: u64) -> Result<Block, ()> {
        Ok(vec![number as f32; 10].into())
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let cache = BlockCache::new(120);
        for number in [1, 2, 3, 1, 4] {
            cache.get(number, || decode(number)).unwrap();
        }
        cache.get(1, || Err("gone")).unwrap();
        assert_eq!(cache.get(2, || Err("gone")), Err("gone"));
        let usage = CacheUse { limit: 120, bytes: 120, peak: 120, hits: 2, misses: 5, evicted: 1 };
        assert_eq!(cache.usage(), usage);
    }

    #[test]
    fn threads_get_what_they_ask_for_within_the_limit() {
        let cache = BlockCache::new(200);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for n in 0..500 {
                        let number = (n * 7 + thread * 3) % 13;
                        assert_eq!(cache.get(number, || decode(number)).unwrap()[9], number as f32);
                    }
                });
            }
        });
        let usage = cache.usage();
        assert!(usage.peak <= 200 && usage.evicted > 0 && usage.hits + usage.misses == 2000, "{usage:?}");
    }
}
