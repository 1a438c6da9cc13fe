//! The signature of a bundle: PKCS#7 after the archive, between two marks (`mcpb sign`).
//!
//! It is found, so that it is not taken for a part of the archive. It is not verified: who signed a bundle says nothing of what it does.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
};

const HEADER: &[u8] = b"MCPB_SIG_V1";
const FOOTER: &[u8] = b"MCPB_SIG_END";
/// The size of the largest signature that is looked for, in bytes, with its marks.
const MAX_SIGNATURE_BYTES: u64 = 1 << 20;

/// Whether a bundle is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// No signature.
    None,
    /// A signature, which Patchbay does not verify.
    Unverified {
        /// Its size with its marks, in bytes.
        bytes: u64,
    },
    /// The end of a signature whose beginning is missing or contradicts it.
    Damaged,
}

impl Signature {
    /// The bytes after the archive.
    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::Unverified { bytes } => bytes,
            Self::None | Self::Damaged => 0,
        }
    }
}

/// The signature at the end of a file of `size` bytes, and the size of the archive before it.
pub(super) fn read(file: &mut File, size: u64) -> io::Result<(Signature, u64)> {
    let from = size.saturating_sub(MAX_SIGNATURE_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut end = Vec::new();
    file.take(MAX_SIGNATURE_BYTES).read_to_end(&mut end)?;
    if !end.ends_with(FOOTER) {
        return Ok((Signature::None, size));
    }
    let header = end.windows(HEADER.len()).rposition(|part| part == HEADER);
    let Some(header) = header else {
        return Ok((Signature::Damaged, size));
    };
    let body = &end[header + HEADER.len()..end.len() - FOOTER.len()];
    let is_whole = body
        .split_first_chunk::<4>()
        .is_some_and(|(length, rest)| u32::from_le_bytes(*length) as usize == rest.len());
    if !is_whole {
        return Ok((Signature::Damaged, size));
    }
    let bytes = (end.len() - header) as u64;
    Ok((Signature::Unverified { bytes }, size - bytes))
}
