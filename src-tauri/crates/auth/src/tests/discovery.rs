//! Where metadata is looked up, and which metadata is rejected.

use patchbay_protocol::Revision;
use serde_json::json;

use patchbay_test_server::{http::reply::Whole, oauth::Variant};

use super::harness::{Harness, authorize, credential, failure_of, json, redirected, unauthorized};
use crate::{Answer, Settings, Step};

const PATH: &str = "/.well-known/oauth-protected-resource/mcp";
const ROOT: &str = "/.well-known/oauth-protected-resource";
const SERVER: &str = "/.well-known/oauth-authorization-server";

#[tokio::test]
async fn metadata_is_looked_up_at_the_path_then_at_the_root() {
    let harness = Harness::of(Variant::RootMetadata);
    harness.server.publish_resource(&harness.server.url(""));
    authorize(&harness.provider(Settings::default())).await;
    assert_eq!(
        harness.asked()[..3],
        [
            format!("GET {PATH}"),
            format!("GET {ROOT}"),
            format!("GET {SERVER}")
        ]
    );
    // Used as published, although it is above the server's address.
    assert_eq!(
        harness.at("/authorize")[0].query().get("resource"),
        harness.server.url("")
    );
}

#[tokio::test]
async fn a_tenant_is_found_in_every_form_and_never_at_the_root() {
    let harness = Harness::of(Variant::OpenId);
    authorize(&harness.provider(Settings::default())).await;
    let asked = harness.asked();
    assert_eq!(
        asked[1..4],
        [
            "GET /.well-known/oauth-authorization-server/tenant",
            "GET /.well-known/openid-configuration/tenant",
            "GET /tenant/.well-known/openid-configuration",
        ]
    );
    assert!(!asked.iter().any(|line| line.ends_with(SERVER)), "{asked:?}");
}

#[tokio::test]
async fn a_server_of_2025_03_26_has_default_endpoints() {
    let harness = Harness::of(Variant::OldDefaults);
    let old = Settings {
        revision: Some(Revision::V2025_03_26),
        ..Settings::default()
    };
    authorize(&harness.provider(old)).await;
    assert_eq!(
        harness.asked()[4..],
        ["POST /register", "GET /authorize", "POST /token"]
    );
    assert!(!harness.at("/authorize")[0].query().has("resource"));

    let new = Settings {
        revision: Some(Revision::V2025_11_25),
        ..Settings::default()
    };
    let harness = Harness::new();
    harness.server.answer_instead(|seen| {
        seen.path
            .starts_with("/.well-known")
            .then(|| Whole(404, String::new(), String::new()))
    });
    let failure = failure_of(&harness.provider(new), unauthorized("Bearer")).await;
    assert_eq!(failure.step, Step::ResourceMetadata);
    assert!(
        failure
            .rule
            .unwrap()
            .name
            .contains("Authorization Server Location"),
        "{failure}"
    );
}

#[tokio::test]
async fn invalid_metadata_is_rejected() {
    let check =
        async |path: &'static str, name: &'static str, value: &'static str, step: Step, rule: &str| {
            let harness = Harness::new();
            let (resource, metadata) = (
                harness.server.resource_metadata(),
                harness.server.server_metadata(),
            );
            harness.server.answer_instead(move |seen| {
                let mut document = if path == PATH {
                    resource.clone()
                } else {
                    metadata.clone()
                };
                document[name] = serde_json::from_str(value).unwrap();
                (seen.target().0 == path).then(|| Whole::json(200, &document))
            });
            let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
            assert_eq!(failure.step, step, "{name}={value}: {failure}");
            assert_eq!(failure.rule.unwrap().name, rule, "{name}={value}: {failure}");
            let asked = harness.asked();
            // No client is registered with a server that cannot issue a token.
            let further = ["/register", "/authorize", "/token"];
            let goes_on = |line: &String| further.iter().any(|path| line.ends_with(path));
            assert!(!asked.iter().any(goes_on), "{asked:?}");
        };
    let resource = Step::ResourceMetadata;
    check(
        PATH,
        "resource",
        "\"https://evil.example/mcp\"",
        resource,
        "RFC 9728 section 3.3",
    )
    .await;
    let location = "MCP authorization: Authorization Server Location";
    check(PATH, "authorization_servers", "[]", resource, location).await;
    check(PATH, "resource", "1", resource, "RFC 9728 section 3.2").await;
    let secure = "MCP authorization: Communication Security";
    check(
        PATH,
        "authorization_servers",
        "[\"http://as.example\"]",
        Step::ServerMetadata,
        secure,
    )
    .await;
    check(
        PATH,
        "authorization_servers",
        "[\"nonsense\"]",
        Step::ServerMetadata,
        "RFC 8414 section 3.2",
    )
    .await;
    let server = Step::ServerMetadata;
    check(
        SERVER,
        "issuer",
        "\"https://attacker.example\"",
        server,
        "RFC 8414 section 3.3",
    )
    .await;
    check(
        SERVER,
        "token_endpoint",
        "\"/token\"",
        server,
        "RFC 8414 section 3.2",
    )
    .await;
    let code = "MCP authorization: Authorization Code Protection";
    check(SERVER, "code_challenge_methods_supported", "null", server, code).await;
    check(
        SERVER,
        "code_challenge_methods_supported",
        "[\"plain\"]",
        server,
        code,
    )
    .await;
    check(
        SERVER,
        "authorization_endpoint",
        "\"http://as.example/authorize\"",
        server,
        secure,
    )
    .await;
    check(
        SERVER,
        "authorization_endpoint",
        "\"javascript:alert(1)\"",
        server,
        secure,
    )
    .await;
    check(
        SERVER,
        "authorization_endpoint",
        "null",
        server,
        "RFC 8414 section 3.2",
    )
    .await;
    let token = "token_endpoint";
    check(SERVER, token, "\"http://as.example/token\"", server, secure).await;
    check(SERVER, token, "\"ftp://as.example/token\"", server, secure).await;
    check(SERVER, token, "null", server, "RFC 8414 section 3.2").await;
    let registration = "registration_endpoint";
    let asking = Step::Registration;
    check(
        SERVER,
        registration,
        "\"http://as.example/register\"",
        asking,
        secure,
    )
    .await;
    check(SERVER, registration, "\"data:,hello\"", asking, secure).await;
}

