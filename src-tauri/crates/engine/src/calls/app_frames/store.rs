//! The documents that can be loaded now: those of the open frames, within limits.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use patchbay_contract::{AppFrameId, CommandError, ErrorCode};

use crate::dispatch::error::fail;

/// The maximum number of documents. Opening another one forgets the oldest.
const MOST_DOCUMENTS: usize = 32;
/// The maximum size of all documents together, in bytes.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// What a front serves to an app's frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppDocument {
    /// The page, UTF-8.
    pub html: Bytes,
    /// Its `Content-Security-Policy`.
    pub policy: String,
}

/// The documents of the open frames, oldest first.
#[derive(Debug, Default)]
pub(crate) struct AppFrames(Mutex<VecDeque<(AppFrameId, AppDocument)>>);

impl AppFrames {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(AppFrameId, AppDocument)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, id: AppFrameId, document: AppDocument) {
        let mut all = self.lock();
        all.push_back((id, document));
        let size = |all: &VecDeque<(AppFrameId, AppDocument)>| -> usize {
            all.iter().map(|(_, document)| document.html.len()).sum()
        };
        while all.len() > MOST_DOCUMENTS || (all.len() > 1 && size(&all) > MOST_BYTES) {
            all.pop_front();
        }
    }

    pub(crate) fn get(&self, id: &AppFrameId) -> Result<AppDocument, CommandError> {
        let all = self.lock();
        let found = all.iter().find(|(known, _)| known == id);
        found
            .map(|(_, document)| document.clone())
            .ok_or_else(|| fail(ErrorCode::NotFound, "This app was closed. Open it again."))
    }

    pub(crate) fn close(&self, id: &AppFrameId) {
        self.lock().retain(|(known, _)| known != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_bounded_and_forgotten() {
        let frames = AppFrames::default();
        let id = |n: usize| AppFrameId(n.to_string());
        let document = |size: usize| AppDocument {
            html: vec![b'x'; size].into(),
            policy: String::new(),
        };
        for n in 0..MOST_DOCUMENTS + 2 {
            frames.add(id(n), document(1));
        }
        assert!(frames.get(&id(1)).is_err());
        assert!(frames.get(&id(2)).is_ok());
        frames.close(&id(2));
        assert_eq!(frames.get(&id(2)).unwrap_err().code, ErrorCode::NotFound);
        frames.add(id(100), document(MOST_BYTES));
        assert_eq!(frames.lock().len(), 1, "the newest is always kept");
    }
}
