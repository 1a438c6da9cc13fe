//! The page that the browser shows at the end: the outcome in words, with everything foreign escaped.

/// A response with a page: no scripts, no subresources, no caching, no framing, no referrer.
pub(crate) fn response(status: &str, title: &str, text: &str) -> String {
    let body = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} - Patchbay</title><style>{STYLE}</style>\
         </head><body><main><h1>{title}</h1><p>{text}</p></main></body></html>\n",
        title = escaped(title),
        text = escaped(text),
    );
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'\r\n\r\n{body}",
        body.len()
    )
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:15vh auto 0;max-width:36rem;padding:0 1rem;\
                     color-scheme:light dark}h1{font-size:1.4rem}";

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}
