//! Errors and warnings that point at the line: a diagnostic, the set of errors, and how they print.

use std::fmt;
use std::ops::Range;
pub(crate) use thalweg_model::number::quoted;

use serde::Serialize;

/// Longest part of a source line that is shown, characters.
const SHOWN_WIDTH: usize = 120;

/// Diagnostics printed in full; a broken file may have thousands.
const SHOWN_DIAGNOSTICS: usize = 20;

/// Whether a scene can be simulated as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It is refused.
    Error,
    /// It can, but what it asks for is hardly meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// One thing that is wrong with a scene, where it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Whether it is an error.
    pub severity: Severity,
    /// The scene file (or the name given for a text, or of a scene that a program made).
    pub file: String,
    /// Path of the key or field, such as `body[2].density`; `None` where it is the scene as a whole, or its syntax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where in the file; `None` where the file itself is the trouble (missing, unreadable), and for a scene that a
    /// program made.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What would be right: the nearest key, the valid range, the unit.
    pub hint: Option<String>,
}

/// A stretch of one source line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Characters that are marked, at least 1; they may go beyond `text`.
    pub width: usize,
    /// The line, or the part of a very long line around the column; control characters are blanked.
    pub text: String,
    /// Column of the first character of `text`; more than 1 where a long line was cut.
    pub text_column: usize,
}

impl Diagnostic {
    /// A diagnostic that has no place inside the file.
    pub(crate) fn whole_file(file: &str, message: impl Into<String>, hint: Option<String>) -> Self {
        Self {
            severity: Severity::Error,
            file: printable(file),
            path: None,
            place: None,
            message: printable(&message.into()),
            hint: hint.as_deref().map(printable),
        }
    }

    /// A diagnostic at a range of bytes of the source text.
    pub(crate) fn at(
        file: &str,
        text: &str,
        span: Range<usize>,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Self {
        Self { place: Some(Place::new(text, span)), ..Self::whole_file(file, message, hint) }
    }

    /// The same with the path of the key that it is about.
    pub(crate) fn with_path(self, path: &str) -> Self {
        Self { path: Some(printable(path)).filter(|path| !path.is_empty()), ..self }
    }

    /// The same, of what is allowed.
    pub(crate) fn into_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// Line of the trouble, from 1, where it has one.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line)
    }

    /// Column of the trouble, from 1, where it has one.
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }
}

impl Place {
    fn new(text: &str, span: Range<usize>) -> Self {
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[line_start..line_end].trim_end_matches('\r');

        let before = text[line_start..start].chars().count();
        let width = text[start..end.min(line_end)].chars().count().max(1);
        // A long line is cut so that the marked part is in the middle of what is shown.
        let skip =
            if before + width.min(SHOWN_WIDTH) <= SHOWN_WIDTH { 0 } else { before.saturating_sub(SHOWN_WIDTH / 4) };
        let shown: String = line.chars().skip(skip).take(SHOWN_WIDTH).collect();
        Self {
            line: text[..line_start].bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before + 1,
            width,
            text: printable(&shown),
            text_column: skip + 1,
        }
    }
}

/// The nearest character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text without control characters, so that a hostile file cannot drive the reader's terminal.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

impl fmt::Display for Diagnostic {
    /// In the manner of rustc: message, place, source line with carets, help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.message)?;
        let Some(place) = &self.place else {
            write!(f, "\n --> {}", self.file)?;
            if let Some(path) = &self.path {
                write!(f, ": {path}")?;
            }
            return match &self.hint {
                Some(hint) => write!(f, "\n  = help: {hint}"),
                None => Ok(()),
            };
        };
        let number = place.line.to_string();
        let gutter = " ".repeat(number.len());
        write!(f, "\n{gutter}--> {}:{}:{}", self.file, place.line, place.column)?;
        write!(f, "\n{gutter} |\n{number} | {}", place.text)?;
        let indent = place.column - place.text_column;
        let shown = place.text.chars().count();
        let width = place.width.min(shown.saturating_sub(indent)).max(1);
        write!(f, "\n{gutter} | {}{}", " ".repeat(indent), "^".repeat(width))?;
        if let Some(hint) = &self.hint {
            write!(f, "\n{gutter} = help: {hint}")?;
        }
        Ok(())
    }
}

