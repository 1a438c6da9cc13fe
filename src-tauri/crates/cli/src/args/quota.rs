//! The limits of the traffic log as options.

/// A limit that an option sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Limit {
    /// There is no limit.
    None,
    /// In bytes, or in milliseconds.
    At(f64),
}

impl From<Limit> for Option<f64> {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::None => None,
            Limit::At(value) => Some(value),
        }
    }
}

/// `2GB` as bytes. The units are those of the log's filter: powers of 1000.
pub(super) fn size(text: &str) -> Result<Limit, String> {
    let units = [("b", 1.0), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9)];
    measured(text, &units).ok_or_else(|| "must be a number with B, KB, MB or GB, or `none`".to_owned())
}

/// `30d` as milliseconds.
pub(super) fn age(text: &str) -> Result<Limit, String> {
    let units = [("s", 1e3), ("min", 60e3), ("h", 3_600e3), ("d", 86_400e3)];
    measured(text, &units).ok_or_else(|| "must be a number with s, min, h or d, or `none`".to_owned())
}

fn measured(text: &str, units: &[(&str, f64)]) -> Option<Limit> {
    if text == "none" {
        return Some(Limit::None);
    }
    let end = text.find(|char: char| !char.is_ascii_digit() && char != '.')?;
    let (number, unit) = text.split_at(end);
    let (_, factor) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    let value = number.parse::<f64>().ok()? * factor;
    value.is_finite().then(|| Limit::At(value.round()))
}
