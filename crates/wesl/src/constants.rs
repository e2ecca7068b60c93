//! Constants that Rust and WESL share: declared in Rust, imported by WESL.

use std::io;
use std::path::Path;

use crate::module::File;

/// Constants that kernels may import, declared once, in Rust.
///
/// What is inside are plain items: constants, modules of constants, and `use`. They lie in a file with nothing else,
/// say `src/clock/word.rs`, which is a module of the crate and of its `build.rs`; so the compiler works out their
/// values before the kernels are linked:
///
/// ```
/// // src/clock/word.rs
/// thalweg_wesl::constants! {
///     /// Time since the frame began, s.
///     pub(crate) const ELAPSED: usize = 0;
///     pub(crate) const DT: usize = ELAPSED + 1;
///     /// What a driver is.
///     pub(crate) mod driver {
///         use super::DT;
///         pub(crate) const LONGEST: f32 = DT as f32;
///     }
/// }
/// # fn main() {}
/// ```
///
/// ```ignore
/// // build.rs
/// #[path = "src/clock"]
/// mod clock {
///     pub(crate) mod word;
/// }
///
/// fn main() {
///     thalweg_wesl::link_kernels_with(&[clock::word::WESL]);
/// }
/// ```
///
/// ```wgsl
/// import package::clock::word::{DT, DRIVER_LONGEST};
/// ```
///
/// Kernels of other crates import them too, if `build.rs` calls [`share_modules_with`](crate::share_modules_with).
///
/// A constant of an inner module has the module's name before its own. Types are those with [`ConstantValue`]:
/// `usize` is `u32` in WESL, `f64` is `f32`, arrays are arrays. The file may name items of other such files, by paths
/// that are the same in the crate and in `build.rs` (`crate::clock::word::DT`), and nothing else. `rustfmt` leaves it
/// as it is.
#[macro_export]
macro_rules! constants {
    ($($items:tt)*) => {
        $($items)*

        /// These constants, for the linker.
        #[allow(dead_code, reason = "the build script reads it")]
        pub(crate) const WESL: $crate::Constants =
            $crate::Constants { module: module_path!(), list: $crate::listed_constants!(@in [] [] {} $($items)*) };
    };
}

