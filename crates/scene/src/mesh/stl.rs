use super::{MOST_TRIANGLES, MeshError, Soup};
use crate::table::{self, TableError};

/// Bytes before the triangles of a binary file: a remark and their number.
const HEADER: usize = 84;
/// Bytes of a triangle: normal, three corners, two bytes that mean nothing.
const TRIANGLE: usize = 50;

/// Reads STL, binary or text.
pub fn read_stl(bytes: &[u8]) -> Result<Soup, MeshError> {
    // Binary files may begin with the word `solid` too; their length tells.
    let count = bytes.get(80..HEADER).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]) as usize);
    match count {
        Some(count) if count > MOST_TRIANGLES && !bytes.starts_with(b"solid") => Err(MeshError::TooLarge { count }),
        Some(count) if bytes.len() as u64 == HEADER as u64 + count as u64 * TRIANGLE as u64 => Ok(binary(bytes)),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        Some(count) => {
            let wanted = HEADER as u64 + count as u64 * TRIANGLE as u64;
            Err(MeshError::Damaged(format!("{count} triangles take {wanted} bytes, it has {}", bytes.len())))
        }
        None => Err(MeshError::Damaged("it is too short for STL".to_owned())),
    }
}

fn binary(bytes: &[u8]) -> Soup {
    let float = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let triangles = bytes[HEADER..].chunks_exact(TRIANGLE);
    let corner = |t: &[u8], n: usize| std::array::from_fn(|axis| float(&t[12 + 12 * n + 4 * axis..]));
    triangles.map(|t| std::array::from_fn(|n| corner(t, n))).collect()
}

fn text(bytes: &[u8]) -> Result<Soup, MeshError> {
    let (mut soup, mut corners) = (Vec::new(), Vec::new());
    for (line, text) in table::lines(table::text(bytes)?) {
        let mut words = text.split_whitespace();
        match words.next() {
            Some("vertex") => {
                let mut corner = [0.0; 3];
                for value in &mut corner {
                    let word = words.next().ok_or_else(|| TableError::new(line, "a corner needs three numbers"))?;
                    *value = table::number(word, line)?;
                }
                corners.push(corner);
            }
            Some("endloop") => {
                let [a, b, c] = corners[..] else {
                    let message = format!("a triangle has three corners, this one {}", corners.len());
                    return Err(TableError::new(line, message).into());
                };
                soup.push([a, b, c]);
                corners.clear();
            }
            _ => {}
        }
    }
    Ok(soup)
}
