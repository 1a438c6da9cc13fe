//! One line of numbers for each thing measured, as people or as programs read it.

use serde_json::json;

/// Which way is better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Better {
    More,
    Less,
}

/// What was measured, ours beside the peer's.
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) better: Better,
    pub(crate) ours: Vec<f64>,
    pub(crate) peer: &'static str,
    pub(crate) theirs: Vec<f64>,
}

/// The middle value; of an even number of them the lower middle, so that it is one that was measured.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(sorted.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or(f64::NAN)
}

impl Measured {
    /// Prints it. A ratio above 1 says that we are ahead, whichever way is better.
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

/// Three decimals are more than these measurements hold.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests;
