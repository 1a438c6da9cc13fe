//! Compressed bodies and their limits.

use std::io::Write;

use super::server::response;
use super::*;
use crate::Step;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

async fn got(
    encoding: &str,
    body: &[u8],
    settings: Settings,
) -> (Harness, Result<bytes::Bytes, Failed>, Seq) {
    let harness = Harness::new(settings);
    let server = Server::new([Act::Say(response(200, &[("content-encoding", encoding)], body))]).await;
    let mut response = harness.get(&server.url("/")).await.unwrap();
    let exchange = response.exchange;
    let read = response.read(usize::MAX).await.map(|(body, _)| body);
    (harness, read, exchange)
}

#[tokio::test]
async fn a_compressed_body_is_recorded_as_decoded() {
    let body = gzip(b"hello, hello, hello");
    let (harness, read, exchange) = got("gzip", &body, direct()).await;
    assert_eq!(read.unwrap(), "hello, hello, hello");
    assert_eq!(harness.body(exchange).await, b"hello, hello, hello");
}

#[tokio::test]
async fn a_decompression_bomb_is_stopped_by_ratio_and_by_size() {
    let body = gzip(&vec![0; 8 << 20]);
    let (harness, read, exchange) = got("gzip", &body, direct()).await;
    let failed = read.unwrap_err();
    assert_eq!(failed.step, Step::Body);
    assert_eq!(
        failed.cause,
        "the body grows to more than 500 times its compressed size, as a decompression bomb does"
    );
    assert_eq!(
        harness.names(exchange).await,
        ["sent", "timing", "head", "failed"]
    );
    let settings = Settings {
        max_body: 1 << 20,
        ..direct()
    };
    let (_, read, _) = got("gzip", &body, settings).await;
    assert_eq!(
        read.unwrap_err().cause,
        "the body is larger than the limit of 1048576 bytes"
    );
}

#[tokio::test]
async fn a_plain_body_has_a_limit_too_and_a_stream_has_none() {
    let settings = Settings {
        max_body: 99,
        ..direct()
    };
    let harness = Harness::new(settings);
    let long = [b'x'; 100];
    let server = Server::new([
        Act::Say(response(200, &[], &long)),
        Act::Say(response(200, &[], &long)),
    ])
    .await;
    let mut response = harness.get(&server.url("/")).await.unwrap();
    assert_eq!(
        response.read(1000).await.unwrap_err().cause,
        "the body is larger than the limit of 99 bytes"
    );
    let mut response = harness.get(&server.url("/")).await.unwrap();
    response.stream();
    assert_eq!(response.read(1000).await.unwrap().0, &long[..]);
}

#[tokio::test]
async fn an_incomplete_or_wrong_encoding_is_reported() {
    let body = gzip(b"hello, hello, hello");
    let (_, read, _) = got("gzip", &body[..body.len() - 6], direct()).await;
    assert_eq!(read.unwrap_err().cause, "the compressed body is incomplete");
    let (_, read, _) = got("gzip", b"<html>not at all</html>", direct()).await;
    assert!(
        read.unwrap_err()
            .cause
            .starts_with("the body is not what its Content-Encoding says")
    );
    let (_, read, _) = got("zstd", b"....", direct()).await;
    assert_eq!(
        read.unwrap_err().cause,
        "the body is encoded as `zstd`, which was not requested; it was neither read nor recorded"
    );
}

#[tokio::test]
async fn a_long_request_body_says_that_its_record_is_cut() {
    let harness = Harness::new(direct());
    let server = Server::new([super::server::ok("")]).await;
    let mut request = Request::new(Method::POST, server.url("/").parse().unwrap());
    request.body = vec![b'x'; 100_000].into();
    let exchange = harness.send(request).await.unwrap().exchange;
    let HttpStage::Sent(head) = harness.stages(exchange).await.remove(0) else {
        panic!("the first stage is the request");
    };
    assert_eq!(head.body.unwrap(), "x".repeat(64 << 10));
    assert_eq!(head.body_size, Some(100_000));
    assert!(
        server.asked.all()[0].ends_with(&"x".repeat(100_000)),
        "all of it is sent"
    );
}
