//! `report.html`: a run in one file that opens anywhere, offline, in light and dark.
//!
//! ```
//! use thalweg_io::report::Report;
//!
//! let html = Report::new("Dam break")
//!     .describe("A column of water collapses.")
//!     .summarise("cells", "12,000")
//!     .shares("Stages", "ms", [("flux".to_owned(), 1.4), ("friction".to_owned(), 0.2)])
//!     .text("Scene", "[scene]\nname = \"Dam break\"")
//!     .to_html(".");
//! assert!(html.contains("Dam break"));
//! ```

mod html;
mod media;
mod shares;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::plot::{Chart, Series};
use crate::table::Columns;
use crate::{Error, atomic};

/// Frames shown of a long run, evenly spread.
const MOST_FRAMES: usize = 12;
/// Largest video that is embedded, bytes. A page of more than that is slow to open and hard to send.
const LARGEST_VIDEO: u64 = 30 << 20;

/// A report being put together. Sections appear in the order in which they are added.
#[derive(Debug, Clone)]
pub struct Report {
    /// Heading of the page.
    pub title: String,
    /// A paragraph below it; may be empty.
    pub description: String,
    /// What is shown first, below the description.
    pub video: Option<Video>,
    /// The most important facts, as name and value.
    pub summary: Vec<(String, String)>,
    /// All else.
    pub sections: Vec<Section>,
    /// Bytes of pictures to embed at most; further ones are linked, and the page says so.
    /// Default 24 MiB.
    pub embed_limit: u64,
    /// Bytes of the video to embed it; a larger one is linked, and the page says so. Default 30 MiB.
    pub video_limit: u64,
}

/// The moving picture of a run, and the picture that is shown until it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Video {
    /// The video; without one, the poster is shown by itself.
    pub path: Option<PathBuf>,
    /// The picture.
    pub poster: Option<PathBuf>,
    /// A line below them: what is shown, how fast.
    pub caption: String,
}

/// A part of a [`Report`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Section {
    /// A grid of pictures; of many, an even selection.
    Frames {
        /// Heading.
        title: String,
        /// The files, in order.
        paths: Vec<PathBuf>,
    },
    /// Charts with a read-out under the pointer.
    Charts {
        /// Heading.
        title: String,
        /// The charts, in order.
        charts: Vec<Chart>,
    },
    /// Parts of a whole, as for the time that each stage takes.
    Shares {
        /// Heading.
        title: String,
        /// Unit of the values.
        unit: String,
        /// Name and value of each part.
        parts: Vec<(String, f64)>,
    },
    /// A table.
    Table {
        /// Heading.
        title: String,
        /// Column names.
        header: Vec<String>,
        /// Rows, as long as the header.
        rows: Vec<Vec<String>>,
    },
    /// Text as it is, in a fixed-width font: the scene, the versions.
    Text {
        /// Heading.
        title: String,
        /// The text.
        text: String,
    },
    /// Markup as it is, as for a player of three-dimensional scenes. It must bring all that it needs.
    Html {
        /// Heading.
        title: String,
        /// What stands below the heading. It is not escaped: the caller must do that.
        html: String,
    },
}

impl Report {
    /// An empty report.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: String::new(),
            video: None,
            summary: Vec::new(),
            sections: Vec::new(),
            embed_limit: 24 << 20,
            video_limit: LARGEST_VIDEO,
        }
    }

    /// Sets the paragraph below the title.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a line to the summary.
    #[must_use]
    pub fn summarise(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.summary.push((name.into(), value.into()));
        self
    }

    /// Adds a section.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// Sets what is shown first.
    #[must_use]
    pub fn video(mut self, video: Video) -> Self {
        self.video = Some(video);
        self
    }

    /// Adds a grid of pictures.
    #[must_use]
    pub fn frames(self, title: impl Into<String>, paths: impl Into<Vec<PathBuf>>) -> Self {
        self.section(Section::Frames { title: title.into(), paths: paths.into() })
    }

    /// Adds charts.
    #[must_use]
    pub fn charts(self, title: impl Into<String>, charts: impl Into<Vec<Chart>>) -> Self {
        self.section(Section::Charts { title: title.into(), charts: charts.into() })
    }

    /// Adds a chart for every column of a table over its first column. A column that holds no
    /// finite number is left out.
    #[must_use]
    pub fn columns(self, title: impl Into<String>, columns: &Columns) -> Self {
        let mut columns = columns.names.iter().zip(&columns.values);
        let Some((x_name, x)) = columns.next() else {
            return self;
        };
        let x_label = if x_name == "time" { "time (s)" } else { x_name };
        let charts: Vec<_> = columns
            .filter(|(_, y)| y.iter().any(|y| y.is_finite()))
            .map(|(name, y)| {
                let mut chart = Chart::new(name).with(Series::from_columns("", x, y));
                chart.x_label = x_label.to_owned();
                chart.width = 520;
                chart.height = 260;
                chart
            })
            .collect();
        self.charts(title, charts)
    }

    /// Adds parts of a whole.
    #[must_use]
    pub fn shares(
        self,
        title: impl Into<String>,
        unit: impl Into<String>,
        parts: impl Into<Vec<(String, f64)>>,
    ) -> Self {
        self.section(Section::Shares { title: title.into(), unit: unit.into(), parts: parts.into() })
    }

    /// Adds a table.
    #[must_use]
    pub fn table(
        self,
        title: impl Into<String>,
        header: impl Into<Vec<String>>,
        rows: impl Into<Vec<Vec<String>>>,
    ) -> Self {
        self.section(Section::Table { title: title.into(), header: header.into(), rows: rows.into() })
    }

    /// Adds text as it is.
    #[must_use]
    pub fn text(self, title: impl Into<String>, text: impl Into<String>) -> Self {
        self.section(Section::Text { title: title.into(), text: text.into() })
    }

    /// Adds markup as it is. It is not escaped, and must load nothing from elsewhere.
    #[must_use]
    pub fn html(self, title: impl Into<String>, html: impl Into<String>) -> Self {
        self.section(Section::Html { title: title.into(), html: html.into() })
    }

    /// The page, for a file in `folder`, to which links are relative. A picture that cannot be
    /// read leaves a note in its place.
    #[must_use]
    pub fn to_html(&self, folder: impl AsRef<Path>) -> String {
        html::page(self, folder.as_ref())
    }

    /// Writes the page atomically.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        atomic::write(path, self.to_html(folder).as_bytes()).map_err(Error::io("write", path))
    }
}
