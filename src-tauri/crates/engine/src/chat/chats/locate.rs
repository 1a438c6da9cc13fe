//! Which item of which conversation a record of the traffic log belongs to. A conversation names the records of its answers and
//! calls; any other record of the same turn is placed by its operation, its server and its number.

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use patchbay_contract::*;
use patchbay_traffic::{self as traffic, Filter};

use super::{Chats, on_disk};
use crate::{
    chat::{conversation::State, item::Item, journal::read},
    convert,
    dispatch::error::fail,
    state::Engine,
    traffic_views::bodies::{record_bytes, unreadable},
};

/// How far the clock of a file system may be behind.
const CLOCK_SLACK: Duration = Duration::from_secs(60);
/// How many calls that may enclose a record are looked at, the last first.
const ENCLOSING: usize = 20;

/// An item that names records.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    item: String,
    at_ms: f64,
    server: Option<ServerId>,
    /// Its record: the request to the provider or to the server.
    first: traffic::Seq,
    /// The record of the answer to a call that has one.
    last: Option<traffic::Seq>,
    /// Whether it is a call that may still run, so that any later record may be below it.
    is_open: bool,
}

/// A conversation that may have caused the record.
struct Candidate {
    id: ChatId,
    /// In the order of their records.
    places: Vec<Place>,
}

/// The item that a record belongs to.
pub(in crate::chat) async fn locate(engine: &Engine, seq: &Seq) -> Result<ChatLocateResponse, CommandError> {
    let store = &engine.state.store;
    let seq = convert::parse_seq(seq)?;
    // Waits for a record that has a number but is not written yet.
    record_bytes(store, seq).await?;
    let record = store.record(seq).await.map_err(unreadable)?;
    let row = record.as_ref().map(|record| &record.row);
    let (Some(record), Some(operation)) = (&record, row.and_then(|row| row.operation)) else {
        return Err(unknown());
    };
    let running = engine.state.inputs.turns.of(Some(operation));
    let chats = &engine.state.chats;
    let mut candidates = chats.begun_before(record.row.at_ms).await?;
    if let Some(turn) = &running {
        candidates.retain(|candidate| candidate.id == turn.chat_id);
    }
    let found = match named(&candidates, record) {
        Some(found) => Some(found),
        None => {
            let same_turn = convert::filter(&format!("op:{}", operation.0))?;
            near(engine, &candidates, &record.row, &same_turn).await?
        }
    };
    match (found, running) {
        (Some(found), _) => Ok(found),
        (None, Some(turn)) => Ok(ChatLocateResponse {
            chat_id: turn.chat_id,
            item: None,
        }),
        (None, None) => Err(unknown()),
    }
}

fn unknown() -> CommandError {
    fail(
        ErrorCode::NotFound,
        "No conversation has this record (any more). It may have been deleted, or kept by another installation.",
    )
}

/// The item that names the record, or one that it was exchanged with. With several, the latest: an emptied store counts its
/// records from the start again.
fn named(candidates: &[Candidate], record: &traffic::Record) -> Option<ChatLocateResponse> {
    let row = &record.row;
    let mut seqs = vec![row.seq];
    seqs.extend([row.pair, row.batch, row.http].into_iter().flatten());
    seqs.extend(record.related.iter().map(|related| related.seq));
    let places = candidates.iter().flat_map(|candidate| {
        let names = |place: &&Place| {
            seqs.contains(&place.first) || place.last.is_some_and(|last| seqs.contains(&last))
        };
        let places = candidate.places.iter().filter(names);
        places.map(move |place| (candidate, place))
    });
    let latest = places.max_by(|(_, one), (_, other)| one.at_ms.total_cmp(&other.at_ms));
    latest.map(|(candidate, place)| candidate.at(place))
}

