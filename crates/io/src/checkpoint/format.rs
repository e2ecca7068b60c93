//! The bytes of a checkpoint. The layout is in the [module's documentation](super).
//!
//! The reader trusts nothing: a length is compared with the bytes that are left, and with what
//! LZ4 can unpack from them at most, before memory is taken for it.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::{Array, Checkpoint, Error, MAX_BYTES, OLDEST_VERSION, VERSION};

const MAGIC: [u8; 8] = *b"THALWEG\0";
const PREAMBLE: usize = 48;
/// Raw bytes per chunk: large against its 12 bytes of framing, small against memory.
const CHUNK: usize = 1 << 20;
/// LZ4 cannot unpack a byte into more than this.
const LZ4_MAX_RATIO: u64 = 255;

/// The part of the header that is text.
#[derive(Serialize, Deserialize)]
struct Meta<'a> {
    kind: Cow<'a, str>,
    header: Cow<'a, serde_json::Value>,
}

/// Why writing stopped: the content cannot be written in this format, or the sink failed.
pub(super) enum WriteError {
    Content(Error),
    Sink(io::Error),
}

impl From<io::Error> for WriteError {
    fn from(e: io::Error) -> Self {
        Self::Sink(e)
    }
}

pub(super) fn write(checkpoint: &Checkpoint, sink: &mut impl Write) -> Result<(), WriteError> {
    let too_large = |what: &str| WriteError::Content(Error::TooLarge { what: what.to_owned() });
    let meta =
        serde_json::to_vec(&Meta { kind: Cow::Borrowed(&checkpoint.kind), header: Cow::Borrowed(&checkpoint.header) })
            .map_err(io::Error::from)?;
    let total: u64 = checkpoint.arrays.iter().map(|(_, a)| raw_bytes(a)).sum();
    if total > MAX_BYTES {
        return Err(too_large("the arrays together"));
    }

    let arrays = u32::try_from(checkpoint.arrays.len()).map_err(|_| too_large("the array list"))?;
    let meta_len = u32::try_from(meta.len()).map_err(|_| too_large("the header"))?;
    let mut preamble = Vec::with_capacity(PREAMBLE);
    preamble.extend(MAGIC);
    preamble.extend(VERSION.to_le_bytes());
    preamble.extend(arrays.to_le_bytes());
    preamble.extend(checkpoint.digest.to_le_bytes());
    preamble.extend(checkpoint.time.to_le_bytes());
    preamble.extend(checkpoint.step.to_le_bytes());
    preamble.extend(meta_len.to_le_bytes());
    write_sealed(sink, &preamble)?;
    write_sealed(sink, &meta)?;

    for (name, array) in &checkpoint.arrays {
        let name_len = u32::try_from(name.len()).map_err(|_| too_large("an array's name"))?;
        let mut head = vec![type_code(array), 0, 0, 0];
        head.extend(name_len.to_le_bytes());
        head.extend((array.len() as u64).to_le_bytes());
        head.extend(name.as_bytes());
        write_sealed(sink, &head)?;
        match array {
            Array::F32(a) => write_chunks(sink, a, |x| x.to_le_bytes())?,
            Array::F64(a) => write_chunks(sink, a, |x| x.to_le_bytes())?,
            Array::U32(a) => write_chunks(sink, a, |x| x.to_le_bytes())?,
            Array::U8(a) => write_chunks(sink, a, |x| [x])?,
        }
    }
    Ok(())
}

fn write_sealed(sink: &mut impl Write, part: &[u8]) -> io::Result<()> {
    sink.write_all(part)?;
    sink.write_all(&crc32fast::hash(part).to_le_bytes())
}

fn write_chunks<T: Copy, const N: usize>(
    sink: &mut impl Write,
    values: &[T],
    to_bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    let mut shuffled = vec![0; CHUNK.min(values.len() * N)];
    let mut packed = vec![0; lz4_flex::block::get_maximum_output_size(shuffled.len())];
    let mut part = Vec::with_capacity(shuffled.len() + 8);
    for chunk in values.chunks(CHUNK / N) {
        let raw = &mut shuffled[..chunk.len() * N];
        for (i, &value) in chunk.iter().enumerate() {
            for (plane, byte) in to_bytes(value).into_iter().enumerate() {
                raw[plane * chunk.len() + i] = byte;
            }
        }
        // `packed` has room for the worst case, so compression cannot fail; if it did, the bytes are stored as they
        // are.
        let stored = match lz4_flex::block::compress_into(raw, &mut packed) {
            Ok(n) if n < raw.len() => &packed[..n],
            _ => &*raw,
        };
        part.clear();
        part.extend((stored.len() as u32).to_le_bytes()); // at most CHUNK
        part.extend((raw.len() as u32).to_le_bytes());
        part.extend(stored);
        write_sealed(sink, &part)?;
    }
    Ok(())
}

