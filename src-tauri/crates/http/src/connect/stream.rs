//! A byte stream to the peer: TCP, or TLS over a stream.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// How long nothing may arrive before a probe asks whether the connection is alive: as long as before a ping of HTTP/2.
const PROBE_AFTER: Duration = Duration::from_secs(20);
/// The time between two probes.
const PROBE_INTERVAL: Duration = Duration::from_secs(10);
/// The number of probes without an answer after which the connection has failed.
const PROBES: u32 = 3;

/// Sets the options of a new connection. Without keep-alive, an event stream of HTTP/1.1 never ends if its connection dies
/// silently, because nothing is sent on it. A connection also works without the options.
pub(crate) fn set_options(stream: &TcpStream) {
    let keep_alive = TcpKeepalive::new()
        .with_time(PROBE_AFTER)
        .with_interval(PROBE_INTERVAL)
        .with_retries(PROBES);
    for set in [
        stream.set_nodelay(true),
        SockRef::from(stream).set_tcp_keepalive(&keep_alive),
    ] {
        if let Err(error) = set {
            tracing::debug!(%error, "an option of a connection cannot be set");
        }
    }
}

/// A byte stream to the peer.
pub(crate) enum Stream {
    Tcp(TcpStream),
    Tls(Box<TlsStream<Stream>>),
}

macro_rules! inner {
    ($self:ident, $stream:ident => $call:expr) => {
        match $self.get_mut() {
            Self::Tcp(stream) => {
                let $stream = Pin::new(stream);
                $call
            }
            Self::Tls(stream) => {
                let $stream = Pin::new(&mut **stream);
                $call
            }
        }
    };
}

/// Disables delayed acknowledgements. A server that writes a response in pieces with Nagle's algorithm does not send the
/// second before the first is acknowledged, for which Linux may take 40 ms. The flag resets itself, so it is set after each
/// read.
fn acknowledge_at_once(stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    let _ = stream.set_quickack(true);
    #[cfg(not(target_os = "linux"))]
    let _ = stream;
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        match self.get_mut() {
            Self::Tcp(stream) => {
                let read = Pin::new(&mut *stream).poll_read(cx, buf);
                if buf.filled().len() > before {
                    acknowledge_at_once(stream);
                }
                read
            }
            Self::Tls(stream) => Pin::new(&mut **stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        inner!(self, stream => stream.poll_write(cx, buf))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        inner!(self, stream => stream.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        inner!(self, stream => stream.poll_shutdown(cx))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        inner!(self, stream => stream.poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Tcp(stream) => stream.is_write_vectored(),
            Self::Tls(stream) => stream.is_write_vectored(),
        }
    }
}
