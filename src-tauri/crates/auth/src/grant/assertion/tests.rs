use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use patchbay_secret::Secret;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair,
    RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey,
};
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject;

use super::sign;
use crate::discovery::server::Server;
use crate::token::jwt;
use crate::{Failure, SigningAlgorithm, SigningKey};

/// Generated for this test and used nowhere else.
const EC: &str = "\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFXJBmoTqZvIoP9d4
hZyiCWCKoCetZJKjnPg4G1vSgPChRANCAAQRqOgduu/A/YCLRzGo5yKksLu16+3q
FocOo45gwPSBtel49md7wbun/ephN5hCdGgi4tR24uvMC04mA+xHE6Tv
-----END PRIVATE KEY-----
";
const RSA: &str = "\
-----BEGIN PRIVATE KEY-----
MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCzRWaFCLYm2y+I
iOr35B3s01LCnEVSreKQf+ApxI227AKABDpkWaoDO+sdt1cNV6tZKW2HtIKxdOvp
CFs+BARTcIfe2j7g71OLW/zWYz9t3Pv9RMuG+l5TE4WWHfwupFMYKBh4ndat/LMS
XB+CrG3tYU2YUm//AdT3tQltRahcKgi+ug8n19MAwb7nV5CFTPTWOPfU4yk/DItR
aABewrI7J3abpyHWIMIKlFvfQzaKGa2OUdrMY28Z5W4Mb18HNOVf3/QUja9LaAHi
xcIxNurfO6OPwVEOaT1uvttvsThF22aVps0zyc1zIQrTbHh3I10Vh9jeg1jeycEj
ao4SVoezAgMBAAECggEAAo0NiSUDoQESxTNDa8ZO9VIJlN753baERHvlWfj1Fjbt
7Msdr5lW4fUhIC15Ddb5VjBG1+uhFJ/B4kAkJwMvspKSBGOxMPuG2rMpNSoWnSsu
bWaLyc1X4AnqWJu0ZJ5JdS9ZfmlIRJPG3GfoCJMcGms4d7fE5kvKkdTf2x7JNgdu
WdzdJ5H/3fAhqWW0cciAf3iYehS6rHcHaSkPzqkPVCrd+ZDGB1QksDWtjCdKfyDY
PEzmdzJCBYTwn/przjWOsLxZDCGzdY7R8X4r7ja0LUF0K88MFteN3AS0KJlFK94s
uisMDGRQj3wF7QBhE/4ZqJMEVnNj8RAaSFcKrmWgkQKBgQDttC3GJw94RKHps7z/
8FvpM1583wUbVjrZCBfG+J/7YZhWDNiKCoubTNE7DygzbCncF9WXSIcU9Yr7sE54
hwZNNc2ac7VaobO3t7zCA85EmbBvF1BHEjHSY4n+HsfKr4RaMUGRNnukNjZD7G2c
+CRUsMk1vzmVD043HMR2ms4ZIwKBgQDBEdZdruJVc6+woZzTTRaDNoYSoWj9u+xz
7n2JmZbt4Q3mfHaAtV/JV983Pf7QEexRk3uOpql0m9aZ2SIcT47LevIyeWqmetA5
0qd57qAsJdLG09Bfxz/1AafAGn6J4GIjz4waLaq5xNQXYRbNX3wCONP3qJMb9ieq
ol/1pTToMQKBgC6EOQTy9eMKQ0kxpEXNqp7bL51uI1izKjb4j3afhucxtRb50pJI
+AL/KF7PW4WcoCBzBZhiWBTw7C7O1LxfaAtKAR89j3rZ9Ap6yVSKXB4umUlUHaCa
3ecXFZUGPwDaEiN4SiV5rP54oWvvY4/5O1rbcbSz5DfYU+0TExtGthhTAoGAL2jO
5/BS2cLvqIL2/JgYaB4SbC7AllX4KTuuDgTuH/m8rRVxEAf5vnpacLlDghp0mk+J
7qyUPfMqjlrYWnVazjKhmK1h+AF+ckR9JZ7oLA8ZpANNTseht+sxIyYeXoL/9mU3
tRHzs2xW3GrV65Z/4BfOTSlS/nHCqc73m113EXECgYBNbTacmSjd7kMKpBE59sCg
PSQI1ivkaGD3jPfQgdEY7zIUGP6V0n4FMuJwxvhzM/2WcWqUp9bfuoxhurr+a42A
r53ly/7yWwEFvtze2lAelCbma9EwU+Koll+7kS9LD8RKQY3O23C+hVOOvSesBOnp
xF4ksQKoIUl2YsPH/Ub+UQ==
-----END PRIVATE KEY-----
";

