//! TLS: trust, the client certificate, and messages for rejected server certificates.
//!
//! The normal check is that of the operating system (with the additional authorities of the settings). If it fails, the
//! fingerprint that the user accepted is compared; it accepts that one certificate despite any problem except revocation.
//! The signatures of the handshake are always checked.

mod certificate;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, OtherError,
    SignatureScheme,
};
use tokio::sync::OnceCell;

pub(crate) use certificate::Facts;
use patchbay_traffic::HttpTls;

use crate::{Settings, SettingsError, TlsProblem, TlsReason};

/// The TLS settings, read and validated; the system's roots are loaded on first use.
pub(crate) struct Tls {
    authorities: Vec<CertificateDer<'static>>,
    identity: Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>,
    /// The only host that gets the identity, and whose certificate was accepted.
    server: Option<String>,
    accepted: Option<String>,
    config: OnceCell<Arc<ClientConfig>>,
    /// For another host: without the identity, and no certificate was accepted.
    foreign: OnceCell<Arc<ClientConfig>>,
    /// For a proxy.
    proxy: OnceCell<Arc<ClientConfig>>,
}

/// Whom TLS is with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum With {
    /// The server of a URL.
    Server,
    /// A proxy on the way to it. What the user set for the server is not meant for it: it gets no client certificate, and its own
    /// certificate is not the one that was accepted. It speaks HTTP/1.1.
    Proxy,
}

impl Tls {
    pub(crate) fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let accepted = settings
            .accepted_fingerprint
            .as_deref()
            .map(accepted_fingerprint)
            .transpose()?;
        let authorities = match &settings.ca_file {
            Some(path) => certificates("certificate authority file", path)?,
            None => Vec::new(),
        };
        let identity = match &settings.client_certificate {
            Some(path) => {
                let chain = certificates(CLIENT_CERTIFICATE, path)?;
                let key = PrivateKeyDer::from_pem_file(path).map_err(|error| SettingsError {
                    setting: CLIENT_CERTIFICATE,
                    cause: format!(
                        "{} holds no private key that can be used: {error}",
                        path.display()
                    ),
                    next: "Put the certificate and its unencrypted PEM key into one file.",
                })?;
                Some((chain, key))
            }
            None => None,
        };
        let tls = Self {
            authorities,
            identity,
            server: settings.server_host.clone(),
            accepted,
            config: OnceCell::new(),
            foreign: OnceCell::new(),
            proxy: OnceCell::new(),
        };
        // Report a mismatched key now rather than during the handshake.
        let verifier = Verifier {
            normal: Err(String::new()),
            accepted: None,
        };
        tls.configure(Arc::new(verifier), true, &[])
            .map_err(|error| SettingsError {
                setting: CLIENT_CERTIFICATE,
                cause: error.to_string(),
                next: "Check that the key is that of the certificate.",
            })?;
        Ok(tls)
    }

    /// The configuration for a host; the first call reads the system's roots.
    pub(crate) async fn config(&self, host: &str, with: With) -> Result<Arc<ClientConfig>, Error> {
        let is_server = self.is_server(host, with);
        let (kept, protocols): (_, &[&[u8]]) = match with {
            With::Proxy => (&self.proxy, &[b"http/1.1"]),
            With::Server if is_server => (&self.config, &[b"h2", b"http/1.1"]),
            With::Server => (&self.foreign, &[b"h2", b"http/1.1"]),
        };
        let accepted = self.accepted.clone().filter(|_| is_server);
        let make = || async {
            let authorities = self.authorities.clone();
            let normal = tokio::task::spawn_blocking(move || system(authorities))
                .await
                .unwrap_or_else(|_| Err("the system's certificates could not be read".to_owned()));
            let verifier = Arc::new(Verifier { normal, accepted });
            self.configure(verifier, is_server, protocols).map(Arc::new)
        };
        kept.get_or_try_init(make).await.cloned()
    }

    /// Whether TLS is with the server that the identity and the accepted certificate are for.
    pub(crate) fn is_server(&self, host: &str, with: With) -> bool {
        let is_it = |server: &String| server.eq_ignore_ascii_case(host);
        with == With::Server && self.server.as_ref().is_none_or(is_it)
    }

    fn configure(
        &self,
        verifier: Arc<Verifier>,
        identified: bool,
        protocols: &[&[u8]],
    ) -> Result<ClientConfig, Error> {
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let mut config = match self.identity.as_ref().filter(|_| identified) {
            Some((chain, key)) => builder.with_client_auth_cert(chain.clone(), key.clone_key())?,
            None => builder.with_no_client_auth(),
        };
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        Ok(config)
    }

    /// Whether there is a client certificate.
    pub(crate) fn has_identity(&self) -> bool {
        self.identity.is_some()
    }

    /// The parameters of a finished handshake with this host.
    pub(crate) fn agreed(&self, connection: &ClientConnection, host: &str, with: With) -> HttpTls {
        let facts = connection
            .peer_certificates()
            .and_then(<[_]>::first)
            .map(Facts::of)
            .unwrap_or_default();
        HttpTls {
            version: match connection.protocol_version() {
                Some(rustls::ProtocolVersion::TLSv1_2) => "TLS 1.2".to_owned(),
                Some(rustls::ProtocolVersion::TLSv1_3) => "TLS 1.3".to_owned(),
                other => format!("{other:?}"),
            },
            cipher: connection
                .negotiated_cipher_suite()
                .map(|suite| format!("{:?}", suite.suite()))
                .unwrap_or_default(),
            alpn: connection
                .alpn_protocol()
                .map(|protocol| String::from_utf8_lossy(protocol).into_owned()),
            accepted_by_user: self.is_server(host, with)
                && self.accepted.as_deref() == Some(&facts.fingerprint),
            subject: facts.subject,
            issuer: facts.issuer,
            not_after: facts.not_after,
            fingerprint: facts.fingerprint,
        }
    }
}

