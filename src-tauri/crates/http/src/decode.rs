//! Decompresses a body within limits.
//!
//! Bytes are pushed as they arrive, and decoded bytes are returned at once, so that a compressed event stream is received
//! event by event.

pub mod sse;

use std::fmt;
use std::io::{self, Write};

use brotli_decompressor::DecompressorWriter;
use bytes::Bytes;
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// The value of `Accept-Encoding` for bodies that are decoded here.
pub(crate) const ACCEPTED: &str = "gzip, deflate, br";

/// Below this size the ratio is not checked.
const RATIO_FROM: u64 = 1 << 20;

/// The limits of a decoded body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The maximum decoded size of the body; `None` for an endless stream.
    pub(crate) total: Option<u64>,
    pub(crate) ratio: u64,
}

/// Why a body cannot be decoded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Undecodable {
    /// It exceeds the size limit.
    TooLarge(u64),
    /// It exceeds the compression ratio.
    Bomb(u64),
    /// It is incomplete.
    Cut,
    /// It does not match its `Content-Encoding`.
    Malformed(String),
    /// Its `Content-Encoding` is not supported.
    Unknown(String),
}

/// Decodes a body.
pub(crate) struct Decoder {
    codec: Codec,
    /// The size of the encoded bytes so far.
    raw: u64,
    decoded: u64,
    limits: Limits,
}

enum Codec {
    Identity,
    Unknown(String),
    Gzip(Box<MultiGzDecoder<Sink>>),
    /// `deflate` means zlib by the standard and raw deflate in practice: the first byte decides.
    Deflate,
    Zlib(Box<ZlibDecoder<Sink>>),
    Bare(Box<DeflateDecoder<Sink>>),
    Brotli(Box<DecompressorWriter<Sink>>),
}

impl Decoder {
    /// For a `Content-Encoding`.
    pub(crate) fn new(encoding: Option<&str>, limits: Limits) -> Self {
        let codec = match encoding.map(|name| name.trim().to_ascii_lowercase()).as_deref() {
            // `none` is not registered, but frameworks set it on event streams to keep proxies from compressing them.
            None | Some("" | "identity" | "none") => Codec::Identity,
            Some("gzip" | "x-gzip") => Codec::Gzip(Box::new(MultiGzDecoder::new(Sink::default()))),
            Some("deflate") => Codec::Deflate,
            Some("br") => Codec::Brotli(Box::new(DecompressorWriter::new(Sink::default(), 4096))),
            Some(other) => Codec::Unknown(other.to_owned()),
        };
        Self {
            codec,
            raw: 0,
            decoded: 0,
            limits,
        }
    }

    /// Whether the body is encoded.
    pub(crate) fn is_needed(&self) -> bool {
        !matches!(self.codec, Codec::Identity)
    }

    /// Lifts the size limit for an endless stream.
    pub(crate) fn without_end(&mut self) {
        self.limits.total = None;
    }

    /// Decodes a chunk.
    pub(crate) fn push(&mut self, bytes: Bytes) -> Result<Bytes, Undecodable> {
        self.raw += bytes.len() as u64;
        if let Codec::Identity = self.codec {
            self.decoded = self.raw;
            return match self.limits.total.filter(|total| self.decoded > *total) {
                Some(total) => Err(Undecodable::TooLarge(total)),
                None => Ok(bytes),
            };
        }
        if let (Codec::Deflate, Some(first)) = (&self.codec, bytes.first()) {
            self.codec = if first & 0x0f == 8 {
                Codec::Zlib(Box::new(ZlibDecoder::new(Sink::default())))
            } else {
                Codec::Bare(Box::new(DeflateDecoder::new(Sink::default())))
            };
        }
        let room = self.room();
        self.work(room, |codec| match codec {
            Codec::Gzip(codec) => whole(codec, &bytes),
            Codec::Zlib(codec) => whole(codec, &bytes),
            Codec::Bare(codec) => whole(codec, &bytes),
            Codec::Brotli(codec) => whole(codec, &bytes),
            Codec::Identity | Codec::Deflate | Codec::Unknown(_) => Ok(()),
        })
    }

