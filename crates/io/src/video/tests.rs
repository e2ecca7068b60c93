//! The file is taken apart by a reader that shares no code with the writer. That decoders show the right
//! pictures is checked by `scripts/check-video.sh`.

use std::path::Path;

use super::*;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A bright square that moves over a gradient.
fn frame(width: usize, height: usize, t: usize) -> Image {
    let mut image = Image::filled(width, height, [0; 3]);
    for y in 0..height {
        for x in 0..width {
            let hit = x.abs_diff(10 + 4 * t) < 6 && y.abs_diff(20) < 6;
            let colour = if hit { [250, 120, 10] } else { [(x * 3) as u8, (y * 5) as u8, 90] };
            image.rgb[(y * width + x) * 3..][..3].copy_from_slice(&colour);
        }
    }
    image
}

fn write(path: &Path, [width, height]: [usize; 2], frames: usize, fps: f64) -> Outcome {
    let mut video = VideoWriter::create(path, width, height, fps)?;
    for t in 0..frames {
        video.push(frame(width, height, t))?;
    }
    assert!(!path.exists(), "unfinished files have no name");
    Ok(video.finish()?)
}

/// Content of the box at the end of a path such as `moov/trak`, and where it begins in the file.
fn find<'a>(file: &'a [u8], path: &str) -> Option<(usize, &'a [u8])> {
    let (mut start, mut end) = (0, file.len());
    for kind in path.split('/') {
        let mut at = start;
        loop {
            let header = file.get(at..at + 8).filter(|_| at + 8 <= end)?;
            let size = u32::from_be_bytes(header[..4].try_into().ok()?) as usize;
            assert!(size >= 8 && at + size <= end, "the box at {at} ends outside of its parent");
            if &header[4..] == kind.as_bytes() {
                // Descriptions have fixed fields in front of the boxes that they hold.
                let fields = match kind {
                    "stsd" => 8,
                    "av01" => 78,
                    _ => 0,
                };
                (start, end) = (at + 8 + fields, at + size);
                break;
            }
            at += size;
        }
    }
    Some((start, &file[start..end]))
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[test]
fn the_tables_describe_the_video() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("deep/a.mp4");
    write(&path, [64, 40], 23, 10.0)?;
    assert_eq!(std::fs::read_dir(path.with_file_name(""))?.count(), 1, "nothing but the video");
    let file = std::fs::read(&path)?;
    let get = |path: &str| find(&file, path).unwrap_or_else(|| panic!("no box {path}")).1.to_vec();

    let (moov, mdat) = (find(&file, "moov").expect("moov").0, find(&file, "mdat").expect("mdat"));
    assert!(moov < mdat.0, "a browser begins before the end has arrived");
    assert_eq!(mdat.0 + mdat.1.len(), file.len());
    for header in ["moov/mvhd", "moov/trak/mdia/mdhd"] {
        let header = &get(header);
        assert_eq!((header[0], number(header, 20)), (1, 90_000), "64-bit times, ticks a second");
        assert_eq!(u64::from_be_bytes(header[24..32].try_into()?), 23 * 9_000);
    }
    let tkhd = &get("moov/trak/tkhd");
    assert_eq!([number(tkhd, 88) >> 16, number(tkhd, 92) >> 16], [64, 40]);

    let stbl = "moov/trak/mdia/minf/stbl";
    let table = |name: &str| get(&format!("{stbl}/{name}"));
    assert_eq!([4, 8, 12].map(|at| number(&table("stts"), at)), [1, 23, 9_000]);
    assert_eq!([4, 8, 12, 16].map(|at| number(&table("stss"), at)), [3, 1, 11, 21], "a key frame every second");
    assert_eq!(number(&table("stco"), 8) as usize, mdat.0);
    let stsz = table("stsz");
    assert_eq!([4, 8].map(|at| number(&stsz, at)), [0, 23]);
    let sizes: Vec<_> = (0..23).map(|n| number(&stsz, 12 + 4 * n) as usize).collect();
    assert_eq!(sizes.iter().sum::<usize>(), mdat.1.len());
    // Every sample is whole units without delimiters; key frames begin with the header that av1C repeats.
    let av1c = table("stsd/av01/av1C");
    assert_eq!(av1c[..4], [0x81, 0x1f, 0x0c, 0]);
    let mut at = 0;
    for (n, size) in sizes.iter().enumerate() {
        let sample = &mdat.1[at..at + size];
        let units = obu::split(sample).ok_or("units")?;
        assert!(units.iter().all(|u| u.kind != obu::TEMPORAL_DELIMITER));
        assert_eq!(units[0].kind == obu::SEQUENCE_HEADER, [0, 10, 20].contains(&n), "sample {n}");
        if n == 0 {
            assert_eq!(units[0].bytes, &av1c[4..]);
        }
        at += size;
    }
    assert_eq!(table("stsd/av01/colr"), *b"nclx\0\x01\0\x01\0\x01\0");
    Ok(())
}

#[test]
fn odd_sides_grow_by_one() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.mp4");
    write(&path, [33, 17], 2, 29.97)?;
    let file = std::fs::read(&path)?;
    let tkhd = find(&file, "moov/trak/tkhd").ok_or("tkhd")?.1;
    assert_eq!([number(tkhd, 88) >> 16, number(tkhd, 92) >> 16], [34, 18]);
    let stts = find(&file, "moov/trak/mdia/minf/stbl/stts").ok_or("stts")?.1;
    assert_eq!(number(stts, 12), 3003);
    Ok(())
}

