//! The lists of one connection.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::ListKind;
use patchbay_protocol::limits::Limits;

use super::{definitions::Snapshot, listing::Listing, primitive::Primitive};
use crate::connections::owned::OwnedTask;

/// The lists of one connection, one of each kind, created on first use.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    table: Mutex<HashMap<TypeId, Arc<dyn AnyList>>>,
    /// The definitions of the tools as last listed.
    definitions: Mutex<Option<Arc<Snapshot>>>,
    /// Held while a list's definitions are being compared, which takes longer than showing the list.
    comparing: Arc<tokio::sync::Mutex<()>>,
    /// The tasks that compare lists.
    comparisons: Mutex<HashMap<ListKind, OwnedTask>>,
    /// Whether what the server says about itself was compared.
    compared: tokio::sync::OnceCell<()>,
}

/// A list of any kind.
trait AnyList: Any + Send + Sync + std::fmt::Debug {
    /// Its memory.
    fn bytes(&self) -> usize;
}

impl<P: Primitive> AnyList for Listing<P> {
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
        // The entry of a type always holds its listing, so the default is never used.
        any.downcast().unwrap_or_default()
    }

    /// The user works with the rows of a list from now on.
    pub(crate) fn used<P: Primitive>(&self) {
        self.get::<P>().used();
    }

    /// The definitions of the tools as last listed; none if they never were. Waits until they are compared.
    pub(super) async fn definitions(&self) -> Option<Arc<Snapshot>> {
        let _compared = self.comparing.lock().await;
        let known = self.definitions.lock();
        known.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until earlier definitions are compared, and reserves the next comparison.
    pub(super) async fn reserve_comparison(&self) -> tokio::sync::OwnedMutexGuard<()> {
        self.comparing.clone().lock_owned().await
    }

    /// Owns the task that compares a list. An earlier one of the same list ends.
    pub(super) fn compare(&self, list: ListKind, comparison: OwnedTask) {
        let owned = self.comparisons.lock();
        owned
            .unwrap_or_else(PoisonError::into_inner)
            .insert(list, comparison);
    }

    /// Set once what the server says about itself was compared.
    pub(super) fn compared_once(&self) -> &tokio::sync::OnceCell<()> {
        &self.compared
    }

    pub(super) fn put_definitions(&self, listed: Arc<Snapshot>) {
        let known = self.definitions.lock();
        *known.unwrap_or_else(PoisonError::into_inner) = Some(listed);
    }

    /// The memory that is left for a list that replaces one of these.
    pub(super) fn room_for(&self, replaced: usize, limits: &Limits) -> usize {
        let all: usize = self.lock().values().map(|list| list.bytes()).sum();
        limits.lists_bytes.saturating_sub(all - replaced)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TypeId, Arc<dyn AnyList>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
