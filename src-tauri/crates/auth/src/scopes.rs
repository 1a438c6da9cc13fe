//! Chooses the scopes to request.

use std::collections::HashSet;

/// The maximum number of scopes that are requested or granted at a time.
const MOST_SCOPES: usize = 1000;
/// The maximum size of all these scopes together, in bytes.
const MOST_SCOPE_BYTES: usize = 64 << 10;

/// What is wrong with scopes that are too many or too long, such as `5000 scopes, more than 1000`.
pub(crate) fn excess(scopes: &[String]) -> Option<String> {
    if scopes.len() > MOST_SCOPES {
        return Some(format!("{} scopes, more than {MOST_SCOPES}", scopes.len()));
    }
    let bytes: usize = scopes.iter().map(String::len).sum();
    (bytes > MOST_SCOPE_BYTES).then(|| format!("scopes of {bytes} bytes, more than {MOST_SCOPE_BYTES}"))
}

/// Splits a space-separated list and removes duplicates; `None` if it is empty.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    some(union(text.split_ascii_whitespace().map(str::to_owned), []))
}

/// Merges both in order, without duplicates.
pub(crate) fn union(
    one: impl IntoIterator<Item = String>,
    other: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let mut seen = HashSet::new();
    let all = one.into_iter().chain(other);
    all.filter(|scope| seen.insert(scope.clone())).collect()
}

fn some(scopes: Vec<String>) -> Option<Vec<String>> {
    Some(scopes).filter(|scopes| !scopes.is_empty())
}

/// The sources of scopes, in order of precedence.
#[derive(Default)]
pub(crate) struct Sources<'a> {
    /// Chosen by the user for this run.
    pub(crate) run: Option<&'a [String]>,
    /// From the settings.
    pub(crate) settings: Option<&'a [String]>,
    /// From the challenge: authoritative for the refused request.
    pub(crate) challenge: Option<&'a [String]>,
    /// `scopes_supported` of the protected resource metadata.
    pub(crate) resource: Option<&'a [String]>,
    /// Requested before from the same authorization server, and kept.
    pub(crate) before: &'a [String],
    /// `scopes_supported` of the authorization server's metadata.
    pub(crate) server: Option<&'a [String]>,
    /// Whether it issues refresh tokens.
    pub(crate) refreshes: bool,
}

/// Requests a refresh token (OpenID Connect Core section 11).
pub(crate) const OFFLINE: &str = "offline_access";

/// The scopes to request, and their source. `None`: the parameter is omitted.
pub(crate) fn choose(sources: &Sources<'_>) -> (Option<Vec<String>>, &'static str) {
    if let Some(run) = sources.run {
        return (some(run.to_vec()), "chosen for this run");
    }
    let (base, from) = match (sources.settings, sources.challenge, sources.resource) {
        (Some(settings), Some(challenge), _) if !sources.before.is_empty() => (
            union(settings.to_vec(), challenge.to_vec()),
            "from the settings and the challenge",
        ),
        (Some(settings), ..) => (settings.to_vec(), "from the settings"),
        (None, Some(challenge), _) => (challenge.to_vec(), "from the challenge"),
        (None, None, Some(resource)) => (
            resource.to_vec(),
            "all scopes in the resource metadata, because the challenge names none",
        ),
        (None, None, None) => (
            Vec::new(),
            "none, because neither the challenge nor the resource metadata names any",
        ),
    };
    let mut all = union(sources.before.to_vec(), base);
    // Alone it would request less than the server's default.
    let offline = sources.settings.is_none()
        && !all.is_empty()
        && sources.refreshes
        && sources
            .server
            .is_some_and(|listed| listed.iter().any(|scope| scope == OFFLINE));
    if offline {
        all = union(all, [OFFLINE.to_owned()]);
    }
    (some(all), from)
}

#[cfg(test)]
mod tests;
