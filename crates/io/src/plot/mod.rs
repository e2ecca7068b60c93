//! Line charts as SVG, for reports, validation and benchmarks.
//!
//! A chart stands by itself (colours follow the reader's light or dark theme; viewers without
//! style sheets show the light one) and carries its numbers, which a [report](crate::report)
//! reads out under the pointer.
//!
//! ```
//! use thalweg_io::plot::{Chart, Mark, Scale, Series, line_chart};
//!
//! let svg = line_chart(
//!     &Chart::new("Convergence")
//!         .axes("cell (m)", "error (m)")
//!         .scales(Scale::Log, Scale::Log)
//!         .with(Series::new("measured", [[0.1, 2e-2], [0.05, 5e-3]]).mark(Mark::LinePoints))
//!         .with(Series::new("second order", [[0.1, 2e-2], [0.05, 5e-3]]).mark(Mark::Dashed)),
//! );
//! assert!(svg.starts_with("<svg"));
//! ```

mod scale;
mod svg;
#[cfg(test)]
mod tests;

pub use scale::Scale;
pub(crate) use svg::{DARK_THEME, escape, inline, paint};

/// A chart of one or more series over a common x axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Heading.
    pub title: String,
    /// Label of the horizontal axis, with its unit: "time (s)".
    pub x_label: String,
    /// Label of the vertical axis, with its unit.
    pub y_label: String,
    /// How x is laid out.
    pub x_scale: Scale,
    /// How y is laid out.
    pub y_scale: Scale,
    /// Ends of the x axis; from the data if `None`.
    pub x_range: Option<[f64; 2]>,
    /// Ends of the y axis; from the data if `None`.
    pub y_range: Option<[f64; 2]>,
    /// What is drawn, first below.
    pub series: Vec<Series>,
    /// Width, pixels. Default 640.
    pub width: u32,
    /// Height, pixels. Default 360.
    pub height: u32,
}

impl Default for Chart {
    fn default() -> Self {
        Self {
            title: String::new(),
            x_label: String::new(),
            y_label: String::new(),
            x_scale: Scale::Linear,
            y_scale: Scale::Linear,
            x_range: None,
            y_range: None,
            series: Vec::new(),
            width: 640,
            height: 360,
        }
    }
}

impl Chart {
    /// An empty chart.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Labels both axes.
    #[must_use]
    pub fn axes(mut self, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        self.x_label = x_label.into();
        self.y_label = y_label.into();
        self
    }

    /// Sets how both axes are laid out.
    #[must_use]
    pub fn scales(mut self, x: Scale, y: Scale) -> Self {
        self.x_scale = x;
        self.y_scale = y;
        self
    }

    /// Adds a series on top.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend; none if empty.
    pub name: String,
    /// x and y of each point. A point that is not finite (or not above zero on a logarithmic
    /// axis) breaks the line.
    pub points: Vec<[f64; 2]>,
    /// How they are drawn.
    pub mark: Mark,
}

impl Series {
    /// A solid line.
    #[must_use]
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), mark: Mark::Line }
    }

    /// A solid line through columns of a table; the shorter one ends it.
    #[must_use]
    pub fn from_columns(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Self::new(name, x.iter().zip(y).map(|(&x, &y)| [x, y]))
    }

    /// Draws it another way.
    #[must_use]
    pub fn mark(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A solid line.
    Line,
    /// A dashed line, as for theory beside measurement.
    Dashed,
    /// Points only, as for measurements.
    Points,
    /// A solid line through points.
    LinePoints,
}

/// Draws a chart as an SVG document. Any numbers give a chart; an empty one says so.
#[must_use]
pub fn line_chart(chart: &Chart) -> String {
    svg::document(chart)
}