pub(super) fn read(bytes: &[u8]) -> Result<Checkpoint, Error> {
    let mut rest = Bytes(bytes);
    // Magic and version first: the layout of all else depends on them.
    let mut start = Bytes(bytes);
    let magic = start.take(8, "the preamble")?;
    if magic != MAGIC {
        return Err(Error::Corrupt { what: "it does not begin like a Thalweg checkpoint".to_owned() });
    }
    let version = start.u32("the preamble")?;
    if !(OLDEST_VERSION..=VERSION).contains(&version) {
        return Err(Error::Version { found: version, supported: VERSION });
    }
    let mut preamble = rest.sealed(PREAMBLE as u64 - 4, "the preamble")?;
    preamble.take(12, "the preamble")?;
    let arrays = preamble.u32("the preamble")?;
    let digest = preamble.u64("the preamble")?;
    let time = f64::from_bits(preamble.u64("the preamble")?);
    let step = preamble.u64("the preamble")?;
    let meta_len = preamble.u32("the preamble")?;

    let meta = rest.sealed(meta_len.into(), "the header")?;
    let meta: Meta<'_> =
        serde_json::from_slice(meta.0).map_err(|e| Error::Corrupt { what: format!("the header: {e}") })?;

    let mut checkpoint = Checkpoint {
        kind: meta.kind.into_owned(),
        digest,
        time,
        step,
        header: meta.header.into_owned(),
        arrays: Vec::new(), // grows with what is there, not with what is claimed
    };
    let mut budget = MAX_BYTES;
    for _ in 0..arrays {
        checkpoint.arrays.push(read_array(&mut rest, &mut budget)?);
    }
    if rest.0.is_empty() {
        Ok(checkpoint)
    } else {
        Err(Error::Corrupt { what: format!("{} bytes follow its end", rest.0.len()) })
    }
}

fn read_array(rest: &mut Bytes<'_>, budget: &mut u64) -> Result<(String, Array), Error> {
    const PART: &str = "an array's head";
    let mut peek = Bytes(rest.0);
    peek.take(4, PART)?;
    let name_len = peek.u32(PART)?;
    let mut head = rest.sealed(16 + u64::from(name_len), PART)?;
    let code = head.u32(PART)?;
    head.take(4, PART)?;
    let count = head.u64(PART)?;
    let name = String::from_utf8(head.0.to_vec())
        .map_err(|_| Error::Corrupt { what: "an array's name is not UTF-8".to_owned() })?;

    let size = match code {
        1 | 3 => 4,
        2 => 8,
        4 => 1,
        _ => {
            return Err(Error::Corrupt { what: format!("array `{name}` has the unknown type {code}") });
        }
    };
    let total = count.checked_mul(size).filter(|&total| total <= *budget);
    let Some(total) = total else {
        return Err(Error::TooLarge { what: format!("array `{name}` of {count} elements") });
    };
    if total > (rest.0.len() as u64).saturating_mul(LZ4_MAX_RATIO) {
        return Err(Error::Truncated { part: "an array" });
    }
    *budget -= total;
    let array = match code {
        1 => Array::F32(read_chunks(rest, total, &name, f32::from_le_bytes)?),
        2 => Array::F64(read_chunks(rest, total, &name, f64::from_le_bytes)?),
        3 => Array::U32(read_chunks(rest, total, &name, u32::from_le_bytes)?),
        _ => Array::U8(read_chunks(rest, total, &name, |[byte]| byte)?),
    };
    Ok((name, array))
}

fn read_chunks<T, const N: usize>(
    rest: &mut Bytes<'_>,
    total: u64,
    name: &str,
    from_bytes: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, Error> {
    const PART: &str = "an array";
    let corrupt = |why: &str| Error::Corrupt { what: format!("array `{name}`: {why}") };
    let mut left = usize::try_from(total).map_err(|_| Error::TooLarge { what: format!("array `{name}`") })?;
    let mut values = Vec::with_capacity(left / N);
    let mut unpacked = Vec::new();
    while left > 0 {
        let raw_len = left.min(CHUNK);
        let stored_len = Bytes(rest.0).u32(PART)?;
        let mut chunk = rest.sealed(8 + u64::from(stored_len), PART)?;
        chunk.take(4, PART)?;
        if chunk.u32(PART)? as usize != raw_len {
            return Err(corrupt("a chunk of the wrong length"));
        }
        let raw = if chunk.0.len() == raw_len {
            chunk.0
        } else {
            unpacked.resize(raw_len, 0);
            match lz4_flex::block::decompress_into(chunk.0, &mut unpacked) {
                Ok(n) if n == raw_len => &unpacked[..],
                _ => return Err(corrupt("a chunk that does not unpack")),
            }
        };
        let count = raw_len / N;
        values.extend((0..count).map(|i| from_bytes(std::array::from_fn(|p| raw[p * count + i]))));
        left -= raw_len;
    }
    Ok(values)
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, n: u64, part: &'static str) -> Result<&'a [u8], Error> {
        let split = usize::try_from(n).ok().and_then(|n| self.0.split_at_checked(n));
        let (taken, rest) = split.ok_or(Error::Truncated { part })?;
        self.0 = rest;
        Ok(taken)
    }

    /// `n` bytes whose checksum follows and agrees.
    fn sealed(&mut self, n: u64, part: &'static str) -> Result<Bytes<'a>, Error> {
        let bytes = self.take(n, part)?;
        if self.u32(part)? == crc32fast::hash(bytes) {
            Ok(Bytes(bytes))
        } else {
            Err(Error::Corrupt { what: format!("the checksum of {part} does not agree") })
        }
    }

    fn u32(&mut self, part: &'static str) -> Result<u32, Error> {
        let bytes = self.take(4, part)?.try_into();
        Ok(bytes.map_or(0, u32::from_le_bytes)) // always four
    }

    fn u64(&mut self, part: &'static str) -> Result<u64, Error> {
        let bytes = self.take(8, part)?.try_into();
        Ok(bytes.map_or(0, u64::from_le_bytes)) // always eight
    }
}

fn raw_bytes(array: &Array) -> u64 {
    let size = match array {
        Array::F32(_) | Array::U32(_) => 4,
        Array::F64(_) => 8,
        Array::U8(_) => 1,
    };
    (array.len() as u64).saturating_mul(size)
}

fn type_code(array: &Array) -> u8 {
    match array {
        Array::F32(_) => 1,
        Array::F64(_) => 2,
        Array::U32(_) => 3,
        Array::U8(_) => 4,
    }
}
