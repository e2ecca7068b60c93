//! What a kernel is, and the macros that define one.

use crate::buffer::RawBuffer;
use crate::error::Result;

pub use thalweg_wesl::WORKGROUP;

/// How a kernel uses a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Only read: `var<storage, read>`.
    Read,
    /// Written, perhaps read too: `var<storage, read_write>`.
    Write,
}

/// One buffer of a kernel, as declared in Rust; a test holds the WGSL to it.
#[derive(Debug, Clone, Copy)]
pub struct BindingInfo {
    /// Name of the variable, the same in Rust and WGSL.
    pub name: &'static str,
    /// Read or write.
    pub access: Access,
    /// Bytes of one element.
    pub stride: usize,
}

/// One member of a uniform block.
#[derive(Debug, Clone, Copy)]
pub struct MemberInfo {
    /// Name, the same in Rust and WGSL.
    pub name: &'static str,
    /// Offset in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// A parameter struct that kernels have in WGSL too. Define it with [`uniform!`](crate::uniform).
pub trait Uniform: bytemuck::Pod {
    /// The members in order.
    const MEMBERS: &'static [MemberInfo];
}

/// All that is known of a kernel without running it.
#[derive(Debug, Clone, Copy)]
pub struct KernelInfo {
    /// `crate.stage`: the label of pipelines and the key of timings.
    pub name: &'static str,
    /// Linked WGSL.
    pub wgsl: &'static str,
    /// Entry point in it.
    pub entry: &'static str,
    /// Threads of a workgroup.
    pub workgroup: [u32; 3],
    /// Buffers at bindings 1, 2, …; binding 0 is the uniform block.
    pub bindings: &'static [BindingInfo],
    /// Members of the uniform block.
    pub params: &'static [MemberInfo],
    /// Bytes of the uniform block.
    pub params_size: usize,
}

/// A kernel invocation: the struct holds the buffers, the trait knows the two bodies.
///
/// Implemented by the [`kernel!`](crate::kernel) macro, and by nothing else.
pub trait Kernel {
    /// The uniform block.
    type Params: Uniform;
    /// The static description.
    const INFO: KernelInfo;
    /// The buffers in binding order.
    #[doc(hidden)]
    fn buffers(&self) -> Vec<&RawBuffer>;
    /// Runs the CPU body.
    #[doc(hidden)]
    fn run_cpu(&self, params: &Self::Params) -> Result<()>;
}

/// Defines a parameter struct of 4-byte scalars; in WGSL it has the same member names and order.
///
/// ```
/// thalweg_compute::uniform! {
///     /// Parameters of bed friction.
///     pub struct FrictionParams {
///         /// Manning's n, s·m^(-1/3).
///         pub manning: f32,
///         /// Number of cells.
///         pub cells: u32,
///     }
/// }
/// ```
#[macro_export]
macro_rules! uniform {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident : $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, $crate::bytemuck::Pod, $crate::bytemuck::Zeroable)]
        #[bytemuck(crate = "::thalweg_compute::bytemuck")]
        $vis struct $name { $($(#[$field_meta])* pub $field: $type),* }

        impl $crate::Uniform for $name {
            const MEMBERS: &'static [$crate::MemberInfo] = &[
                $($crate::MemberInfo {
                    name: stringify!($field),
                    offset: ::std::mem::offset_of!($name, $field),
                    size: ::std::mem::size_of::<$type>(),
                }),*
            ];
        }
    };
}

/// Defines a kernel: its buffers, its WGSL and its CPU body, in one place.
///
/// Two structs come out: the first holds references to [`Buffer`](crate::Buffer)s and is what one
/// records; the second (`slices`) is what the CPU body `fn(&Params, Slices)` gets.
///
/// ```ignore
/// kernel! {
///     /// Bed friction slows every wet cell.
///     pub struct Friction slices FrictionSlices = "shallow.friction" {
///         shader: include_str!(concat!(env!("OUT_DIR"), "/friction.wgsl")), entry: "friction",
///         workgroup: [256, 1, 1],
///         params: FrictionParams,
///         cpu: cpu::friction,
///         read depth: f32,
///         write discharge: [f32; 2],
///     }
/// }
/// ```
#[macro_export]
macro_rules! kernel {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident slices $slices:ident = $label:literal {
            shader: $wgsl:expr, entry: $entry:literal,
            workgroup: $workgroup:expr,
            params: $params:ty,
            cpu: $cpu:path,
            $($access:ident $field:ident : $type:ty,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        $vis struct $name<'a> {
            $(#[doc = concat!("`", stringify!($access), " ", stringify!($field), "`")] pub $field: &'a $crate::Buffer<$type>),+
        }

        #[doc = concat!("What the CPU body of [`", stringify!($name), "`] works on.")]
        #[derive(Debug)]
        $vis struct $slices<'a> {
            $(#[doc = concat!("`", stringify!($access), " ", stringify!($field), "`")] pub $field: $crate::kernel!(@slice $access 'a $type)),+
        }

        impl $crate::Kernel for $name<'_> {
            type Params = $params;
            const INFO: $crate::KernelInfo = $crate::KernelInfo {
                name: $label,
                wgsl: $wgsl,
                entry: $entry,
                workgroup: $workgroup,
                bindings: &[$($crate::BindingInfo {
                    name: stringify!($field),
                    access: $crate::kernel!(@access $access),
                    stride: ::std::mem::size_of::<$type>(),
                }),+],
                params: <$params as $crate::Uniform>::MEMBERS,
                params_size: ::std::mem::size_of::<$params>(),
            };
            fn buffers(&self) -> Vec<&$crate::RawBuffer> {
                vec![$($crate::raw(self.$field)),+]
            }
            fn run_cpu(&self, params: &$params) -> $crate::Result<()> {
                $(#[allow(unused_mut, reason = "only written buffers need it")] let mut $field = $crate::kernel!(@lock $access self.$field)?;)+
                let slices = $slices { $($field: $field.slice()),+ };
                $cpu(params, slices);
                Ok(())
            }
        }
    };
    (@slice read $lt:lifetime $type:ty) => { &$lt [$type] };
    (@slice write $lt:lifetime $type:ty) => { &$lt mut [$type] };
    (@access read) => { $crate::Access::Read };
    (@access write) => { $crate::Access::Write };
    (@lock read $buffer:expr) => { $buffer.lock_read() };
    (@lock write $buffer:expr) => { $buffer.lock_write() };
}

/// The untyped part of a buffer, for the [`kernel!`](crate::kernel) macro.
#[doc(hidden)]
pub fn raw<T>(buffer: &crate::Buffer<T>) -> &RawBuffer {
    &buffer.raw
}
