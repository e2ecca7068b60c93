//! GeoTIFF: one band of 32-bit floats per map, placed by pixel size and the north-west corner. There is no coordinate
//! system: metres of the scene are not places on Earth.

use std::io::Cursor;

use tiff::encoder::{Compression, TiffEncoder, colortype::Gray32Float, compression::DeflateLevel};
use tiff::tags::{ExtraSamples, Tag};
use tiff::{TiffError, TiffResult};

use super::{HeightField, Map, NODATA};
use crate::Error;

/// GDAL's names of bands, as XML.
const GDAL_METADATA: u16 = 42112;

pub(super) fn encode(field: &HeightField<'_>, maps: &[Map]) -> Result<Vec<u8>, Error> {
    write(field, maps).map_err(|e| match e {
        TiffError::IntSizeError => Error::TooLarge { what: "a GeoTIFF of more than 4 GiB", hint: "take .exr or .npz" },
        e => Error::encode("GeoTIFF")(&e.to_string()),
    })
}

fn write(field: &HeightField<'_>, maps: &[Map]) -> TiffResult<Vec<u8>> {
    let [nx, nz] = field.water.size;
    let bands: Vec<Vec<f32>> = maps.iter().map(|map| field.rows(*map, Some(NODATA))).collect();
    let data: Vec<f32> = (0..nx * nz).flat_map(|at| bands.iter().map(move |band| band[at])).collect();

    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes)?.with_compression(Compression::Deflate(DeflateLevel::Fast));
    let mut image = encoder.new_image::<Gray32Float>(u32::try_from(nx)?, u32::try_from(nz)?)?;
    if maps.len() > 1 {
        image.extra_samples(&vec![ExtraSamples::Unspecified; maps.len() - 1])?;
    }
    let tags = image.encoder();
    tags.write_tag(Tag::ModelPixelScaleTag, &[field.water.cell, field.water.cell, 0.0][..])?;
    // Pixel (0, 0) begins at the north-west corner.
    let north = field.water.origin[1] + nz as f64 * field.water.cell;
    tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, field.water.origin[0], north, 0.0][..])?;
    // One key: values are those of whole pixels.
    tags.write_tag(Tag::GeoKeyDirectoryTag, &[1_u16, 1, 0, 1, 1025, 0, 1, 1][..])?;
    tags.write_tag(Tag::GdalNodata, format!("{NODATA}").as_str())?;
    let names: String = maps
        .iter()
        .enumerate()
        .map(|(band, map)| {
            let (name, unit) = (map.name(), map.unit());
            format!(
                "<Item name=\"DESCRIPTION\" sample=\"{band}\" role=\"description\">{name}</Item>\
                 <Item name=\"UNITTYPE\" sample=\"{band}\" role=\"unittype\">{unit}</Item>"
            )
        })
        .collect();
    let metadata = format!("<GDALMetadata><Item name=\"TIME_S\">{}</Item>{names}</GDALMetadata>", field.time);
    tags.write_tag(Tag::Unknown(GDAL_METADATA), metadata.as_str())?;
    image.write_data(&data)?;
    Ok(bytes.into_inner())
}
