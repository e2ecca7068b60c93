//! Elevations of all cells of a tree over a raster.

use std::sync::Arc;

use super::error::RasterError;
use super::pyramid_file;
use super::raster::TiledRaster;
use super::sampling::{Placed, Sampling};
use super::survey::{KEPT_SHIFT, Survey, kept_sizes, survey};

/// The ground of a tree over a raster that is larger than memory.
///
/// * The finest cells take the raster bilinearly at their middle, as [`Terrain::rasterise`](crate::Terrain::rasterise) does.
/// * Every larger cell is the mean of the finest ones in it, so also of the four next smaller ones: to the last bits of f64 for cells of up to eight finest
///   ones along a side, which are computed from the raster's blocks when they are asked for, and to the rounding of f32 for larger ones, which are kept.
///
/// Kept cells take 4/3 · 4 bytes for each 256 finest cells: 90 MB at most, for 65536 x 65536 finest cells; twice that more while the raster is surveyed.
#[derive(Debug)]
pub struct RasterPyramid {
    raster: Arc<TiledRaster>,
    placed: Placed,
    survey: Survey,
    sizes: Vec<[usize; 2]>,
}

/// How a pyramid came about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PyramidReport {
    /// Whether the file beside the raster was used; otherwise all of the raster under the domain was read.
    pub loaded: bool,
    /// Why a file that was there could not be used.
    pub stale: Option<String>,
    /// Why no file could be written: the next run will have to read all of the raster again.
    pub unsaved: Option<String>,
}

impl RasterPyramid {
    /// Surveys a raster, or loads its survey from the file `NAME.pyramid` beside it. A file that does not fit is replaced; one that cannot be written is
    /// reported and done without. `progress` is told how many blocks of the raster are read, and how many there are to read.
    pub fn open(
        raster: Arc<TiledRaster>,
        sampling: &Sampling,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(Self, PyramidReport), RasterError> {
        let placed = Placed::new(sampling, &raster)?;
        let path = pyramid_file::path_beside(raster.path());
        let mut report = PyramidReport::default();
        let loaded = pyramid_file::load(&path, &placed, raster.stamp()).unwrap_or_else(|why| {
            report.stale = Some(format!("{}: {why}", path.display()));
            None
        });
        report.loaded = loaded.is_some();
        let survey = match loaded {
            Some(survey) => survey,
            None => {
                let survey = survey(&raster, &placed, progress)?;
                if let Err(error) = pyramid_file::save(&path, &placed, raster.stamp(), &survey) {
                    report.unsaved = Some(format!("{}: {error}", path.display()));
                }
                survey
            }
        };
        let sizes = kept_sizes(&placed);
        Ok((Self { raster, placed, survey, sizes }, report))
    }

    /// The raster.
    pub fn raster(&self) -> &Arc<TiledRaster> {
        &self.raster
    }

    /// Levels; cells of level 0 are the largest.
    pub fn levels(&self) -> u32 {
        self.placed.levels
    }

    /// Finest cells along x and z.
    pub fn size(&self) -> [u32; 2] {
        self.placed.size
    }

    /// Lowest and highest elevation that the raster has under the domain, m.
    pub fn range(&self) -> [f64; 2] {
        self.survey.range
    }

    /// Elevations, m, of `count` cells along x and z of a level, from cell `first` on; x fastest. They must be whole and in the domain.
    pub fn elevations(&self, level: u32, first: [u32; 2], count: [u32; 2]) -> Result<Vec<f64>, RasterError> {
        let shift = self.shift(level, first, count)?;
        if let Some(kept) = shift.checked_sub(KEPT_SHIFT).map(|n| n as usize) {
            let (wide, means) = (self.sizes[kept][0], &self.survey.levels[kept]);
            let cell = |i: u32, k: u32| f64::from(means[i as usize + wide * k as usize]);
            return Ok(rectangle(first, count).map(|[i, k]| cell(i, k)).collect());
        }
        let columns = self.placed.weights(0, shift, first[0], count[0]);
        let rows = self.placed.weights(1, shift, first[1], count[1]);
        let (across, up) = (columns.pixels(), rows.pixels());
        let values = self.raster.gather(&across, &up)?;
        let no_data = |column: usize, row: usize| RasterError::NoData {
            path: self.raster.path().to_owned(),
            column: across[column],
            row: up[row],
        };
        let (columns, rows) = (columns.among(&across), rows.among(&up));
        let mut elevations = Vec::with_capacity(columns.len() * rows.len());
        for rows in &rows {
            for columns in &columns {
                let mut sum = 0.0;
                for &(row, row_weight) in rows {
                    for &(column, column_weight) in columns {
                        let value = values[column + across.len() * row];
                        let elevation = self.placed.elevation(value).ok_or_else(|| no_data(column, row))?;
                        sum += row_weight * column_weight * elevation;
                    }
                }
                elevations.push(sum);
            }
        }
        Ok(elevations)
    }

    /// Elevations from what is kept in memory, m: each cell has the mean of the kept cell that holds it, or of the nearest one outside the domain. It reads
    /// no file, so it never fails.
    pub fn rough_elevations(&self, level: u32, first: [u32; 2], count: [u32; 2]) -> Vec<f64> {
        let shift = (self.placed.levels - 1).saturating_sub(level);
        let kept = shift.saturating_sub(KEPT_SHIFT) as usize;
        let ([nx, nz], means) = (self.sizes[kept], &self.survey.levels[kept]);
        let down = KEPT_SHIFT.saturating_sub(shift);
        let nearest = |n: u32, size: usize| ((n >> down) as usize).min(size.saturating_sub(1));
        let cell = |[i, k]: [u32; 2]| means.get(nearest(i, nx) + nx * nearest(k, nz)).copied().unwrap_or_default();
        rectangle(first, count).map(|place| f64::from(cell(place))).collect()
    }

    /// Doublings of the finest cells, where the cells are in the domain.
    fn shift(&self, level: u32, first: [u32; 2], count: [u32; 2]) -> Result<u32, RasterError> {
        let levels = self.placed.levels;
        let outside = || RasterError::Sampling(format!("cells {first:?} + {count:?} of level {level} are outside"));
        let shift = (levels - 1).checked_sub(level).ok_or_else(outside)?;
        let fits =
            (0..2).all(|n| first[n].checked_add(count[n]).is_some_and(|end| end <= self.placed.size[n] >> shift));
        if fits { Ok(shift) } else { Err(outside()) }
    }
}

/// Cells of a rectangle, x fastest.
fn rectangle(first: [u32; 2], count: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    let [along, up] = [0, 1].map(|n| first[n]..first[n].saturating_add(count[n]));
    up.flat_map(move |k| along.clone().map(move |i| [i, k]))
}