const CLIENT_CERTIFICATE: &str = "client certificate";

fn accepted_fingerprint(text: &str) -> Result<String, SettingsError> {
    let hex: String = text
        .chars()
        .filter(|character| !matches!(character, ':' | ' '))
        .map(|character| character.to_ascii_lowercase())
        .collect();
    if hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(hex);
    }
    Err(SettingsError {
        setting: "accepted certificate",
        cause: format!("`{text}` is not a SHA-256 fingerprint: 64 hex digits were expected"),
        next: "Accept the certificate again from the message that shows it.",
    })
}

fn certificates(setting: &'static str, path: &Path) -> Result<Vec<CertificateDer<'static>>, SettingsError> {
    let refused = |cause: String| SettingsError {
        setting,
        cause,
        next: "Give a PEM file (-----BEGIN CERTIFICATE-----).",
    };
    let unreadable =
        |error: &dyn fmt::Display| refused(format!("{} cannot be read: {error}", path.display()));
    let found = CertificateDer::pem_file_iter(path)
        .map_err(|error| unreadable(&error))?
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| unreadable(&error))?;
    if found.is_empty() {
        return Err(refused(format!("{} holds no certificate", path.display())));
    }
    Ok(found)
}

fn system(authorities: Vec<CertificateDer<'static>>) -> Result<rustls_platform_verifier::Verifier, String> {
    let provider = Arc::new(ring::default_provider());
    rustls_platform_verifier::Verifier::new_with_extra_roots(authorities, provider)
        .map_err(|error| error.to_string())
}

/// The normal check, with an exception for the certificate that the user accepted.
#[derive(Debug)]
struct Verifier {
    /// The system's verifier, or why there is none.
    normal: Result<rustls_platform_verifier::Verifier, String>,
    accepted: Option<String>,
}

