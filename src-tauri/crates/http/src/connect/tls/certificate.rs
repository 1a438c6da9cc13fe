//! The displayed facts of a certificate.

use rustls::pki_types::CertificateDer;
use sha2::{Digest, Sha256};
use x509_parser::prelude::{ASN1Time, FromDer, GeneralName, X509Certificate};

/// The displayed facts of a certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) fingerprint: String,
    pub(crate) subject: String,
    pub(crate) issuer: String,
    pub(crate) names: Vec<String>,
    pub(crate) not_before: String,
    pub(crate) not_after: String,
    /// Whether it is self-signed.
    pub(crate) self_signed: bool,
}

/// SHA-256 in hex.
pub(crate) fn fingerprint(certificate: &[u8]) -> String {
    Sha256::digest(certificate)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Facts {
    /// Reads a certificate; for an unreadable one only the fingerprint is known.
    pub(crate) fn of(certificate: &CertificateDer<'_>) -> Self {
        let fingerprint = fingerprint(certificate);
        let Ok((_, parsed)) = X509Certificate::from_der(certificate) else {
            return Self {
                fingerprint,
                ..Self::default()
            };
        };
        let names = parsed
            .subject_alternative_name()
            .ok()
            .flatten()
            .map(|names| names.value.general_names.iter().filter_map(name).collect())
            .unwrap_or_default();
        Self {
            fingerprint,
            subject: parsed.subject().to_string(),
            issuer: parsed.issuer().to_string(),
            names,
            not_before: date_time(parsed.validity().not_before),
            not_after: date_time(parsed.validity().not_after),
            self_signed: parsed.subject() == parsed.issuer(),
        }
    }
}

fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => {
            if let Ok(four) = <[u8; 4]>::try_from(*bytes) {
                return Some(std::net::Ipv4Addr::from(four).to_string());
            }
            let sixteen = <[u8; 16]>::try_from(*bytes).ok()?;
            Some(std::net::Ipv6Addr::from(sixteen).to_string())
        }
        _ => None,
    }
}

/// As an RFC 3339 date-time.
fn date_time(time: ASN1Time) -> String {
    let time = time.to_datetime();
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        time.year(),
        u8::from(time.month()),
        time.day(),
        time.hour(),
        time.minute(),
        time.second()
    )
}
