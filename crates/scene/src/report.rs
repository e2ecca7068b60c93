//! Where a key is in the source, and the diagnostics gathered so far.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostics::{Diagnostic, SceneError, sort};

/// Diagnostics kept. Each one reads the text to find its line, so a file of nothing but mistakes would
/// otherwise take time that grows with the square of its length.
pub(crate) const MOST_DIAGNOSTICS: usize = 100;

/// The path of a key, such as `probe[2].at[0]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct At(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl At {
    /// The document itself.
    pub(crate) fn root() -> Self {
        Self::default()
    }

    /// A key of this table.
    pub(crate) fn key(&self, key: &str) -> Self {
        self.join(Step::Key(key.to_owned()))
    }

    /// An entry of this array.
    pub(crate) fn index(&self, index: usize) -> Self {
        self.join(Step::Index(index))
    }

    fn join(&self, step: Step) -> Self {
        let mut path = self.0.clone();
        path.push(step);
        Self(path)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if position == 0 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// What diagnostics point at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Pointing {
    /// Lines and columns of the text of a file.
    #[default]
    Lines,
    /// The paths of fields that a program filled; the text was made from them.
    Fields,
}

/// A parsed scene text and what was found wrong with it.
pub(crate) struct Report<'a> {
    file: &'a str,
    text: &'a str,
    tree: &'a Spanned<DeTable<'a>>,
    pointing: Pointing,
    /// Each with the byte where it starts.
    diagnostics: Vec<(usize, Diagnostic)>,
    warnings: Vec<(usize, Diagnostic)>,
}

/// Where something stands in a scene: the path of its key and its bytes in the text.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    path: String,
    span: Range<usize>,
}

impl Spot {
    /// A diagnostic here.
    pub(crate) fn diagnostic(
        &self,
        pointing: Pointing,
        (file, text): (&str, &str),
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Diagnostic {
        let diagnostic = match pointing {
            Pointing::Lines => Diagnostic::at(file, text, self.span.clone(), message, hint),
            Pointing::Fields => Diagnostic::whole_file(file, message, hint),
        };
        diagnostic.with_path(&self.path)
    }
}

impl<'a> Report<'a> {
    pub(crate) fn new(file: &'a str, text: &'a str, tree: &'a Spanned<DeTable<'a>>) -> Self {
        let pointing = Pointing::Lines;
        Self { file, text, tree, pointing, diagnostics: Vec::new(), warnings: Vec::new() }
    }

    /// The same with diagnostics that point at something else.
    pub(crate) fn pointing_at(self, pointing: Pointing) -> Self {
        Self { pointing, ..self }
    }

    /// What diagnostics point at.
    pub(crate) fn pointing(&self) -> Pointing {
        self.pointing
    }

    /// Something wrong with the value at a path.
    pub(crate) fn error(&mut self, at: &At, message: impl Into<String>) {
        if self.has_room() {
            self.push(self.locate(at), at, message, None);
        }
    }

    /// Something wrong with the value at a path, and what would be right.
    pub(crate) fn error_with(&mut self, at: &At, message: impl Into<String>, hint: impl Into<String>) {
        if self.has_room() {
            self.push(self.locate(at), at, message, Some(hint.into()));
        }
    }

    /// Something allowed that is hardly meant, and what to do about it.
    pub(crate) fn warn(&mut self, at: &At, message: impl Into<String>, hint: impl Into<String>) {
        if self.warnings.len() < MOST_DIAGNOSTICS {
            let spot = self.spot(at);
            let warning = self.diagnostic(&spot, message, Some(hint.into()));
            self.warnings.push((spot.span.start, warning.into_warning()));
        }
    }

    /// What is hardly meant, in the order of the file.
    pub(crate) fn warnings(&mut self) -> Vec<Diagnostic> {
        sorted(std::mem::take(&mut self.warnings))
    }

    /// Something wrong at a range of bytes, which belong to the path.
    pub(crate) fn push(&mut self, span: Range<usize>, at: &At, message: impl Into<String>, hint: Option<String>) {
        if self.has_room() {
            let spot = Spot { path: at.to_string(), span };
            let diagnostic = self.diagnostic(&spot, message, hint);
            self.diagnostics.push((spot.span.start, diagnostic));
        }
    }

    fn diagnostic(&self, spot: &Spot, message: impl Into<String>, hint: Option<String>) -> Diagnostic {
        spot.diagnostic(self.pointing, (self.file, self.text), message, hint)
    }

    /// Where the value at a path stands.
    pub(crate) fn spot(&self, at: &At) -> Spot {
        Spot { path: at.to_string(), span: self.locate(at) }
    }

    fn has_room(&self) -> bool {
        self.diagnostics.len() < MOST_DIAGNOSTICS
    }

    /// A diagnostic to complete and raise later, when the scene is rasterised.
    pub(crate) fn template(&self, at: &At) -> Diagnostic {
        self.diagnostic(&self.spot(at), "", None)
    }

    /// What was wrong so far, if anything.
    pub(crate) fn result(&mut self) -> Result<(), SceneError> {
        match std::mem::take(&mut self.diagnostics) {
            none if none.is_empty() => Ok(()),
            diagnostics => Err(SceneError::new(sorted(diagnostics))),
        }
    }

    /// What messages call the scene's file.
    pub(crate) fn file(&self) -> &'a str {
        self.file
    }

    /// The scene's text.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Bytes of the value at a path, or of the nearest thing around it that is in the source.
    fn locate(&self, at: &At) -> Range<usize> {
        let mut span = 0..0;
        let mut table = Some(self.tree.get_ref());
        let mut array = None;
        for step in &at.0 {
            let next = match step {
                Step::Key(key) => table.and_then(|table| table.get(key.as_str())),
                Step::Index(index) => array.and_then(|array: &toml::de::DeArray<'_>| array.get(*index)),
            };
            let Some(next) = next else { break };
            // The tables of `[a.b]` without an `[a]` have no text of their own.
            if !next.span().is_empty() {
                span = next.span();
            }
            (table, array) = match next.get_ref() {
                DeValue::Table(table) => (Some(table), None),
                DeValue::Array(array) => (None, Some(array)),
                _ => (None, None),
            };
        }
        span
    }
}

/// In the order of the text, each once.
fn sorted(mut diagnostics: Vec<(usize, Diagnostic)>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|(start, _)| *start);
    let mut diagnostics = diagnostics.into_iter().map(|(_, diagnostic)| diagnostic).collect();
    sort(&mut diagnostics);
    diagnostics
}
