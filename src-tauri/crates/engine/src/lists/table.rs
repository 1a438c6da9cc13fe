//! The lists of one connection.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{listing::Listing, primitive::Primitive};

/// How many bytes the lists of one connection may hold together: pages as they came, and rows.
const CONNECTION_BYTES: usize = 128 * 1024 * 1024;

/// The lists of one connection, as listed last: one of each kind, made when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    table: Mutex<HashMap<TypeId, Arc<dyn Kept>>>,
}

/// A list of any kind.
trait Kept: Any + Send + Sync + std::fmt::Debug {
    /// What it holds.
    fn bytes(&self) -> usize;
}

impl<P: Primitive> Kept for Listing<P> {
    fn bytes(&self) -> usize {
        Listing::bytes(self)
    }
}

impl Lists {
    /// The list of a kind.
    pub(crate) fn get<P: Primitive>(&self) -> Arc<Listing<P>> {
        let kept = self
            .lock()
            .entry(TypeId::of::<P>())
            .or_insert_with(|| Arc::new(Listing::<P>::default()))
            .clone();
        let any: Arc<dyn Any + Send + Sync> = kept;
        // The entry of a type holds its listing, so the default is never made.
        any.downcast().unwrap_or_default()
    }

    /// The user works with the rows of a list from now on.
    pub(crate) fn used<P: Primitive>(&self) {
        self.get::<P>().used();
    }

    /// How many bytes one more list may hold that takes the place of one of these.
    pub(super) fn room_for(&self, replaced: usize) -> usize {
        let all: usize = self.lock().values().map(|list| list.bytes()).sum();
        CONNECTION_BYTES.saturating_sub(all - replaced)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TypeId, Arc<dyn Kept>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
