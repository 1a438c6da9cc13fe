//! Indents JSON, or removes all indentation, without changing a token.

/// Deeper levels are not indented further, so that the output of deeply nested input stays linear in size.
const DEEPEST_INDENT: usize = 64;

/// Appends `text` to `out`, one member or element per line, indented by two spaces. Only white space between tokens
/// changes. Invalid JSON is copied as far as possible: only white space is lost.
pub fn pretty(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    out.reserve(text.len() + text.len() / 4);
    let mut depth: usize = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'"' => {
                at = string_end(bytes, at);
                out.push_str(text.get(start..at).unwrap_or_default());
            }
            b'{' | b'[' => {
                at += 1;
                let next = skip_space(bytes, at);
                out.push(char::from(byte));
                if bytes.get(next) == Some(&closing(byte)) {
                    out.push(char::from(closing(byte)));
                    at = next + 1;
                } else {
                    depth += 1;
                    break_line(depth, out);
                    at = next;
                }
            }
            b'}' | b']' => {
                at += 1;
                depth = depth.saturating_sub(1);
                break_line(depth, out);
                out.push(char::from(byte));
            }
            b',' => {
                at = skip_space(bytes, at + 1);
                out.push(',');
                break_line(depth, out);
            }
            b':' => {
                at += 1;
                out.push_str(": ");
            }
            _ => {
                while bytes
                    .get(at)
                    .is_some_and(|byte| !b" \t\r\n\"{}[],:".contains(byte))
                {
                    at += 1;
                }
                out.push_str(text.get(start..at).unwrap_or_default());
            }
        }
    }
}

/// Appends `text` to `out` without white space between tokens. Tokens are unchanged.
pub fn compact(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at = skip_space(bytes, at);
                continue;
            }
            b'"' => string_end(bytes, at),
            _ => {
                let rest = bytes.get(at..).unwrap_or_default();
                at + rest
                    .iter()
                    .position(|byte| b" \t\r\n\"".contains(byte))
                    .unwrap_or(rest.len())
            }
        };
        out.push_str(text.get(start..at).unwrap_or_default());
    }
}

fn closing(open: u8) -> u8 {
    if open == b'{' { b'}' } else { b']' }
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The position after the closing quote of the string at `at`, or the end of the text.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        let Some(rest) = bytes.get(at..) else {
            return bytes.len();
        };
        match memchr::memchr2(b'"', b'\\', rest) {
            None => return bytes.len(),
            Some(next) if rest.get(next) == Some(&b'"') => return at + next + 1,
            Some(next) => at = at + next + 2,
        }
    }
}

fn break_line(depth: usize, out: &mut String) {
    const SPACES: &str = "\n                                                                                                                                ";
    out.push_str(SPACES.get(..=2 * depth.min(DEEPEST_INDENT)).unwrap_or(SPACES));
}
