//! What the lists of tools say about headers, as much of it as fits.

use std::collections::HashMap;

use patchbay_protocol::headers::ParamHeader;

/// What a tool, and each text of it, takes beside the bytes of its texts.
const TEXT_COST: usize = 64;

/// The parameters of a tool that are in headers; or why it must not be called.
type Known = Result<Vec<ParamHeader>, String>;

/// The tools that were seen last, as many as fit.
#[derive(Debug, Default)]
pub(crate) struct KnownTools {
    /// The newest; they become `earlier` when they fill half of the room.
    newest: Tools,
    earlier: Tools,
}

#[derive(Debug, Default)]
struct Tools {
    by_name: HashMap<String, Known>,
    bytes: usize,
}

impl KnownTools {
    /// Takes note of a tool, with at most `most` bytes for all of them.
    pub(crate) fn learn(&mut self, name: &str, known: Known, most: usize) {
        let cost = cost(name, &known);
        for tools in [&mut self.newest, &mut self.earlier] {
            tools.forget(name);
        }
        if cost > most / 2 {
            return;
        }
        if self.newest.bytes + cost > most / 2 {
            self.earlier = std::mem::take(&mut self.newest);
        }
        self.newest.bytes += cost;
        self.newest.by_name.insert(name.to_owned(), known);
    }

    /// What is known of a tool.
    pub(crate) fn get(&self, name: &str) -> Option<&Known> {
        let newest = self.newest.by_name.get(name);
        newest.or_else(|| self.earlier.by_name.get(name))
    }
}

impl Tools {
    fn forget(&mut self, name: &str) {
        if let Some((name, known)) = self.by_name.remove_entry(name) {
            self.bytes -= cost(&name, &known);
        }
    }
}

/// The memory of a tool.
fn cost(name: &str, known: &Known) -> usize {
    let text = |text: &str| text.len() + TEXT_COST;
    let rest: usize = match known {
        Ok(headers) => headers
            .iter()
            .map(|header| text(&header.name) + header.path.iter().map(|part| text(part)).sum::<usize>())
            .sum(),
        Err(why) => text(why),
    };
    text(name) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tools_are_bounded_and_the_latest_stay() {
        const MOST: usize = 8_000;
        let mut known = KnownTools::default();
        let bytes = |known: &KnownTools| known.newest.bytes + known.earlier.bytes;
        let header = |path: &str| ParamHeader {
            name: "R".to_owned(),
            path: vec![path.to_owned()],
        };
        for number in 0..1_000 {
            known.learn(&format!("tool {number}"), Ok(vec![header("r")]), MOST);
            assert!(bytes(&known) <= MOST, "{number}: {}", bytes(&known));
            assert!(known.get(&format!("tool {number}")).is_some());
            // What is seen again and again is not forgotten.
            known.learn("always", Err("It is excluded.".to_owned()), MOST);
        }
        assert!(known.get("always").is_some_and(Result::is_err));
        assert!(known.get("tool 990").is_some(), "{}", bytes(&known));
        assert!(known.get("tool 0").is_none());
        // A tool that does not fit does not keep what it said before.
        known.learn("always", Ok(vec![header(&"r".repeat(MOST))]), MOST);
        assert!(known.get("always").is_none() && bytes(&known) <= MOST);
    }
}
