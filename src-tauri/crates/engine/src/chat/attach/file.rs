//! A file of the user as content for a model: text, or an image.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use patchbay_contract::{CommandError, ErrorCode};
use patchbay_protocol::json;

use super::LARGEST;
use crate::dispatch::error::fail;

/// The types of images that providers take, with the bytes that such a file begins with. WebP has others in between.
const IMAGES: [(&str, &[u8]); 3] = [
    ("image/png", b"\x89PNG"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("image/gif", b"GIF8"),
];

/// The file as an array of content blocks: JSON text.
///
/// # Errors
/// It is too large, or neither text nor an image that models take.
pub(super) fn blocks(name: &str, mime_type: &str, data: &str) -> Result<String, CommandError> {
    let refused = |why: String| Err(fail(ErrorCode::InvalidParams, why));
    if data.len() / 4 * 3 > LARGEST {
        let size = data.len() as f64 * 0.75 / 1e6;
        return refused(format!(
            "{name} has {size:.1} MB, more than the 4 MB that can be attached. Attach a part of it, or a smaller image."
        ));
    }
    let Ok(bytes) = STANDARD.decode(data) else {
        return refused(format!("The bytes of {name} are not base64."));
    };
    if bytes.is_empty() {
        return refused(format!("{name} is empty, so there is nothing to attach."));
    }
    let uri = json::quote(&format!("file:///{}", name.replace(['/', '\\'], "_")));
    if let Some(kind) = image_type(&bytes) {
        let data = json::quote(data);
        return Ok(format!(
            "[{{\"type\":\"image\",\"mimeType\":\"{kind}\",\"data\":{data}}}]"
        ));
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(format!(
            "[{{\"type\":\"resource\",\"resource\":{{\"uri\":{uri},\"mimeType\":{},\"text\":{}}}}}]",
            json::quote(if mime_type.is_empty() {
                "text/plain"
            } else {
                mime_type
            }),
            json::quote(&text)
        )),
        _ => {
            let kind = if mime_type.is_empty() { "binary" } else { mime_type };
            refused(format!(
                "{name} is {kind}. Models take text and images (PNG, JPEG, GIF, WebP) here: attach its text, or let a tool read it."
            ))
        }
    }
}

/// The type by the first bytes: what a name or a browser says may be wrong, and a provider would refuse the request.
pub(in crate::chat) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    let found = IMAGES
        .iter()
        .find(|(_, first)| bytes.starts_with(first))
        .map(|(kind, _)| *kind);
    found.or_else(|| is_webp.then_some("image/webp"))
}
