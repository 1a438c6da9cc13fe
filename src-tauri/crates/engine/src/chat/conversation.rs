//! One conversation in memory: its items, its settings, the turn that runs. It is the same for every front that shows it.

mod branches;
mod flow;
mod secrets;
mod state;
mod writing;

pub(super) use self::branches::Branches;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::*;
use tokio::sync::{oneshot, watch};

use super::{
    item::{Call, Item, Line, Masker},
    journal::{Journal, StoredConversation, next_id},
};
use crate::{
    connections::owned::OwnedTask,
    dispatch::error::fail,
    dispatch::nudges::{Nudges, Topic},
};

/// Why an answer of the user is refused while no turn waits for one.
pub const NO_ANSWER_EXPECTED: &str = "No answer is expected now. Send a message first.";

/// A conversation.
pub(crate) struct Conversation {
    pub(super) id: ChatId,
    /// None: it is kept in memory only. Locked while a change is written, so that lines are in the order of the changes.
    journal: Arc<tokio::sync::Mutex<Option<Journal>>>,
    /// Locked from the check that a turn may begin until it has begun: the items of two would have the same ids.
    pub(super) beginning: tokio::sync::Mutex<()>,
    /// Shared with the thread that writes.
    memory: Arc<Memory>,
    /// None in tests of a conversation alone.
    masker: Option<Masker>,
}

/// What is known of it in memory, and who is told of its changes.
struct Memory {
    state: Mutex<State>,
    /// Woken at every change.
    changed: watch::Sender<u64>,
    nudges: Arc<Nudges>,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn touch(&self, change: impl FnOnce(&mut State, u64)) {
        let mut state = self.lock();
        self.changed.send_modify(|revision| {
            *revision += 1;
            change(&mut state, *revision);
        });
    }
}

pub(super) struct State {
    pub(super) created_at_ms: f64,
    pub(super) title: String,
    pub(super) settings: ChatSettings,
    /// The items that are shown, in order.
    pub(super) items: Vec<Entry>,
    places: HashMap<String, usize>,
    /// The items of other branches.
    aside: HashMap<String, Entry>,
    pub(super) branches: Branches,
    /// When another branch was shown, by revision, and how many items stayed then.
    cuts: Vec<(u64, usize)>,
    /// The number of the next item.
    next: u64,
    pub(super) read_only: Option<String>,
    pub(super) phase: ChatPhase,
    pub(super) streaming: Option<StreamingAnswer>,
    /// The model that was asked last and the last item that it was sent, until an answer or a notice says so.
    asked: Option<ChatSeen>,
    pub(super) attached: Vec<Attachment>,
    /// Of the last change of anything but an item.
    pub(super) revision: u64,
    running: Option<Running>,
    /// The decisions that calls wait for.
    deciders: HashMap<String, oneshot::Sender<CallDecision>>,
    /// The answer that a turn waits for.
    writer: Option<oneshot::Sender<ChatWriteParams>>,
    begun: bool,
    /// What happened and could not be written. It is written before the next change.
    unsaved: Vec<Line>,
    /// Some of them happened here and are shown.
    has_kept: bool,
    /// The items with masked secrets as they were. They are never written.
    originals: HashMap<String, Item>,
    /// The items whose secrets the user lets the model have, as they were shown then.
    as_is: HashMap<String, Item>,
}

/// An item, and what is known of it only while it is in progress.
pub(super) struct Entry {
    pub(super) item: Item,
    pub(super) revision: u64,
    pub(super) progress: Option<RequestProgress>,
    pub(super) exchange: Option<ExchangeId>,
    pub(super) definition_changed: bool,
}

/// An answer that is arriving.
#[derive(Debug, Clone)]
pub(super) struct StreamingAnswer {
    pub(super) number: u64,
    pub(super) by: String,
    pub(super) at_ms: f64,
    pub(super) text: String,
    pub(super) thinking: String,
    pub(super) calls: Vec<ChatLiveCall>,
}

/// What is attached to the next message.
#[derive(Debug, Clone)]
pub(super) struct Attachment {
    pub(super) view: ChatAttachment,
    /// The messages that it adds: whether a model says it, and a JSON array of content blocks. One of a resource.
    pub(super) messages: Vec<(bool, String)>,
    /// Subscribes to the updates of a resource until it is dropped.
    pub(super) subscription: Option<Arc<OwnedTask>>,
}

/// A decision about a call.
#[derive(Debug)]
pub(super) struct CallDecision {
    pub(super) decision: ChatDecision,
    /// Who decided: the user, or a rule in words.
    pub(super) by: String,
}

/// The turn that runs.
struct Running {
    stop: watch::Sender<bool>,
    _task: OwnedTask,
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Conversation").field(&self.id).finish()
    }
}