#[test]
fn the_same_pictures_make_the_same_file() -> Outcome {
    let folder = tempfile::tempdir()?;
    let paths = ["a.mp4", "b.mp4"].map(|name| folder.path().join(name));
    for path in &paths {
        write(path, [130, 70], 5, 25.0)?;
    }
    assert!(std::fs::read(&paths[0])? == std::fs::read(&paths[1])?);
    Ok(())
}

#[test]
fn threads_change_no_byte_and_every_picture_is_counted() -> Outcome {
    let folder = tempfile::tempdir()?;
    let make = |threads: usize| -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let path = folder.path().join(format!("{threads}.mp4"));
        let threads = NonZero::new(threads).ok_or("no threads")?;
        let mut video = VideoWriter::create_on(threads, &path, 64, 40, 10.0)?;
        let progress = video.progress();
        for t in 0..34 {
            video.push(frame(64, 40, t))?;
        }
        video.finish()?;
        assert!(progress.pictures() == 34 && !progress.busy().is_zero(), "{progress:?}");
        Ok(std::fs::read(path)?)
    };
    let one = make(1)?;
    assert!(make(4)? == one && make(16)? == one);
    // As one encoder makes it that is fed from the beginning to the end.
    let config = Config::new().with_encoder_config(settings([64, 40], 9_000, 10)).with_threads(TILES);
    let mut encoder: Context<u8> = config.new_context()?;
    for t in 0..34 {
        let mut picture = encoder.new_frame();
        yuv::fill(&mut picture.planes, &frame(64, 40, t));
        encoder.send_frame(picture)?;
    }
    encoder.flush();
    let mut data: Vec<u8> = Vec::new();
    loop {
        match encoder.receive_packet() {
            Ok(packet) => {
                let units = obu::split(&packet.data).ok_or("units")?.into_iter();
                units.filter(|unit| unit.kind != obu::TEMPORAL_DELIMITER).for_each(|unit| data.extend(unit.bytes));
            }
            Err(EncoderStatus::LimitReached) => break,
            Err(EncoderStatus::Encoded) => {}
            Err(status) => return Err(status.into()),
        }
    }
    assert!(find(&one, "mdat").ok_or("mdat")?.1 == data);
    Ok(())
}

#[test]
fn few_pictures_a_second_have_key_frames_further_apart() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.mp4");
    write(&path, [64, 40], 23, 2.5)?;
    let file = std::fs::read(&path)?;
    let get = |name: &str| find(&file, &format!("moov/trak/mdia/minf/stbl/{name}")).expect(name).1;
    assert_eq!([4, 8, 12, 16].map(|at| number(get("stss"), at)), [3, 1, 11, 21]);
    assert_eq!(number(get("stts"), 12), 36_000, "0.4 s each");
    Ok(())
}

#[test]
fn without_finish_nothing_stays() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.mp4");
    let mut video = VideoWriter::create(&path, 64, 40, 25.0)?;
    video.push(frame(64, 40, 0))?;
    drop(video);
    assert!(matches!(VideoWriter::create(&path, 64, 40, 25.0)?.finish(), Err(Error::NoFrames { .. })));
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    Ok(())
}

#[test]
fn a_video_that_cannot_be_written_leaves_nothing() -> Outcome {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("file");
    std::fs::write(&file, "")?;
    // A folder that cannot be made is reported before anything is encoded.
    let error = VideoWriter::create(file.join("a.mp4"), 64, 40, 25.0).expect_err("a file is no folder");
    assert!(matches!(error, Error::Io { action: "create", .. }), "{error}");
    // The name is taken by a folder: the last step fails, after all was written.
    let taken = folder.path().join("taken.mp4");
    std::fs::create_dir(&taken)?;
    let mut video = VideoWriter::create(&taken, 64, 40, 25.0)?;
    video.push(frame(64, 40, 0))?;
    let error = video.finish().expect_err("a folder of that name");
    assert!(matches!(error, Error::Io { action: "write", .. }), "{error}");
    assert!(taken.is_dir());
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 2, "the file and the folder, nothing half-written");
    Ok(())
}

#[test]
fn frames_on_disk_become_a_video() -> Outcome {
    let folder = tempfile::tempdir()?;
    let paths: Vec<_> = (0..3).map(|t| folder.path().join(format!("{t}.png"))).collect();
    for (t, path) in paths.iter().enumerate() {
        frame(64, 40, t).write_png(path)?;
    }
    let path = folder.path().join("a.mp4");
    let mut seen = Vec::new();
    from_frames(&paths, &path, 10.0, |n| seen.push(n))?;
    assert_eq!(seen, [1, 2, 3]);
    let before = std::fs::read(&path)?;

    Image::filled(30, 30, [0; 3]).write_png(&paths[1])?;
    let error = from_frames(&paths, &path, 10.0, |_| ()).expect_err("another size");
    assert!(error.to_string().contains("1.png"), "{error}");
    assert!(std::fs::read(&path)? == before, "the old video is still there");
    assert!(matches!(from_frames(&[], &path, 10.0, |_| ()), Err(Error::NoFrames { .. })));
    Ok(())
}

#[test]
fn nonsense_is_refused() {
    let path = Path::new("never-made.mp4");
    assert!(matches!(VideoWriter::create(path, 0, 50, 1.0), Err(Error::PictureSize { .. })));
    assert!(matches!(VideoWriter::create(path, 15, 50, 1.0), Err(Error::PictureSize { .. })));
    assert!(matches!(VideoWriter::create(path, 70_000, 50, 1.0), Err(Error::PictureSize { .. })));
    for rate in [f64::NAN, f64::INFINITY, 0.0, -1.0, 2000.0] {
        assert!(matches!(VideoWriter::create(path, 50, 50, rate), Err(Error::FrameRate { .. })), "{rate}");
    }
}
