//! Why an executor could not do what it was asked.

/// Errors of either executor. Each says what the caller can change.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ComputeError {
    /// No GPU was found, or none that the options allow.
    #[error("no usable GPU adapter: {reason}; use the CPU executor, or install a Vulkan, Metal or DX12 driver")]
    NoAdapter {
        /// What the drivers said.
        reason: String,
    },
    /// A GPU was asked for in a program that has no GPU executor.
    #[error("this program was built without GPUs: use the CPU executor, or build it with the feature `gpu`")]
    BuiltWithoutGpu,
    /// The adapter was found but gave no device.
    #[error("adapter `{adapter}` gave no device: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// A buffer is larger than the device binds.
    #[error("buffer `{label}` needs {bytes} bytes, the device allows {limit}: use fewer cells or the CPU executor")]
    BufferTooLarge {
        /// The buffer's label.
        label: String,
        /// Bytes asked for.
        bytes: u64,
        /// The device's limit on one bound buffer.
        limit: u64,
    },
    /// Memory ran out.
    #[error("out of memory for buffer `{label}` of {bytes} bytes: use fewer cells")]
    OutOfMemory {
        /// The buffer's label.
        label: String,
        /// Bytes asked for.
        bytes: u64,
    },
    /// The device went away (driver reset, unplugged, or a kernel ran past the driver's time limit).
    #[error("the GPU was lost: {reason}; make a new executor and load the last checkpoint")]
    DeviceLost {
        /// What the driver said.
        reason: String,
    },
    /// A kernel or its use is wrong. A bug of ours, never of the input.
    #[error("kernel `{kernel}` is invalid: {reason}")]
    InvalidKernel {
        /// The kernel's name.
        kernel: String,
        /// What validation said.
        reason: String,
    },
    /// A dispatch needs more workgroups than the two folded dimensions hold.
    #[error("kernel `{kernel}` needs {groups} workgroups, more than a dispatch can hold: use fewer cells")]
    TooManyGroups {
        /// The kernel's name.
        kernel: String,
        /// Workgroups asked for.
        groups: u64,
    },
    /// A read or write past the end of a buffer, or a buffer of another executor.
    #[error("buffer `{label}`: {reason}")]
    BufferMisuse {
        /// The buffer's label.
        label: String,
        /// What was wrong.
        reason: String,
    },
    /// The CPU's thread pool could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

/// Shorthand for results of this crate.
pub type Result<T, E = ComputeError> = std::result::Result<T, E>;
