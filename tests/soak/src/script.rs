//! What a generated server does: valid messages from the official schemas, changed by structure, order and time.

pub(crate) mod behaviour;
pub(crate) mod broken;
pub(crate) mod json;
pub(crate) mod schemas;

use crate::random::Random;

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// How a server misbehaves; the chances are in percent, for each message.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) seed: u64,
    pub(crate) number: u64,
    pub(crate) transport: Transport,
    pub(crate) revision: &'static str,
    /// Changed structure.
    pub(crate) structure: usize,
    /// Wrong order and times.
    pub(crate) order: usize,
    /// Cut, slow and wrong transport.
    pub(crate) carriage: usize,
}

pub(crate) const REVISIONS: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

impl Script {
    /// The script of this number.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let mut random = Random::new(seed, number);
        let transport = match random.chance(50) {
            true => Transport::Stdio,
            false => Transport::Http,
        };
        // The newest of each era more often.
        let revision = match random.below(8) {
            number @ 0..3 => REVISIONS[number],
            3 | 4 => REVISIONS[3],
            _ => REVISIONS[4],
        };
        // One in eight is valid.
        let (structure, order, carriage) = match random.below(8) {
            0 => (0, 0, 0),
            1 => (60, 0, 0),
            2 => (0, 60, 0),
            3 => (0, 0, 60),
            4 => (15, 15, 15),
            _ => (random.below(60), random.below(40), random.below(40)),
        };
        Self {
            seed,
            number,
            transport,
            revision,
            structure,
            order,
            carriage,
        }
    }

    pub(crate) fn random(&self, part: u64) -> Random {
        Random::new(self.seed.wrapping_add(self.number.wrapping_mul(7919)), part + 1)
    }

    pub(crate) fn is_modern(&self) -> bool {
        self.revision == REVISIONS[4]
    }

    /// Whether all that it sends is valid, and sent as it should be.
    pub(crate) fn is_valid(&self) -> bool {
        self.structure + self.order + self.carriage == 0
    }
}

impl std::fmt::Display for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "--seed {} --only {} ({:?}, {}, structure {} %, order {} %, carriage {} %)",
            self.seed, self.number, self.transport, self.revision, self.structure, self.order, self.carriage
        )
    }
}
