//! The authorization settings of each scenario, from the data it provides.

use patchbay_contract::{
    AssertionDraft, AssertionFrom, AuthorizationDraft, AuthorizationMode, EnterpriseDraft, Signing,
};
use serde::Deserialize;

use crate::Failure;

/// The address of the client metadata document, as the suite expects it.
const METADATA_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";

#[derive(Deserialize, Default)]
#[serde(default)]
struct Context {
    client_id: Option<String>,
    client_secret: Option<String>,
    private_key_pem: Option<String>,
    signing_algorithm: Option<Signing>,
    idp_client_id: Option<String>,
    idp_id_token: Option<String>,
    idp_issuer: Option<String>,
    idp_token_endpoint: Option<String>,
    valid_jwt: Option<String>,
}

/// The workload's assertion, as a platform provides it: in a file.
fn in_file(assertion: &str) -> Result<AssertionDraft, Failure> {
    let path = std::env::temp_dir().join(format!("patchbay-conformance-{}.jwt", std::process::id()));
    std::fs::write(&path, assertion)?;
    Ok(AssertionDraft {
        from: AssertionFrom::File,
        value: path.to_string_lossy().into_owned(),
    })
}

/// The settings; none if no authorization is needed.
pub(crate) fn of(scenario: &str, context: &str) -> Result<Option<AuthorizationDraft>, Failure> {
    let Some(name) = scenario.strip_prefix("auth/") else {
        return Ok(None);
    };
    let context: Context = match context {
        "" => Context::default(),
        json => serde_json::from_str(json)?,
    };
    let mode = match name {
        "client-credentials-jwt" | "client-credentials-basic" => AuthorizationMode::ClientCredentials,
        "enterprise-managed-authorization" => AuthorizationMode::Enterprise,
        "wif-jwt-bearer" => AuthorizationMode::Workload,
        _ => AuthorizationMode::Auto,
    };
    let enterprise = EnterpriseDraft {
        issuer: context.idp_issuer,
        token_endpoint: context.idp_token_endpoint,
        client_id: context.idp_client_id,
        client_secret: None,
        id_token: context.idp_id_token,
    };
    Ok(Some(AuthorizationDraft {
        mode,
        metadata_url: context.client_id.is_none().then(|| METADATA_DOCUMENT.to_owned()),
        client_id: context.client_id,
        client_secret: context.client_secret,
        private_key: context.private_key_pem,
        signing: context.signing_algorithm,
        enterprise: (mode == AuthorizationMode::Enterprise).then_some(enterprise),
        assertion: context.valid_jwt.as_deref().map(in_file).transpose()?,
        ..AuthorizationDraft::default()
    }))
}
