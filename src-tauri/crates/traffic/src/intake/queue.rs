//! The bounded queue between those who record and the one who writes.
//!
//! A record costs its bytes plus [`OVERHEAD`]; who finds no room waits, in the order of coming. Room is given back
//! when the writer takes a batch over, so that the next one fills while this one is written: at most two batches are in
//! memory. That bound is also what keeps a crash from taking more than the last moment: a full queue is written within
//! about 40 ms. What is *said about* a record (description, answer) takes no room, as it cannot outnumber the records.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError, oneshot};

use crate::disk::quota::Quota;
use crate::{
    Answer, Description, Direction, FrameContext, HttpHead, HttpStage, OperationId, Origin, Seq, StoreClosed,
    Violation,
};

/// Room for frames.
const ROOM: u32 = 12 << 20;
/// Room for stderr, apart, so that a flood there does not hold up frames.
const STDERR_ROOM: u32 = 2 << 20;
/// What a record costs beside its bytes: 4096 of them fill the queue.
const OVERHEAD: u32 = 3 << 10;
/// What a part of a record costs beside its bytes.
const PART: u32 = 512;
/// How long the writer collects records, so that a record and what is said about it are one write.
const BATCH_WINDOW: Duration = Duration::from_millis(25);

/// A record as it enters the queue.
pub(crate) struct Entry {
    pub(crate) seq: Seq,
    pub(crate) at_ns: u64,
    pub(crate) connection: i64,
    pub(crate) redactions: u32,
    pub(crate) content: Content,
}

/// What is recorded.
pub(crate) enum Content {
    Frame(Direction, Bytes, FrameContext),
    /// The beginning of an HTTP exchange, the frame it carries, and what it is done for.
    Http(Box<HttpHead>, Option<Seq>, Option<OperationId>),
    Member {
        frame: Seq,
        span: Range<usize>,
        description: Description,
    },
    Stderr(Bytes),
    Lifecycle {
        text: String,
        detail: Option<Bytes>,
        operation: Option<OperationId>,
    },
    Gap {
        lines: u64,
        bytes: u64,
    },
}

/// One thing for the writer to do.
pub(crate) enum Item {
    Connection {
        id: i64,
        server_id: Arc<str>,
        server_name: Arc<str>,
        origin: Origin,
    },
    Operation {
        id: u64,
        kind: &'static str,
        label: String,
    },
    Record(Entry),
    Describe(Seq, Description),
    Violations(Seq, Vec<Violation>),
    Answer(Seq, Answer),
    /// Something that happened in an HTTP exchange, when, and how many secrets are masked in it.
    Http(Seq, u64, Box<HttpStage>, u32),
    /// Bytes of an exchange's body, and how many secrets are masked in them.
    HttpBody(Seq, Bytes, u32),
    Clear {
        server_id: Option<String>,
        done: oneshot::Sender<()>,
    },
    /// Sets what the log may hold, and says whether that is on disk.
    Quota {
        quota: Quota,
        done: oneshot::Sender<rusqlite::Result<()>>,
    },
    Flush(oneshot::Sender<()>),
    /// Moves the clock of the writer by so many ns; none kills it.
    #[cfg(test)]
    Trial(Option<i64>),
}