/// Names and values of the constants among items, for [`constants!`]: `@in` the module in brackets, after those
/// found, before what is outside the module.
#[doc(hidden)]
#[macro_export]
macro_rules! listed_constants {
    // Four at once: the depth of macros is limited.
    (@in [$($module:ident)?] [$($found:tt)*] $outside:tt
        $(#[$a0:meta])* $v0:vis const $n0:ident: $t0:ty = $e0:expr;
        $(#[$a1:meta])* $v1:vis const $n1:ident: $t1:ty = $e1:expr;
        $(#[$a2:meta])* $v2:vis const $n2:ident: $t2:ty = $e2:expr;
        $(#[$a3:meta])* $v3:vis const $n3:ident: $t3:ty = $e3:expr;
        $($rest:tt)*) => {
        $crate::listed_constants!(@in [$($module)?] [$($found)*
            (concat!($(stringify!($module), "::",)? stringify!($n0)), &$($module::)?$n0),
            (concat!($(stringify!($module), "::",)? stringify!($n1)), &$($module::)?$n1),
            (concat!($(stringify!($module), "::",)? stringify!($n2)), &$($module::)?$n2),
            (concat!($(stringify!($module), "::",)? stringify!($n3)), &$($module::)?$n3),
        ] $outside $($rest)*)
    };
    (@in [$($module:ident)?] [$($found:tt)*] $outside:tt
        $(#[$a:meta])* $v:vis const $n:ident: $t:ty = $e:expr; $($rest:tt)*) => {
        $crate::listed_constants!(@in [$($module)?] [$($found)*
            (concat!($(stringify!($module), "::",)? stringify!($n)), &$($module::)?$n),
        ] $outside $($rest)*)
    };
    (@in [] $found:tt {} $(#[$a:meta])* $v:vis mod $module:ident { $($inside:tt)* } $($rest:tt)*) => {
        $crate::listed_constants!(@in [$module] $found { $($rest)* } $($inside)*)
    };
    (@in $module:tt $found:tt $outside:tt $(#[$a:meta])* $v:vis use $($path:ident)::+; $($rest:tt)*) => {
        $crate::listed_constants!(@in $module $found $outside $($rest)*)
    };
    (@in $module:tt $found:tt $outside:tt $(#[$a:meta])* $v:vis use $($path:ident::)+{$($n:ident),*}; $($rest:tt)*) => {
        $crate::listed_constants!(@in $module $found $outside $($rest)*)
    };
    (@in [$module:ident] $found:tt { $($outside:tt)* }) => {
        $crate::listed_constants!(@in [] $found {} $($outside)*)
    };
    (@in [] [$($found:tt)*] {}) => { &[$($found)*] };
}

/// The constants of a file, see [`constants!`].
#[derive(Clone, Copy)]
pub struct Constants {
    /// The Rust module that the file is, with the name of the crate.
    #[doc(hidden)]
    pub module: &'static str,
    /// Names, `INNER` or `module::INNER`, and values, in the order of the file.
    #[doc(hidden)]
    pub list: &'static [(&'static str, &'static dyn ConstantValue)],
}

/// A value that can be written in WESL, so that every compiler reads the same bits.
#[diagnostic::on_unimplemented(message = "WESL has no constants of type `{Self}`", label = "not for kernels")]
pub trait ConstantValue {
    /// Its type in WESL.
    fn wesl_type(&self) -> String;
    /// It as an expression.
    fn wesl_value(&self) -> String;
}

impl ConstantValue for u32 {
    fn wesl_type(&self) -> String {
        "u32".into()
    }

    fn wesl_value(&self) -> String {
        format!("{self}u")
    }
}

impl ConstantValue for usize {
    fn wesl_type(&self) -> String {
        "u32".into()
    }

    fn wesl_value(&self) -> String {
        u32::try_from(*self).unwrap_or_else(|_| panic!("{self} is more than a u32 holds")).wesl_value()
    }
}

impl ConstantValue for i32 {
    fn wesl_type(&self) -> String {
        "i32".into()
    }

    fn wesl_value(&self) -> String {
        // The literal would be the negative of a number that an i32 does not hold.
        if *self == i32::MIN { format!("i32({self})") } else { format!("{self}i") }
    }
}

impl ConstantValue for f32 {
    fn wesl_type(&self) -> String {
        "f32".into()
    }

    /// As few digits as distinguish it from its neighbours, unless a compiler that reads them in double precision first
    /// would get another one.
    fn wesl_value(&self) -> String {
        assert!(self.is_finite(), "{self} cannot be written in WESL");
        let short = format!("{self:?}");
        let read: f64 = short.parse().unwrap_or(f64::NAN);
        let exact = read.abs() <= f64::from(f32::MAX) && (read as f32).to_bits() == self.to_bits();
        if exact { format!("{short}f") } else { format!("{:?}f", f64::from(*self)) }
    }
}

/// Of bodies that the processor has in `f32` and `f64`: kernels read it in single precision, as the former does.
impl ConstantValue for f64 {
    fn wesl_type(&self) -> String {
        "f32".into()
    }

    fn wesl_value(&self) -> String {
        (*self as f32).wesl_value()
    }
}

impl<T: ConstantValue, const N: usize> ConstantValue for [T; N] {
    fn wesl_type(&self) -> String {
        let element = self.first().map(T::wesl_type).unwrap_or_else(|| panic!("WESL has no arrays without elements"));
        format!("array<{element}, {N}>")
    }

    fn wesl_value(&self) -> String {
        let values: Vec<String> = self.iter().map(T::wesl_value).collect();
        format!("{}({})", self.wesl_type(), values.join(", "))
    }
}

impl Constants {
    /// The module as kernels name it: `package::clock::word`.
    pub(crate) fn path(&self) -> String {
        let (_, path) = self.module.split_once("::").unwrap_or_else(|| panic!("constants are at the top of build.rs"));
        format!("package::{path}")
    }

    /// The module as the linker reads it; every constant has the line that it has in its Rust file below `source`.
    pub(crate) fn file(&self, source: &Path) -> File {
        let path = self.path().replace("package::", "").replace("::", "/");
        let relative = [format!("{path}.rs"), format!("{path}/mod.rs")].into_iter().find(|p| source.join(p).is_file());
        let relative = relative.unwrap_or_else(|| panic!("`{}` has no file src/{path}.rs", self.module));
        let rust = std::fs::read_to_string(source.join(&relative)).unwrap_or_else(|e| panic!("{relative}: {e}"));
        File { name: format!("src/{relative}"), text: self.text(&rust) }
    }

    /// Leaves the module in a folder, for [`Self::read`]: the name of its Rust file, then the text.
    pub(crate) fn write(&self, source: &Path, folder: &Path) -> io::Result<()> {
        let File { name, text } = self.file(source);
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(self.path().replace("package::", "").replace("::", ".")), format!("{name}\n{text}"))
    }

    /// The module `a::b` out of such a folder, if it is there.
    pub(crate) fn read(folder: &Path, path: &str) -> Option<File> {
        let all = std::fs::read_to_string(folder.join(path.replace("::", "."))).ok()?;
        let (name, text) = all.split_once('\n')?;
        Some(File { name: name.into(), text: text.into() })
    }

    fn text(&self, rust: &str) -> String {
        let mut lines = rust.lines();
        let mut text = String::new();
        for (name, value) in self.list {
            let declared = format!("const {}:", name.rsplit("::").next().unwrap_or_default());
            for line in lines.by_ref() {
                if line.contains(&declared) {
                    break;
                }
                text.push('\n');
            }
            let name = match name.rsplit_once("::") {
                Some((module, name)) => format!("{}_{name}", module.to_uppercase()),
                None => (*name).to_string(),
            };
            text += &format!("const {name}: {} = {};\n", value.wesl_type(), value.wesl_value());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{ConstantValue, Constants};

    mod word {
        crate::constants! {
            /// The first.
            pub(crate) const FIRST: usize = 3;

            use std::f32::consts::{PI, TAU};
            /// Inner ones.
            pub(crate) mod inner {
                use super::FIRST;
                pub(crate) const NEXT: u32 = FIRST as u32 + 1;
                pub(super) const NONE: u32 = u32::MAX;
            }
            const TURN: f32 = (TAU + PI) / 3.0;
        }
    }

    #[test]
    fn constants_lie_at_their_lines() {
        let rust = "//! Words.\n\npub const FIRST: usize = 3;\nmod inner {\n  const NEXT: u32 = 4;\n  const NONE: u32 = 1;\n}\nconst TURN: f32 = 0.0;";
        let expected = "\n\nconst FIRST: u32 = 3u;\n\nconst INNER_NEXT: u32 = 4u;\nconst INNER_NONE: u32 = 4294967295u;\n\nconst TURN: f32 = 3.1415927f;\n";
        assert_eq!(word::WESL.text(rust), expected);
        assert_eq!(word::WESL.path(), "package::constants::tests::word");
    }

    #[test]
    fn shared_constants_are_found_again() {
        let folder = std::env::temp_dir().join(format!("thalweg-wesl-{}", std::process::id()));
        let source = folder.join("src");
        std::fs::create_dir_all(source.join("constants/tests")).expect("a folder");
        std::fs::write(source.join("constants/tests/word.rs"), "const FIRST: usize = 3;").expect("a file");
        word::WESL.write(&source, &folder.join("shared")).expect("a module");
        let found = Constants::read(&folder.join("shared"), "constants::tests::word").expect("the module");
        assert_eq!(found.name, "src/constants/tests/word.rs");
        assert_eq!(found.text, word::WESL.file(&source).text);
        assert!(found.text.starts_with("const FIRST: u32 = 3u;\n"));
        assert!(Constants::read(&folder.join("shared"), "constants::tests").is_none());
        std::fs::remove_dir_all(folder).expect("its end");
    }

    #[test]
    fn values_are_read_as_they_were() {
        let all = [
            0.0f32,
            -0.0,
            0.1,
            3e38,
            f32::MAX,
            f32::MIN,
            f32::MIN_POSITIVE,
            1e-45,
            16_777_217.0,
            1.0 - 1.0 / 1_048_576.0,
        ];
        let many = (0..100_000u32).map(|n| f32::from_bits(n.wrapping_mul(2_654_435_761))).filter(|x| x.is_finite());
        for x in all.into_iter().chain(many) {
            let text = x.wesl_value();
            let digits = text.strip_suffix('f').expect("a suffix");
            let double: f64 = digits.parse().expect("a number");
            assert!(double.abs() <= f64::from(f32::MAX), "{text}");
            assert_eq!((double as f32).to_bits(), x.to_bits(), "{text}");
            assert_eq!(digits.parse::<f32>().map(f32::to_bits), Ok(x.to_bits()), "{text}");
        }
        assert_eq!((1e-5f32).wesl_value(), "1e-5f");
        assert_eq!((0.1f64 + 1e-12).wesl_value(), "0.1f");
        assert_eq!(i32::MIN.wesl_value(), "i32(-2147483648)");
        assert_eq!(
            [[1, -1], [2, 3]].wesl_value(),
            "array<array<i32, 2>, 2>(array<i32, 2>(1i, -1i), array<i32, 2>(2i, 3i))"
        );
    }
}
