//! Reading `WWW-Authenticate` (RFC 9110 section 11.6.1): several fields, several challenges in each, quoted or not.
//!
//! Lenient: of a repeated parameter the last value counts, and unreadable parts are skipped. Deliberately not here:
//! deciding what to do about a challenge.

/// What the challenge of a refusal says: Bearer or DPoP (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9728 section 5.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Challenge {
    /// Whether the server accepts tokens that are bound to a key: one of its challenges has the scheme DPoP.
    pub(crate) is_dpop: bool,
    /// The URL of the protected resource metadata.
    pub(crate) resource_metadata: Option<String>,
    /// The scopes the request needs.
    pub(crate) scope: Option<Vec<String>>,
    /// The error code.
    pub(crate) error: Option<String>,
    /// The error description, for people.
    pub(crate) error_description: Option<String>,
}

impl Challenge {
    /// Returns the Bearer or DPoP challenge among these fields, or `None`. Of several, a challenge that names the metadata comes
    /// first, then one that names scopes.
    pub(crate) fn read<S: AsRef<str>>(fields: &[S]) -> Option<Self> {
        let is = |scheme: &str, wanted: &str| scheme.eq_ignore_ascii_case(wanted);
        let all: Vec<_> = fields
            .iter()
            .flat_map(|field| challenges(field.as_ref()))
            .filter(|(scheme, _)| is(scheme, "bearer") || is(scheme, "dpop"))
            .collect();
        let is_dpop = all.iter().any(|(scheme, _)| is(scheme, "dpop"));
        let bearers: Vec<Self> = all
            .into_iter()
            .map(|(_, parameters)| Self {
                is_dpop,
                ..Self::of(parameters)
            })
            .collect();
        let best = bearers
            .iter()
            .position(|bearer| bearer.resource_metadata.is_some());
        let best = best.or_else(|| bearers.iter().position(|bearer| bearer.scope.is_some()));
        bearers.into_iter().nth(best.unwrap_or(0))
    }

    /// What is known after the challenge of a step-up. It need not name the metadata again (RFC 9728 section 5.1): the address
    /// that the server named before stays.
    pub(crate) fn of_step_up(before: Option<Self>, now: Option<Self>) -> Option<Self> {
        let named = before.and_then(|before| before.resource_metadata);
        if now.is_none() && named.is_none() {
            return None;
        }
        let now = now.unwrap_or_default();
        Some(Self {
            resource_metadata: now.resource_metadata.or(named),
            ..now
        })
    }

    fn of(parameters: Vec<(String, String)>) -> Self {
        let mut challenge = Self::default();
        for (name, value) in parameters {
            match name.to_ascii_lowercase().as_str() {
                "resource_metadata" => challenge.resource_metadata = Some(value),
                "scope" => challenge.scope = crate::scopes::split(&value),
                "error" => challenge.error = Some(value),
                "error_description" => challenge.error_description = Some(value),
                _ => {}
            }
        }
        challenge
    }
}

/// Scheme and parameters of each challenge in a field.
fn challenges(field: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let mut rest = Cursor(field);
    loop {
        rest.skip(|character| character.is_whitespace() || character == ',');
        let Some(word) = rest.word() else {
            // Neither a scheme nor a parameter: skip it.
            if rest.0.is_empty() {
                return found;
            }
            rest.value();
            continue;
        };
        rest.skip(char::is_whitespace);
        match (rest.equals(), found.last_mut()) {
            (true, Some((_, parameters))) => parameters.push((word.to_owned(), rest.value())),
            // A parameter before any scheme.
            (true, None) => drop(rest.value()),
            (false, _) => found.push((word.to_owned(), Vec::new())),
        }
    }
}

/// The unread rest of a field.
struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(what);
    }

    /// A token (RFC 9110 section 5.6.2), or the characters of a token68.
    fn word(&mut self) -> Option<&'a str> {
        let is =
            |character: char| character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~/".contains(character);
        let end = self.0.find(|character| !is(character)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(word).filter(|word| !word.is_empty())
    }

    /// Consumes a single `=`, which makes the preceding word a parameter. The padding of a token68 is not consumed.
    fn equals(&mut self) -> bool {
        let Some(rest) = self.0.strip_prefix('=') else {
            return false;
        };
        let after = rest.trim_start_matches('=').trim_start();
        if after.is_empty() || after.starts_with(',') {
            self.0 = after;
            return false;
        }
        self.0 = rest.trim_start();
        true
    }

    /// Reads a value: quoted, or up to the next comma.
    fn value(&mut self) -> String {
        let Some(quoted) = self.0.strip_prefix('"') else {
            let end = self.0.find(',').unwrap_or(self.0.len());
            let (value, rest) = self.0.split_at(end);
            self.0 = rest;
            return value.trim_end().to_owned();
        };
        let mut value = String::new();
        let mut characters = quoted.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.0 = &quoted[at + 1..];
                    return value;
                }
                '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
                other => value.push(other),
            }
        }
        // The closing quote is missing.
        self.0 = "";
        value
    }
}

#[cfg(test)]
mod tests;
