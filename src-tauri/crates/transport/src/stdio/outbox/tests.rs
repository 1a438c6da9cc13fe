use std::sync::{Arc, Mutex};

use super::*;

/// A pipe that takes at most `step` bytes at a time and notes every write.
struct Pipe {
    writes: Arc<Mutex<Vec<String>>>,
    step: usize,
}

impl AsyncWrite for Pipe {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut all = pieces.iter().flat_map(|piece| piece.to_vec()).collect::<Vec<_>>();
        all.truncate(self.step);
        self.writes
            .lock()
            .unwrap()
            .push(String::from_utf8_lossy(&all).into_owned());
        Poll::Ready(Ok(all.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

async fn written(step: usize) -> Vec<String> {
    let writes = Arc::default();
    let mut outbox = Outbox::new(Box::new(Pipe {
        writes: Arc::clone(&writes),
        step,
    }));
    outbox.push(Bytes::from_static(b"one"), false);
    outbox.push(Bytes::from_static(b"two"), true);
    assert_eq!((outbox.waiting(), outbox.replies(), outbox.frames()), (8, 4, 2));
    outbox.flush().await.unwrap();
    assert_eq!((outbox.waiting(), outbox.replies(), outbox.frames()), (0, 0, 0));
    writes.lock().unwrap().clone()
}

#[tokio::test]
async fn what_waits_goes_out_with_one_write() {
    assert_eq!(written(100).await, ["one\ntwo\n"]);
}

#[tokio::test]
async fn a_pipe_that_takes_little_gets_the_rest_later() {
    assert_eq!(written(3).await, ["one", "\ntw", "o\n"]);
}

#[tokio::test]
async fn a_pipe_that_takes_nothing_stops_nobody() {
    let (_reader, writer) = tokio::io::duplex(4);
    let mut outbox = Outbox::new(Box::new(writer));
    outbox.push(Bytes::from_static(b"too long"), false);
    assert!(std::future::poll_fn(|context| Poll::Ready(outbox.poll_flush(context).is_pending())).await);
    assert_eq!((outbox.waiting(), outbox.frames()), (5, 1));
}

#[tokio::test]
async fn a_broken_pipe_is_closed() {
    let (reader, writer) = tokio::io::duplex(4);
    drop(reader);
    let mut outbox = Outbox::new(Box::new(writer));
    outbox.push(Bytes::from_static(b"x"), false);
    assert!(outbox.flush().await.is_err());
    assert!(!outbox.is_open());
}
