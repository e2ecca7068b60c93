//! Binary messages: the water, or the ground, at one time.
//!
//! All numbers are little-endian. A message is a header of [`HEADER`] bytes, a pose of seven `f32` (quaternion
//! `x y z w`, then translation in m) per obstacle and, behind them, per body, in the order of the hello, and planes, each padded to four bytes:
//!
//! | at | type | what |
//! | --- | --- | --- |
//! | 0 | 4 bytes | `THWF` |
//! | 4 | u16 | version of the layout, 1 |
//! | 6 | u16 | kind: 1 mesh, 2 heights of water, 3 heights of the ground |
//! | 8 | f64 | simulated time, s |
//! | 16 | f64 | volume of the water, m³ |
//! | 24 | f64 | water that came in since the start, m³ |
//! | 32 | u32 | steps since the start |
//! | 36 | u32 | generation: goes up when a scene is loaded or begins again |
//! | 40 | f32 | wall time of the last step, ms |
//! | 44 | f32 | steps per second of wall time |
//! | 48 | f32 | speed that the byte 255 stands for, m/s |
//! | 52 | u32 | poses: obstacles and bodies |
//! | 56 | u32 | vertices of a mesh, or columns along x |
//! | 60 | u32 | triangles of a mesh, or columns along z |
//! | 64 | 3 × f32 | low corner of the box in which places are quantised, m |
//! | 76 | 3 × f32 | high corner |
//!
//! Mesh: places as three u16 per vertex, shares of the box; four bytes per vertex: octahedral normal (two), speed, 0; triangles as
//! three u16, or u32 if there are more than 65 536 vertices. Heights: one u16 per column, x fastest, shares of the box's height, with
//! [`DRY`] where there is no water; then a byte of speed per column, water only.

use thalweg_model::Pose;

/// Bytes of the header.
pub const HEADER: usize = 88;

/// First bytes of every message.
pub const MAGIC: [u8; 4] = *b"THWF";

/// Version of the layout.
pub const VERSION: u16 = 1;

/// Height of a column without water.
pub const DRY: u16 = u16::MAX;

/// Largest share that a height is rounded to.
const TOP: f32 = (u16::MAX - 1) as f32;

/// Figures that go with the water.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Figures {
    /// Simulated time, s.
    pub time: f64,
    /// Volume of the water, m³.
    pub volume: f64,
    /// Water that came in since the start, m³.
    pub added: f64,
    /// Steps since the start.
    pub steps: u32,
    /// Goes up when a scene is loaded or begins again.
    pub generation: u32,
    /// Wall time of the last step, ms.
    pub step_ms: f32,
    /// Steps per second of wall time.
    pub rate: f32,
}

/// The shape of the water, or of the ground.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A surface of triangles.
    Mesh {
        /// Places, m.
        vertices: Vec<[f32; 3]>,
        /// Unit normals.
        normals: Vec<[f32; 3]>,
        /// Speeds, m/s.
        speeds: Vec<f32>,
        /// Corners.
        triangles: Vec<[u32; 3]>,
    },
    /// Elevations of columns.
    Heights {
        /// Whether it is the ground.
        is_ground: bool,
        /// Columns along x and z.
        size: [usize; 2],
        /// `[x, z]` of the first and the last column, m.
        corners: [[f32; 2]; 2],
        /// Elevations, m, x fastest; NaN where there is no water.
        heights: Vec<f32>,
        /// Speeds, m/s; empty for the ground.
        speeds: Vec<f32>,
    },
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Figures.
    pub figures: Figures,
    /// Displacements of obstacles from their places in the scene, then frames of bodies; sent as `f32`.
    pub poses: Vec<Pose>,
    /// Shape.
    pub geometry: Geometry,
}

