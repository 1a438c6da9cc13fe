//! Links that the program was started with, until the UI takes them. They are not read here.

use std::sync::{Mutex, PoisonError};

use crate::{dispatch::nudges::Topic, state::Engine};

/// The maximum number of links that wait. Further ones are dropped: a page that opens links in a loop gets no further.
const MAX_WAITING: usize = 5;
/// The maximum size of a link, in bytes. A longer one is cut off, and refused when it is read.
const MAX_BYTES: usize = 64 * 1024;

/// The links that wait for the UI.
#[derive(Debug, Default)]
pub(crate) struct DeepLinks(Mutex<Vec<String>>);

impl DeepLinks {
    fn add(&self, mut link: String) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= MAX_WAITING {
            return false;
        }
        link.truncate(link.floor_char_boundary(MAX_BYTES));
        waiting.push(link);
        true
    }

    /// All of them; they do not wait any more.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Engine {
    /// The program was started with a link: the UI is told, and shows it for review. Nothing else happens.
    pub fn opened_with_link(&self, link: String) {
        if self.state.deep_links.add(link) {
            self.state.nudges.changed(Topic::DeepLinks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DeepLinks, MAX_BYTES, MAX_WAITING};

    #[test]
    fn links_wait_in_order_and_are_taken_once() {
        let links = DeepLinks::default();
        assert!(links.add("patchbay://add?command=a".to_owned()) && links.add("b".to_owned()));
        assert_eq!(links.take(), ["patchbay://add?command=a", "b"]);
        assert!(links.take().is_empty());
    }

    #[test]
    fn a_flood_and_a_long_link_are_bounded() {
        let links = DeepLinks::default();
        for _ in 0..100 {
            links.add("é".repeat(MAX_BYTES));
        }
        let taken = links.take();
        assert_eq!(taken.len(), MAX_WAITING);
        assert!(taken.iter().all(|link| link.len() == MAX_BYTES));
    }
}
