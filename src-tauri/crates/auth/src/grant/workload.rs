//! Workload identity federation (SEP-1933): a workload presents the JWT that its platform issued, and the authorization
//! server exchanges it for a token (RFC 7523 section 2.1). A refusal is final: nothing is sent again, and no other grant is
//! tried.

use std::time::{Duration, SystemTime};

use patchbay_secret::Secret;
use serde_json::Value;

use crate::grant::callback::shown;
use crate::grant::{self, Grant};
use crate::run::net::Net;
use crate::token::endpoint::{Denied, Endpoint, Issued};
use crate::token::jwt;
use crate::{Failure, RegisteredClient, Step, Workload, rules};

/// The longest assertion that is sent, in bytes.
const LONGEST: usize = 64 << 10;
/// How long after its expiry an assertion is still sent: clocks differ.
const SKEW: Duration = Duration::from_secs(60);

/// Requests a token with the current assertion.
pub(crate) async fn ask(
    (net, now): (&Net, SystemTime),
    endpoint: &Endpoint<'_>,
    workload: &Workload,
    client: &RegisteredClient,
    resource: Option<&str>,
    scopes: Option<&[String]>,
) -> Result<Issued, Denied> {
    let (assertion, about) = assertion(net, workload, now).await?;
    let grant = Grant::Assertion(&assertion);
    match grant::ask(endpoint, client, grant, resource, scopes).await {
        Ok(issued) => Ok(Issued {
            note: Some(format!("Obtained with {about}.")),
            ..issued
        }),
        Err(mut denied) => {
            let next = &mut denied.failure.next;
            *next = format!(
                "{next} It was asked with {about}; the authorization server must trust this issuer and subject, and be the \
                 audience."
            );
            Err(denied)
        }
    }
}

/// Reads the assertion and refuses one that no authorization server could accept. Returns it with a description.
async fn assertion(net: &Net, workload: &Workload, now: SystemTime) -> Result<(Secret, String), Failure> {
    let source = workload.source.name();
    let read = workload.source.load().await;
    let text = read.map_err(|error| Failure::new(Step::Token, error.cause, error.next))?;
    let assertion = Secret::new(text.expose().trim());
    // Before anything about it is said.
    net.redact(vec![assertion.clone()]);
    let wrong = |why: &str| {
        let next = "Have the platform issue a new one, or choose another source in the settings.";
        Failure::new(Step::Token, format!("the assertion from {source} {why}"), next)
            .against(rules::JWT_GRANT_CHECKS)
    };
    if assertion.expose().is_empty() {
        return Err(wrong("is empty"));
    }
    if assertion.expose().len() > LONGEST {
        return Err(wrong(&format!("is longer than {LONGEST} bytes")));
    }
    let claims = jwt::read(assertion.expose())
        .and_then(|jwt| serde_json::from_str::<Value>(&jwt.claims).ok())
        .ok_or_else(|| wrong("is not a signed JWT"))?;
    let seconds = |time: SystemTime| {
        let since = time.duration_since(SystemTime::UNIX_EPOCH);
        since.unwrap_or_default().as_secs_f64()
    };
    if let Some(expires) = claims.get("exp").and_then(Value::as_f64)
        && expires + SKEW.as_secs_f64() < seconds(now)
    {
        return Err(wrong(&format!("expired {:.0} s ago", seconds(now) - expires)));
    }
    let claim = |name: &str| match claims.get(name) {
        Some(Value::String(text)) => shown(text),
        Some(Value::Array(several)) => shown(&Value::from(several.clone()).to_string()),
        _ => "not stated".to_owned(),
    };
    let about = format!(
        "the assertion from {source} (issuer {}, subject {}, audience {})",
        claim("iss"),
        claim("sub"),
        claim("aud")
    );
    Ok((assertion, about))
}
