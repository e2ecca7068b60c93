//! Particles as files that other programs open: PLY and CSV.

use std::fmt::Write as _;

pub use thalweg_model::PointFormat;

use crate::Error;

/// Particles by their parts, one entry each.
#[derive(Debug, Clone, Copy)]
pub struct Points<'a> {
    /// Places, m, y up.
    pub positions: &'a [[f32; 3]],
    /// m/s.
    pub velocities: &'a [[f32; 3]],
    /// Numbers with their names, such as a radius or an age. Names are words: letters, digits and `_`.
    pub attributes: &'a [(&'a str, &'a [f32])],
}

impl Points<'_> {
    /// The bytes of a file.
    ///
    /// # Errors
    /// [`Error::Fields`] if a part has not one entry per particle, [`Error::Encode`] if a name is no word or is there
    /// twice.
    pub fn encode(&self, format: PointFormat) -> Result<Vec<u8>, Error> {
        let expected = self.positions.len();
        let counts = self.attributes.iter().map(|(_, values)| values.len()).chain([self.velocities.len()]);
        if let Some(found) = counts.into_iter().find(|count| *count != expected) {
            return Err(Error::Fields { found, expected });
        }
        let names = self.names()?;
        Ok(match format {
            PointFormat::Ply => self.ply(&names),
            PointFormat::Csv => self.csv(&names).into_bytes(),
        })
    }

    fn names(&self) -> Result<Vec<&str>, Error> {
        let mut names = vec!["x", "y", "z", "vx", "vy", "vz"];
        for (name, _) in self.attributes {
            let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_word || names.contains(name) {
                return Err(Error::encode("particles")(&format!(
                    "the attribute `{name}` needs a name of its own, of letters, digits and `_`"
                )));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// All numbers of a particle, in the order of the names.
    fn numbers(&self, at: usize) -> impl Iterator<Item = f32> + '_ {
        let vectors = self.positions[at].into_iter().chain(self.velocities[at]);
        vectors.chain(self.attributes.iter().map(move |(_, values)| values[at]))
    }

    fn ply(&self, names: &[&str]) -> Vec<u8> {
        let properties: String = names.iter().map(|name| format!("property float {name}\n")).collect();
        let mut bytes = format!(
            "ply\nformat binary_little_endian 1.0\ncomment lengths in m, velocities in m/s, y up\nelement vertex {}\n{properties}end_header\n",
            self.positions.len()
        )
        .into_bytes();
        for at in 0..self.positions.len() {
            self.numbers(at).for_each(|v| bytes.extend(v.to_le_bytes()));
        }
        bytes
    }

    fn csv(&self, names: &[&str]) -> String {
        let mut text = names.join(",");
        text.push('\n');
        for at in 0..self.positions.len() {
            for (place, value) in self.numbers(at).enumerate() {
                // Writing to a string cannot fail.
                let _ = write!(text, "{}{value}", if place > 0 { "," } else { "" });
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DROPS: Points<'_> = Points {
        positions: &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]],
        velocities: &[[0.1, 0.2, 0.3], [-1.0, 0.0, 1.0]],
        attributes: &[("radius", &[0.01, 0.02]), ("age", &[0.5, 1.5])],
    };

    #[test]
    fn a_ply_holds_what_its_header_says() {
        let bytes = DROPS.encode(PointFormat::Ply).unwrap();
        let end = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        let header = std::str::from_utf8(&bytes[..end]).unwrap();
        assert!(header.contains("element vertex 2\n") && header.contains("property float vz\nproperty float radius\n"));
        let floats: Vec<f32> = bytes[end..].as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        assert_eq!(floats[8..], [4.0, 5.0, 6.5, -1.0, 0.0, 1.0, 0.02, 1.5]);
    }

    #[test]
    fn a_csv_has_a_line_for_each() {
        let text = String::from_utf8(DROPS.encode(PointFormat::Csv).unwrap()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, ["x,y,z,vx,vy,vz,radius,age", "1,2,3,0.1,0.2,0.3,0.01,0.5", "4,5,6.5,-1,0,1,0.02,1.5"]);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let short = Points { velocities: &[[0.0; 3]], ..DROPS };
        assert!(matches!(short.encode(PointFormat::Ply), Err(Error::Fields { found: 1, expected: 2 })));
        for name in ["", "a b", "x", "ra,dius"] {
            let bad = Points { attributes: &[(name, &[0.0, 0.0])], ..DROPS };
            assert!(matches!(bad.encode(PointFormat::Csv), Err(Error::Encode { .. })), "{name}");
        }
    }
}
