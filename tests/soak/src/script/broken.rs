//! Messages changed by structure, and as bytes.

use super::json::{Node, quoted};
use crate::random::Random;

/// The longest text and the deepest nesting that is made.
const LONGEST: usize = 1 << 19;
const DEEPEST: usize = 1 << 14;
const MOST_ITEMS: usize = 1 << 11;

/// Values that are no one's.
const ODD: [&str; 20] = [
    "null",
    "true",
    "0",
    "-1",
    "1.5",
    "-0",
    "1e400",
    "9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890123456789012345678901234567890",
    "1E+2",
    "\"\"",
    "[]",
    "{}",
    "\"\\ud800\"",
    "\"\\u0000\\u001b[31m\\r\\n\"",
    "\"\\u202egnp.exe\\u200b\\ufeff\"",
    "\"../../../etc/passwd\"",
    "\"javascript:alert(1)\"",
    "[[],[{}],null]",
];

const NAMES: [&str; 14] = [
    "__proto__",
    "constructor",
    "",
    "\u{202e}x",
    "jsonrpc",
    "id",
    "method",
    "params",
    "result",
    "error",
    "_meta",
    "isError",
    "nextCursor",
    "very long name very long name very long name very long name",
];

fn odd(random: &mut Random) -> Node {
    match random.below(24) {
        0 => Node::text(
            &random
                .pick(&["a", "é", "\u{0}", "\\", "\u{202e}"])
                .repeat(random.size(LONGEST)),
        ),
        1 => {
            let depth = random.size(DEEPEST);
            Node::Raw(format!("{}{}", "[".repeat(depth), "]".repeat(depth)))
        }
        2 => {
            let depth = random.size(DEEPEST);
            Node::Raw(format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth)))
        }
        3 => Node::List(vec![Node::Raw("{}".to_owned()); random.size(MOST_ITEMS)]),
        _ => Node::Raw(random.pick(&ODD).to_owned()),
    }
}

/// Changes one thing of a message.
pub(crate) fn structure(message: &mut Node, random: &mut Random) {
    match random.below(10) {
        0 => id(message, random),
        1 => message.set("jsonrpc", odd(random)),
        2 => message.set(random.pick(&["error", "result", "method", "params"]), odd(random)),
        3 => message.remove(random.pick(&["id", "jsonrpc", "result", "method", "params"])),
        _ => {
            let node = message.any(random);
            match node {
                Node::Map(members) if !members.is_empty() => members_of(members, random),
                Node::List(items) if !items.is_empty() => match random.below(3) {
                    0 => items.clear(),
                    1 => items.push(odd(random)),
                    _ => {
                        let again = items[random.below(items.len())].clone();
                        let size = random.size(MOST_ITEMS / (1 + again.written().len() / 64));
                        items.extend(vec![again; size]);
                    }
                },
                node => *node = odd(random),
            }
        }
    }
}

fn members_of(members: &mut Vec<(String, Node)>, random: &mut Random) {
    let at = random.below(members.len());
    match random.below(6) {
        0 => drop(members.remove(at)),
        1 => {
            let again = members[at].clone();
            members.push(again);
        }
        2 => {
            let name = members[at].0.clone();
            members.push((name, odd(random)));
        }
        3 => members.push((quoted(random.pick(&NAMES)), odd(random))),
        4 => members[at].0 = members[at].0.to_uppercase().replace("\\U", "\\u"),
        _ => members[at].1 = odd(random),
    }
}

fn id(message: &mut Node, random: &mut Random) {
    let known = message.member("id").map(|id| id.written()).unwrap_or_default();
    let changed = match random.below(7) {
        0 => "null".to_owned(),
        1 => quoted(&known),
        2 => format!("{known}.0"),
        3 => "4711".to_owned(),
        4 => "{\"id\":1}".to_owned(),
        5 => quoted(&"i".repeat(random.size(LONGEST))),
        _ => known
            .parse()
            .map_or("0".to_owned(), |id: i64| (id - 1).to_string()),
    };
    message.set("id", Node::Raw(changed));
}

/// Changes the bytes of a frame. Over stdio it may become several lines.
pub(crate) fn bytes(frame: &mut Vec<u8>, random: &mut Random) {
    match random.below(10) {
        0 => frame.truncate(random.below(frame.len() + 1)),
        1 => {
            for _ in 0..1 + random.below(4) {
                let at = random.below(frame.len().max(1));
                if let Some(byte) = frame.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
        2 => frame.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
        3 => frame.push(b'\r'),
        4 => {
            let again = frame.clone();
            frame.extend(again);
        }
        5 => {
            frame.insert(0, b'[');
            let again = frame[1..].to_vec();
            for _ in 0..random.below(4) {
                frame.push(b',');
                frame.extend(&again);
            }
            frame.push(b']');
        }
        6 => {
            let at = random.below(frame.len() + 1);
            frame.splice(at..at, *b"\xff\xfe\xc3").for_each(drop);
        }
        7 => {
            let count = random.size(MOST_ITEMS);
            *frame = [
                b"[".to_vec(),
                vec![b"1,".to_vec(); count].concat(),
                b"1]".to_vec(),
            ]
            .concat();
        }
        8 => frame
            .splice(0..0, *b"Starting the server ...\n\n  ")
            .for_each(drop),
        _ => {
            let count = random.size(MOST_ITEMS);
            *frame = vec![b"{}".to_vec(); count].concat();
        }
    }
}