/// Why bytes are no message.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("no frame of version {VERSION}: {0}")]
pub struct FrameError(&'static str);

impl Frame {
    /// The message.
    pub fn encode(&self) -> Vec<u8> {
        let [low, high] = self.geometry.bounds();
        let top_speed = self.geometry.speeds().iter().fold(1e-6f32, |most, speed| most.max(*speed));
        let (kind, counts) = match &self.geometry {
            Geometry::Mesh { vertices, triangles, .. } => (1u16, [vertices.len(), triangles.len()]),
            Geometry::Heights { is_ground, size, .. } => (if *is_ground { 3 } else { 2 }, *size),
        };
        let f = &self.figures;
        let mut out = Vec::with_capacity(HEADER + 28 * self.poses.len() + 16 * counts[0].max(counts[1]));
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend(kind.to_le_bytes());
        [f.time, f.volume, f.added].iter().for_each(|value| out.extend(value.to_le_bytes()));
        [f.steps, f.generation].iter().for_each(|value| out.extend(value.to_le_bytes()));
        [f.step_ms, f.rate, top_speed].iter().for_each(|value| out.extend(value.to_le_bytes()));
        let counts = [self.poses.len(), counts[0], counts[1]].map(|count| count as u32);
        counts.iter().for_each(|count| out.extend(count.to_le_bytes()));
        low.iter().chain(&high).for_each(|value| out.extend(value.to_le_bytes()));
        for Pose { position, rotation } in &self.poses {
            rotation.iter().chain(position).for_each(|value| out.extend((*value as f32).to_le_bytes()));
        }
        let speed_byte = |speed: f32| (speed / top_speed * 255.0).round() as u8;
        match &self.geometry {
            Geometry::Mesh { vertices, normals, speeds, triangles } => {
                for place in vertices {
                    for axis in 0..3 {
                        out.extend(share(place[axis], low[axis], high[axis], f32::from(u16::MAX)).to_le_bytes());
                    }
                }
                pad(&mut out);
                for (normal, speed) in normals.iter().zip(speeds) {
                    let [a, b] = octahedral(*normal);
                    out.extend([a, b, speed_byte(*speed), 0]);
                }
                if vertices.len() <= 1 << 16 {
                    triangles.iter().flatten().for_each(|corner| out.extend((*corner as u16).to_le_bytes()));
                } else {
                    triangles.iter().flatten().for_each(|corner| out.extend(corner.to_le_bytes()));
                }
            }
            Geometry::Heights { heights, speeds, .. } => {
                for height in heights {
                    let word = if height.is_nan() { DRY } else { share(*height, low[1], high[1], TOP) };
                    out.extend(word.to_le_bytes());
                }
                pad(&mut out);
                out.extend(speeds.iter().map(|speed| speed_byte(*speed)));
            }
        }
        pad(&mut out);
        out
    }

    /// The water of a message, up to what quantisation took away.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut from = Reader { bytes, at: 0 };
        if from.take(4)? != MAGIC || u16::from_le_bytes(from.array()?) != VERSION {
            return Err(FrameError("it does not begin like one"));
        }
        let kind = u16::from_le_bytes(from.array()?);
        let [time, volume, added] = [from.f64()?, from.f64()?, from.f64()?];
        let (steps, generation) = (from.u32()?, from.u32()?);
        let [step_ms, rate, top_speed] = [from.f32()?, from.f32()?, from.f32()?];
        let counts = [from.u32()? as usize, from.u32()? as usize, from.u32()? as usize];
        let corner = |from: &mut Reader<'_>| Ok([from.f32()?, from.f32()?, from.f32()?]);
        let (low, high) = (corner(&mut from)?, corner(&mut from)?);
        let mut poses = Vec::new();
        for _ in 0..counts[0] {
            let rotation = [from.f32()?, from.f32()?, from.f32()?, from.f32()?].map(f64::from);
            poses.push(Pose { position: corner(&mut from)?.map(f64::from), rotation });
        }
        let speed_of = |byte: u8| f32::from(byte) / 255.0 * top_speed;
        let geometry = if kind == 1 {
            let (count, triangles) = (counts[1], counts[2]);
            let words = from.u16s(3 * count)?;
            let place = |w: &[u16]| {
                std::array::from_fn(|axis| {
                    low[axis] + f32::from(w[axis]) / f32::from(u16::MAX) * (high[axis] - low[axis])
                })
            };
            let vertices: Vec<[f32; 3]> = words.chunks_exact(3).map(place).collect();
            from.pad()?;
            let looks = from.take(4 * count)?;
            let corners: Vec<u32> = if count <= 1 << 16 {
                from.u16s(3 * triangles)?.into_iter().map(u32::from).collect()
            } else {
                from.take(12 * triangles)?
                    .chunks_exact(4)
                    .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                    .collect()
            };
            Geometry::Mesh {
                vertices,
                normals: looks.chunks_exact(4).map(|b| from_octahedral([b[0], b[1]])).collect(),
                speeds: looks.chunks_exact(4).map(|b| speed_of(b[2])).collect(),
                triangles: corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
            }
        } else if kind == 2 || kind == 3 {
            let size = [counts[1], counts[2]];
            let count = size[0].checked_mul(size[1]).ok_or(FrameError("it is too large"))?;
            let height = |w: u16| if w == DRY { f32::NAN } else { low[1] + f32::from(w) / TOP * (high[1] - low[1]) };
            let heights = from.u16s(count)?.into_iter().map(height).collect();
            from.pad()?;
            let speeds =
                if kind == 2 { from.take(count)?.iter().map(|byte| speed_of(*byte)).collect() } else { Vec::new() };
            Geometry::Heights {
                is_ground: kind == 3,
                size,
                corners: [[low[0], low[2]], [high[0], high[2]]],
                heights,
                speeds,
            }
        } else {
            return Err(FrameError("its kind is unknown"));
        };
        let figures = Figures { time, volume, added, steps, generation, step_ms, rate };
        Ok(Self { figures, poses, geometry })
    }
}

