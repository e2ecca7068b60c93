//! Any bytes as a checkpoint: refused, or it packs and unpacks to the same bytes again.
//!
//! Few inputs pass the checksums by chance, so each is read once more with its checksums made right:
//! then the lengths, types and packed data behind them are all that is wrong.

use thalweg_io::checkpoint::Checkpoint;

/// Bytes of the preamble before its checksum.
const PREAMBLE: usize = 44;

/// Raw bytes of a chunk.
const CHUNK: u64 = 1 << 20;

/// The bytes, read.
pub fn run(bytes: &[u8]) {
    read(bytes);
    let mut sealed = bytes.to_vec();
    // It stops where a part is cut off; what it sealed before that stays.
    let _ = seal(&mut sealed);
    read(&sealed);
}

fn read(bytes: &[u8]) {
    match Checkpoint::from_bytes(bytes) {
        Ok(checkpoint) => {
            // Bytes, not values: a NaN is not equal to itself.
            let packed = checkpoint.to_bytes().expect("what was read can be written");
            let again = Checkpoint::from_bytes(&packed).expect("what was written can be read");
            assert_eq!(again.to_bytes().expect("written"), packed);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Makes the checksums of all parts right that can be found.
fn seal(bytes: &mut [u8]) -> Option<()> {
    let arrays = u32_at(bytes, 12)?;
    let meta = u32_at(bytes, 40)?;
    let mut at = seal_part(bytes, 0, PREAMBLE)?;
    at = seal_part(bytes, at, meta as usize)?;
    for _ in 0..arrays {
        let element: u64 = if *bytes.get(at)? == 2 { 8 } else { 4 };
        let name = u32_at(bytes, at + 4)? as usize;
        let count = u64::from_le_bytes(bytes.get(at + 8..at + 16)?.try_into().ok()?);
        at = seal_part(bytes, at, 16 + name)?;
        for _ in 0..count.checked_mul(element)?.div_ceil(CHUNK) {
            let stored = u32_at(bytes, at)? as usize;
            at = seal_part(bytes, at, 8 + stored)?;
        }
    }
    Some(())
}

/// Puts the checksum behind a part; where the next one begins.
fn seal_part(bytes: &mut [u8], from: usize, length: usize) -> Option<usize> {
    let end = from.checked_add(length)?;
    let checksum = crc32fast::hash(bytes.get(from..end)?);
    bytes.get_mut(end..end + 4)?.copy_from_slice(&checksum.to_le_bytes());
    Some(end + 4)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
