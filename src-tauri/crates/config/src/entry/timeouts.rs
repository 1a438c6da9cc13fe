//! The timeouts of one server.

use std::collections::BTreeMap;

use patchbay_contract::Timeouts;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::Members;

/// How long requests may take. A member that is missing or not understood is its default; the others are kept.
pub(super) fn read(members: &Members, notes: &mut Vec<String>) -> Timeouts {
    let Some(raw) = members.get("timeouts") else {
        return Timeouts::default();
    };
    let Ok(written) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(raw.get()) else {
        notes.push("`timeouts` is not understood; the defaults are used".to_owned());
        return Timeouts::default();
    };
    let default = Timeouts::default();
    let mut written = Written { written, notes };
    Timeouts {
        request_ms: written.or("requestMs", default.request_ms),
        max_total_ms: written.or("maxTotalMs", default.max_total_ms),
        reset_on_progress: written.or("resetOnProgress", default.reset_on_progress),
        count_input_wait: written.or("countInputWait", default.count_input_wait),
    }
}

/// The members of `timeouts`, and where it is said which of them is not understood.
struct Written<'a> {
    written: BTreeMap<String, Box<RawValue>>,
    notes: &'a mut Vec<String>,
}

impl Written<'_> {
    /// A member; its default if it is not there, or not understood.
    fn or<T: DeserializeOwned>(&mut self, name: &str, default: T) -> T {
        let Some(raw) = self.written.get(name) else {
            return default;
        };
        serde_json::from_str(raw.get()).unwrap_or_else(|_| {
            self.notes.push(format!(
                "`timeouts.{name}` is not understood; its default is used"
            ));
            default
        })
    }
}
