//! Pictures in the page: embedded while the budget lasts, linked beyond.

use std::fs;
use std::path::{Component, Path};

/// What the page shows for a file.
pub(super) enum Media {
    /// An address for `src`: a `data:` URI or a relative link.
    Source { address: String, linked: bool },
    /// The file is not there.
    Missing,
}

/// Decides about one file, and takes what it embeds from the budget.
pub(super) fn source(path: &Path, folder: &Path, budget: &mut u64) -> Media {
    let Ok(info) = fs::metadata(path) else {
        return Media::Missing;
    };
    if info.len() <= *budget
        && let Ok(bytes) = fs::read(path)
    {
        *budget -= info.len();
        return Media::Source { address: format!("data:{};base64,{}", mime(path), base64(&bytes)), linked: false };
    }
    Media::Source { address: relative(path, folder), linked: true }
}

fn mime(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match extension.to_ascii_lowercase().as_str() {
        "webp" => "image/webp",
        "jpg" | "jpeg" => "image/jpeg",
        "svg" => "image/svg+xml",
        "avif" => "image/avif",
        "mp4" | "m4v" => "video/mp4",
        "webm" => "video/webm",
        _ => "image/png",
    }
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0_u32, |w, &b| w << 8 | u32::from(b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            if i <= group.len() {
                text.push(char::from(ALPHABET[(word >> (18 - 6 * i) & 63) as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// A link from a page in `folder` to `path`, percent-encoded.
pub(super) fn relative(path: &Path, folder: &Path) -> String {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(path), Ok(folder)) = (path.canonicalize(), folder.canonicalize()) else {
        return encode(path);
    };
    let shared = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    encode(&up.chain(path.components().skip(shared)).collect::<std::path::PathBuf>())
}

fn encode(path: &Path) -> String {
    let part = |c: Component<'_>| match c {
        Component::RootDir => String::new(),
        c => percent_encoded(&c.as_os_str().to_string_lossy()),
    };
    path.components().map(part).collect::<Vec<_>>().join("/")
}

fn percent_encoded(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_in_the_rfc() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn links_lead_out_of_the_folder_too() -> std::io::Result<()> {
        let root = tempfile::tempdir()?;
        let (a, b) = (root.path().join("a"), root.path().join("b"));
        fs::create_dir_all(&a)?;
        fs::create_dir_all(&b)?;
        fs::write(b.join("x y#.png"), "")?;
        assert_eq!(relative(&b.join("x y#.png"), &a), "../b/x%20y%23.png");
        assert_eq!(relative(&b.join("x y#.png"), &b), "x%20y%23.png");
        Ok(())
    }
}
