//! OpenEXR: one channel of 32-bit floats per map, and cell, place and time as JSON in the attribute `thalweg`.

use std::io::Cursor;

use exr::prelude::{
    AnyChannel, AnyChannels, AttributeValue, Blocks, Compression, Encoding, FlatSamples, Image, Layer, LayerAttributes,
    LineOrder, Text, WritableImage,
};

use super::{HeightField, Map};
use crate::Error;

pub(super) fn encode(field: &HeightField<'_>, maps: &[Map]) -> Result<Vec<u8>, Error> {
    let channel = |map: &Map| AnyChannel::new(map.name(), FlatSamples::F32(field.rows(*map, None)));
    let mut attributes = LayerAttributes::named("water");
    // One attribute: the library would write several in an order that changes from run to run.
    let about = serde_json::json!({ "cell": field.water.cell, "origin": field.water.origin, "time": field.time });
    attributes.other.insert(Text::from("thalweg"), AttributeValue::Text(Text::from(about.to_string().as_str())));
    // Packed in blocks of 16 rows, which every reader knows.
    let encoding =
        Encoding { compression: Compression::ZIP16, blocks: Blocks::ScanLines, line_order: LineOrder::Increasing };
    let channels = AnyChannels::sort(maps.iter().map(channel).collect());
    let image =
        Image::from_layer(Layer::new((field.water.size[0], field.water.size[1]), attributes, encoding, channels));
    let mut bytes = Cursor::new(Vec::new());
    image.write().to_buffered(&mut bytes).map_err(|e| Error::encode("OpenEXR")(&e.to_string()))?;
    Ok(bytes.into_inner())
}
