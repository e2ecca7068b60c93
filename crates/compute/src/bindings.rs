//! Which buffers may be bound together, the same on both executors.

use crate::buffer::RawBuffer;
use crate::dispatch::Dispatch;
use crate::error::Result;
use crate::kernel::{Access, KernelInfo};

/// An error if the kernel writes a buffer that it also binds elsewhere, or takes its extent from past a
/// buffer's end.
pub(crate) fn check(kernel: &KernelInfo, buffers: &[&RawBuffer], extent: &Dispatch<'_>) -> Result<()> {
    for (i, written) in buffers.iter().enumerate().filter(|(i, _)| kernel.bindings[*i].access == Access::Write) {
        if let Some(other) = buffers.iter().enumerate().position(|(j, b)| j != i && b.id == written.id) {
            let (written_as, other_as) = (kernel.bindings[i].name, kernel.bindings[other].name);
            let reason = format!("kernel `{}` writes it as `{written_as}` and binds it as `{other_as}`", kernel.name);
            return Err(written.misuse(&reason));
        }
    }
    let Dispatch::Indirect(args, offset) = *extent else { return Ok(()) };
    if offset.checked_add(3).is_none_or(|end| end > args.len()) {
        return Err(args.raw.misuse("indirect arguments are out of range"));
    }
    let writes_args =
        |(b, info): (&&RawBuffer, &crate::BindingInfo)| info.access == Access::Write && b.id == args.raw.id;
    if buffers.iter().zip(kernel.bindings).any(writes_args) {
        return Err(args.raw.misuse(&format!("kernel `{}` writes it and takes its extent from it", kernel.name)));
    }
    Ok(())
}