    /// The rest at the end of the body.
    pub(crate) fn finish(&mut self) -> Result<Bytes, Undecodable> {
        if self.raw == 0 {
            // An empty body is empty in every encoding.
            return Ok(Bytes::new());
        }
        let room = self.room();
        let rest = self.work(room, |codec| match codec {
            Codec::Gzip(codec) => codec.try_finish(),
            Codec::Zlib(codec) => codec.try_finish(),
            Codec::Bare(codec) => codec.try_finish(),
            Codec::Brotli(codec) => codec.close(),
            Codec::Identity | Codec::Deflate | Codec::Unknown(_) => Ok(()),
        });
        match rest {
            Err(Undecodable::Malformed(_)) => Err(Undecodable::Cut),
            rest => rest,
        }
    }

    /// The remaining size limit.
    fn room(&self) -> u64 {
        let ratio = (self.raw * self.limits.ratio).max(RATIO_FROM);
        let allowed = self.limits.total.map_or(ratio, |total| total.min(ratio));
        allowed.saturating_sub(self.decoded)
    }

    fn work(
        &mut self,
        room: u64,
        push: impl FnOnce(&mut Codec) -> io::Result<()>,
    ) -> Result<Bytes, Undecodable> {
        match self.codec.sink() {
            Some(sink) => sink.room = room,
            None => {
                return match &self.codec {
                    Codec::Unknown(name) => Err(Undecodable::Unknown(name.clone())),
                    _ => Ok(Bytes::new()),
                };
            }
        }
        let done = push(&mut self.codec);
        let sink = self.codec.sink().map(std::mem::take).unwrap_or_default();
        self.decoded += sink.out.len() as u64;
        if sink.full {
            let total = self.limits.total.filter(|total| self.decoded + 1 > *total);
            return Err(total.map_or(Undecodable::Bomb(self.limits.ratio), Undecodable::TooLarge));
        }
        match done {
            Ok(()) => Ok(sink.out.into()),
            Err(error) => Err(Undecodable::Malformed(error.to_string())),
        }
    }
}

impl Codec {
    fn sink(&mut self) -> Option<&mut Sink> {
        match self {
            Self::Gzip(codec) => Some(codec.get_mut()),
            Self::Zlib(codec) => Some(codec.get_mut()),
            Self::Bare(codec) => Some(codec.get_mut()),
            Self::Brotli(codec) => Some(codec.get_mut()),
            Self::Identity | Self::Deflate | Self::Unknown(_) => None,
        }
    }
}

fn whole(codec: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    codec.write_all(bytes)?;
    codec.flush()
}

/// The destination of decoded bytes, with a limit.
#[derive(Default)]
struct Sink {
    out: Vec<u8>,
    room: u64,
    full: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.out.len() + bytes.len()) as u64 > self.room {
            let left = self.room as usize - self.out.len();
            self.out.extend_from_slice(&bytes[..left]);
            self.full = true;
            return Err(io::Error::other("too large"));
        }
        self.out.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Undecodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "the body is larger than the limit of {limit} bytes"),
            Self::Bomb(ratio) => write!(
                f,
                "the body grows to more than {ratio} times its compressed size, as a decompression bomb does"
            ),
            Self::Cut => f.write_str("the compressed body is incomplete"),
            Self::Malformed(cause) => write!(f, "the body is not what its Content-Encoding says: {cause}"),
            Self::Unknown(name) => write!(
                f,
                "the body is encoded as `{name}`, which was not requested; it was neither read nor recorded"
            ),
        }
    }
}

impl Undecodable {
    /// The next action for the user.
    pub(crate) fn next(&self) -> &'static str {
        match self {
            Self::TooLarge(_) => "Ask the server for less, or raise the size limit of this server.",
            Self::Bomb(_) => "Do not trust this server, or have it send this response uncompressed.",
            Self::Cut | Self::Malformed(_) => "Check the logs of the server and of any proxy in between.",
            Self::Unknown(_) => "Make the server, or the proxy in between, honour Accept-Encoding.",
        }
    }
}

#[cfg(test)]
mod tests;
