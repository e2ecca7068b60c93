//! The MP4 file around the pictures: ISO/IEC 14496-12, and the AV1 binding to it.
//!
//! One track, one run of pictures, tables first. Only what a player needs is written.

/// Ticks of the clock that durations are counted in. The common rates are whole numbers of them.
pub(super) const TICKS_PER_SECOND: u32 = 90_000;

/// No turn, no mirror: the matrix of a track that is shown as it is.
const UPRIGHT: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/// One picture.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) bytes: usize,
    /// Whether a player can begin here.
    pub(super) is_key: bool,
}

/// What goes into the file.
#[derive(Debug)]
pub(super) struct Movie {
    /// Width and height, pixels.
    size: [u16; 2],
    /// Ticks that a picture is shown.
    frame_ticks: u32,
    pub(super) samples: Vec<Sample>,
    /// The samples, one after another.
    pub(super) data: Vec<u8>,
    pub(super) sequence_header: Vec<u8>,
}

/// Bytes of a box as they grow. All numbers of MP4 are big-endian.
struct Bytes(Vec<u8>);

impl Bytes {
    fn u16s(mut self, numbers: impl IntoIterator<Item = u16>) -> Self {
        numbers.into_iter().for_each(|n| self.0.extend(n.to_be_bytes()));
        self
    }

    fn u32s(mut self, numbers: impl IntoIterator<Item = u32>) -> Self {
        numbers.into_iter().for_each(|n| self.0.extend(n.to_be_bytes()));
        self
    }

    fn u64(mut self, number: u64) -> Self {
        self.0.extend(number.to_be_bytes());
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// Closes the box: its size in front.
    fn end(mut self) -> Vec<u8> {
        let size = self.0.len() as u32;
        self.0[..4].copy_from_slice(&size.to_be_bytes());
        self.0
    }
}

/// Begins a box of a given kind.
fn open(kind: &[u8; 4]) -> Bytes {
    Bytes(vec![0; 4]).bytes(kind)
}

/// Begins a box that has a version and flags.
fn open_full(kind: &[u8; 4], version: u8, flags: u32) -> Bytes {
    open(kind).u32s([u32::from(version) << 24 | flags])
}

/// A box that holds boxes.
fn group(kind: &[u8; 4], inner: &[Vec<u8>]) -> Vec<u8> {
    inner.iter().fold(open(kind), |all, one| all.bytes(one)).end()
}

impl Movie {
    pub(super) fn new(size: [u16; 2], frame_ticks: u32) -> Self {
        Self { size, frame_ticks, samples: Vec::new(), data: Vec::new(), sequence_header: Vec::new() }
    }

    /// All that stands before the data; `None` if the file would be larger than 32-bit sizes can say.
    pub(super) fn head(&self) -> Option<Vec<u8>> {
        let ftyp = open(b"ftyp").bytes(b"isom").u32s([0x200]).bytes(b"isomiso2av01mp41").end();
        let mdat_size = u32::try_from(self.data.len() + 8).ok()?;
        // Where the data begins is one of the numbers before it, and changes no size.
        let data_start = ftyp.len() + self.moov(0).len() + 8;
        let moov = self.moov(u32::try_from(data_start).ok()?);
        let mdat = Bytes(Vec::new()).u32s([mdat_size]).bytes(b"mdat").0;
        Some([ftyp, moov, mdat].concat())
    }

    fn duration(&self) -> u64 {
        self.samples.len() as u64 * u64::from(self.frame_ticks)
    }

    fn moov(&self, data_start: u32) -> Vec<u8> {
        // Version 1 has 64-bit times. Dates are left at zero: the same frames make the same file.
        let mvhd = open_full(b"mvhd", 1, 0)
            .bytes(&[0; 16])
            .u32s([TICKS_PER_SECOND])
            .u64(self.duration())
            .u32s([0x1_0000, 0x100_0000, 0, 0]) // speed 1, volume 1, reserved
            .u32s(UPRIGHT)
            .bytes(&[0; 24])
            .u32s([2]) // the next track's number
            .end();
        group(b"moov", &[mvhd, self.track(data_start)])
    }

    fn track(&self, data_start: u32) -> Vec<u8> {
        let tkhd = open_full(b"tkhd", 1, 3) // switched on, part of the movie
            .bytes(&[0; 16])
            .u32s([1, 0])
            .u64(self.duration())
            .bytes(&[0; 16])
            .u32s(UPRIGHT)
            .u32s(self.size.map(|side| u32::from(side) << 16))
            .end();
        let mdhd = open_full(b"mdhd", 1, 0)
            .bytes(&[0; 16])
            .u32s([TICKS_PER_SECOND])
            .u64(self.duration())
            .u16s([0x55c4, 0]) // no language
            .end();
        let hdlr = open_full(b"hdlr", 0, 0).u32s([0]).bytes(b"vide").bytes(&[0; 12]).bytes(b"video\0").end();
        let vmhd = open_full(b"vmhd", 0, 1).bytes(&[0; 8]).end();
        let here = open_full(b"url ", 0, 1).end(); // the data are in this file
        let dref = open_full(b"dref", 0, 0).u32s([1]).bytes(&here).end();
        let minf = group(b"minf", &[vmhd, group(b"dinf", &[dref]), self.sample_tables(data_start)]);
        group(b"trak", &[tkhd, group(b"mdia", &[mdhd, hdlr, minf])])
    }

    /// Where each picture lies, how long it is shown and how it is coded.
    fn sample_tables(&self, data_start: u32) -> Vec<u8> {
        let count = self.samples.len() as u32;
        let stsd = open_full(b"stsd", 0, 0).u32s([1]).bytes(&self.sample_entry()).end();
        let stts = open_full(b"stts", 0, 0).u32s([1, count, self.frame_ticks]).end();
        let keys: Vec<u32> = (1..).zip(&self.samples).filter(|(_, s)| s.is_key).map(|(n, _)| n).collect();
        let stss = open_full(b"stss", 0, 0).u32s([keys.len() as u32]).u32s(keys).end();
        let stsc = open_full(b"stsc", 0, 0).u32s([1, 1, count, 1]).end();
        let sizes = self.samples.iter().map(|s| s.bytes as u32);
        let stsz = open_full(b"stsz", 0, 0).u32s([0, count]).u32s(sizes).end();
        let stco = open_full(b"stco", 0, 0).u32s([1, data_start]).end();
        group(b"stbl", &[stsd, stts, stss, stsc, stsz, stco])
    }

    fn sample_entry(&self) -> Vec<u8> {
        // Version 1; profile 0 of any level, as the stream says; 8 bits, 4:2:0, no known place of colour samples.
        let av1c = open(b"av1C").bytes(&[0x81, 0x1f, 0x0c, 0x00]).bytes(&self.sequence_header).end();
        // BT.709 in all three respects, limited range.
        let colr = open(b"colr").bytes(b"nclx").u16s([1, 1, 1]).bytes(&[0]).end();
        open(b"av01")
            .bytes(&[0; 6])
            .u16s([1])
            .bytes(&[0; 16])
            .u16s(self.size)
            .u32s([72 << 16, 72 << 16, 0]) // dots per inch, reserved
            .u16s([1]) // pictures per sample
            .bytes(&[0; 32])
            .u16s([24, u16::MAX]) // depth, no palette
            .bytes(&av1c)
            .bytes(&colr)
            .end()
    }
}
