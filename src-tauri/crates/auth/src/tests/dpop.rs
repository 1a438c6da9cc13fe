//! Tokens that are bound to a key of ours (RFC 9449).

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use patchbay_http::{Authorizer, HeaderMap, HeaderValue};
use patchbay_test_server::http::{reply::Whole, request::Request};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::{Value, json};

use super::harness::{Harness, carried, credential, failure_of, json as reply, unauthorized};
use crate::{DpopChoice, Settings, Step, TokenStore as _};

const CHALLENGE: &str = "DPoP algs=\"ES256\"";
const TOKEN: &str = "bound-token-0123456789";

/// The claims of a proof, whose signature is verified, and the thumbprint of its key.
fn claims(proof: &str) -> (Value, String) {
    let [header, claims, signature] = proof.split('.').collect::<Vec<_>>().try_into().unwrap();
    let read =
        |part: &str| -> Value { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap() };
    let key = &read(header)["jwk"];
    assert_eq!(read(header)["typ"], "dpop+jwt");
    assert_eq!(read(header)["alg"], "ES256");
    assert_eq!(key.as_object().unwrap().len(), 4, "no private part: {key}");
    let (x, y) = (key["x"].as_str().unwrap(), key["y"].as_str().unwrap());
    let mut point = vec![4];
    point.extend(URL_SAFE_NO_PAD.decode(x).unwrap());
    point.extend(URL_SAFE_NO_PAD.decode(y).unwrap());
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
        .verify(proof.rsplit_once('.').unwrap().0.as_bytes(), &signature)
        .unwrap();
    let canonical = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    (read(claims), sha256(&canonical))
}

fn sha256(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(ring::digest::digest(&ring::digest::SHA256, text.as_bytes()))
}

fn proof_of(request: &Request) -> (Value, String) {
    claims(request.header("dpop").unwrap())
}

/// An authorization server that supports DPoP, and with `nonce` requires it in each proof.
fn supporting(harness: &Arc<Harness>, token_type: &'static str, nonce: Option<&'static str>) {
    let mut metadata = harness.server.server_metadata();
    metadata["dpop_signing_alg_values_supported"] = json!(["RS256", "ES256"]);
    harness.server.answer_instead(move |seen| match seen.target().0 {
        "/.well-known/oauth-authorization-server" => reply(200, metadata.clone()),
        "/token" => {
            let given = seen.header("dpop").map(|proof| claims(proof).0["nonce"].clone());
            if nonce.is_some_and(|nonce| given != Some(json!(nonce))) {
                let headers = "content-type: application/json\r\ndpop-nonce: as-nonce\r\n".to_owned();
                return Some(Whole(
                    400,
                    headers,
                    json!({"error": "use_dpop_nonce"}).to_string(),
                ));
            }
            let issued = json!({
                "access_token": TOKEN,
                "token_type": token_type,
                "expires_in": 3600,
                "refresh_token": "refresh-token-0123456789",
            });
            reply(200, issued)
        }
        _ => None,
    });
}

#[tokio::test]
async fn a_token_is_bound_to_a_key_and_sent_with_fresh_proofs() {
    let harness = Harness::new();
    supporting(&harness, "DPoP", None);
    let provider = harness.provider(Settings::default());
    provider.obtain(unauthorized(CHALLENGE)).await.unwrap();

    let (of_token, key) = proof_of(&harness.at("/token")[0]);
    assert_eq!(of_token["htm"], "POST");
    assert_eq!(of_token["htu"], format!("{}/token", harness.server.issuer(0)));
    assert_eq!(of_token["iat"], 1_000_000);
    assert_eq!((of_token.get("ath"), of_token.get("nonce")), (None, None));
    let sent_to = harness.sent_to();
    let jkt = sent_to.query_pairs().find(|(name, _)| name == "dpop_jkt");
    assert_eq!(jkt.unwrap().1, key);

    assert_eq!(carried(&provider).await, format!("DPoP {TOKEN}"));
    let proof = async || {
        let credential = credential(&provider, None).await.unwrap();
        claims(credential.proof.unwrap().to_str().unwrap())
    };
    let (first, used) = proof().await;
    assert_eq!(used, key);
    assert_eq!(first["htu"], harness.server.address());
    assert_eq!(first["ath"], sha256(TOKEN));
    assert_ne!(first["jti"], proof().await.0["jti"]);
    assert_eq!(provider.view().await.token.unwrap().dpop_thumbprint, Some(key));

    // The resource server's nonce is in the next proof, and one that cannot be a nonce is not.
    let mut headers = HeaderMap::new();
    headers.insert("dpop-nonce", HeaderValue::from_static("rs-nonce"));
    assert!(provider.answered(provider.server(), &headers));
    assert!(!provider.answered(provider.server(), &headers));
    assert_eq!(proof().await.0["nonce"], "rs-nonce");
    headers.insert("dpop-nonce", HeaderValue::from_static("no nonce"));
    assert!(!provider.answered(provider.server(), &headers));
    assert_eq!(proof().await.0["nonce"], "rs-nonce");
}

