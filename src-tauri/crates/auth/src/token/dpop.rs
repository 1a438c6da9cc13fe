//! DPoP (RFC 9449): tokens that only the holder of a key can use. Each request carries a proof, which the key signs for
//! this method, this address and this token.
//!
//! A key belongs to the token that is bound to it and is stored with it. Deliberately not here: deciding whether to use
//! DPoP ([`wanted`] does, for a run), and sending requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use patchbay_http::{HeaderMap, HeaderName, HeaderValue, Url};
use patchbay_secret::Secret;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use crate::challenge::Challenge;
use crate::discovery::resource::Resource;
use crate::discovery::server::Server;
use crate::{DpopChoice, Failure, Host, Step, rules};

/// The header of a proof.
pub(crate) const PROOF: HeaderName = HeaderName::from_static("dpop");
/// The header of a nonce for the next proof.
const NONCE: HeaderName = HeaderName::from_static("dpop-nonce");
/// The error of a server that requires a proof with its nonce (sections 8 and 9).
pub(crate) const USE_NONCE: &str = "use_dpop_nonce";
/// The error of a server that does not accept a proof (section 5), for example because the clocks differ.
pub(crate) const INVALID_PROOF: &str = "invalid_dpop_proof";
/// The only algorithm of our keys.
const ALGORITHM: &str = "ES256";
/// The longest nonce that is used, in bytes.
const LONGEST_NONCE: usize = 1024;
/// The maximum number of servers whose nonces are kept.
const MOST_NONCES: usize = 16;

/// A key that tokens are bound to: ECDSA over P-256. Cheap to clone.
#[derive(Clone)]
pub struct DpopKey(Arc<StoredKeyPair>);

struct StoredKeyPair {
    /// PKCS #8 in base64.
    stored: Secret,
    pair: EcdsaKeyPair,
}

impl DpopKey {
    /// Generates a key.
    ///
    /// # Errors
    /// The system's random number generator failed.
    pub(crate) fn generate() -> Result<Self, Failure> {
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .ok()
            .and_then(|document| Self::from_pkcs8(document.as_ref()))
            .ok_or_else(|| {
                let cause = "the system's random number generator failed to make a key for DPoP";
                Failure::new(Step::Token, cause, "Restart the computer.")
            })
    }

    fn from_pkcs8(der: &[u8]) -> Option<Self> {
        let pair =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &SystemRandom::new()).ok()?;
        let stored = Secret::new(URL_SAFE_NO_PAD.encode(der));
        Some(Self(Arc::new(StoredKeyPair { stored, pair })))
    }

    /// Parses the output of [`Self::stored`].
    pub(crate) fn restored(text: &str) -> Option<Self> {
        Self::from_pkcs8(&URL_SAFE_NO_PAD.decode(text).ok()?)
    }

    /// The private key as text, for a vault.
    pub(crate) fn stored(&self) -> &Secret {
        &self.0.stored
    }

    /// The two coordinates of the public key, in base64url.
    fn coordinates(&self) -> (String, String) {
        // SEC 1: 4, then both coordinates.
        let point = self.0.pair.public_key().as_ref().get(1..).unwrap_or_default();
        let (x, y) = point.split_at(point.len() / 2);
        (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y))
    }

    /// The thumbprint of the public key (RFC 7638), which names it in `dpop_jkt` and in a token's `cnf.jkt`.
    pub(crate) fn thumbprint(&self) -> String {
        let (x, y) = self.coordinates();
        // These members in this order, without white space (section 3.2).
        let canonical = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        hash(&canonical)
    }

    /// Signs a proof for one request (section 4.2).
    pub(crate) fn prove(&self, host: &dyn Host, proof: &ProofOf<'_>) -> Result<HeaderValue, String> {
        let mut id = [0; 16];
        host.random(&mut id)
            .map_err(|cause| format!("the system's random number generator failed: {cause}"))?;
        let (x, y) = self.coordinates();
        let header = json!({
            "typ": "dpop+jwt",
            "alg": ALGORITHM,
            "jwk": {"kty": "EC", "crv": "P-256", "x": x, "y": y},
        });
        let mut claims = json!({
            "jti": URL_SAFE_NO_PAD.encode(id),
            "htm": proof.method,
            "htu": target(proof.url),
            "iat": seconds(host.now()),
        });
        if let Some(access) = proof.access {
            claims["ath"] = Value::from(hash(access.expose()));
        }
        if let Some(nonce) = &proof.nonce {
            claims["nonce"] = Value::from(nonce.as_str());
        }
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(&header), part(&claims));
        let signature = self.0.pair.sign(&SystemRandom::new(), message.as_bytes());
        let signature = signature.map_err(|_| "the key for DPoP could not sign".to_owned())?;
        let text = format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature));
        HeaderValue::from_str(&text).map_err(|error| error.to_string())
    }
}

