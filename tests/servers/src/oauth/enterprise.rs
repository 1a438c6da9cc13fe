//! Enterprise-managed authorization: the identity provider (`as2`) issues an assertion about the user, which the
//! authorization server (`as`) exchanges for a token.

use serde_json::{Value, json};

use super::{
    ledger::{Client, GrantId},
    servers::Servers,
    tokens::{Refused, invalid_grant},
    variants::Variant,
};
use crate::http::form::Form;

/// RFC 8693.
pub(super) const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
/// RFC 7523.
pub(super) const ASSERTION: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";
/// The only user.
const KNOWN: &str = "id-token-of-ada-0123456789";

/// The identity provider's assertion about the user.
pub(super) fn vouched(servers: &Servers, form: &Form) -> Result<Value, Refused> {
    let (audience, resource) = (servers.issuer(0), servers.resource());
    let wanted = [
        ("requested_token_type", ID_JAG),
        ("subject_token_type", ID_TOKEN),
        ("audience", &audience),
        ("resource", &resource),
    ];
    for (name, value) in wanted {
        if form.get(name) != value {
            let why = format!("{name} is `{}`, not `{value}`", form.get(name));
            return Err(Refused(400, "invalid_request", why));
        }
    }
    if servers.variant == Variant::StrangerToProvider || form.get("subject_token") != KNOWN {
        return Err(invalid_grant("Ada may not use this server"));
    }
    Ok(json!({
        "issued_token_type": ID_JAG,
        "access_token": servers.ledger().vouch(),
        "token_type": "N_A",
        "scope": form.get("scope"),
        "expires_in": 300,
    }))
}

/// The grant of that assertion.
pub(super) fn granted(servers: &Servers, client: &Client, form: &Form) -> Result<GrantId, Refused> {
    let mut ledger = servers.ledger();
    if servers.variant == Variant::AssertionRefused || !ledger.is_vouched(form.get("assertion")) {
        return Err(invalid_grant("this assertion is not trusted"));
    }
    Ok(ledger.grant(&client.id, form.get("scope"), form.get("resource")))
}
