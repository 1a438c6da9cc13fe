//! The content security policy of an app, from what its resource declares (SEP-1865, “Security Implications”). Nothing is
//! allowed by default, and only well-formed origins are taken over: an entry could otherwise end a directive and begin
//! another one.

use patchbay_contract::AppOrigins;
use patchbay_protocol::views::ResourceApp;

/// The maximum number of origins per purpose, and of refusals.
const MOST: usize = 50;
/// The maximum length of an origin.
const LONGEST: usize = 300;

/// The permissions that can be granted: the member of `permissions`, and the feature of the permissions policy.
const PERMISSIONS: &[(&str, &str)] = &[
    ("camera", "camera"),
    ("microphone", "microphone"),
    ("geolocation", "geolocation"),
    ("clipboardWrite", "clipboard-write"),
];

/// What a frame may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policy {
    /// The `Content-Security-Policy`.
    pub(super) header: String,
    /// The declared and allowed origins.
    pub(super) origins: AppOrigins,
    /// Granted features of the permissions policy.
    pub(super) permissions: Vec<String>,
    /// What was declared but is not allowed, in sentences.
    pub(super) refused: Vec<String>,
    pub(super) domain: Option<String>,
    pub(super) prefers_border: Option<bool>,
}

impl Policy {
    /// The policy of a resource that declares `app`.
    pub(super) fn of(app: &ResourceApp<'_>) -> Self {
        let mut refused = Vec::new();
        let mut allowed = |purpose: &str, declared: &[std::borrow::Cow<'_, str>]| -> Vec<String> {
            let mut origins: Vec<String> = Vec::new();
            for entry in declared {
                match source(entry) {
                    Ok(origin) if origins.contains(&origin) => {}
                    Ok(_) if origins.len() == MOST => {
                        refused.push(format!("{purpose}: only the first {MOST} origins are allowed."));
                        break;
                    }
                    Ok(origin) => origins.push(origin),
                    Err(why) => {
                        let entry: String = entry.chars().take(100).collect();
                        refused.push(format!("{purpose} {entry:?}: {why}."));
                    }
                }
            }
            origins
        };
        let origins = AppOrigins {
            connect: allowed("connectDomains", &app.connect),
            resource: allowed("resourceDomains", &app.resource),
            frame: allowed("frameDomains", &app.frame),
            base_uri: allowed("baseUriDomains", &app.base_uri),
        };
        let mut permissions = Vec::new();
        for name in &app.permissions {
            match PERMISSIONS.iter().find(|(member, _)| member == name) {
                Some((_, feature)) => permissions.push((*feature).to_owned()),
                None => {
                    let name: String = name.chars().take(100).collect();
                    refused.push(format!("permissions {name:?}: not a permission of MCP Apps."));
                }
            }
        }
        refused.truncate(MOST);
        Self {
            header: header(&origins),
            origins,
            permissions,
            refused,
            domain: app.domain.as_deref().map(str::to_owned),
            prefers_border: app.prefers_border,
        }
    }
}

/// The policy. `'self'` is nowhere in it: the document is served from Patchbay's own address, which must stay out of reach.
fn header(origins: &AppOrigins) -> String {
    let with = |own: &str, declared: &[String]| match (own, declared) {
        ("", []) => "'none'".to_owned(),
        ("", _) => declared.join(" "),
        (_, []) => own.to_owned(),
        _ => format!("{own} {}", declared.join(" ")),
    };
    let resource = &origins.resource;
    [
        "default-src 'none'".to_owned(),
        format!("script-src {}", with("'unsafe-inline'", resource)),
        format!("style-src {}", with("'unsafe-inline'", resource)),
        format!("img-src {}", with("data: blob:", resource)),
        format!("media-src {}", with("data: blob:", resource)),
        format!("font-src {}", with("data:", resource)),
        format!("connect-src {}", with("", &origins.connect)),
        format!("frame-src {}", with("", &origins.frame)),
        format!("base-uri {}", with("", &origins.base_uri)),
        // Workers made by the app itself; they inherit this policy.
        "worker-src blob:".to_owned(),
        "object-src 'none'".to_owned(),
        "form-action 'none'".to_owned(),
        // An opaque origin, also if the document is opened outside of its frame.
        "sandbox allow-scripts allow-forms".to_owned(),
    ]
    .join("; ")
}

/// One declared origin as a source of the policy: a scheme, a host (perhaps `*.` before it), perhaps a port and a path.
fn source(entry: &str) -> Result<String, &'static str> {
    if entry.len() > LONGEST {
        return Err("it is too long");
    }
    let (scheme, rest) = entry.split_once("://").unwrap_or(("https", entry));
    let scheme = scheme.to_ascii_lowercase();
    if !["https", "http", "wss", "ws"].contains(&scheme.as_str()) {
        return Err("only https, http, wss and ws are allowed");
    }
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let host = host.to_ascii_lowercase();
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let bare = host.strip_prefix("*.").unwrap_or(&host);
    if bare.is_empty() || !bare.split('.').all(is_label) {
        return Err("it is not an origin such as https://example.com or https://*.example.com");
    }
    // The custom protocols of a window have such addresses on some systems.
    if bare.ends_with(".localhost") || (host.starts_with("*.") && bare == "localhost") {
        return Err("hosts below localhost belong to the window");
    }
    if port.is_some_and(|port| port.is_empty() || port.parse::<u16>().is_err()) {
        return Err("its port is not a number");
    }
    let is_path = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%+@".contains(&byte);
    if !path.bytes().all(is_path) {
        return Err("its path has other characters than letters, digits and / - . _ ~ % + @");
    }
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    let path = if path == "/" { "" } else { path };
    Ok(format!("{scheme}://{host}{port}{path}"))
}