/// The request that a proof is for.
pub(crate) struct ProofOf<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a Url,
    /// The token that the request carries.
    pub(crate) access: Option<&'a Secret>,
    /// The server's nonce, if it gave one.
    pub(crate) nonce: Option<String>,
}

/// The address of a request without query and fragment (section 4.2, `htu`).
fn target(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, text.as_bytes()))
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

/// The latest nonce of each server. Nonces are not secret, and not valid elsewhere.
#[derive(Default)]
pub(crate) struct Nonces(Mutex<HashMap<String, String>>);

impl Nonces {
    /// Keeps the nonce of a response, if it has one. Returns whether it is another one than before.
    pub(crate) fn note(&self, url: &Url, headers: &HeaderMap) -> bool {
        // NQCHAR (RFC 6749 appendix A).
        let is_allowed = |byte: &u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        let Some(nonce) = headers
            .get(&NONCE)
            .and_then(|value| value.to_str().ok())
            .filter(|nonce| (1..=LONGEST_NONCE).contains(&nonce.len()))
            .filter(|nonce| nonce.as_bytes().iter().all(is_allowed))
        else {
            return false;
        };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let server = url.origin().ascii_serialization();
        if all.len() >= MOST_NONCES && !all.contains_key(&server) {
            all.clear();
        }
        all.insert(server, nonce.to_owned()).as_deref() != Some(nonce)
    }

    /// The nonce for the next proof at this address.
    pub(crate) fn of(&self, url: &Url) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&url.origin().ascii_serialization()).cloned()
    }
}

/// Signs the proofs of a run's token requests.
#[derive(Clone, Copy)]
pub(crate) struct Prover<'a> {
    pub(crate) key: &'a DpopKey,
    pub(crate) nonces: &'a Nonces,
    pub(crate) host: &'a dyn Host,
    /// Whether a token that is not bound to the key is refused.
    pub(crate) required: bool,
}

impl Prover<'_> {
    /// A proof for a token request at this address.
    pub(crate) fn proof(&self, step: Step, url: &Url) -> Result<HeaderValue, Failure> {
        let proof = ProofOf {
            method: "POST",
            url,
            access: None,
            nonce: self.nonces.of(url),
        };
        self.key
            .prove(self.host, &proof)
            .map_err(|cause| Failure::new(step, cause, "Restart Patchbay."))
    }
}

/// Whether a run uses DPoP, and whether it insists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    No,
    /// If the authorization server then issues a bearer token, that is used.
    Offered,
    /// The settings or the server require it.
    Required,
}

/// Decides whether to use DPoP. By default it is used where both servers say that they support it: many authorization
/// servers do for servers that accept bearer tokens only.
pub(crate) fn wanted(
    choice: DpopChoice,
    challenge: Option<&Challenge>,
    resource: &Resource,
    server: &Server,
) -> Result<Wanted, Failure> {
    let signs =
        |listed: &Option<Vec<String>>| listed.as_ref().map(|all| all.iter().any(|one| one == ALGORITHM));
    let issued = signs(&server.dpop_signing_alg_values_supported);
    let accepted = signs(&resource.dpop_algorithms);
    let asked =
        challenge.is_some_and(|challenge| challenge.is_dpop) || accepted.is_some() || resource.dpop_required;
    let unsupported = |who: &str| {
        let cause = format!("{who} requires DPoP, but not with {ALGORITHM}, the only algorithm Patchbay has");
        Failure::new(
            Step::ServerMetadata,
            cause,
            "The server must accept ES256 for proofs.",
        )
        .against(rules::DPOP_METADATA)
    };
    match choice {
        DpopChoice::Never => Ok(Wanted::No),
        DpopChoice::Always => Ok(Wanted::Required),
        DpopChoice::Auto if resource.dpop_required && accepted == Some(false) => {
            Err(unsupported("the MCP server"))
        }
        DpopChoice::Auto if resource.dpop_required && issued == Some(false) => Err(unsupported(
            "the MCP server (and the authorization server supports DPoP)",
        )),
        DpopChoice::Auto if resource.dpop_required => Ok(Wanted::Required),
        DpopChoice::Auto if asked && issued == Some(true) && accepted != Some(false) => Ok(Wanted::Offered),
        DpopChoice::Auto => Ok(Wanted::No),
    }
}
