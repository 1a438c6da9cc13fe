//! Signs a client assertion: a JWT for the token endpoint (RFC 7523 section 2.2).

use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use patchbay_secret::Secret;
use ring::rand::SystemRandom;
use ring::rsa;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, RSA_PKCS1_SHA256};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use serde_json::{Value, json};

use crate::discovery::server::Server;
use crate::{Failure, SigningAlgorithm, SigningKey, Step, rules};

/// The lifetime of an assertion. It is used at once.
const LIFE: Duration = Duration::from_secs(300);

enum Pair {
    Ecdsa(EcdsaKeyPair),
    Rsa(rsa::KeyPair),
}

/// Signs an assertion of the client's identity. Its audience is the issuer, so it is valid for this authorization server
/// only.
pub(crate) fn sign(
    key: &SigningKey,
    client_id: &str,
    server: &Server,
    id: &str,
    now: SystemTime,
) -> Result<Secret, Failure> {
    let pair = pair(key)?;
    let algorithm = match pair {
        Pair::Ecdsa(_) => SigningAlgorithm::Es256,
        Pair::Rsa(_) => SigningAlgorithm::Rs256,
    };
    if let Some(known) = &server.token_endpoint_auth_signing_alg_values_supported
        && !known.iter().any(|name| name == algorithm.as_str())
    {
        return Err(bad(
            format!(
                "the key signs with {}, but {} supports only {}",
                algorithm.as_str(),
                server.issuer,
                known.join(" ")
            ),
            "Use a key of a type that the authorization server supports.",
        ));
    }
    let mut header = json!({"alg": algorithm.as_str(), "typ": "JWT"});
    if let Some(id) = &key.key_id {
        header["kid"] = Value::from(id.as_str());
    }
    let seconds = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let claims = json!({
        "iss": client_id,
        "sub": client_id,
        "aud": server.issuer,
        "jti": id,
        "iat": seconds,
        "exp": seconds + LIFE.as_secs(),
    });
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", encode(&header), encode(&claims));
    let signature = signature(&pair, message.as_bytes())?;
    Ok(Secret::new(format!(
        "{message}.{}",
        URL_SAFE_NO_PAD.encode(signature)
    )))
}

fn signature(pair: &Pair, message: &[u8]) -> Result<Vec<u8>, Failure> {
    let random = SystemRandom::new();
    let failed = |_| bad("the key could not be used to sign".to_owned(), "Use another key.");
    match pair {
        Pair::Ecdsa(pair) => Ok(pair.sign(&random, message).map_err(failed)?.as_ref().to_vec()),
        Pair::Rsa(pair) => {
            let mut signature = vec![0; pair.public().modulus_len()];
            pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)
                .map_err(failed)?;
            Ok(signature)
        }
    }
}

/// Parses the key. `wanted` is the required algorithm, if the settings name one.
fn pair(key: &SigningKey) -> Result<Pair, Failure> {
    let pem = key.pem.expose().as_bytes();
    let der = PrivateKeyDer::from_pem_slice(pem).map_err(|_| {
        bad(
            "the private key is not in PEM format".to_owned(),
            "Give it as PKCS #8 (-----BEGIN PRIVATE KEY-----).",
        )
    })?;
    let ecdsa = || match &der {
        PrivateKeyDer::Pkcs8(der) => {
            let der = der.secret_pkcs8_der();
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &SystemRandom::new()).ok()
        }
        _ => None,
    };
    let rsa = || match &der {
        PrivateKeyDer::Pkcs8(der) => rsa::KeyPair::from_pkcs8(der.secret_pkcs8_der()).ok(),
        PrivateKeyDer::Pkcs1(der) => rsa::KeyPair::from_der(der.secret_pkcs1_der()).ok(),
        _ => None,
    };
    let found = match key.algorithm {
        Some(SigningAlgorithm::Es256) => ecdsa().map(Pair::Ecdsa),
        Some(SigningAlgorithm::Rs256) => rsa().map(Pair::Rsa),
        None => ecdsa().map(Pair::Ecdsa).or_else(|| rsa().map(Pair::Rsa)),
    };
    found.ok_or_else(|| {
        let wanted = key.algorithm.map_or("ES256 or RS256", SigningAlgorithm::as_str);
        bad(
            format!("the private key cannot sign with {wanted}"),
            "Give a P-256 key or an RSA key of 2048 bits or more, as PKCS #8 \
             (openssl pkcs8 -topk8 -nocrypt -in key.pem).",
        )
    })
}

fn bad(cause: String, next: &str) -> Failure {
    Failure::new(Step::Token, cause, next).against(rules::JWT_CLIENT)
}

#[cfg(test)]
mod tests;