fn server(algorithms: &[&str]) -> Server {
    Server {
        issuer: "https://as.example/".to_owned(),
        token_endpoint_auth_signing_alg_values_supported: Some(
            algorithms.iter().map(|name| (*name).to_owned()).collect(),
        ),
        ..Server::default()
    }
}

fn signed(pem: &str, algorithm: Option<SigningAlgorithm>, known: &[&str]) -> Result<Secret, Failure> {
    let key = SigningKey {
        pem: Secret::new(pem),
        algorithm,
        key_id: Some("key-1".to_owned()),
    };
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1000);
    sign(&key, "me", &server(known), "once", now)
}

/// The signed part, and the signature.
fn parts(token: &Secret) -> (Vec<u8>, Vec<u8>) {
    let (message, signature) = token.expose().rsplit_once('.').unwrap();
    (
        message.as_bytes().to_vec(),
        URL_SAFE_NO_PAD.decode(signature).unwrap(),
    )
}

fn der(pem: &str) -> Vec<u8> {
    PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes())
        .unwrap()
        .secret_pkcs8_der()
        .to_vec()
}

#[test]
fn an_assertion_has_the_issuer_as_audience_and_a_valid_signature() {
    let token = signed(EC, None, &["ES256"]).unwrap();
    let read = jwt::read(token.expose()).unwrap();
    let header: serde_json::Value = serde_json::from_str(&read.header).unwrap();
    let claims: serde_json::Value = serde_json::from_str(&read.claims).unwrap();
    assert_eq!(
        header,
        serde_json::json!({"alg": "ES256", "typ": "JWT", "kid": "key-1"})
    );
    let expected = serde_json::json!({
        "iss": "me", "sub": "me", "aud": "https://as.example/", "jti": "once", "iat": 1000, "exp": 1300,
    });
    assert_eq!(claims, expected);
    let (message, signature) = parts(&token);
    let pair =
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der(EC), &SystemRandom::new()).unwrap();
    let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref());
    public.verify(&message, &signature).unwrap();
}

#[test]
fn an_rsa_key_signs_with_rs256() {
    let token = signed(RSA, None, &["RS256", "ES256"]).unwrap();
    let (message, signature) = parts(&token);
    let pair = ring::rsa::KeyPair::from_pkcs8(&der(RSA)).unwrap();
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public_key().as_ref());
    public.verify(&message, &signature).unwrap();
}

#[test]
fn an_unusable_key_is_reported_and_never_shown() {
    let check = |pem: &str, algorithm, known: &[&str], expected: &str| {
        let failure = signed(pem, algorithm, known).err().unwrap();
        assert!(failure.cause.contains(expected), "{failure}");
        assert!(
            !failure.cause.contains(pem.lines().nth(1).unwrap_or("-")),
            "{failure}"
        );
    };
    check(EC, None, &["RS256"], "the key signs with ES256");
    check(
        EC,
        Some(SigningAlgorithm::Rs256),
        &["RS256"],
        "cannot sign with RS256",
    );
    check(
        RSA,
        Some(SigningAlgorithm::Es256),
        &["ES256"],
        "cannot sign with ES256",
    );
    check("nonsense", None, &["ES256"], "is not in PEM format");
}
