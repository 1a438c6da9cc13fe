//! Decides whether to follow a redirect.

use http::{HeaderMap, Method, header};
use url::Url;

use crate::failed::Fault;
use crate::request::{Redirects, Request};
use crate::{Redirected, Step};

/// The maximum number of consecutive redirects.
const MOST: usize = 5;

/// The decision about a response.
pub(crate) enum Verdict {
    /// It is not a redirect.
    None,
    /// Follow it, and why.
    Follow(Url, &'static str),
    /// Do not follow it, and why.
    Stay(Redirected),
    /// There is a loop, or too many redirects.
    Loop(Fault),
}

/// Decides whether to follow the redirect in a response. `way` are the URLs so far.
pub(crate) fn judge(
    status: u16,
    headers: &HeaderMap,
    request: &Request,
    way: &[Url],
    identity: bool,
) -> Verdict {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Verdict::None;
    }
    let Some(location) = headers.get(header::LOCATION) else {
        return Verdict::None;
    };
    let location = String::from_utf8_lossy(location.as_bytes());
    let stay = |to: String, why: &str| {
        Verdict::Stay(Redirected {
            to,
            why: why.to_owned(),
        })
    };
    let mut to = match request.url.join(&location) {
        Ok(to) if matches!(to.scheme(), "http" | "https") => to,
        _ => return stay(location.into_owned(), "it is not an http or https URL"),
    };
    to.set_fragment(None);
    let plain = matches!(request.method, Method::GET | Method::HEAD);
    let same_origin = to.origin() == request.url.origin();
    if request.follow == Redirects::Never {
        return stay(to.into(), "redirects are not followed here");
    }
    if !plain && matches!(status, 301..=303) {
        return stay(to.into(), "it would turn the request into a GET without its body");
    }
    if !same_origin {
        if request.follow == Redirects::SameOrigin {
            return stay(to.into(), "it points to another origin");
        }
        if has_credentials(&request.headers, &request.url) || identity {
            return stay(
                to.into(),
                "it points to another origin, and the request carries credentials",
            );
        }
        if !plain {
            return stay(
                to.into(),
                "it points to another origin, and the request carries a body",
            );
        }
    }
    if way.contains(&to) || to == request.url {
        return Verdict::Loop(Fault::new(
            Step::Head,
            format!("the server redirects in a circle, back to {to}"),
            "Use the URL the server should answer at, or have the server's redirects corrected.",
        ));
    }
    if way.len() >= MOST {
        return Verdict::Loop(Fault::new(
            Step::Head,
            format!("the server redirects more than {MOST} times in a row, at last to {to}"),
            "Use the URL the server should answer at, or have the server's redirects corrected.",
        ));
    }
    Verdict::Follow(
        to,
        if same_origin {
            "it stays within the origin"
        } else {
            "the request carries no credentials"
        },
    )
}

/// Whether the fields or the URL contain credentials.
fn has_credentials(headers: &HeaderMap, url: &Url) -> bool {
    url.password().is_some()
        || !url.username().is_empty()
        || headers
            .keys()
            .any(|name| patchbay_traffic::is_credential_field(name.as_str()))
}
