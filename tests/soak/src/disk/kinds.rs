//! Which faults there are, and what they strike.

use patchbay_test_server::faults::{Action, BROKEN, CREATE, FULL, NAME, READ, SYNC, WRITE};

/// A kind of fault, and the operations that it strikes.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) on: On,
    pub(super) kinds: u32,
    pub(super) action: Action,
    /// Whether one operation is struck, or all until the disk works again.
    pub(super) once: bool,
}

/// What the operations are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// The files of Patchbay.
    Files,
    /// Its pipes: the messages of a program, the words to the guardian.
    Pipes,
    /// Its sockets: requests and answers over HTTP.
    Sockets,
}

impl Kind {
    /// Whether the N-th operation is the same.
    pub(super) fn counts_as(&self, other: &Self) -> bool {
        (self.kinds, self.on) == (other.kinds, other.on)
    }

    /// Whether it ends the process.
    pub(super) fn kills(&self) -> bool {
        matches!(self.action, Action::Kill | Action::Half)
    }
}

const CHANGES: u32 = WRITE | SYNC | NAME | CREATE;

pub(super) static KINDS: [Kind; 14] = [
    once("killed", On::Files, CHANGES, Action::Kill),
    once("killed in a write", On::Files, WRITE, Action::Half),
    once("killed at a pipe", On::Pipes, WRITE | READ, Action::Kill),
    once("killed in a message", On::Pipes, WRITE, Action::Half),
    once("killed at a socket", On::Sockets, WRITE | READ, Action::Kill),
    lasting("full", WRITE | CREATE, FULL),
    once("a write without space", On::Files, WRITE, FULL),
    once("a failed write", On::Files, WRITE, BROKEN),
    lasting("no writes", WRITE | NAME, BROKEN),
    once("a failed sync", On::Files, SYNC, BROKEN),
    lasting("no syncs", SYNC, BROKEN),
    once("a failed read", On::Files, READ, BROKEN),
    once("a failed rename", On::Files, NAME, BROKEN),
    once("a file not made", On::Files, CREATE, FULL),
];
/// Every sync takes a tenth of a second.
pub(super) static SLOW: Kind = lasting("slow", SYNC, Action::Delay(100));

const fn once(name: &'static str, on: On, kinds: u32, action: Action) -> Kind {
    Kind {
        name,
        on,
        kinds,
        action,
        once: true,
    }
}

const fn lasting(name: &'static str, kinds: u32, action: Action) -> Kind {
    Kind {
        name,
        on: On::Files,
        kinds,
        action,
        once: false,
    }
}
