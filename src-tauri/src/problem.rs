//! The page that is shown if the engine cannot be opened: the failed step, the cause, the next actions. It has no scripts;
//! its buttons are links that [`crate::window`] interprets as choices and never follows.

use std::path::PathBuf;

use patchbay_engine::EngineError;
use tauri::Url;
use tauri::http::{Response, header};

/// The scheme of the page.
pub(crate) const SCHEME: &str = "problem";

/// The address of the page: Windows does not support custom schemes, only hosts.
pub(crate) const ADDRESS: &str = if cfg!(windows) {
    "http://problem.localhost/"
} else {
    "problem://localhost/"
};

const TEMPLATE: &str = include_str!("problem.html");

/// The user's choice on the problem page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Open the same folder again.
    Retry,
    /// Open a separate folder, beside the one that could not be opened.
    Separate,
    /// Exit the program.
    Quit,
}

/// Why the engine could not be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    title: &'static str,
    message: String,
    hint: &'static str,
    /// Whether it is retried automatically.
    retried: bool,
    separate: Option<PathBuf>,
}

impl Problem {
    /// Describes `error`. `separate` is the folder that could be used instead.
    pub(crate) fn new(error: &EngineError, separate: Option<PathBuf>) -> Self {
        let (title, hint) = match error {
            EngineError::Locked { .. } => (
                "Another Patchbay is using this data",
                "This window continues automatically as soon as the other one has ended.",
            ),
            EngineError::NoHome => (
                "There is no place for Patchbay’s files",
                "Set HOME and try again.",
            ),
            EngineError::File(_) => (
                "Patchbay’s files cannot be used",
                "Make room on the disk or correct the permissions, then try again.",
            ),
            EngineError::Store(_) => (
                "The traffic log cannot be opened",
                "Make room on the disk or move the file away, then try again.",
            ),
        };
        let retried = matches!(error, EngineError::Locked { .. });
        Self {
            title,
            message: error.to_string(),
            hint,
            retried,
            separate,
        }
    }

    /// The page.
    fn html(&self) -> String {
        let retry = if self.retried {
            ""
        } else {
            "<a href=\"retry\">Try again</a>"
        };
        let separate = self.separate.as_ref().map_or_else(String::new, |folder| {
            let folder = escape(&folder.to_string_lossy());
            format!("<a href=\"separate\">Use a separate folder</a><p class=\"path\">{folder}</p>")
        });
        TEMPLATE
            .replace("{{title}}", &escape(self.title))
            .replace("{{hint}}", &escape(self.hint))
            .replace("{{retry}}", retry)
            .replace("{{separate}}", &separate)
            // Last, because it contains paths and system errors, which may contain any text.
            .replace("{{message}}", &escape(&self.message))
    }
}

/// Responds to a request for the page, whatever its path.
pub(crate) fn page(problem: Option<&Problem>) -> Response<Vec<u8>> {
    let html = problem.map(Problem::html).unwrap_or_default();
    let mut response = Response::new(html.into_bytes());
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'",
        ),
    ] {
        response
            .headers_mut()
            .insert(name, header::HeaderValue::from_static(value));
    }
    response
}

/// The choice behind `url`; none if it is not one of the page's buttons.
pub(crate) fn choice(url: &Url) -> Option<Choice> {
    match url.as_str().strip_prefix(ADDRESS)? {
        "retry" => Some(Choice::Retry),
        "separate" => Some(Choice::Separate),
        "quit" => Some(Choice::Quit),
        _ => None,
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
