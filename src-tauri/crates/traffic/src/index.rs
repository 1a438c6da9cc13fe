//! What the store knows by heart: which records there are, of which server and kind, and which changed lately.
//!
//! Built once at open, then kept by the writer after every commit. Deliberately not here: text, and anything on disk.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::seq_set::SeqSet;
use crate::{Filter, Kind, Origin, Seq};

/// How many changes are remembered for views that have not looked yet; who comes later looks at everything again.
const CHANGES: usize = 65_536;

/// What rows say about their connection.
#[derive(Clone)]
pub(crate) struct ConnectionInfo {
    pub(crate) server_id: Arc<str>,
    pub(crate) server_name: Arc<str>,
    pub(crate) origin: Origin,
    /// The wall clock of its run's anchor, in ns since the Unix epoch.
    pub(crate) wall_ns: i64,
}

/// The index in memory.
#[derive(Default)]
pub(crate) struct Index {
    all: SeqSet,
    kinds: [SeqSet; Kind::ALL.len()],
    servers: HashMap<Arc<str>, SeqSet>,
    connections: HashMap<i64, ConnectionInfo>,
    /// The newest record there has been, cleared or not.
    last: Seq,
    changes: VecDeque<Seq>,
    /// How many changes were forgotten: the position of the first one held.
    forgotten: u64,
    /// Rises with every clear.
    epoch: u64,
}

impl Index {
    pub(crate) fn connect(&mut self, id: i64, info: ConnectionInfo) {
        self.connections.insert(id, info);
    }

    pub(crate) fn connection(&self, id: i64) -> Option<&ConnectionInfo> {
        self.connections.get(&id)
    }

    pub(crate) fn insert(&mut self, seq: Seq, connection: i64, kind: Kind) {
        self.all.insert(seq);
        self.kinds[kind as usize].insert(seq);
        if let Some(info) = self.connections.get(&connection) {
            match self.servers.get_mut(&info.server_id) {
                Some(set) => {
                    set.insert(seq);
                }
                None => {
                    self.servers
                        .entry(Arc::clone(&info.server_id))
                        .or_default()
                        .insert(seq);
                }
            }
        }
        self.last = self.last.max(seq);
    }

    /// Numbers up to this one were used, though their records are gone.
    pub(crate) fn reach(&mut self, last: Seq) {
        self.last = self.last.max(last);
    }

    /// Notes that a record changed, perhaps in kind.
    pub(crate) fn change(&mut self, seq: Seq, kind: Option<Kind>) {
        if !self.all.contains(seq) {
            return;
        }
        if let Some(kind) = kind
            && !self.kinds[kind as usize].contains(seq)
        {
            for set in &mut self.kinds {
                set.remove(seq);
            }
            self.kinds[kind as usize].insert(seq);
        }
        if self.changes.len() == CHANGES {
            self.changes.pop_front();
            self.forgotten += 1;
        }
        self.changes.push_back(seq);
    }

    /// Forgets all records, or those of one server.
    pub(crate) fn clear(&mut self, server_id: Option<&str>) {
        match server_id {
            None => {
                self.all = SeqSet::default();
                self.kinds = Default::default();
                self.servers.clear();
            }
            Some(server_id) => {
                if let Some(gone) = self.servers.remove(server_id) {
                    self.all.subtract(&gone);
                    for set in &mut self.kinds {
                        set.subtract(&gone);
                    }
                }
            }
        }
        self.epoch += 1;
    }

    pub(crate) fn all(&self) -> &SeqSet {
        &self.all
    }

    pub(crate) fn last(&self) -> Seq {
        self.last
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The position behind the newest change.
    pub(crate) fn position(&self) -> u64 {
        self.forgotten + self.changes.len() as u64
    }

    /// The changes from `position` on; `None` if some of them are forgotten.
    pub(crate) fn changes_since(&self, position: u64) -> Option<impl Iterator<Item = Seq> + '_> {
        let skip = position.checked_sub(self.forgotten)?;
        Some(self.changes.iter().skip(skip as usize).copied())
    }

    /// Whether server and kind of a record pass the filter (its text is not looked at).
    pub(crate) fn passes(&self, filter: &Filter, seq: Seq) -> bool {
        self.all.contains(seq)
            && filter
                .server_id
                .as_ref()
                .is_none_or(|id| self.servers.get(id.as_str()).is_some_and(|set| set.contains(seq)))
            && (filter.kinds.is_empty()
                || filter
                    .kinds
                    .iter()
                    .any(|kind| self.kinds[*kind as usize].contains(seq)))
    }

    /// The records from `from` on whose server and kind pass the filter.
    pub(crate) fn passing(&self, filter: &Filter, from: Seq) -> SeqSet {
        let mut passing = match &filter.server_id {
            None => self.all.tail_from(from),
            Some(id) => self
                .servers
                .get(id.as_str())
                .map(|set| set.tail_from(from))
                .unwrap_or_default(),
        };
        if !filter.kinds.is_empty() {
            let mut kinds = SeqSet::default();
            for kind in &filter.kinds {
                kinds.union(&self.kinds[*kind as usize].tail_from(from));
            }
            passing.intersect(&kinds);
        }
        passing
    }
}
