//! Chooses a model for a request by the server's hints and priorities, and says why.
//!
//! The specification leaves the choice to the client. Only what is known is used: names for the hints, prices (where a
//! provider publishes them) for the priority of cost. Nobody publishes speed and intelligence, so they are not guessed.

use crate::{Model, Preferences};

/// A model that may be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<'a> {
    /// Its provider's name.
    pub provider: &'a str,
    /// The model.
    pub model: &'a Model,
    /// Whether the user set it as the provider's default.
    pub is_default: bool,
}

/// The chosen candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its position among the candidates.
    pub index: usize,
    /// The reason, in a sentence.
    pub reason: String,
}

/// Chooses one of the candidates; none if there are none.
#[must_use]
pub fn choose(preferences: &Preferences<'_>, candidates: &[Candidate<'_>]) -> Option<Choice> {
    for hint in &preferences.hints {
        let matching = matching(hint, candidates);
        if let Some((index, more)) = best(preferences, candidates, &matching) {
            let words = match matching.len() {
                1 => format!("It matches the hint “{hint}”."),
                count => format!("{count} models match the hint “{hint}”; {more}."),
            };
            return Some(Choice { index, reason: words });
        }
    }
    let defaults: Vec<usize> = (0..candidates.len())
        .filter(|at| candidates[*at].is_default)
        .collect();
    let all: Vec<usize> = (0..candidates.len()).collect();
    let pool = if defaults.is_empty() { &all } else { &defaults };
    let (index, more) = best(preferences, candidates, pool)?;
    let hints = match preferences.hints.len() {
        0 => "The server gives no hints",
        1 => "No model matches the hint",
        _ => "No model matches the hints",
    };
    let reason = match pool.len() {
        1 if !defaults.is_empty() => format!(
            "{hints}; it is the default model of {}.",
            candidates[index].provider
        ),
        1 => format!("{hints}; it is the only model."),
        _ => format!("{hints}; {more}."),
    };
    Some(Choice { index, reason })
}

/// The models whose id or name contains the hint.
fn matching(hint: &str, candidates: &[Candidate<'_>]) -> Vec<usize> {
    let hint = hint.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&hint);
    let matches = |candidate: &Candidate<'_>| {
        has(&candidate.model.id) || candidate.model.name.as_deref().is_some_and(has)
    };
    let exact = candidates
        .iter()
        .position(|candidate| candidate.model.id.to_lowercase() == hint);
    match exact {
        Some(at) => vec![at],
        None => (0..candidates.len())
            .filter(|at| matches(&candidates[*at]))
            .collect(),
    }
}

/// The best of some candidates, and why in a clause.
fn best(
    preferences: &Preferences<'_>,
    candidates: &[Candidate<'_>],
    pool: &[usize],
) -> Option<(usize, &'static str)> {
    let first = *pool.first()?;
    let cost = preferences.cost.unwrap_or(0.0);
    let others = [preferences.speed, preferences.intelligence];
    let cost_is_first = cost > 0.0 && others.iter().all(|other| other.unwrap_or(0.0) <= cost);
    if cost_is_first {
        let priced = pool.iter().filter_map(|at| {
            let price = candidates[*at].model.price?;
            Some((*at, price.input + price.output))
        });
        if let Some((at, _)) = priced.min_by(|(_, one), (_, other)| one.total_cmp(other)) {
            return Some((at, "cost matters most, and this one has the lowest known price"));
        }
    }
    match pool.iter().find(|at| candidates[**at].is_default) {
        Some(at) => Some((*at, "this one is the provider's default")),
        None => Some((first, "this one is listed first")),
    }
}