#[tokio::test]
async fn only_the_address_in_the_challenge_is_tried() {
    let harness = Harness::new();
    let challenge = format!("Bearer resource_metadata=\"{}\"", harness.server.url("/nowhere"));
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized(&challenge)).await;
    assert!(
        failure.cause.contains("the address in the challenge"),
        "{failure}"
    );
    assert_eq!(harness.asked(), ["GET /nowhere"]);
    let failure = failure_of(
        &harness.provider(Settings::default()),
        unauthorized("Bearer resource_metadata=\"/relative\""),
    )
    .await;
    assert_eq!(failure.rule.unwrap().name, "RFC 9728 section 5.1");
}

#[tokio::test]
async fn redirects_of_metadata_are_followed_and_shown() {
    let harness = Harness::new();
    let (elsewhere, resource) = (
        harness.server.url("/elsewhere"),
        harness.server.resource_metadata(),
    );
    harness.server.answer_instead(move |seen| match seen.target().0 {
        PATH => redirected(&elsewhere),
        "/elsewhere" => json(200, resource.clone()),
        _ => None,
    });
    authorize(&harness.provider(Settings::default())).await;
    assert!(harness.reports().contains(&"  GET MCP/elsewhere Ok".to_owned()));

    let harness = Harness::new();
    let round = harness.server.url(PATH);
    harness
        .server
        .answer_instead(move |seen| (seen.target().0 == PATH).then(|| Whole::redirect(&round)));
    // Without the challenge, another address would be tried.
    let challenge = format!("Bearer resource_metadata=\"{}\"", harness.server.url(PATH));
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized(&challenge)).await;
    assert!(failure.cause.contains("more than 5 times"), "{failure}");
}

/// A catch-all of a web framework, a login page, a proxy: the other address has the document.
#[tokio::test]
async fn one_address_that_fails_does_not_end_the_search() {
    const OPENID: &str = "/.well-known/openid-configuration";
    let page = || Whole(200, String::new(), " ".repeat((1 << 20) + 1));
    for (what, verdict) in [("loop", "Ok"), ("insecure", "Ok"), ("large", "Failed")] {
        let harness = Harness::new();
        let metadata = harness.server.server_metadata();
        let round = format!("{}{SERVER}", harness.server.issuer(0));
        harness.server.answer_instead(move |seen| match seen.target().0 {
            SERVER if what == "loop" => redirected(&round),
            SERVER if what == "insecure" => redirected("http://as.example/"),
            SERVER => Some(page()),
            OPENID => json(200, metadata.clone()),
            _ => None,
        });
        authorize(&harness.provider(Settings::default())).await;
        let reports = harness.reports();
        for line in [
            format!("  GET AS{SERVER} {verdict}"),
            format!("  GET AS{OPENID} Ok"),
        ] {
            assert!(reports.contains(&line), "{what}: {reports:#?}");
        }
    }
    // If no address works, the first failure is reported.
    let harness = Harness::new();
    let round = format!("{}{SERVER}", harness.server.issuer(0));
    harness.server.answer_instead(move |seen| match seen.target().0 {
        SERVER => redirected(&round),
        OPENID => Some(page()),
        _ => None,
    });
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
    assert_eq!(failure.step, Step::ServerMetadata);
    assert!(failure.cause.contains("more than 5 times"), "{failure}");
}

#[tokio::test]
async fn of_several_authorization_servers_the_user_chooses_once() {
    let harness = Harness::new();
    let other = "https://other.example".to_owned();
    let mut resource = harness.server.resource_metadata();
    resource["authorization_servers"] = json!([other, harness.server.issuer(0)]);
    harness
        .server
        .answer_instead(move |seen| (seen.target().0 == PATH).then(|| Whole::json(200, &resource)));
    let provider = harness.provider(Settings::default());
    assert!(failure_of(&provider, unauthorized("Bearer")).await.cancelled);
    harness
        .answers
        .lock()
        .unwrap()
        .push_back(Answer::Server(harness.server.issuer(0)));
    authorize(&provider).await;
    assert!(
        harness
            .reports()
            .iter()
            .any(|line| line.contains("asked ChooseServer"))
    );
    // The choice is remembered.
    let used = credential(&provider, None)
        .await
        .map(|credential| credential.version);
    harness.drop_refresh_token().await;
    let again = patchbay_http::Refusal {
        used,
        ..unauthorized("Bearer")
    };
    assert_eq!(provider.obtain(again).await, Ok(()));
}