/// The item of the same turn that is nearest: a call of the same server that ran at the time, or else the item before.
async fn near(
    engine: &Engine,
    candidates: &[Candidate],
    row: &traffic::Row,
    same_turn: &Filter,
) -> Result<Option<ChatLocateResponse>, CommandError> {
    for candidate in candidates {
        for place in candidate.near(row) {
            let found = engine.state.store.locate(same_turn, place.first).await;
            if found.map_err(unreadable)?.is_some() {
                return Ok(Some(candidate.at(place)));
            }
        }
    }
    Ok(None)
}

impl Candidate {
    fn new<'a>(id: ChatId, items: impl Iterator<Item = &'a Item>) -> Self {
        let mut places: Vec<Place> = items.filter_map(place_of).collect();
        places.sort_by_key(|place| place.first);
        Self { id, places }
    }

    fn at(&self, place: &Place) -> ChatLocateResponse {
        ChatLocateResponse {
            chat_id: self.id.clone(),
            item: Some(place.item.clone()),
        }
    }

    /// The items that a record may belong to that none of them names, the likeliest first.
    fn near(&self, row: &traffic::Row) -> Vec<&Place> {
        let (before, after) = self
            .places
            .split_at(self.places.partition_point(|place| place.first < row.seq));
        let encloses = |place: &&Place| {
            place.server.as_ref().is_some_and(|id| *id.0 == *row.server_id)
                && place.last.map_or(place.is_open, |last| row.seq < last)
        };
        let enclosing = before.iter().rev().filter(encloses).take(ENCLOSING);
        enclosing.chain(before.last()).chain(after.first()).collect()
    }
}

fn place_of(item: &Item) -> Option<Place> {
    let (server, first, last, is_open) = match item {
        Item::User(_) => return None,
        Item::Answer(answer) => (None, &answer.seq, &None, false),
        Item::Notice(notice) => (None, &notice.seq, &None, false),
        Item::Call(call) => (
            call.server_id.clone(),
            &call.request_seq,
            &call.response_seq,
            call.state == ChatCallState::Running,
        ),
    };
    let number = |seq: &Option<String>| seq.as_ref()?.parse().ok();
    Some(Place {
        item: item.id().to_owned(),
        at_ms: item.at_ms(),
        server,
        first: number(first)?,
        last: number(last),
        is_open,
    })
}

impl Chats {
    /// The conversations that were begun before a time and changed since: only they can have caused a record of that time.
    async fn begun_before(&self, at_ms: f64) -> Result<Vec<Candidate>, CommandError> {
        let open = self.lock().clone();
        let mut candidates: Vec<Candidate> = Vec::new();
        for conversation in open.values() {
            let state = conversation.lock();
            if state.created_at_ms <= at_ms {
                candidates.push(of_state(&conversation.id, &state));
            }
        }
        let Some(folder) = self.folder.clone() else {
            return Ok(candidates);
        };
        let known: Vec<ChatId> = open.into_keys().collect();
        candidates.extend(on_disk(move || Ok(read_all(&folder, &known, at_ms))).await?);
        Ok(candidates)
    }
}

fn of_state(id: &ChatId, state: &State) -> Candidate {
    let shown = state.items.iter().map(|entry| &entry.item);
    Candidate::new(id.clone(), shown.chain(state.aside()))
}

/// The conversations in files that are not open.
fn read_all(folder: &Path, open: &[ChatId], at_ms: f64) -> Vec<Candidate> {
    let since = SystemTime::UNIX_EPOCH + Duration::from_millis(at_ms as u64);
    let changed_since = |path: &PathBuf| {
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified + CLOCK_SLACK >= since)
    };
    let files = super::files(folder).filter(|(path, id)| !open.contains(id) && changed_since(path));
    files
        .filter_map(|(path, id)| {
            let kept = read(&path).ok()?;
            let items = kept.items.iter().chain(&kept.aside);
            (kept.created_at_ms <= at_ms).then(|| Candidate::new(id, items))
        })
        .collect()
}
