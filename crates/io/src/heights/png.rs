//! Grey pictures of 16 bits. Black and white stand for the lowest and the highest value of the map, which are in the
//! picture as text. Of maps over time black is kept for cells without a value: what black would stand for is less than
//! all of them.

use super::{HeightField, Map};
use crate::Error;

/// The picture, and the values of black and white.
pub(super) fn encode(field: &HeightField<'_>, map: Map) -> Result<(Vec<u8>, [f64; 2]), Error> {
    let rows = field.rows(map, None);
    let finite = rows.iter().copied().filter(|v| v.is_finite()).map(f64::from);
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    // A map of one value is all black; white has to stand for something.
    let [low, high] = match (low < high, low.is_finite()) {
        (true, _) => [low, high],
        (false, true) => [low, low + 1.0],
        (false, false) => [0.0, 1.0],
    };
    let low = if map.is_over_time() { low - (high - low) / 65534.0 } else { low };
    let level = |v: &f32| ((f64::from(*v) - low) / (high - low) * 65535.0).round() as u16; // NaN becomes 0
    let data: Vec<u8> = rows.iter().flat_map(|v| level(v).to_be_bytes()).collect();

    let mut bytes = Vec::new();
    let side = |n: usize| u32::try_from(n).map_err(|_| Error::encode("PNG")("a side is too long"));
    let mut encoder = ::png::Encoder::new(&mut bytes, side(field.water.size[0])?, side(field.water.size[1])?);
    encoder.set_color(::png::ColorType::Grayscale);
    encoder.set_depth(::png::BitDepth::Sixteen);
    let notes = [
        ("Software", "Thalweg".to_owned()),
        (
            "Description",
            format!(
                "{} in {}: black is {}, white is {high}; the top row is north (high z)",
                map.name(),
                map.unit(),
                if map.is_over_time() { "ground that never was wet".to_owned() } else { low.to_string() },
            ),
        ),
        ("Scale", format!("{}", (high - low) / 65535.0)),
        ("Offset", format!("{low}")),
    ];
    for (key, text) in notes {
        encoder.add_text_chunk(key.to_owned(), text).map_err(|e| Error::encode("PNG")(&e.to_string()))?;
    }
    encoder
        .write_header()
        .and_then(|mut writer| {
            writer.write_image_data(&data)?;
            writer.finish()
        })
        .map_err(|e| Error::encode("PNG")(&e.to_string()))?;
    Ok((bytes, [low, high]))
}
