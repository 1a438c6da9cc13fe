//! Bodies in parts: WebKit receives many MB at once in one task of the page.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_contract::{BodyId, CommandError};
use patchbay_engine::Body;

/// How many bodies are kept between two parts: those that the page receives at the same time.
const KEPT: usize = 4;

/// The bodies of which the page has not received all parts, so that they are not read from the store for each.
#[derive(Debug, Default)]
pub(crate) struct Bodies(Mutex<Vec<(BodyId, Body)>>);

impl Bodies {
    /// The part of a body in `range`, as far as the body goes. `read` reads a body that is not kept.
    ///
    /// # Errors
    /// Those of `read`.
    pub(super) async fn part<'a, F>(
        &self,
        id: &'a BodyId,
        range: Range<usize>,
        read: impl FnOnce(&'a BodyId) -> F,
    ) -> Result<Vec<u8>, CommandError>
    where
        F: Future<Output = Result<Body, CommandError>>,
    {
        let kept = self.take(id);
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let body = match kept {
            Some(body) => body,
            None => read(id).await?,
        };
        let end = range.end.min(body.bytes.len());
        let part = body.bytes.slice(range.start.min(end)..end).to_vec();
        if end == range.end {
            self.keep(id.clone(), body);
        }
        Ok(part)
    }

    /// Forgets all: the page that receives them is gone.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    fn take(&self, id: &BodyId) -> Option<Body> {
        let mut kept = self.lock();
        let at = kept.iter().position(|(of, _)| of == id)?;
        Some(kept.remove(at).1)
    }

    fn keep(&self, id: BodyId, body: Body) {
        let mut kept = self.lock();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((id, body));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(BodyId, Body)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