#[tokio::test]
async fn the_key_outlives_the_program_and_is_never_shown() {
    let harness = Harness::new();
    supporting(&harness, "DPoP", None);
    let provider = harness.provider(Settings::default());
    provider.obtain(unauthorized(CHALLENGE)).await.unwrap();
    let (_, key) = proof_of(&harness.at("/token")[0]);

    let later = harness.provider(Settings::default());
    later.refresh(None).await.unwrap();
    let (refresh, used) = proof_of(&harness.at("/token")[1]);
    assert_eq!((used, refresh.get("ath")), (key, None));
    assert_eq!(carried(&later).await, format!("DPoP {TOKEN}"));

    let stored = harness.tokens.load().await.unwrap().tokens.unwrap().dpop.unwrap();
    let private = stored.stored().expose().to_owned();
    let events = format!("{:?}", harness.events.lock().unwrap());
    assert!(!harness.log().await.contains(&private) && !events.contains(&private));
    assert!(events.contains(&stored.thumbprint()));
}

#[tokio::test]
async fn the_token_request_is_sent_again_with_the_servers_nonce() {
    let harness = Harness::new();
    supporting(&harness, "DPoP", Some("as-nonce"));
    let provider = harness.provider(Settings::default());
    provider.obtain(unauthorized(CHALLENGE)).await.unwrap();
    let requests = harness.at("/token");
    let (first, again) = (proof_of(&requests[0]), proof_of(&requests[1]));
    assert_eq!(requests.len(), 2);
    assert_eq!(
        (first.0.get("nonce"), &again.0["nonce"]),
        (None, &json!("as-nonce"))
    );
    assert_ne!(first.0["jti"], again.0["jti"]);
    assert_eq!(first.1, again.1);
    assert_eq!(requests[0].form().get("code"), requests[1].form().get("code"));
    let shown = format!("{:?}", harness.events.lock().unwrap());
    assert!(
        shown.contains("requires a proof with its nonce (RFC 9449 section 8)"),
        "{shown}"
    );

    // One that is never satisfied ends the run.
    let harness = Harness::new();
    supporting(&harness, "DPoP", Some("another"));
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized(CHALLENGE)).await;
    assert!(failure.cause.contains("use_dpop_nonce"), "{failure}");
    assert_eq!(harness.at("/token").len(), 2);
}

#[tokio::test]
async fn proofs_are_sent_only_where_both_servers_support_them() {
    let proves = async |challenge: &str, settings: Settings, listed: bool| {
        let harness = Harness::new();
        if listed {
            supporting(&harness, "Bearer", None);
        }
        let provider = harness.provider(settings);
        let outcome = provider.obtain(unauthorized(challenge)).await;
        let proof = harness.at("/token")[0].header("dpop").is_some();
        (
            proof,
            outcome.map_err(|failure| failure.rule.map(|rule| rule.name)),
        )
    };
    let set = |dpop| Settings {
        dpop,
        ..Settings::default()
    };
    // The authorization server supports it for others: a bearer token is what this server takes.
    assert_eq!(
        proves("Bearer", set(DpopChoice::Auto), true).await,
        (false, Ok(()))
    );
    assert_eq!(
        proves(CHALLENGE, set(DpopChoice::Auto), false).await,
        (false, Ok(()))
    );
    assert_eq!(
        proves(CHALLENGE, set(DpopChoice::Never), true).await,
        (false, Ok(()))
    );
    // It was offered, and the authorization server does not take it.
    assert_eq!(
        proves(CHALLENGE, set(DpopChoice::Auto), true).await,
        (true, Ok(()))
    );
    assert_eq!(
        proves("Bearer", set(DpopChoice::Always), true).await,
        (true, Err(Some("RFC 9449 section 5")))
    );
}

#[tokio::test]
async fn a_server_that_requires_what_we_lack_is_refused() {
    let harness = Harness::new();
    let mut resource = harness.server.resource_metadata();
    resource["dpop_bound_access_tokens_required"] = json!(true);
    resource["dpop_signing_alg_values_supported"] = json!(["EdDSA"]);
    harness.server.answer_instead(move |seen| {
        let is_it = seen
            .target()
            .0
            .starts_with("/.well-known/oauth-protected-resource");
        is_it.then(|| reply(200, resource.clone())).flatten()
    });
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized(CHALLENGE)).await;
    assert_eq!(failure.step, Step::ServerMetadata, "{failure}");
    assert_eq!(failure.rule.unwrap().name, "RFC 9449 section 5.1");
    assert!(harness.at("/token").is_empty());
}
