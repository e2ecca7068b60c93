//! The survey of a raster on disk, beside the raster, so that the next run need not make the pass again.
//!
//! Little endian: magic, version, what the survey depends on, lowest and highest elevation, the kept levels, and a CRC-32 of all that.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::sampling::Placed;
use super::stamp::Stamp;
use super::survey::{Survey, kept_sizes};

const MAGIC: &[u8; 8] = b"TWPYRAMD";
const VERSION: u32 = 1;
const ENDING: &str = ".pyramid";

/// Where the survey of a raster is kept: `valley.tif.pyramid`.
pub(super) fn path_beside(raster: &Path) -> PathBuf {
    let mut name: OsString = raster.as_os_str().to_owned();
    name.push(ENDING);
    name.into()
}

/// Reads a survey. `Ok(None)`: there is none; an error says why the one that is there is of no use.
pub(super) fn load(path: &Path, placed: &Placed, stamp: Stamp) -> Result<Option<Survey>, String> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(|error| error.to_string())?,
    };
    let head = head(placed, stamp);
    let sizes = kept_sizes(placed);
    let values: usize = sizes.iter().map(|[nx, nz]| nx * nz).sum();
    let length = head.len() + 16 + 4 * values + 4;
    // The size that is needed is known from the domain, so a file of any other size is not read at all.
    if !found.is_file() || found.len() != length as u64 {
        return Err("it belongs to another raster or another domain".to_owned());
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    if bytes.len() != length || !bytes.starts_with(&MAGIC[..]) {
        return Err("it is not a pyramid".to_owned());
    }
    if !bytes.starts_with(&head) {
        return Err("the raster has changed, or lies elsewhere under the domain".to_owned());
    }
    let (body, sum) = bytes.split_at(length - 4);
    if crc32fast::hash(body).to_le_bytes() != *sum {
        return Err("its checksum is wrong".to_owned());
    }
    let (range, data) = body[head.len()..].split_at(16);
    let double = |at: usize| range[at..at + 8].try_into().map(f64::from_le_bytes).unwrap_or(f64::NAN);
    let mut numbers = data.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let levels: Vec<Vec<f32>> = sizes.iter().map(|[nx, nz]| numbers.by_ref().take(nx * nz).collect()).collect();
    let survey = Survey { levels, range: [double(0), double(8)] };
    if survey.levels.iter().flatten().any(|x| !x.is_finite()) || survey.range.iter().any(|x| !x.is_finite()) {
        return Err("it holds numbers that are not finite".to_owned());
    }
    Ok(Some(survey))
}

/// Writes a survey: first under another name, so that nobody ever reads half of it.
pub(super) fn save(path: &Path, placed: &Placed, stamp: Stamp, survey: &Survey) -> io::Result<()> {
    let mut bytes = head(placed, stamp);
    survey.range.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    survey.levels.iter().flatten().for_each(|x| bytes.extend(x.to_le_bytes()));
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id())); // two runs may write at once
    let written = fs::write(&part, &bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part); // what is left of it is of no use; it may not even be there
    }
    written
}

/// Magic, version, and all that the survey depends on.
fn head(placed: &Placed, stamp: Stamp) -> Vec<u8> {
    let Placed { size, levels, cell, origin, pixels, first, spacing, gain, bias, nodata } = placed;
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend(stamp.bytes.to_le_bytes());
    head.extend(stamp.newest.to_le_bytes());
    head.extend(stamp.digest.to_le_bytes());
    let counts = [size[0], size[1], *levels, pixels[0], pixels[1]];
    counts.iter().for_each(|n| head.extend(n.to_le_bytes()));
    let nodata = nodata.unwrap_or(f64::NAN);
    let numbers = [*cell, origin[0], origin[1], first[0], first[1], spacing[0], spacing[1], *gain, *bias, nodata];
    numbers.iter().for_each(|x| head.extend(x.to_le_bytes()));
    head
}
