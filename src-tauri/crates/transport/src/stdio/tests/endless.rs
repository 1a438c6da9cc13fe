//! Peers that never stop writing.

use super::*;

/// Always has one more line.
struct Endless;
impl AsyncRead for Endless {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        buffer: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        buffer.put_slice(&[b"-".repeat(255), b"\n".to_vec()].concat());
        std::task::Poll::Ready(Ok(()))
    }
}

/// Reads on until the end, and returns it with the number of frames before.
async fn flooded(stdio: &mut Stdio) -> (usize, Ended) {
    let begun = std::time::Instant::now();
    let mut frames = 0;
    loop {
        match stdio.next().await.expect("Ended comes before none") {
            Event::Ended(ended) => return (frames, ended),
            _ => frames += 1,
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "it does not end");
    }
}

#[tokio::test]
async fn a_peer_that_never_stops_writing_does_not_keep_the_link_open() {
    let (_store, recorder, connection) = log();
    let tap = Tap::new(recorder, connection);
    let sink = Box::new(tokio::io::sink());
    let mut stdio = Stdio::over(Box::new(Endless), sink, ProcessInfo::default(), tap);
    stdio.close();
    flooded(&mut stdio).await;
    assert!(stdio.next().await.is_none());
}

/// Something that has left the group may have its stdout.
#[tokio::test]
async fn the_exit_of_a_server_is_noticed_while_its_stdout_is_written_all_the_time() {
    let drain = Duration::from_millis(500);
    let mut stdio = start_draining(&sh("exit 3", &[]), drain).unwrap().stdio;
    stdio.lines = Lines::new(Box::new(Endless));
    let (_, ended) = flooded(&mut stdio).await;
    assert_eq!(ended.exit, Some(Exit::Code(3)));
    assert!(stdio.next().await.is_none());
}

/// The store may have been slow.
#[tokio::test]
async fn what_a_pipe_holds_when_the_time_to_drain_it_is_over_is_still_read() {
    let (_store, recorder, connection) = log();
    let written = "a line of the server\n".repeat(3000);
    let reader = Box::new(std::io::Cursor::new(written.into_bytes()));
    let sink = Box::new(tokio::io::sink());
    let tap = Tap::new(recorder, connection);
    let mut stdio = Stdio::over(reader, sink, ProcessInfo::default(), tap);
    stdio.drain_until = Some(Instant::now());
    let (frames, _) = flooded(&mut stdio).await;
    assert_eq!(frames, 3000);
}
