//! The state of a simulation by name: what a checkpoint holds of one method.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

/// One field of a snapshot. Bits are kept, NaN payloads included.
#[derive(Debug, Clone, PartialEq)]
pub enum Array {
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit floats.
    F64(Vec<f64>),
    /// 32-bit unsigned integers.
    U32(Vec<u32>),
    /// Bytes, such as a text or a file.
    U8(Vec<u8>),
}

impl Array {
    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::F32(a) => a.len(),
            Self::F64(a) => a.len(),
            Self::U32(a) => a.len(),
            Self::U8(a) => a.len(),
        }
    }

    /// Whether it has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Vec<f32>> for Array {
    fn from(values: Vec<f32>) -> Self {
        Self::F32(values)
    }
}

impl From<Vec<f64>> for Array {
    fn from(values: Vec<f64>) -> Self {
        Self::F64(values)
    }
}

impl From<Vec<u32>> for Array {
    fn from(values: Vec<u32>) -> Self {
        Self::U32(values)
    }
}

impl From<Vec<u8>> for Array {
    fn from(values: Vec<u8>) -> Self {
        Self::U8(values)
    }
}

/// Why a snapshot is not what a method wants.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// An array is not there, or of another type.
    #[error("it has no array `{name}` of type {kind}")]
    Missing {
        /// The array.
        name: String,
        /// Its type.
        kind: &'static str,
    },
    /// The numbers beside the arrays are not those that were looked for.
    #[error("{0}")]
    Numbers(String),
}

/// All that a method needs to go on with the same bits, and nothing of what its scene says anyway.
///
/// ```
/// use thalweg_model::Snapshot;
///
/// let saved = Snapshot::new("bucket", 2.5, &[7u32])?.with("level", vec![0.25f32]);
/// assert_eq!((saved.f32("level")?, saved.numbers::<[u32; 1]>()?), (&[0.25][..], [7]));
/// assert!(saved.u32("level").is_err() && saved.has("level"));
/// # Ok::<(), thalweg_model::SnapshotError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The method that saved it: no method takes what another one has saved.
    pub kind: String,
    /// Simulated time, s.
    pub time: f64,
    /// Numbers that are not arrays.
    pub header: Value,
    /// Fields, in the order in which they were given.
    pub arrays: Vec<(String, Array)>,
}

impl Snapshot {
    /// Without arrays.
    ///
    /// # Errors
    /// [`SnapshotError::Numbers`] if they cannot be written as JSON.
    pub fn new(kind: &str, time: f64, numbers: &impl Serialize) -> Result<Self, SnapshotError> {
        let header = serde_json::to_value(numbers).map_err(|error| SnapshotError::Numbers(error.to_string()))?;
        Ok(Self { kind: kind.to_owned(), time, header, arrays: Vec::new() })
    }

    /// With another array.
    #[must_use]
    pub fn with(mut self, name: &str, values: impl Into<Array>) -> Self {
        self.arrays.push((name.to_owned(), values.into()));
        self
    }

    /// With another array, unless it is empty: what only some scenes have.
    #[must_use]
    pub fn with_some(self, name: &str, values: impl Into<Array>) -> Self {
        let values = values.into();
        if values.is_empty() { self } else { self.with(name, values) }
    }

    /// The numbers that are not arrays.
    ///
    /// # Errors
    /// [`SnapshotError::Numbers`] if they are others.
    pub fn numbers<T: DeserializeOwned>(&self) -> Result<T, SnapshotError> {
        serde_json::from_value(self.header.clone()).map_err(|error| SnapshotError::Numbers(error.to_string()))
    }

    /// Whether there is an array of that name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.array(name).is_some()
    }

    /// The array of that name and type.
    ///
    /// # Errors
    /// [`SnapshotError::Missing`] if the array is missing or holds another type.
    pub fn f32(&self, name: &str) -> Result<&[f32], SnapshotError> {
        match self.array(name) {
            Some(Array::F32(values)) => Ok(values),
            _ => Err(missing(name, "f32")),
        }
    }

    /// The array of that name and type.
    ///
    /// # Errors
    /// [`SnapshotError::Missing`] if the array is missing or holds another type.
    pub fn u32(&self, name: &str) -> Result<&[u32], SnapshotError> {
        match self.array(name) {
            Some(Array::U32(values)) => Ok(values),
            _ => Err(missing(name, "u32")),
        }
    }

    /// The array of that name and type.
    ///
    /// # Errors
    /// [`SnapshotError::Missing`] if the array is missing or holds another type.
    pub fn bytes(&self, name: &str) -> Result<&[u8], SnapshotError> {
        match self.array(name) {
            Some(Array::U8(values)) => Ok(values),
            _ => Err(missing(name, "bytes")),
        }
    }

    /// An array that not every scene has; empty if there is none.
    ///
    /// # Errors
    /// [`SnapshotError::Missing`] if it holds another type.
    pub fn some_f32(&self, name: &str) -> Result<&[f32], SnapshotError> {
        if self.has(name) { self.f32(name) } else { Ok(&[]) }
    }

    fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|(known, _)| known == name).map(|(_, array)| array)
    }
}

fn missing(name: &str, kind: &'static str) -> SnapshotError {
    SnapshotError::Missing { name: name.to_owned(), kind }
}
