use std::io::Cursor;

use super::*;

/// A pipe that returns at most `step` bytes per read.
fn in_steps(bytes: &'static [u8], step: usize) -> Lines {
    struct Steps(Cursor<&'static [u8]>, usize);
    impl AsyncRead for Steps {
        fn poll_read(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            into: &mut tokio::io::ReadBuf<'_>,
        ) -> std::task::Poll<io::Result<()>> {
            let mut chunk = vec![0; self.1.min(into.remaining())];
            let count = std::io::Read::read(&mut self.0, &mut chunk)?;
            into.put_slice(&chunk[..count]);
            std::task::Poll::Ready(Ok(()))
        }
    }
    Lines::new(Box::new(Steps(Cursor::new(bytes), step)))
}

/// All lines; `|` marks the end of an unterminated one.
async fn all(mut lines: Lines) -> Vec<String> {
    let mut all = Vec::new();
    loop {
        while let Some(line) = lines.take() {
            let text = String::from_utf8_lossy(&line.bytes).into_owned();
            all.push(if line.terminated { text } else { text + "|" });
        }
        if lines.ended() {
            return all;
        }
        lines.fill().await.unwrap();
    }
}

#[tokio::test]
async fn splits_at_line_feeds_only_for_any_chunking() {
    for step in [1, 2, 3, 100] {
        assert_eq!(
            all(in_steps(b"one\r\n\ntwo \xe2\x82\xac\nrest", step)).await,
            ["one\r", "", "two €", "rest|"]
        );
        assert_eq!(all(in_steps(b"one\n", step)).await, ["one"]);
        assert_eq!(all(in_steps(b"", step)).await, [""; 0]);
    }
}

#[tokio::test]
async fn lines_share_the_buffer_they_were_read_into() {
    let mut lines = in_steps(b"aaaa\nbbbb\n", 100);
    lines.fill().await.unwrap();
    let (first, second) = (lines.take().unwrap().bytes, lines.take().unwrap().bytes);
    assert_eq!(second.as_ptr() as usize - first.as_ptr() as usize, 5);
}

#[tokio::test]
async fn a_long_line_is_complete() {
    let long = vec![b'x'; 5 * CHUNK].leak();
    assert_eq!(all(in_steps(long, 1000)).await[0].len(), 5 * CHUNK + 1);
}

/// After it, little may arrive for a long time.
#[tokio::test]
async fn the_memory_of_a_long_line_is_given_back_with_it() {
    let mut bytes = vec![b'x'; 4 << 20];
    bytes.extend_from_slice(b"\nnext\nrest");
    let mut lines = in_steps(bytes.leak(), 1 << 16);
    let mut taken = Vec::new();
    while taken.len() < 2 {
        lines.fill().await.unwrap();
        while let Some(line) = lines.take() {
            taken.push(line.bytes.len());
        }
    }
    assert_eq!(taken, [4 << 20, 4]);
    assert!(
        lines.buffer.capacity() <= 2 * CHUNK,
        "{}",
        lines.buffer.capacity()
    );
    lines.fill().await.unwrap();
    assert_eq!(lines.take().unwrap().bytes, "rest");
}
