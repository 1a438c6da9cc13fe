//! An HTTP/1.1 connection that is driven by its user.
//!
//! It carries one exchange at a time, so the task that waits for the response also reads the socket: no separate task, no
//! switch between threads. Dropping it during an exchange closes the socket, which is how HTTP/1.1 cancels.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::{Body, Frame, Incoming};
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper_util::rt::TokioIo;

use crate::connect::proxy::Proxy;
use crate::connect::stream::Stream;

/// A request in its final form.
pub(crate) type Outgoing = Request<Full<Bytes>>;

/// The connection.
pub(crate) struct Http1 {
    sender: SendRequest<Full<Bytes>>,
    /// `None` once it is closed.
    connection: Option<Connection<TokioIo<Stream>, Full<Bytes>>>,
    /// The proxy that forwards requests, if any.
    pub(crate) forward: Option<Proxy>,
}

impl Http1 {
    pub(crate) async fn new(stream: Stream, forward: Option<Proxy>) -> hyper::Result<Self> {
        let (sender, connection) = Builder::new().handshake(TokioIo::new(stream)).await?;
        Ok(Self {
            sender,
            connection: Some(connection),
            forward,
        })
    }

    /// Reads and writes as far as possible. Returns whether the connection is still open; its error is reported by the
    /// exchange.
    fn drive(&mut self, cx: &mut Context<'_>) -> bool {
        if let Some(connection) = &mut self.connection
            && Pin::new(connection).poll(cx).is_ready()
        {
            self.connection = None;
        }
        self.connection.is_some()
    }

    /// Whether another request can be sent at once. Detects a connection that the server has closed, and one on which the
    /// last request is still being written (the server responded without reading it).
    pub(crate) async fn is_ready(&mut self) -> bool {
        poll_fn(|cx| {
            let open = self.drive(cx);
            Poll::Ready(open && matches!(self.sender.poll_ready(cx), Poll::Ready(Ok(()))))
        })
        .await
    }

    /// Sends a request and waits for the head of the response.
    pub(crate) async fn send(
        &mut self,
        request: Outgoing,
    ) -> Result<Response<Incoming>, TrySendError<Outgoing>> {
        let mut answer = pin!(self.sender.try_send_request(request));
        poll_fn(|cx| {
            self.drive(cx);
            answer.as_mut().poll(cx)
        })
        .await
    }

    /// The next part of the body of the response.
    pub(crate) async fn frame(&mut self, body: &mut Incoming) -> Option<hyper::Result<Frame<Bytes>>> {
        poll_fn(|cx| {
            if let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) {
                return Poll::Ready(frame);
            }
            self.drive(cx);
            Pin::new(&mut *body).poll_frame(cx)
        })
        .await
    }

    /// Whether it is known to be closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.connection.is_none() || self.sender.is_closed()
    }
}