impl Conversation {
    pub(super) fn new(
        id: ChatId,
        stored: StoredConversation,
        journal: Option<Journal>,
        nudges: Arc<Nudges>,
        masker: Option<Masker>,
    ) -> Self {
        let begun = stored.complete > 0;
        let next = next_id(stored.items.iter().chain(&stored.aside));
        let mut state = State {
            created_at_ms: stored.created_at_ms,
            title: stored.title,
            settings: stored.settings,
            items: Vec::with_capacity(stored.items.len()),
            places: HashMap::new(),
            aside: HashMap::new(),
            branches: stored.branches,
            cuts: Vec::new(),
            next,
            read_only: stored.read_only,
            phase: ChatPhase::Idle,
            streaming: None,
            asked: None,
            attached: Vec::new(),
            revision: 1,
            running: None,
            deciders: HashMap::new(),
            writer: None,
            begun,
            unsaved: stored.mended.iter().map(Item::line).collect(),
            has_kept: false,
            originals: HashMap::new(),
            as_is: HashMap::new(),
        };
        for item in stored.items {
            state.put(item, 1);
        }
        let aside = stored.aside.into_iter();
        state.aside = aside
            .map(|item| (item.id().to_owned(), Entry::new(item, 1)))
            .collect();
        Self {
            id,
            journal: Arc::new(tokio::sync::Mutex::new(journal)),
            beginning: tokio::sync::Mutex::default(),
            memory: Arc::new(Memory {
                state: Mutex::new(state),
                changed: watch::Sender::new(1),
                nudges,
            }),
            masker,
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.memory.lock()
    }

    /// Wakes at every change; the value is the revision.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.memory.changed.subscribe()
    }

    pub(super) fn settings(&self) -> ChatSettings {
        self.lock().settings.clone()
    }

    pub(super) fn items(&self) -> Vec<Item> {
        self.lock().items.iter().map(|entry| entry.item.clone()).collect()
    }

    /// Changes what only lives in memory, and tells everybody who watches.
    pub(super) fn touch(&self, change: impl FnOnce(&mut State, u64)) {
        self.memory.touch(change);
    }

    /// Starts a turn. `make` makes its task from the receiver of the stop.
    ///
    /// # Errors
    /// One runs already, or the conversation cannot be continued.
    pub(super) fn start(
        &self,
        phase: ChatPhase,
        make: impl FnOnce(watch::Receiver<bool>) -> OwnedTask,
    ) -> Result<(), CommandError> {
        let mut started = Ok(());
        self.touch(|state, revision| {
            started = state.writable();
            if started.is_ok() && state.phase != ChatPhase::Idle {
                started = Err(fail(
                    ErrorCode::InvalidParams,
                    "A turn of this conversation is running. Stop it first, or wait for its end.",
                ));
            }
            if started.is_err() {
                return;
            }
            let (stop, stopped) = watch::channel(false);
            state.phase = phase;
            state.revision = revision;
            state.running = Some(Running {
                stop,
                _task: make(stopped),
            });
        });
        self.memory.nudges.changed(Topic::Chats);
        started
    }

    pub(super) fn set_phase(&self, phase: ChatPhase) {
        self.touch(|state, revision| {
            if phase == ChatPhase::Idle {
                // Of a turn that died.
                state.streaming = None;
            }
            state.phase = phase;
            state.revision = revision;
        });
        self.memory.nudges.changed(Topic::Chats);
    }

    /// The calls that wait for the user, without a reason to ask in spite of a rule.
    pub(super) fn waiting(&self) -> Vec<Call> {
        let state = self.lock();
        let calls = state.items.iter().filter_map(|entry| match &entry.item {
            Item::Call(call) => Some(call.as_ref()),
            _ => None,
        });
        let waits = |call: &&Call| call.state == ChatCallState::Waiting && call.asked_because.is_none();
        calls.filter(waits).cloned().collect()
    }

    /// Says why a call that waits is asked about although a rule covers it.
    pub(super) fn explain(&self, id: &str, because: String) {
        self.touch(|state, revision| {
            let Some(entry) = state.entry(id) else { return };
            if let Item::Call(call) = &mut entry.item
                && call.state == ChatCallState::Waiting
            {
                (call.asked_because, entry.revision) = (Some(because), revision);
            }
        });
    }

    /// Tells the turn to stop.
    pub(super) fn stop(&self) {
        if let Some(running) = &self.lock().running {
            // A turn that has ended needs no stop.
            let _ = running.stop.send(true);
        }
    }

    /// Completes when no turn is running.
    async fn ended(&self) {
        let mut changed = self.watch();
        while self.lock().phase != ChatPhase::Idle && changed.changed().await.is_ok() {}
    }

    /// Ends the turn and the subscriptions without waiting for them.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.running = None;
        state.attached.iter_mut().for_each(|one| one.subscription = None);
    }

    /// Waits for the user's decision about a call.
    pub(super) fn wait_for_decision(&self, id: &str) -> oneshot::Receiver<CallDecision> {
        let (decider, decided) = oneshot::channel();
        self.lock().deciders.insert(id.to_owned(), decider);
        decided
    }

    /// Decides about a call; false if it does not wait.
    pub(super) fn decide(&self, id: &str, decided: CallDecision) -> bool {
        let decider = self.lock().deciders.remove(id);
        decider.is_some_and(|decider| decider.send(decided).is_ok())
    }

    pub(super) fn wait_for_writing(&self) -> oneshot::Receiver<ChatWriteParams> {
        let (writer, written) = oneshot::channel();
        self.lock().writer = Some(writer);
        written
    }

    pub(super) fn written(&self, params: ChatWriteParams) -> Result<(), CommandError> {
        let writer = self.lock().writer.take();
        match writer.map(|writer| writer.send(params)) {
            Some(Ok(())) => Ok(()),
            _ => Err(fail(ErrorCode::InvalidParams, NO_ANSWER_EXPECTED)),
        }
    }

    /// A call as it is now.
    pub(super) fn call(&self, id: &str) -> Option<Call> {
        let state = self.lock();
        match state.item(id) {
            Some(Item::Call(call)) => Some(call.as_ref().clone()),
            _ => None,
        }
    }
}
