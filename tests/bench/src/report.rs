//! One line of numbers per measurement, as text or as JSON.

use serde_json::json;

/// Whether more or less is better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Better {
    More,
    Less,
}

/// A measurement of ours beside the peer's.
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) better: Better,
    pub(crate) ours: Vec<f64>,
    pub(crate) peer: &'static str,
    pub(crate) theirs: Vec<f64>,
}

/// The median; for an even count the lower of the two middle values, so that it was really measured.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(sorted.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or(f64::NAN)
}

impl Measured {
    /// Prints it. A ratio above 1 means that ours is better.
    pub(crate) fn print(&self, as_json: bool) {
        let (ours, theirs) = (median(&self.ours), median(&self.theirs));
        let ratio = match self.better {
            Better::More => ours / theirs,
            Better::Less => theirs / ours,
        };
        if as_json {
            let line = json!({
                "name": self.name,
                "value": round(ours),
                "unit": self.unit,
                "peer": self.peer,
                "peerValue": round(theirs),
                "ratio": round(ratio),
                "runs": self.ours.len(),
            });
            println!("{line}");
        } else {
            println!(
                "{:<28}{ours:>10.0} {}   {} {theirs:.0}   {ratio:.2} x   (medians of {} runs)",
                self.name,
                self.unit,
                self.peer,
                self.ours.len()
            );
        }
    }
}

/// Rounds to three decimals, more than these measurements justify.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests;