impl Item {
    /// For an item that deletes records: the server they belong to, or `Some(None)` for all servers.
    pub(crate) fn clears(&self) -> Option<Option<String>> {
        match self {
            Self::Clear { server_id, .. } => Some(server_id.clone()),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Skipped {
    lines: u64,
    bytes: u64,
    at_ns: u64,
}

struct State {
    items: VecDeque<Item>,
    next_seq: Seq,
    next_connection: i64,
    next_operation: u64,
    /// What the items in the queue cost, by purse.
    frames: u32,
    stderr: u32,
    skipped: HashMap<i64, Skipped>,
    /// Write now: somebody waits.
    hurry: bool,
    closed: bool,
    /// Something changed that may let a stalled writer continue.
    nudged: bool,
}

/// The queue.
pub(crate) struct Queue {
    state: Mutex<State>,
    wake: Condvar,
    room: Semaphore,
    stderr_room: Semaphore,
}

/// A mutex of ours is never held while code of others runs, so a poisoned one is as good as new.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What this many bytes cost: something beside them, and all the room at most.
fn cost(bytes: usize, beside: u32, room: u32) -> u32 {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    bytes.saturating_add(beside).min(room)
}

impl Queue {
    pub(crate) fn new(next_seq: Seq, next_connection: i64, next_operation: u64) -> Self {
        Self {
            state: Mutex::new(State {
                items: VecDeque::new(),
                next_seq,
                next_connection,
                next_operation,
                frames: 0,
                stderr: 0,
                skipped: HashMap::new(),
                hurry: false,
                closed: false,
                nudged: false,
            }),
            wake: Condvar::new(),
            room: Semaphore::new(ROOM as usize),
            stderr_room: Semaphore::new(STDERR_ROOM as usize),
        }
    }

    /// Room for this much.
    async fn acquire(&self, cost: u32) -> Result<SemaphorePermit<'_>, StoreClosed> {
        match self.room.try_acquire_many(cost) {
            Ok(permit) => Ok(permit),
            Err(TryAcquireError::Closed) => Err(StoreClosed),
            Err(TryAcquireError::NoPermits) => {
                self.hurry();
                self.room.acquire_many(cost).await.map_err(|_| StoreClosed)
            }
        }
    }

    /// Waits for room, then queues a record and numbers it.
    pub(crate) async fn record(&self, bytes: usize, record: Unnumbered) -> Result<Seq, StoreClosed> {
        let cost = cost(bytes, OVERHEAD, ROOM);
        let permit = self.acquire(cost).await?;
        self.push_paid(permit, cost, record)
    }

    /// Queues a record and numbers it if there is room now; `None` if there is none.
    pub(crate) fn try_record(&self, bytes: usize, record: Unnumbered) -> Result<Option<Seq>, StoreClosed> {
        let cost = cost(bytes, OVERHEAD, ROOM);
        match self.room.try_acquire_many(cost) {
            Ok(permit) => self.push_paid(permit, cost, record).map(Some),
            Err(TryAcquireError::Closed) => Err(StoreClosed),
            Err(TryAcquireError::NoPermits) => Ok(None),
        }
    }

    fn push_paid(
        &self,
        permit: SemaphorePermit<'_>,
        cost: u32,
        record: Unnumbered,
    ) -> Result<Seq, StoreClosed> {
        let seq = self.push(|state| {
            state.frames += cost;
            record
        })?;
        permit.forget();
        Ok(seq)
    }

    /// Waits for room, then queues what belongs to a record that is there already.
    pub(crate) async fn send_sized(&self, bytes: usize, item: Item) -> Result<(), StoreClosed> {
        let cost = cost(bytes, PART, ROOM);
        let permit = self.acquire(cost).await?;
        if !self.push_item(item, cost) {
            return Err(StoreClosed);
        }
        permit.forget();
        Ok(())
    }

    /// Queues a record that takes no room.
    pub(crate) fn record_at_once(&self, record: Unnumbered) -> Result<Seq, StoreClosed> {
        self.push(|_| record)
    }

    /// Queues a line of stderr if there is room, else counts it.
    pub(crate) fn stderr(&self, at_ns: u64, connection: i64, redactions: u32, line: Bytes) {
        let cost = cost(line.len(), OVERHEAD, STDERR_ROOM);
        match self.stderr_room.try_acquire_many(cost) {
            Ok(permit) => {
                let pushed = self.push(|state| {
                    state.fill_gap(connection);
                    state.stderr += cost;
                    Unnumbered {
                        at_ns,
                        connection,
                        redactions,
                        content: Content::Stderr(line),
                    }
                });
                if pushed.is_ok() {
                    permit.forget();
                }
            }
            Err(_) => {
                let mut state = lock(&self.state);
                if state.closed {
                    return;
                }
                let skipped = state.skipped.entry(connection).or_default();
                if skipped.lines == 0 {
                    skipped.at_ns = at_ns;
                }
                skipped.lines += 1;
                skipped.bytes += line.len() as u64;
            }
        }
    }

    fn push(&self, make: impl FnOnce(&mut State) -> Unnumbered) -> Result<Seq, StoreClosed> {
        let mut state = lock(&self.state);
        if state.closed {
            return Err(StoreClosed);
        }
        let was_empty = state.items.is_empty();
        let Unnumbered {
            at_ns,
            connection,
            redactions,
            content,
        } = make(&mut state);
        let seq = state.number(at_ns, connection, redactions, content);
        let full = !state.hurry && (state.frames > ROOM / 2 || state.stderr > STDERR_ROOM / 2);
        state.hurry |= full;
        drop(state);
        if was_empty || full {
            self.wake.notify_one();
        }
        Ok(seq)
    }

    /// Queues what takes neither number nor room. Whether it was queued: not once closed.
    pub(crate) fn send(&self, item: Item) -> bool {
        self.push_item(item, 0)
    }

    fn push_item(&self, item: Item, cost: u32) -> bool {
        let mut state = lock(&self.state);
        if state.closed {
            return false;
        }
        state.frames += cost;
        let urgent = matches!(item, Item::Flush(_) | Item::Clear { .. } | Item::Quota { .. })
            || cost > 0 && state.frames > ROOM / 2;
        let wake = state.items.is_empty() || urgent;
        state.hurry |= urgent;
        state.nudged |= matches!(item, Item::Clear { .. });
        state.items.push_back(item);
        drop(state);
        if wake {
            self.wake.notify_one();
        }
        true
    }

    /// Queues a new connection and numbers it.
    pub(crate) fn connection(&self, server_id: Arc<str>, server_name: Arc<str>, origin: Origin) -> i64 {
        self.numbered(|state| {
            let id = state.next_connection;
            state.next_connection += 1;
            let item = Item::Connection {
                id,
                server_id,
                server_name,
                origin,
            };
            (id, item)
        })
    }

    /// Queues a new operation and numbers it.
    pub(crate) fn operation(&self, kind: &'static str, label: String) -> u64 {
        self.numbered(|state| {
            let id = state.next_operation;
            state.next_operation += 1;
            (id, Item::Operation { id, kind, label })
        })
    }

    /// Queues an item that is numbered by kind and takes no room. Once the queue is closed, only the number is returned.
    fn numbered<T>(&self, make: impl FnOnce(&mut State) -> (T, Item)) -> T {
        let mut state = lock(&self.state);
        let wake = state.items.is_empty();
        let (id, item) = make(&mut state);
        if !state.closed {
            state.items.push_back(item);
        }
        drop(state);
        if wake {
            self.wake.notify_one();
        }
        id
    }

    /// Has the writer write now.
    pub(crate) fn hurry(&self) {
        lock(&self.state).hurry = true;
        self.wake.notify_one();
    }

    /// Has a stalled writer try again now.
    pub(crate) fn nudge(&self) {
        lock(&self.state).nudged = true;
        self.wake.notify_one();
    }

    /// Takes nothing more; what is queued can still be taken.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.room.close();
        self.stderr_room.close();
        self.wake.notify_one();
    }

    /// Takes nothing more, and drops what is queued: those who wait for it learn that it will not be done. Returns the number of
    /// records that were dropped.
    pub(crate) fn abandon(&self) -> usize {
        self.close();
        let records = self.queued_records();
        // Dropped without the lock.
        let dropped = std::mem::take(&mut lock(&self.state).items);
        drop(dropped);
        records
    }

    /// Waits until the writer is woken, for `most` at most.
    fn waited<'a>(&self, state: MutexGuard<'a, State>, most: Duration) -> MutexGuard<'a, State> {
        let waited = self.wake.wait_timeout(state, most);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// The next batch, into `items`, after [`BATCH_WINDOW`]; empty if nothing is to be written within `patience`
    /// (none: it waits for ever). `false`: closed, and nothing left.
    pub(crate) fn take(&self, items: &mut VecDeque<Item>, patience: Option<Duration>) -> bool {
        // What is further away than an `Instant` can say never comes.
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let mut state = lock(&self.state);
        while state.items.is_empty() && state.skipped.is_empty() && !state.closed {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                items.clear();
                return true;
            }
            state = self.waited(state, left.unwrap_or(Duration::MAX));
        }
        let until = Instant::now() + BATCH_WINDOW;
        while !state.hurry && !state.closed {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.waited(state, left);
        }
        let skipped: Vec<i64> = state.skipped.keys().copied().collect();
        for connection in skipped {
            state.fill_gap(connection);
        }
        items.clear();
        std::mem::swap(items, &mut state.items);
        state.hurry = false;
        let frames = std::mem::take(&mut state.frames);
        let stderr = std::mem::take(&mut state.stderr);
        let more = !items.is_empty() || !state.closed;
        drop(state);
        self.room.add_permits(frames as usize);
        self.stderr_room.add_permits(stderr as usize);
        more
    }

    /// Lets a stalled writer wait: until `patience` is over, somebody nudged, a clear was asked for, or the queue closed.
    pub(crate) fn stall(&self, patience: Duration) -> Stall {
        let until = Instant::now() + patience;
        let mut state = lock(&self.state);
        loop {
            let clears = state.items.iter().find_map(Item::clears);
            let nudged = std::mem::take(&mut state.nudged);
            let left = until.saturating_duration_since(Instant::now());
            if state.closed || nudged || left.is_zero() {
                return Stall {
                    closed: state.closed,
                    clears,
                };
            }
            state = self.waited(state, left);
        }
    }

    /// The newest number that an operation has, written or not.
    pub(crate) fn last_operation(&self) -> u64 {
        lock(&self.state).next_operation - 1
    }

    /// The newest number that a record has, written or not.
    pub(crate) fn last_seq(&self) -> Seq {
        lock(&self.state).next_seq - 1
    }

    /// How many records are still queued.
    pub(crate) fn queued_records(&self) -> usize {
        lock(&self.state)
            .items
            .iter()
            .filter(|item| matches!(item, Item::Record(_)))
            .count()
    }
}

/// What a stalled writer should know before it tries again.
pub(crate) struct Stall {
    pub(crate) closed: bool,
    /// A clear that waits in the queue and could make room: of this server, or of all.
    pub(crate) clears: Option<Option<String>>,
}

/// An entry without its number.
pub(crate) struct Unnumbered {
    pub(crate) at_ns: u64,
    pub(crate) connection: i64,
    pub(crate) redactions: u32,
    pub(crate) content: Content,
}

impl State {
    fn number(&mut self, at_ns: u64, connection: i64, redactions: u32, content: Content) -> Seq {
        let seq = self.next_seq;
        self.next_seq += 1;
        self.items.push_back(Item::Record(Entry {
            seq,
            at_ns,
            connection,
            redactions,
            content,
        }));
        seq
    }

    /// Queues the gap record of a connection whose lines were skipped.
    fn fill_gap(&mut self, connection: i64) {
        if let Some(Skipped { lines, bytes, at_ns }) = self.skipped.remove(&connection) {
            self.number(at_ns, connection, 0, Content::Gap { lines, bytes });
        }
    }
}