/// Why a scene was refused: one diagnostic or more, in the order of the file.
///
/// `Display` prints all of them for people; `Serialize` gives the same to machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SceneError {
    diagnostics: Vec<Diagnostic>,
}

impl SceneError {
    /// `diagnostics` holds at least one.
    pub(crate) fn new(mut diagnostics: Vec<Diagnostic>) -> Self {
        debug_assert!(!diagnostics.is_empty(), "an error needs a reason");
        sort(&mut diagnostics);
        Self { diagnostics }
    }

    /// What is wrong, in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// In the order of the file, each once.
pub(crate) fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.line(), diagnostic.column()));
    // One key may be reached by several paths, those of things that the text does not have.
    diagnostics.dedup_by(|a, b| match &a.place {
        Some(_) => *a == Diagnostic { path: a.path.clone(), ..b.clone() },
        None => a == b,
    });
}

impl From<Diagnostic> for SceneError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::new(vec![diagnostic])
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().take(SHOWN_DIAGNOSTICS).enumerate() {
            let gap = if index > 0 { "\n\n" } else { "" };
            write!(f, "{gap}{diagnostic}")?;
        }
        match self.diagnostics.len().saturating_sub(SHOWN_DIAGNOSTICS) {
            0 => Ok(()),
            more => write!(f, "\n\n… and {more} more errors"),
        }
    }
}

impl std::error::Error for SceneError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_like_a_compiler() {
        let text = "[water]\r\n\tdept = 3\r\n";
        let found = Diagnostic::at("a.toml", text, 10..14, "unknown key `dept`", Some("did you mean `depth`?".into()));
        assert_eq!(
            found.to_string(),
            "error: unknown key `dept`\n --> a.toml:2:2\n  |\n2 |  dept = 3\n  |  ^^^^\n  = help: did you mean `depth`?"
        );
    }

    #[test]
    fn warnings_say_that_they_are() {
        let found = Diagnostic::at("a.toml", "depth = 3", 8..9, "rather deep", None).into_warning();
        assert!(found.to_string().starts_with("warning: rather deep\n --> a.toml:1:9"), "{found}");
        assert_eq!(serde_json::to_value(found).expect("serialises")["severity"], "warning");
    }

    #[test]
    fn spans_outside_the_text_are_harmless() {
        for text in ["", "ä", "\n\n", "a\u{1b}[31m"] {
            for start in 0..5 {
                for end in 0..5 {
                    let shown = Diagnostic::at("f", text, start..end, "m", None).to_string();
                    assert!(!shown.contains('\u{1b}'));
                }
            }
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}here{}", "x".repeat(500), "y".repeat(500));
        let found = Diagnostic::at("f", &text, 500..504, "m", None);
        let place = found.place.clone().expect("has a place");
        assert_eq!((place.line, place.column, place.width), (1, 501, 4));
        assert!(place.text.contains("here") && place.text.chars().count() <= SHOWN_WIDTH);
        assert!(found.to_string().ends_with(&format!("{}^^^^", " ".repeat(SHOWN_WIDTH / 4))));
    }

    #[test]
    fn machine_form_is_flat() {
        let found = Diagnostic::at("f", "abc", 1..2, "m", None);
        let json = serde_json::to_value(SceneError::from(found)).expect("serialises");
        assert_eq!(json["diagnostics"][0]["severity"], "error");
        assert_eq!(json["diagnostics"][0]["line"], 1);
        assert_eq!(json["diagnostics"][0]["column"], 2);
        assert_eq!(json["diagnostics"][0]["text"], "abc");
    }
}
