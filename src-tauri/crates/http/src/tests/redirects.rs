//! Redirects.

use bytes::Bytes;

use super::server::{ok, response};
use super::*;
use crate::redirect::{Verdict, decide};
use crate::{Redirected, Redirects, header};

fn to(status: u16, location: &str) -> Act {
    Act::Say(response(status, &[("location", location)], b"moved"))
}

#[tokio::test]
async fn redirects_within_the_origin_are_followed_and_recorded() {
    let harness = Harness::new(direct());
    let server = Server::new([to(307, "/b?x=1"), to(308, "c"), ok("here")]).await;
    let mut request = Request::new(Method::POST, server.url("/a").parse().unwrap());
    request.body = Bytes::from_static(b"payload");
    request
        .headers
        .insert("authorization", "Bearer some-long-token-value".parse().unwrap());
    let mut response = harness.send(request).await.unwrap();
    assert_eq!(response.read(9).await.unwrap().0, "here");
    assert_eq!(response.url.as_str(), server.url("/c"));
    let asked = server.asked.all();
    for (request, path) in asked.iter().zip(["/a", "/b?x=1", "/c"]) {
        assert!(request.starts_with(&format!("POST {path} HTTP/1.1\r\n")));
        assert!(request.contains("some-long-token-value") && request.ends_with("\r\n\r\npayload"));
    }
    assert_eq!(server.asked.connections(), 1);
    let (a, b, c) = (server.url("/a"), server.url("/b?x=1"), server.url("/c"));
    assert_eq!(
        harness.summaries().await,
        [
            format!("POST {a} → 307 Ok 5 B"),
            format!("POST {b} → 308 Ok 5 B"),
            format!("POST {c} → 200 Ok 4 B"),
        ]
    );
    assert_eq!(
        harness.names(1).await,
        ["sent", "timing", "head", "redirect", "end"]
    );
}

/// A server does not repeat them in the URLs that it names.
#[test]
fn the_user_name_and_password_of_the_url_stay_within_the_origin() {
    let request = Request::new(Method::GET, "http://someone:word@host.test/a".parse().unwrap());
    for (location, followed) in [
        ("/b", Some("http://someone:word@host.test/b")),
        ("http://host.test/b", Some("http://someone:word@host.test/b")),
        ("http://another@host.test/b", Some("http://another@host.test/b")),
        ("http://other.test/b", None),
    ] {
        let headers = [(header::LOCATION, location.parse().unwrap())]
            .into_iter()
            .collect();
        let verdict = decide(307, &headers, &request, (&[], 5), false);
        let to = match &verdict {
            Verdict::Follow(to, _) => Some(to.as_str()),
            _ => None,
        };
        assert_eq!(to, followed, "{location}");
    }
}

async fn stays(request: impl FnOnce(&mut Request), status: u16, location: &str) -> Redirected {
    let harness = Harness::new(direct());
    let server = Server::new([to(status, location)]).await;
    let mut asked = Request::new(Method::POST, server.url("/").parse().unwrap());
    request(&mut asked);
    let response = harness.send(asked).await.unwrap();
    assert_eq!(response.status, status);
    let stages = harness.stages(response.exchange).await;
    assert!(
        stages
            .iter()
            .any(|stage| matches!(stage, HttpStage::Redirect { followed: false, .. }))
    );
    response.redirected.unwrap()
}

#[tokio::test]
async fn redirects_that_change_the_request_or_leak_data_are_not_followed() {
    let elsewhere = "http://other.test/mcp";
    let stayed = stays(|_| {}, 302, "/b").await;
    assert_eq!(
        stayed.why,
        "it would turn the request into a GET without its body"
    );
    assert!(stayed.to.ends_with("/b"));
    let stayed = stays(|_| {}, 307, elsewhere).await;
    assert_eq!(
        (&*stayed.to, &*stayed.why),
        (elsewhere, "it points to another origin")
    );
    let stayed = stays(|request| request.follow = Redirects::Anywhere, 307, elsewhere).await;
    assert_eq!(
        stayed.why,
        "it points to another origin, and the request carries a body"
    );
    for (name, value) in [("authorization", "x"), ("cookie", "a=b"), ("x-api-key", "k")] {
        let with = |request: &mut Request| {
            request.method = Method::GET;
            request.follow = Redirects::Anywhere;
            request.headers.insert(name, value.parse().unwrap());
        };
        let stayed = stays(with, 301, elsewhere).await;
        assert_eq!(
            stayed.why,
            "it points to another origin, and the request carries credentials"
        );
    }
    let stayed = stays(|request| request.follow = Redirects::Never, 307, "/b").await;
    assert_eq!(stayed.why, "redirects are not followed here");
    let stayed = stays(|request| request.on_wire.cancel(), 307, "/b").await;
    assert_eq!(stayed.why, "the request was cancelled");
    let stayed = stays(|_| {}, 307, "file:///etc/passwd").await;
    assert_eq!(stayed.why, "it is not an http or https URL");
}

#[tokio::test]
async fn a_get_without_credentials_may_follow_to_another_origin() {
    let harness = Harness::new(direct());
    let target = Server::new([ok("there")]).await;
    let server = Server::new([to(302, &format!("http://other.test:{}/x", target.port))]).await;
    let mut request = Request::new(Method::GET, server.url("/").parse().unwrap());
    request.follow = Redirects::Anywhere;
    let mut response = harness.send(request).await.unwrap();
    assert_eq!(response.read(9).await.unwrap().0, "there");
}

#[tokio::test]
async fn a_redirect_loop_ends() {
    let harness = Harness::new(direct());
    let server = Server::new([to(302, "/b"), to(302, "/a")]).await;
    let failed = harness.refused(&server.url("/a")).await;
    assert_eq!(harness.names(2).await, ["sent", "head", "failed"]);
    assert_eq!(
        failed.cause,
        format!("the server redirects in a circle, back to {}", server.url("/a"))
    );
    let server = Server::new((0..9).map(|n| to(302, &format!("/{n}")))).await;
    let failed = harness.refused(&server.url("/a")).await;
    assert_eq!(
        failed.cause,
        format!(
            "the server redirects more than 5 times in a row, at last to {}",
            server.url("/5")
        )
    );
    assert_eq!(server.asked.all().len(), 6);
}

#[tokio::test]
async fn a_request_for_public_addresses_does_not_reach_this_machine() {
    let server = Server::new([ok("never")]).await;
    let harness = Harness::new(direct());
    for url in [
        server.url("/"),
        format!("http://[::1]:{}/", server.port),
        format!("http://inside.test:{}/", server.port),
    ] {
        let request = Request {
            addresses: crate::Addresses::Public,
            ..Request::new(Method::GET, url.parse().unwrap())
        };
        let failed = match harness.send(request).await {
            Ok(_) => panic!("{url} was reached"),
            Err(failed) => failed,
        };
        assert!(
            failed.private.is_some_and(|address| address.is_loopback()),
            "{failed}"
        );
        assert!(!failed.may_have_been_sent);
    }
    assert_eq!(server.asked.connections(), 0);
}
