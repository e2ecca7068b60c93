//! What both executors promise, tried on each.

mod buffers;
mod recordings;

use crate::primitives::{Fill, FillParams};
use crate::{Buffer, Dispatch, Recording, Result};

fn fill(rec: &mut Recording<'_>, values: &Buffer<u32>, value: u32) -> Result<()> {
    rec.run(&Fill { values }, &FillParams { value }, Dispatch::Elements(values.len()))
}
