//! A few resources and templates.

use patchbay_protocol::error_codes;
use patchbay_protocol::json::{self, Object};
use patchbay_protocol::views::APP_MIME_TYPE;

use super::{media, skills};
use crate::answer::{Answer, Failure, array, object};
use crate::call::Call;
use crate::paging;

/// A resource.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) uri: &'static str,
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) mime_type: &'static str,
    /// JSON text.
    annotations: &'static str,
}

pub(crate) const README: &str = "demo://readme";
pub(crate) const INVENTORY: &str = "demo://inventory.json";
pub(crate) const COUNTER: &str = "demo://counter";
pub(crate) const BYTES: &str = "demo://bytes.bin";
const PICTURE: &str = "demo://picture.png";
const GUIDE: &str = "demo://guide.pdf";
const TONE: &str = "demo://tone.wav";
const CLIP: &str = "demo://clip.webm";
const SALES: &str = "demo://reports/2026/sales.csv";
const BUNDLE: &str = "demo://reports/2026/bundle";
const HOSTILE: &str = "demo://reports/hostile.html";
const BROKEN: &str = "demo://reports/broken.png";
/// The app of `show_counter`. Not listed: the tool names it.
const COUNTER_APP: &str = "ui://demo/counter";

/// The template of cities, which completion uses too.
pub(crate) const CITY_TEMPLATE: &str = "demo://city/{country}/{name}";

pub(crate) const ALL: &[Resource] = &[
    Resource {
        uri: README,
        name: "readme",
        title: "Read me",
        description: "What this server is for",
        mime_type: "text/markdown",
        annotations: r#"{"audience":["user"],"priority":1,"lastModified":"2026-01-12T15:00:58Z"}"#,
    },
    Resource {
        uri: INVENTORY,
        name: "inventory",
        title: "Inventory",
        description: "JSON with numbers worth keeping exactly",
        mime_type: "application/json",
        annotations: r#"{"audience":["assistant"],"priority":0.8,"lastModified":"2026-03-02T08:30:00Z"}"#,
    },
    Resource {
        uri: COUNTER,
        name: "counter",
        title: "Counter",
        description: "Changes whenever `touch_counter` is called; can be subscribed to",
        mime_type: "text/plain",
        annotations: FOR_BOTH,
    },
    Resource {
        uri: PICTURE,
        name: "picture",
        title: "Picture",
        description: "A PNG image",
        mime_type: "image/png",
        annotations: FOR_BOTH,
    },
    Resource {
        uri: GUIDE,
        name: "guide",
        title: "Guide",
        description: "A PDF of two pages",
        mime_type: "application/pdf",
        annotations: FOR_BOTH,
    },
    Resource {
        uri: TONE,
        name: "tone",
        title: "Tone",
        description: "A WAV of the note A",
        mime_type: "audio/wav",
        annotations: FOR_BOTH,
    },
    Resource {
        uri: CLIP,
        name: "clip",
        title: "Clip",
        description: "Two seconds of a test picture with a tone, VP8 and Opus",
        mime_type: "video/webm",
        annotations: FOR_BOTH,
    },
    Resource {
        uri: BYTES,
        name: "bytes",
        title: "Bytes",
        description: "All 256 values of a byte",
        mime_type: "application/octet-stream",
        annotations: FOR_BOTH,
    },
    Resource {
        uri: SALES,
        name: "sales",
        title: "Sales",
        description: "A table: CSV with quoted fields",
        mime_type: "text/csv",
        annotations: r#"{"audience":["user"],"priority":0.9,"lastModified":"2026-02-01T00:00:00Z"}"#,
    },
    Resource {
        uri: BUNDLE,
        name: "bundle",
        title: "Bundle",
        description: "Three contents in one read",
        mime_type: "text/plain",
        annotations: FOR_BOTH,
    },
    Resource {
        uri: HOSTILE,
        name: "hostile",
        title: "Hostile page",
        description: "HTML with scripts that must not run",
        mime_type: "text/html",
        annotations: r#"{"priority":0}"#,
    },
    Resource {
        uri: BROKEN,
        name: "broken",
        title: "Broken picture",
        description: "Declared as PNG, but the bytes are text",
        mime_type: "image/png",
        annotations: r#"{"priority":0}"#,
    },
];

const FOR_BOTH: &str = r#"{"audience":["user","assistant"],"priority":0.5}"#;

const README_TEXT: &str = "# Patchbay demo server

Everything a client has to cope with, and nothing that matters.

- `count_slowly` shows **progress** and can be cancelled.
- `toggle_tool` changes the list of tools.
- `touch_counter` changes `demo://counter`.
";

const INVENTORY_TEXT: &str = r#"{
  "serial": 9007199254740993,
  "price": 1.10,
  "items": [
    { "name": "patch cable", "count": 12 },
    { "name": "jack", "count": 48 }
  ]
}"#;

/// Made by a video encoder, so it is a file: 160×90, 12 frames a second.
const CLIP_WEBM: &[u8] = include_bytes!("clip.webm");

/// An app that needs no network and no permission.
const COUNTER_APP_HTML: &str = include_str!("counter_app.html");
const COUNTER_APP_META: &str =
    r#"{"ui":{"csp":{"connectDomains":[],"resourceDomains":[]},"prefersBorder":false}}"#;

const SALES_TEXT: &str = "product,count,price,note\r\npatch cable,12,4.50,\"red, green\"\r\n\
jack,48,1.10,\"6.3 mm \"\"stereo\"\"\"\r\nadapter,7,2.25,\r\n";

