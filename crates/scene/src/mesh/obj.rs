use super::{MeshError, Soup};
use crate::table::{self, TableError};

/// Reads Wavefront OBJ: `v` and `f` lines; all else is looks. Faces with more than three corners are cut into a fan.
pub fn read_obj(bytes: &[u8]) -> Result<Soup, MeshError> {
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    let mut soup = Vec::new();
    for (line, text) in table::lines(table::text(bytes)?) {
        let mut words = text.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut vertex = [0.0; 3];
                for value in &mut vertex {
                    let word = words.next().ok_or_else(|| TableError::new(line, "a corner needs three numbers"))?;
                    *value = table::number(word, line)?;
                }
                vertices.push(vertex);
            }
            Some("f") => {
                let corners: Vec<[f64; 3]> = words
                    .map(|word| corner(&vertices, word).ok_or_else(|| bad_corner(line, word)))
                    .collect::<Result<_, _>>()?;
                if corners.len() < 3 {
                    return Err(TableError::new(line, "a face needs three corners").into());
                }
                soup.extend((2..corners.len()).map(|n| [corners[0], corners[n - 1], corners[n]]));
            }
            _ => {}
        }
    }
    Ok(soup)
}

fn bad_corner(line: usize, word: &str) -> TableError {
    TableError::new(line, format!("{} is no corner that came before", crate::diagnostics::quoted(word)))
}

/// `7`, `7/1`, `7/1/2`, `7//2`; numbers from 1, or backwards from -1.
fn corner(vertices: &[[f64; 3]], word: &str) -> Option<[f64; 3]> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let index = if number < 0 { vertices.len() as i64 + number } else { number - 1 };
    vertices.get(usize::try_from(index).ok()?).copied()
}
