//! The turns that run, so that what they cause can name them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::InputTurn;
use patchbay_traffic::OperationId;

/// The turns that run, by the operation under which all that they cause is recorded.
#[derive(Debug, Default)]
pub(crate) struct RunningTurns {
    table: Mutex<HashMap<OperationId, InputTurn>>,
}

impl RunningTurns {
    fn lock(&self) -> MutexGuard<'_, HashMap<OperationId, InputTurn>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn with this operation.
    pub(crate) fn of(&self, operation: Option<OperationId>) -> Option<InputTurn> {
        self.lock().get(&operation?).cloned()
    }

    /// Names a turn until the guard is dropped.
    pub(crate) fn enter(self: &Arc<Self>, operation: OperationId, turn: InputTurn) -> RunningTurn {
        self.lock().insert(operation, turn);
        RunningTurn {
            operation,
            turns: self.clone(),
        }
    }
}

/// Forgets its turn when dropped.
#[derive(Debug)]
pub(crate) struct RunningTurn {
    operation: OperationId,
    turns: Arc<RunningTurns>,
}

impl Drop for RunningTurn {
    fn drop(&mut self) {
        self.turns.lock().remove(&self.operation);
    }
}
