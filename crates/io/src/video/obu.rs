//! The units that an AV1 stream is made of (AV1 specification, section 5.3).

/// Sizes of pictures, colours, what a decoder must know first.
pub(super) const SEQUENCE_HEADER: u8 = 1;
/// The border between two pictures.
pub(super) const TEMPORAL_DELIMITER: u8 = 2;

/// One unit with its header.
#[derive(Debug, PartialEq)]
pub(super) struct Unit<'a> {
    pub(super) kind: u8,
    pub(super) bytes: &'a [u8],
}

/// The units of a packet; `None` if it is not made of whole units with sizes.
pub(super) fn split(mut packet: &[u8]) -> Option<Vec<Unit<'_>>> {
    let mut units = Vec::new();
    while let Some(&header) = packet.first() {
        let (has_extension, has_size) = (header & 4 != 0, header & 2 != 0);
        if !has_size {
            return None;
        }
        let start = 1 + usize::from(has_extension);
        let (size, digits) = leb128(packet.get(start..)?)?;
        let (bytes, rest) = packet.split_at_checked(start + digits + size)?;
        units.push(Unit { kind: header >> 3 & 15, bytes });
        packet = rest;
    }
    Some(units)
}

/// A number in groups of seven bits, lowest first, and how many bytes it took.
fn leb128(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0;
    // Four bytes hold 256 MiB: more is no unit of ours.
    for (n, &byte) in bytes.iter().take(4).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * n);
        if byte & 0x80 == 0 {
            return Some((value, n + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_split_by_their_sizes() {
        // A delimiter without content, then 200 bytes of a frame: 200 takes two groups.
        let mut packet = vec![0x12, 0x00, 0x32, 0xc8, 0x01];
        packet.extend([7; 200]);
        let units = split(&packet).expect("two units");
        assert_eq!(units[0], Unit { kind: TEMPORAL_DELIMITER, bytes: &[0x12, 0x00] });
        assert_eq!((units[1].kind, units[1].bytes.len()), (6, 203));
        assert_eq!(units.len(), 2);
    }

    #[test]
    fn torn_packets_are_no_units() {
        for torn in [&[0x12][..], &[0x12, 0x80], &[0x32, 5, 0, 0], &[0x30, 1, 0], &[0x12, 0xff, 0xff, 0xff, 0xff, 1]] {
            assert_eq!(split(torn), None, "{torn:?}");
        }
    }
}
