use super::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn small(step: u64) -> Checkpoint {
    Checkpoint {
        kind: "shallow".to_owned(),
        digest: 0xdead_beef_0123_4567,
        time: 0.1 + 0.2,
        step,
        header: serde_json::json!({ "nx": 5, "note": "größe", "x": 0.1f32, "y": 5e-324 }),
        arrays: vec![
            ("depth".to_owned(), Array::F32((0..40).map(|i| i as f32 * 0.25).collect())),
            ("ledger".to_owned(), Array::F64(vec![1.0 / 3.0, f64::MIN_POSITIVE, -0.0])),
            ("level".to_owned(), Array::U32(vec![7; 30])),
            ("empty".to_owned(), Array::U32(Vec::new())),
            ("text".to_owned(), Array::U8(b"water, \xff and more".to_vec())),
        ],
    }
}

/// Numbers without a pattern (a linear congruential generator).
fn noise(n: usize) -> Vec<u32> {
    let mut state = 12_345_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state ^ state >> 13
    };
    (0..n).map(|_| next()).collect()
}

#[test]
fn round_trip_keeps_every_bit() -> Outcome {
    let mut checkpoint = small(3);
    // More than one chunk, of both kinds: plain (noise) and packed (smooth).
    checkpoint.arrays.push(("noise".to_owned(), Array::U32(noise(700_000))));
    let smooth = (0..300_001).map(|i| (f64::from(i) * 1e-4).sin()).collect();
    checkpoint.arrays.push(("smooth".to_owned(), Array::F64(smooth)));
    let bytes = checkpoint.to_bytes()?;
    assert!(bytes.len() < 700_000 * 4 + 300_001 * 8, "the smooth array is packed");
    assert_eq!(Checkpoint::from_bytes(&bytes)?, checkpoint);

    // NaN is not equal to itself, so look at its bits.
    let odd = f32::from_bits(0x7fc1_2345);
    checkpoint.arrays = vec![("nan".to_owned(), Array::F32(vec![odd, f32::INFINITY]))];
    checkpoint.time = f64::NAN;
    let back = Checkpoint::from_bytes(&checkpoint.to_bytes()?)?;
    assert_eq!(back.f32("nan")?[0].to_bits(), odd.to_bits());
    assert!(back.time.is_nan());
    Ok(())
}

#[test]
fn every_truncation_is_an_error() -> Outcome {
    let bytes = small(1).to_bytes()?;
    for n in 0..bytes.len() {
        let result = Checkpoint::from_bytes(&bytes[..n]);
        assert!(matches!(result, Err(Error::Truncated { .. } | Error::Corrupt { .. })), "{n} bytes gave {result:?}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(matches!(Checkpoint::from_bytes(&longer), Err(Error::Corrupt { .. })));
    Ok(())
}

#[test]
fn every_changed_byte_is_an_error() -> Outcome {
    let mut bytes = small(1).to_bytes()?;
    for i in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            bytes[i] ^= change;
            assert!(Checkpoint::from_bytes(&bytes).is_err(), "byte {i} ^ {change}");
            bytes[i] ^= change;
        }
    }
    assert!(Checkpoint::from_bytes(&bytes).is_ok());
    Ok(())
}

/// Damage that a checksum would catch first: repair the checksums, and the lengths must hold.
#[test]
fn wrong_lengths_neither_panic_nor_take_memory() -> Outcome {
    let good = small(1).to_bytes()?;
    let mut seen = Vec::new();
    for i in 0..good.len() {
        for value in [0_u8, 1, 0x7f, 0xff] {
            let mut bytes = good.clone();
            bytes[i] = value;
            reseal(&mut bytes);
            if let Err(e) = Checkpoint::from_bytes(&bytes) {
                seen.push(format!("{e:?}"));
            }
        }
    }
    for kind in ["Truncated", "Corrupt", "TooLarge", "Version"] {
        assert!(seen.iter().any(|e| e.starts_with(kind)), "{kind} never came");
    }
    Ok(())
}