const HOSTILE_TEXT: &str =
    "<h1>Hello</h1><script>window.hostile = true</script><img src=x onerror=\"window.hostile = true\">";

/// `resources/list`
pub(crate) fn list(_: &Call, params: Option<&str>) -> Result<Answer, Failure> {
    let items: Vec<String> = ALL
        .iter()
        .map(|one| {
            object(&[
                ("uri", json::quote(one.uri)),
                ("name", json::quote(one.name)),
                ("title", json::quote(one.title)),
                ("description", json::quote(one.description)),
                ("mimeType", json::quote(one.mime_type)),
                ("annotations", one.annotations.to_owned()),
            ])
        })
        .collect();
    paging::page("resources", &items, params)
}

/// `resources/templates/list`
pub(crate) fn templates(params: Option<&str>) -> Result<Answer, Failure> {
    let template = |uri: &str, name: &str, title: &str, description: &str| {
        object(&[
            ("uriTemplate", json::quote(uri)),
            ("name", json::quote(name)),
            ("title", json::quote(title)),
            ("description", json::quote(description)),
            ("mimeType", json::quote("text/plain")),
        ])
    };
    let items = [
        template(
            CITY_TEMPLATE,
            "city",
            "A city",
            "Completion knows countries and their cities",
        ),
        template(
            "demo://number/{n}",
            "number",
            "A number",
            "Any integer, and its square",
        ),
    ];
    paging::page("resourceTemplates", &items, params)
}

/// `resources/read`
pub(crate) fn read(call: &Call, params: Option<&str>) -> Result<Answer, Failure> {
    let uri = uri_of(params)?;
    exists(call, &uri)?;
    let mut all = vec![contents(call, &uri).unwrap_or_default()];
    if uri == BUNDLE {
        all.push(text(SALES, "text/csv", SALES_TEXT));
        all.push(blob(PICTURE, "image/png", &media::png(32)));
    }
    Ok(Answer::new().with("contents", array(&all)).cacheable())
}

/// The `uri` of a request.
pub(crate) fn uri_of(params: Option<&str>) -> Result<String, Failure> {
    let params = params.and_then(|text| Object::parse(text).ok());
    let uri = params.as_ref().and_then(|params| params.string("uri"));
    uri.map(std::borrow::Cow::into_owned)
        .ok_or_else(|| Failure::params("`uri` is missing"))
}

/// Fails with the error of the era if there is no such resource.
pub(crate) fn exists(call: &Call, uri: &str) -> Result<(), Failure> {
    if contents(call, uri).is_some() {
        return Ok(());
    }
    let code = if call.is_modern() {
        error_codes::INVALID_PARAMS
    } else {
        error_codes::RESOURCE_NOT_FOUND
    };
    let failure = Failure::new(code, format!("Resource not found: {uri}"));
    Err(failure.with_data(object(&[("uri", json::quote(uri))])))
}

/// The contents of a resource as JSON text, if it exists.
pub(crate) fn contents(call: &Call, uri: &str) -> Option<String> {
    match uri {
        README => Some(text(uri, "text/markdown", README_TEXT)),
        INVENTORY => Some(text(uri, "application/json", INVENTORY_TEXT)),
        COUNTER => Some(text(uri, "text/plain", &call.shared.state().counter.to_string())),
        PICTURE => Some(blob(uri, "image/png", &media::png(128))),
        SALES => Some(text(uri, "text/csv", SALES_TEXT)),
        BUNDLE => Some(text(uri, "text/plain", "A note, a table and a picture.")),
        HOSTILE => Some(text(uri, "text/html", HOSTILE_TEXT)),
        BROKEN => Some(blob(uri, "image/png", b"This is not a picture.")),
        COUNTER_APP => Some(object(&[
            ("uri", json::quote(uri)),
            ("mimeType", json::quote(APP_MIME_TYPE)),
            ("text", json::quote(COUNTER_APP_HTML)),
            ("_meta", COUNTER_APP_META.to_owned()),
        ])),
        GUIDE => Some(blob(
            uri,
            "application/pdf",
            &media::pdf(&["Patch cables", "The second page"]),
        )),
        TONE => Some(blob(uri, "audio/wav", &media::wav(440, 400))),
        CLIP => Some(blob(uri, "video/webm", CLIP_WEBM)),
        BYTES => Some(blob(
            uri,
            "application/octet-stream",
            &(0..=u8::MAX).collect::<Vec<u8>>(),
        )),
        _ => skills::file(uri)
            .map(|(mime_type, found)| text(uri, mime_type, found))
            .or_else(|| of_template(uri)),
    }
}

fn of_template(uri: &str) -> Option<String> {
    if let Some(number) = uri.strip_prefix("demo://number/") {
        let number: i64 = number.parse().ok()?;
        let square = i128::from(number) * i128::from(number);
        return Some(text(uri, "text/plain", &format!("{number} squared is {square}")));
    }
    let (country, city) = uri.strip_prefix("demo://city/")?.split_once('/')?;
    (!country.is_empty() && !city.is_empty())
        .then(|| text(uri, "text/plain", &format!("{city} lies in {country}.")))
}

fn text(uri: &str, mime_type: &str, text: &str) -> String {
    object(&[
        ("uri", json::quote(uri)),
        ("mimeType", json::quote(mime_type)),
        ("text", json::quote(text)),
    ])
}

fn blob(uri: &str, mime_type: &str, bytes: &[u8]) -> String {
    object(&[
        ("uri", json::quote(uri)),
        ("mimeType", json::quote(mime_type)),
        ("blob", json::quote(&media::base64(bytes))),
    ])
}