impl Geometry {
    fn speeds(&self) -> &[f32] {
        match self {
            Self::Mesh { speeds, .. } | Self::Heights { speeds, .. } => speeds,
        }
    }

    /// The box around it.
    fn bounds(&self) -> [[f32; 3]; 2] {
        match self {
            Self::Mesh { vertices, .. } => {
                let Some(first) = vertices.first() else { return [[0.0; 3]; 2] };
                vertices.iter().fold([*first; 2], |[low, high], place| {
                    [
                        std::array::from_fn(|axis| low[axis].min(place[axis])),
                        std::array::from_fn(|axis| high[axis].max(place[axis])),
                    ]
                })
            }
            Self::Heights { corners: [from, to], heights, .. } => {
                let known = heights.iter().filter(|height| !height.is_nan());
                let [low, high] =
                    known.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], height| [a.min(*height), b.max(*height)]);
                let [low, high] = if low <= high { [low, high] } else { [0.0; 2] };
                [[from[0], low, from[1]], [to[0], high, to[1]]]
            }
        }
    }
}

/// A share of a range as a whole number up to `top`.
fn share(value: f32, low: f32, high: f32, top: f32) -> u16 {
    if high > low { ((value - low) / (high - low) * top).round() as u16 } else { 0 }
}

fn pad(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(4), 0);
}

/// A unit vector as two bytes: the sphere unfolded onto a square (Cigolle et al. 2014).
fn octahedral([x, y, z]: [f32; 3]) -> [u8; 2] {
    let sum = x.abs() + y.abs() + z.abs();
    if sum <= 0.0 {
        return [127, 127];
    }
    let (a, b) = (x / sum, z / sum);
    let sign = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
    let (a, b) = if y < 0.0 { ((1.0 - b.abs()) * sign(a), (1.0 - a.abs()) * sign(b)) } else { (a, b) };
    [a, b].map(|v| ((v * 0.5 + 0.5) * 254.0).round() as u8)
}

fn from_octahedral(bytes: [u8; 2]) -> [f32; 3] {
    let [a, b] = bytes.map(|byte| f32::from(byte) / 127.0 - 1.0);
    let y = 1.0 - a.abs() - b.abs();
    let sign = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
    let (x, z) = if y < 0.0 { ((1.0 - b.abs()) * sign(a), (1.0 - a.abs()) * sign(b)) } else { (a, b) };
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length]
}