/// Recomputes the checksums of all parts that can still be found.
fn reseal(bytes: &mut [u8]) {
    let u32_at = |bytes: &[u8], at: usize| -> Option<usize> {
        Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
    };
    let seal = |bytes: &mut [u8], from: usize, length: usize| -> Option<usize> {
        let end = from.checked_add(length)?;
        let crc = crc32fast::hash(bytes.get(from..end)?);
        bytes.get_mut(end..end + 4)?.copy_from_slice(&crc.to_le_bytes());
        Some(end + 4)
    };
    let mut run = || {
        let mut at = seal(bytes, 0, 44)?;
        let meta = u32_at(bytes, 40)?;
        at = seal(bytes, at, meta)?;
        for _ in 0..u32_at(bytes, 12)? {
            let (wide, count) = (bytes.get(at)? == &2, u32_at(bytes, at + 8)?);
            at = seal(bytes, at, 16 + u32_at(bytes, at + 4)?)?;
            let chunks = (count * if wide { 8 } else { 4 }).div_ceil(1 << 20);
            for _ in 0..chunks {
                at = seal(bytes, at, 8 + u32_at(bytes, at)?)?;
            }
        }
        Some(())
    };
    let _ = run();
}

#[test]
fn any_bytes_are_survived() {
    let mut start = b"THALWEG\0\x01\0\0\0".to_vec();
    start.extend(noise(200).into_iter().flat_map(u32::to_le_bytes));
    for n in 0..start.len() {
        assert!(Checkpoint::from_bytes(&start[..n]).is_err());
        assert!(Checkpoint::from_bytes(&start[start.len() - n..]).is_err());
    }
}

#[test]
fn another_version_is_recognised() -> Outcome {
    let mut bytes = small(1).to_bytes()?;
    bytes[8] = 9;
    let error = Checkpoint::from_bytes(&bytes).expect_err("version 9");
    assert!(matches!(error, Error::Version { found: 9, supported: VERSION }), "{error}");
    Ok(())
}

#[test]
fn the_version_before_is_still_read() -> Outcome {
    let mut checkpoint = small(1);
    checkpoint.arrays.retain(|(_, array)| !matches!(array, Array::U8(_)));
    let mut bytes = checkpoint.to_bytes()?;
    bytes[8] = 1;
    let crc = crc32fast::hash(&bytes[..44]);
    bytes[44..48].copy_from_slice(&crc.to_le_bytes());
    assert_eq!(Checkpoint::from_bytes(&bytes)?, checkpoint);
    Ok(())
}

#[test]
fn arrays_are_found_by_name_and_type() {
    let checkpoint = small(1);
    assert_eq!(checkpoint.u32("level").expect("there").len(), 30);
    assert!(matches!(checkpoint.f64("level"), Err(Error::Missing { wanted: "f64", .. })));
    assert!(checkpoint.f32("nothing").is_err());
}

#[test]
fn a_crash_between_any_two_acts_leaves_a_good_file() -> Outcome {
    let folder = tempfile::tempdir()?;
    let newest = folder.path().join(FILE_NAME);
    let before = folder.path().join(format!("{FILE_NAME}.prev"));
    assert!(matches!(read_latest(folder.path()), Err(Error::NotFound { .. })));

    small(1).write_latest(folder.path())?;
    small(2).write_latest(folder.path())?;
    let latest = read_latest(folder.path())?;
    assert_eq!((latest.checkpoint.step, latest.passed_over.is_none()), (2, true));
    assert_eq!(Checkpoint::read(&before)?.step, 1);

    // Between the two renames only the previous one has a name.
    let bytes = std::fs::read(&newest)?;
    std::fs::remove_file(&newest)?;
    assert_eq!(read_latest(folder.path())?.checkpoint.step, 1);

    // A disk that lost the end of the newest.
    std::fs::write(&newest, &bytes[..bytes.len() / 2])?;
    let latest = read_latest(folder.path())?;
    assert_eq!((latest.checkpoint.step, latest.path), (1, before.clone()));
    assert!(latest.passed_over.is_some_and(|e| e.to_string().contains(FILE_NAME)));

    // Both are damaged: the error is that of the newest.
    std::fs::write(&before, b"THALWEG")?;
    assert!(matches!(read_latest(folder.path()), Err(Error::File { path, .. }) if path == newest));
    // A temporary file left by a kill does not disturb.
    std::fs::write(folder.path().join(format!(".{FILE_NAME}.part")), b"junk")?;
    small(5).write_latest(folder.path())?;
    assert_eq!(read_latest(folder.path())?.checkpoint.step, 5);
    Ok(())
}