/// Why a certificate was rejected, passed through rustls.
#[derive(Debug)]
struct Refused {
    problem: TlsProblem,
    cause: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl std::error::Error for Refused {}

/// The problem with the server's certificate and its description, if that is why TLS failed.
pub(crate) fn problem(error: &Error) -> Option<(TlsProblem, String)> {
    let Error::InvalidCertificate(CertificateError::Other(OtherError(other))) = error else {
        return None;
    };
    let refused = other.downcast_ref::<Refused>()?;
    Some((refused.problem.clone(), refused.cause.clone()))
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let error = match &self.normal {
            Ok(system) => {
                match system.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
                    Ok(verified) => return Ok(verified),
                    Err(error) => error,
                }
            }
            Err(_) => Error::InvalidCertificate(CertificateError::UnknownIssuer),
        };
        let facts = Facts::of(end_entity);
        let reason = reason(&error, &facts);
        if reason != TlsReason::Revoked && self.accepted.as_deref() == Some(&facts.fingerprint) {
            return Ok(ServerCertVerified::assertion());
        }
        let cause = match (&self.normal, reason) {
            (Err(why), TlsReason::UnknownIssuer) => format!("the certificate cannot be checked: {why}"),
            _ => words(reason, &facts, &server_name.to_str(), &error),
        };
        let problem = TlsProblem {
            reason,
            fingerprint: facts.fingerprint,
            subject: facts.subject,
            issuer: facts.issuer,
            names: facts.names,
            not_before: facts.not_before,
            not_after: facts.not_after,
        };
        let refused = OtherError(Arc::new(Refused { problem, cause }));
        Err(Error::InvalidCertificate(CertificateError::Other(refused)))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &provider().signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &provider().signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        provider().signature_verification_algorithms.supported_schemes()
    }
}

fn provider() -> CryptoProvider {
    ring::default_provider()
}

fn reason(error: &Error, facts: &Facts) -> TlsReason {
    let Error::InvalidCertificate(error) = error else {
        return TlsReason::Other;
    };
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => TlsReason::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => TlsReason::NotYetValid,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            TlsReason::WrongName
        }
        CertificateError::Revoked => TlsReason::Revoked,
        // Fails first if an authority's certificate is used as a server certificate.
        _ if facts.self_signed => TlsReason::SelfSigned,
        CertificateError::UnknownIssuer => TlsReason::UnknownIssuer,
        _ => TlsReason::Other,
    }
}

fn words(reason: TlsReason, facts: &Facts, host: &str, error: &Error) -> String {
    match reason {
        TlsReason::SelfSigned => format!("the certificate of {host} is self-signed ({})", facts.subject),
        TlsReason::UnknownIssuer => format!(
            "the certificate of {host} is from {}, which this system does not trust",
            facts.issuer
        ),
        TlsReason::Expired => format!("the certificate of {host} expired on {}", facts.not_after),
        TlsReason::NotYetValid => format!(
            "the certificate of {host} is not valid before {}",
            facts.not_before
        ),
        TlsReason::WrongName => format!(
            "the certificate is not for {host} but for {}",
            if facts.names.is_empty() {
                &facts.subject
            } else {
                &facts.names[0]
            }
        ),
        TlsReason::Revoked => format!("the certificate of {host} was revoked"),
        TlsReason::Other => format!("the certificate of {host} is refused: {error}"),
    }
}

impl TlsReason {
    /// The next action for the user where the certificate cannot be accepted by its fingerprint: it is not that of the server.
    pub(crate) fn next_elsewhere(self) -> &'static str {
        match self {
            Self::SelfSigned | Self::UnknownIssuer => {
                "If you know this host, add its authority's file under TLS."
            }
            Self::Expired => "Have the certificate of this host renewed.",
            Self::WrongName => "This host needs a certificate for its name.",
            Self::NotYetValid | Self::Revoked | Self::Other => self.next(),
        }
    }

    /// The next action for the user.
    pub(crate) fn next(self) -> &'static str {
        match self {
            Self::SelfSigned | Self::UnknownIssuer => {
                "If you know this server, add its authority's file under TLS, or accept this certificate by its fingerprint."
            }
            Self::Expired => "Have the server's certificate renewed, or accept this one by its fingerprint.",
            Self::NotYetValid => "Check the clock of this machine, and the server's certificate.",
            Self::WrongName => {
                "Use the name that is in the certificate, or accept this one by its fingerprint."
            }
            Self::Revoked => "Do not use this server before it has a new certificate.",
            Self::Other => "Check the server's certificate.",
        }
    }
}