/// Reads numbers one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], FrameError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or(FrameError("it is too short"))?;
        let part = &self.bytes[self.at..end];
        self.at = end;
        Ok(part)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        self.take(N)?.try_into().map_err(|_| FrameError("it is too short"))
    }

    fn u32(&mut self) -> Result<u32, FrameError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn f32(&mut self) -> Result<f32, FrameError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Result<f64, FrameError> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    fn u16s(&mut self, count: usize) -> Result<Vec<u16>, FrameError> {
        let bytes = self.take(count.checked_mul(2).ok_or(FrameError("it is too large"))?)?;
        Ok(bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect())
    }

    fn pad(&mut self) -> Result<(), FrameError> {
        self.take(self.at.next_multiple_of(4) - self.at).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(count: usize) -> Geometry {
        let place = |n: usize| [n as f32 * 0.01, (n as f32 * 0.37).sin(), 5.0 - (n as f32 * 0.11).cos()];
        let normal = |n: usize| {
            let v = [(n as f32).sin(), (n as f32 * 1.7).cos(), (n as f32 * 0.3).sin() - 0.4];
            let length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
            v.map(|x| x / length)
        };
        Geometry::Mesh {
            vertices: (0..count).map(place).collect(),
            normals: (0..count).map(normal).collect(),
            speeds: (0..count).map(|n| n as f32 / count as f32 * 3.0).collect(),
            triangles: (0..count as u32 - 2).map(|n| [n, n + 1, n + 2]).collect(),
        }
    }

    fn sent(geometry: Geometry) -> (Frame, Frame, usize) {
        let figures =
            Figures { time: 1.25, volume: 3.5, added: 0.5, steps: 50, generation: 2, step_ms: 12.0, rate: 40.0 };
        let poses = vec![Pose { position: [1.0, 2.0, 3.0], rotation: [0.0, 0.625, 0.0, 0.75] }];
        let frame = Frame { figures, poses, geometry };
        let bytes = frame.encode();
        let back = Frame::decode(&bytes).unwrap();
        assert_eq!((back.figures, &back.poses), (frame.figures, &frame.poses));
        (frame, back, bytes.len())
    }

    #[test]
    fn meshes_come_back_within_a_quantum() {
        // The second has more vertices than sixteen bits can number, the first an odd number of them.
        for (count, index_bytes) in [(33, 2), (70_000, 4)] {
            let (frame, back, bytes) = sent(mesh(count));
            assert_eq!(
                bytes,
                (HEADER + 28 + (6 * count).next_multiple_of(4) + 4 * count + 3 * index_bytes * (count - 2))
                    .next_multiple_of(4)
            );
            let (
                Geometry::Mesh { vertices, normals, speeds, triangles },
                Geometry::Mesh { vertices: v, normals: n, speeds: s, triangles: t },
            ) = (&frame.geometry, &back.geometry)
            else {
                panic!("another kind came back");
            };
            assert_eq!(triangles, t);
            let size = [count as f32 * 0.01, 2.0, 2.0];
            for at in 0..count {
                for axis in 0..3 {
                    let quantum = size[axis] / 65535.0;
                    assert!(
                        (vertices[at][axis] - v[at][axis]).abs() <= 0.51 * quantum + 1e-5,
                        "vertex {at}, axis {axis}"
                    );
                }
                let dot: f32 = (0..3).map(|axis| normals[at][axis] * n[at][axis]).sum();
                assert!(dot > 0.9996, "normal {at}: {:?} and {:?}", normals[at], n[at]);
                assert!((speeds[at] - s[at]).abs() < 3.0 / 255.0);
            }
        }
    }

    #[test]
    fn heights_come_back_and_dry_columns_stay_dry() {
        let heights = vec![1.0, f32::NAN, 3.0, 2.0, f32::NAN, 1.5, 1.0, 2.5, 2.75];
        let speeds = vec![0.0, 0.0, 2.0, 1.0, 0.0, 0.5, 0.0, 0.0, 0.0];
        let corners = [[0.5, 10.5], [2.5, 12.5]];
        let (frame, back, _) = sent(Geometry::Heights { is_ground: false, size: [3, 3], corners, heights, speeds });
        let (Geometry::Heights { heights, .. }, Geometry::Heights { heights: h, corners: c, size, .. }) =
            (&frame.geometry, &back.geometry)
        else {
            panic!("another kind came back");
        };
        assert_eq!((*c, *size), (corners, [3, 3]));
        for (height, back) in heights.iter().zip(h) {
            assert!(height.is_nan() && back.is_nan() || (height - back).abs() < 2.0 / 65534.0, "{height} and {back}");
        }
    }

    #[test]
    fn no_water_at_all_is_a_message_too() {
        let empty = Geometry::Mesh { vertices: vec![], normals: vec![], speeds: vec![], triangles: vec![] };
        let (_, back, bytes) = sent(empty.clone());
        assert_eq!((back.geometry, bytes), (empty, HEADER + 28));
    }

    #[test]
    fn broken_messages_are_refused() {
        let good = Frame { figures: Figures::default(), poses: vec![], geometry: mesh(40) }.encode();
        for length in 0..good.len() - 3 {
            assert!(Frame::decode(&good[..length]).is_err(), "{length} of {} bytes", good.len());
        }
        let mut other = good.clone();
        other[4] = 2;
        assert!(Frame::decode(&other).is_err(), "another version");
        other = good;
        other[56..60].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Frame::decode(&other).is_err(), "more vertices than bytes");
    }
}
