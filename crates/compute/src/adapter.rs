//! What is asked of a GPU, and what one says of itself.

/// Which adapter to open.
#[derive(Debug, Clone, Default)]
pub struct GpuOptions {
    /// Accept adapters that run on the processor (Mesa's lavapipe): right, but slow. Tests want them.
    pub allow_software: bool,
    /// Only adapters whose name contains this, case-insensitive.
    pub name_contains: Option<String>,
    /// Compile kernels with all the liberties that WGSL leaves to drivers (products fused into sums, quotients by
    /// reciprocals, sums reassociated), whatever the driver itself does. Tests want it: a software driver takes none of
    /// them, a real card takes most.
    pub take_liberties: bool,
}

/// What a person wants to know of an adapter.
#[derive(Debug, Clone)]
pub struct AdapterSummary {
    /// The driver's name of the device.
    pub name: String,
    /// Vulkan, Metal, Dx12, …
    pub api: String,
    /// Discrete GPU, integrated GPU, software, …
    pub kind: String,
    /// Driver and its version.
    pub driver: String,
    /// Whether it runs on the processor.
    pub software: bool,
    /// Largest buffer that one binding may have, bytes.
    pub max_binding_bytes: u64,
    /// Whether stages can be timed.
    pub timestamps: bool,
}
