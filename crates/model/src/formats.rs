//! Files for other programs: what a scene, a flag of the command line and an encoder call by the same name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Formats of one kind of files.
pub trait FileFormat: Copy + PartialEq + Send + Sync + 'static {
    /// Every format.
    fn all() -> &'static [Self];

    /// The ending of its files, which is its name in scenes and flags too.
    fn extension(self) -> &'static str;

    /// What it is, in a few words.
    fn about(self) -> &'static str;
}

macro_rules! formats {
    ($(#[$kind:meta])* $format:ident as $name:literal, $count:literal:
     $(#[doc = $about:literal] $variant:ident = $ending:literal,)*) => {
        $(#[$kind])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
        #[serde(rename_all = "lowercase")]
        #[schemars(rename = $name)]
        pub enum $format {
            $(#[doc = $about] $variant,)*
        }

        impl $format {
            /// Every format.
            pub const ALL: [Self; $count] = [$(Self::$variant),*];

            /// The ending of its files, which is its name in scenes and flags too.
            #[must_use]
            pub fn extension(self) -> &'static str {
                match self {
                    $(Self::$variant => $ending,)*
                }
            }
        }

        impl FileFormat for $format {
            fn all() -> &'static [Self] {
                &Self::ALL
            }

            fn extension(self) -> &'static str {
                self.extension()
            }

            fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => $about,)*
                }
                .trim()
            }
        }
    };
}

formats! {
    /// Files of meshes.
    MeshFormat as "MeshName", 4:
    /// Binary PLY.
    Ply = "ply",
    /// Wavefront OBJ, without velocities.
    Obj = "obj",
    /// Binary glTF.
    Glb = "glb",
    /// VTK polygons.
    Vtp = "vtp",
}

formats! {
    /// Files of volumes.
    VolumeFormat as "VolumeName", 3:
    /// OpenVDB: level set and velocity.
    Vdb = "vdb",
    /// NumPy arrays.
    Npz = "npz",
    /// VTK image data.
    Vti = "vti",
}

formats! {
    /// Files of particles.
    PointFormat as "PointName", 2:
    /// Binary PLY.
    Ply = "ply",
    /// Text, one particle a line.
    Csv = "csv",
}

formats! {
    /// Files of height maps.
    HeightFormat as "HeightName", 5:
    /// Grey pictures of 16 bits, one per map.
    Png = "png",
    /// OpenEXR with named channels.
    Exr = "exr",
    /// ESRI ASCII grids, one per map.
    Asc = "asc",
    /// GeoTIFF with a band per map.
    Tif = "tif",
    /// NumPy arrays.
    Npz = "npz",
}

impl HeightFormat {
    /// Whether a file holds only one map.
    #[must_use]
    pub fn holds_one_map(self) -> bool {
        matches!(self, Self::Png | Self::Asc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats are the same word in scenes, flags and names of files.
    fn names_agree<F: FileFormat + Serialize>() {
        for format in F::all() {
            assert_eq!(serde_json::to_value(format).expect("serialises"), format.extension());
            assert!(format.about().len() > 3 && format.about().ends_with('.'));
        }
    }

    #[test]
    fn names_are_endings() {
        names_agree::<MeshFormat>();
        names_agree::<VolumeFormat>();
        names_agree::<PointFormat>();
        names_agree::<HeightFormat>();
    }
}
