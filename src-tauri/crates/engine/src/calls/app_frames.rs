//! The frames of apps (MCP Apps): each shows one document, made from a recorded `resources/read` and served under its own
//! policy by the front.
//!
//! A document has an opaque origin and a policy that allows only what the resource declares (`policy`), so nothing of
//! Patchbay's page is reachable from it. ARCHITECTURE.md, “Apps of servers”, has the whole boundary.

mod document;
mod policy;
mod store;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use patchbay_contract::*;
use patchbay_protocol::views::{APP_SCHEME, ResourceApp};

use crate::{
    convert,
    dispatch::error::{blocking, fail, fail_with},
    lists::resource_definition,
    state::Engine,
    traffic_views::bodies,
};
use policy::Policy;
pub use store::AppDocument;
pub(crate) use store::AppFrames;

/// Makes the document of a frame from a recorded response.
pub(crate) async fn open(
    engine: &Engine,
    params: AppFrameOpenParams,
) -> Result<AppFrameOpenResponse, CommandError> {
    let AppFrameOpenParams { server_id, uri, seq } = params;
    if !uri.starts_with(APP_SCHEME) {
        let message = format!("{uri:?} is not the URI of an app: those begin with {APP_SCHEME}.");
        return Err(fail(ErrorCode::InvalidParams, message));
    }
    let frame = bodies::record_bytes(&engine.state.store, convert::parse_seq(&seq)?).await?;
    let frame = frame.ok_or_else(|| {
        let message = "The response with the app is no longer in the traffic log. Open the app again.";
        fail(ErrorCode::NotFound, message)
    })?;
    let listed = engine
        .state
        .live(&server_id)
        .and_then(|live| resource_definition(&live, &uri));
    let making = move || make(&frame, &uri, listed.as_deref());
    let (document, policy, size) = blocking("The app could not be prepared.", making).await??;
    let frame_id = AppFrameId(random()?);
    engine.state.app_frames.add(frame_id.clone(), document);
    Ok(AppFrameOpenResponse {
        frame_id,
        size: size as f64,
        policy: policy.header,
        origins: policy.origins,
        permissions: policy.permissions,
        refused: policy.refused,
        domain: policy.domain,
        prefers_border: policy.prefers_border,
    })
}

/// The document and its policy, and the size of the app's HTML in bytes.
fn make(frame: &[u8], uri: &str, listed: Option<&str>) -> Result<(AppDocument, Policy, usize), CommandError> {
    let text = String::from_utf8_lossy(frame);
    let content = document::content_of(&text, uri)?;
    let html = document::html_of(content)?;
    // The content item takes precedence over the row of the list (“Metadata Location”).
    let declared = ResourceApp::of_resource(content).or_else(|| ResourceApp::of_resource(listed?));
    let policy = Policy::of(&declared.unwrap_or_default());
    let document = AppDocument {
        html: document::with_reporter(&html).into(),
        policy: policy.header.clone(),
    };
    Ok((document, policy, html.len()))
}

/// 256 random bits, encoded for an address.
fn random() -> Result<String, CommandError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        fail_with(
            ErrorCode::Internal,
            "The app could not be given an address.",
            error,
        )
    })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests;
