//! `report.html`: a run in one file that opens anywhere, offline, in light and dark.
//!
//! ```
//! use thalweg_io::report::Report;
//!
//! let html = Report::new("Dam break")
//!     .describe("A column of water collapses.")
//!     .summarise("cells", "12,000")
//!     .bars("Stages", "ms", [("flux".to_owned(), 1.4), ("friction".to_owned(), 0.2)])
//!     .text("Scene", "[scene]\nname = \"Dam break\"")
//!     .to_html(".");
//! assert!(html.contains("Dam break"));
//! ```

mod html;
mod media;

use std::path::{Path, PathBuf};

use crate::plot::{Chart, Series};
use crate::table::Columns;
use crate::{Error, atomic};

/// Frames shown of a long run, evenly spread.
const MOST_FRAMES: usize = 12;

/// A report being put together. Sections appear in the order in which they are added.
#[derive(Debug, Clone)]
pub struct Report {
    /// Heading of the page.
    pub title: String,
    /// A paragraph below it; may be empty.
    pub description: String,
    /// The most important facts, as name and value.
    pub summary: Vec<(String, String)>,
    /// All else.
    pub sections: Vec<Section>,
    /// Bytes of pictures to embed at most; further ones are linked, and the page says so.
    /// Default 24 MiB.
    pub embed_limit: u64,
}

/// A part of a [`Report`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Section {
    /// A moving picture: GIF, APNG, WebP, or a video.
    Animation {
        /// Heading.
        title: String,
        /// The file.
        path: PathBuf,
    },
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
    /// Horizontal bars, as for the time that each stage takes.
    Bars {
        /// Heading.
        title: String,
        /// Unit of the values.
        unit: String,
        /// Name and value of each bar.
        bars: Vec<(String, f64)>,
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
}

impl Report {
    /// An empty report.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: String::new(),
            summary: Vec::new(),
            sections: Vec::new(),
            embed_limit: 24 << 20,
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

    /// Adds a moving picture.
    #[must_use]
    pub fn animation(self, title: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.section(Section::Animation { title: title.into(), path: path.into() })
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

    /// Adds horizontal bars.
    #[must_use]
    pub fn bars(self, title: impl Into<String>, unit: impl Into<String>, bars: impl Into<Vec<(String, f64)>>) -> Self {
        self.section(Section::Bars { title: title.into(), unit: unit.into(), bars: bars.into() })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Image;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn report() -> Report {
        Report::new("A <b>title</b>")
            .describe("\"quoted\" & <script>alert(1)</script>")
            .summarise("k<", "w>")
            .bars("B<", "m<s", [("x<y".to_owned(), 1.0), ("nan".to_owned(), f64::NAN)])
            .table("T<", ["a<".to_owned()], [vec!["</td>".to_owned()]])
            .text("X<", "</pre><script>")
    }

    #[test]
    fn all_text_is_escaped() {
        let html = report().to_html(".");
        let ours = html.matches("<script").count();
        assert_eq!(ours, 1, "only the page's own script");
        for leak in ["<b>title", "k<<", "w></d", "x<y", "m<s", "</pre><script>", "</td></td>"] {
            assert!(!html.contains(leak), "{leak}");
        }
        assert!(html.contains("A &lt;b&gt;title"));
    }

    #[test]
    fn nothing_comes_from_the_network() {
        let html = report().charts("C", [Chart::new("c")]).to_html(".");
        let foreign = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http:") && !foreign.contains("https:"));
    }

    #[test]
    fn pictures_are_embedded_until_the_limit_then_linked() -> Outcome {
        let folder = tempfile::tempdir()?;
        let frames = folder.path().join("frames dir");
        let paths: Vec<_> = (0..30).map(|i| frames.join(format!("{i}.png"))).collect();
        for path in &paths {
            Image::filled(40, 30, [9, 99, 199]).write_png(path)?;
        }
        let mut report = Report::new("r").frames("Frames", paths);
        let page = folder.path().join("report.html");
        report.write(&page)?;
        let html = std::fs::read_to_string(&page)?;
        assert_eq!(html.matches("src=\"data:image/png;base64,iVBOR").count(), MOST_FRAMES);
        assert!(html.contains("12 of 30"));

        report.embed_limit = 0;
        let html = report.to_html(folder.path());
        assert!(!html.contains("src=\"data:"));
        assert!(html.contains("src=\"frames%20dir/0.png\""), "{html}");
        assert!(html.contains("linked"), "the page says so");
        Ok(())
    }

    #[test]
    fn a_missing_picture_is_a_note() {
        let html = Report::new("r").animation("A", "nowhere/a.gif").to_html(".");
        assert!(html.contains("a.gif") && html.contains("missing"));
    }

    #[test]
    fn columns_become_charts() {
        let columns = Columns {
            names: ["time", "volume", "void"].map(str::to_owned).to_vec(),
            values: vec![vec![0.0, 1.0], vec![2.0, 3.0], vec![f64::NAN; 2]],
        };
        let report = Report::new("r").columns("Statistics", &columns);
        let [Section::Charts { charts, .. }] = &report.sections[..] else {
            panic!("one section of charts");
        };
        assert_eq!(charts.len(), 1);
        assert_eq!(charts[0].title, "volume");
        assert!(Report::new("r").columns("S", &Columns::default()).sections.is_empty());
    }
}
