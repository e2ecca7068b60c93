//! A video of pictures that exist: `cargo run --release -p thalweg-io --example video -- sea.mp4 30 frames/*.png`

use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(rate)) = (args.next(), args.next()) else {
        return Err("usage: video OUT.mp4 FRAMES_PER_SECOND FRAME.png...".into());
    };
    let frames: Vec<PathBuf> = args.map(PathBuf::from).collect();
    let begin = Instant::now();
    thalweg_io::video::from_frames(&frames, &path, rate.parse()?, |_| ())?;
    let bytes = std::fs::metadata(&path)?.len();
    println!("{} frames, {bytes} bytes, {:.2} s", frames.len(), begin.elapsed().as_secs_f64());
    Ok(())
}
