//! Decides whether to follow a redirect.

use http::{HeaderMap, Method, header};
use url::Url;

use crate::failed::Fault;
use crate::request::{Redirects, Request};
use crate::{Redirected, Step};

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

/// Decides whether to follow the redirect in a response. `way` are the URLs so far, and `most` how many there may be.
pub(crate) fn decide(
    status: u16,
    headers: &HeaderMap,
    request: &Request,
    (way, most): (&[Url], usize),
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
    let same_origin = to.origin() == request.url.origin();
    if let Some(why) = refusal(status, request, same_origin, identity) {
        return stay(to.into(), why);
    }
    if same_origin {
        keep_user(&mut to, &request.url);
    }
    if let Some(fault) = endless(&to, request, (way, most)) {
        return Verdict::Loop(fault);
    }
    let why = match same_origin {
        true => "it stays within the origin",
        false => "the request carries no credentials",
    };
    Verdict::Follow(to, why)
}

/// Gives a URL of the same origin the user name and password of the URL that it was named at, if it has none: a server does
/// not repeat them in the URLs that it names.
pub fn keep_user(url: &mut Url, from: &Url) {
    if url.username().is_empty() && url.password().is_none() {
        // The only error is a URL that cannot have them, and then `from` has none.
        let _ = url.set_username(from.username());
        let _ = url.set_password(from.password());
    }
}

/// Why a redirect is not followed, if so.
fn refusal(status: u16, request: &Request, same_origin: bool, identity: bool) -> Option<&'static str> {
    let plain = matches!(request.method, Method::GET | Method::HEAD);
    if request.on_wire.is_cancelled() {
        return Some("the request was cancelled");
    }
    if request.follow == Redirects::Never {
        return Some("redirects are not followed here");
    }
    if !plain && matches!(status, 301..=303) {
        return Some("it would turn the request into a GET without its body");
    }
    if same_origin {
        return None;
    }
    if request.follow == Redirects::SameOrigin {
        return Some("it points to another origin");
    }
    if has_credentials(&request.headers, &request.url) || identity {
        return Some("it points to another origin, and the request carries credentials");
    }
    (!plain).then_some("it points to another origin, and the request carries a body")
}

/// The failure of a redirect that goes in a circle, or follows too many others.
fn endless(to: &Url, request: &Request, (way, most): (&[Url], usize)) -> Option<Fault> {
    let cause = if way.contains(to) || *to == request.url {
        format!("the server redirects in a circle, back to {to}")
    } else if way.len() >= most {
        format!("the server redirects more than {most} times in a row, at last to {to}")
    } else {
        return None;
    };
    let next = "Use the URL the server should answer at, or have the server's redirects corrected.";
    Some(Fault::new(Step::Head, cause, next))
}

/// Whether the fields or the URL contain credentials.
fn has_credentials(headers: &HeaderMap, url: &Url) -> bool {
    url.password().is_some()
        || !url.username().is_empty()
        || headers
            .keys()
            .any(|name| patchbay_traffic::is_credential_field(name.as_str()))
}
