//! Why a shader does not link.

use std::fmt;

/// Why a shader does not link, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    /// The file, as seen from the folder of the crate.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl LinkError {
    /// An error at byte `at` of `text`, the text of `file`.
    pub(crate) fn new(file: &str, text: &str, at: usize, message: impl Into<String>) -> Self {
        Self { file: file.into(), line: line(text, at), message: message.into() }
    }
}

/// The line of byte `at`, from 1.
pub(crate) fn line(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for LinkError {}
