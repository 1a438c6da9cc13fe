//! MCP Apps (SEP-1865, the extension `io.modelcontextprotocol/ui`): `_meta.ui` of a tool and of a resource.

use std::borrow::Cow;

use crate::json::{self, Object};

/// The extension's name in the capabilities.
pub const APPS_EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The MIME type of an app's HTML.
pub const APP_MIME_TYPE: &str = "text/html;profile=mcp-app";
/// The scheme of an app's URI.
pub const APP_SCHEME: &str = "ui://";

/// What a tool says about its app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolApp<'a> {
    /// The `ui://` resource that shows its results, as the server writes it.
    pub resource_uri: Option<Cow<'a, str>>,
    /// Whether models may call it (`visibility` has `model`).
    pub for_models: bool,
    /// Whether the apps of its server may call it (`visibility` has `app`).
    pub for_apps: bool,
}

impl<'a> ToolApp<'a> {
    /// Reads `_meta.ui` of a tool, and the deprecated flat key `ui/resourceUri`. None if it has neither.
    #[must_use]
    pub fn of_tool(tool: &'a str) -> Option<Self> {
        let meta = meta(tool)?;
        let ui = meta.get("ui").and_then(|ui| Object::parse(ui).ok());
        let flat = meta.string("ui/resourceUri");
        if ui.is_none() && flat.is_none() {
            return None;
        }
        let visibility = ui.as_ref().and_then(|ui| strings(ui, "visibility"));
        let sees = |who: &str| {
            visibility
                .as_ref()
                .is_none_or(|all| all.iter().any(|one| one == who))
        };
        Some(Self {
            for_models: sees("model"),
            for_apps: sees("app"),
            resource_uri: ui.and_then(|ui| ui.string("resourceUri")).or(flat),
        })
    }
}

/// What a resource asks for its app: the origins that it uses, and the permissions of its frame. All of it is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceApp<'a> {
    /// `csp.connectDomains`: origins of its requests.
    pub connect: Vec<Cow<'a, str>>,
    /// `csp.resourceDomains`: origins of its images, scripts, styles, fonts and media.
    pub resource: Vec<Cow<'a, str>>,
    /// `csp.frameDomains`: origins of its nested frames.
    pub frame: Vec<Cow<'a, str>>,
    /// `csp.baseUriDomains`: allowed base URIs.
    pub base_uri: Vec<Cow<'a, str>>,
    /// The names of the members of `permissions`, such as `clipboardWrite`.
    pub permissions: Vec<Cow<'a, str>>,
    /// `domain`: the dedicated origin that it would like.
    pub domain: Option<Cow<'a, str>>,
    /// `prefersBorder`.
    pub prefers_border: Option<bool>,
}

impl<'a> ResourceApp<'a> {
    /// Reads `_meta.ui` of a row of `resources/list` or of an item of `contents`. None if it has none.
    #[must_use]
    pub fn of_resource(resource: &'a str) -> Option<Self> {
        let meta = meta(resource)?;
        let ui = Object::parse(meta.get("ui")?).ok()?;
        let csp = ui.get("csp").and_then(|csp| Object::parse(csp).ok());
        let domains = |name: &str| {
            csp.as_ref()
                .and_then(|csp| strings(csp, name))
                .unwrap_or_default()
        };
        let permissions = ui.get("permissions").and_then(|all| Object::parse(all).ok());
        Some(Self {
            connect: domains("connectDomains"),
            resource: domains("resourceDomains"),
            frame: domains("frameDomains"),
            base_uri: domains("baseUriDomains"),
            permissions: permissions
                .iter()
                .flat_map(Object::iter)
                .map(|(name, _)| name.clone())
                .collect(),
            domain: ui.string("domain"),
            prefers_border: ui.get("prefersBorder").and_then(json::boolean),
        })
    }
}

fn meta(object: &str) -> Option<Object<'_>> {
    Object::parse(Object::parse(object).ok()?.get("_meta")?).ok()
}

/// The strings of an array; other elements are skipped.
fn strings<'a>(object: &Object<'a>, name: &str) -> Option<Vec<Cow<'a, str>>> {
    let elements = json::array(object.get(name)?)?;
    Some(elements.into_iter().filter_map(json::string).collect())
}

#[cfg(test)]
mod tests;
