//! Which scopes to ask for.

use std::collections::HashSet;

/// The scopes of a space-separated list, each once; `None` if there are none.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    some(union(text.split_ascii_whitespace().map(str::to_owned), []))
}

/// All of both, each once, in their order.
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

/// Where scopes come from, from the strongest to the weakest.
#[derive(Default)]
pub(crate) struct Sources<'a> {
    /// The user's, for this run.
    pub(crate) run: Option<&'a [String]>,
    /// The user's, from the settings.
    pub(crate) settings: Option<&'a [String]>,
    /// The challenge's: authoritative for the refused request.
    pub(crate) challenge: Option<&'a [String]>,
    /// `scopes_supported` of the protected resource metadata.
    pub(crate) resource: Option<&'a [String]>,
    /// What was asked for before, of the same authorization server: not to be lost.
    pub(crate) before: &'a [String],
    /// `scopes_supported` of the authorization server's metadata.
    pub(crate) server: Option<&'a [String]>,
    /// Whether it issues refresh tokens at all.
    pub(crate) refreshes: bool,
}

/// Keeps access while the user is away (OpenID Connect Core section 11).
pub(crate) const OFFLINE: &str = "offline_access";

/// The scopes to ask for, and where they come from. `None`: the parameter is left out.
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
    // Alone it would ask for less than the server's default.
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
