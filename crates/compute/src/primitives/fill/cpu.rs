use super::{FillParams, FillSlices};

pub(super) fn fill(p: &FillParams, s: FillSlices<'_>) {
    s.values.fill(p.value);
}
