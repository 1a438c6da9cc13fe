//! Opens links in the system browser, and rejects dangerous ones.

use patchbay_config::is_http_url;
use patchbay_contract::{CommandError, ErrorCode};

use crate::dispatch::error::{fail, fail_with};

/// Opens `url` after checking its scheme: http, https or mailto.
pub(crate) async fn open(url: String) -> Result<(), CommandError> {
    check(&url)?;
    let opened = tokio::task::spawn_blocking(move || webbrowser::open(&url)).await;
    match opened {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(not_opened(&error)),
        Err(error) => Err(not_opened(&error)),
    }
}

/// Opens a page in the system browser: http and https only.
pub(crate) async fn open_page(url: String) -> Result<(), CommandError> {
    check_page(&url)?;
    open(url).await
}

fn check_page(url: &str) -> Result<(), CommandError> {
    match is_http_url(url) {
        true => Ok(()),
        false => Err(fail(
            ErrorCode::InvalidParams,
            "The page was not opened: only http and https are.",
        )),
    }
}

fn not_opened(error: &dyn std::fmt::Display) -> CommandError {
    fail_with(
        ErrorCode::Internal,
        "The system browser could not be started. Copy the address and open it yourself.",
        error,
    )
}

/// Links come from servers. A scheme such as `file:` or `vscode:` would give them access to the machine.
fn check(url: &str) -> Result<(), CommandError> {
    let refused = |why: &str| {
        Err(fail(
            ErrorCode::InvalidParams,
            format!("The link was not opened: {why}."),
        ))
    };
    if url.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return refused("an address has no spaces and no control characters");
    }
    let Some((scheme, rest)) = url.split_once(':') else {
        return refused("it has no scheme; only http, https and mailto are opened");
    };
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => match rest.strip_prefix("//") {
            Some(host) if !host.is_empty() && !host.starts_with('/') => Ok(()),
            _ => refused("it names no host"),
        },
        // `?attach=FILE` would attach a file of the user.
        "mailto" if rest.contains('?') => refused("of a mail, a server may choose only the address"),
        "mailto" if !rest.is_empty() => Ok(()),
        other => refused(&format!("only http, https and mailto are opened, not {other}")),
    }
}

#[cfg(test)]
mod tests;
