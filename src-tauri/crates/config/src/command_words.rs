//! A command line as the words that a shell would pass. Backslashes of Windows paths stay: such lines are as common as escaped ones.

/// Operators that need a shell. Command lines are run without one.
const SHELL_SIGNS: &[&str] = &["|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "&>"];

/// A word of a command line.
#[derive(Debug, Default)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Whether a part of it was quoted or escaped. Such a word is not an operator of a shell.
    is_quoted: bool,
}

impl Word {
    /// Whether it is an operator of a shell.
    pub(crate) fn is_sign(&self) -> bool {
        !self.is_quoted && SHELL_SIGNS.contains(&self.text.as_str())
    }
}

/// Splits a command line into the program and its arguments, like a shell. None if it is empty or a quotation mark is not
/// closed.
#[must_use]
pub fn command_words(line: &str) -> Option<(String, Vec<String>)> {
    let mut words = split(line)?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    Some((program, words.collect()))
}

/// Splits a text of any number of lines. None if a quotation mark is not closed.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    let mut rest = text;
    loop {
        let (words, end) = line(rest)?;
        all.extend(words.into_iter().map(|word| word.text));
        match rest.get(end + 1..) {
            Some(more) => rest = more,
            None => return Some(all),
        }
    }
}

/// Reads the first line, which a backslash at its end and a line break within quotation marks continue. Its words, and where it
/// ends. None if a quotation mark is not closed.
pub(crate) fn line(text: &str) -> Option<(Vec<Word>, usize)> {
    let mut words: Vec<Word> = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote = None;
    let mut is_path = false;
    // Whether a path may begin here: at the beginning of a word or after `=`, also behind quotation marks.
    let mut may_begin = true;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if quote.is_none() {
            match c {
                '\n' => {
                    words.extend(word);
                    return Some((words, at));
                }
                '\\' if next == Some('\n') && !is_path => {
                    chars.next();
                    words.extend(word.take());
                    continue;
                }
                c if c.is_whitespace() => {
                    words.extend(word.take());
                    is_path = false;
                    continue;
                }
                '#' if word.is_none() => {
                    while chars.next_if(|(_, c)| *c != '\n').is_some() {}
                    continue;
                }
                _ => {}
            }
        }
        may_begin |= word.is_none();
        let word = word.get_or_insert_default();
        let is_mark = matches!(c, '"' | '\'');
        if may_begin && !is_mark {
            is_path |= is_windows_path(&text[at..]);
        }
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.is_quoted = true;
            }
            (Some('"'), '\\') if next == Some('\n') => {
                chars.next();
            }
            (None | Some('"'), '\\') if !is_path && next.is_some_and(|next| is_escaped(quote, next)) => {
                word.is_quoted = true;
                word.text.extend(chars.next().map(|(_, c)| c));
            }
            (_, c) => word.text.push(c),
        }
        may_begin = may_begin && is_mark || word.text.is_empty() || word.text.ends_with('=');
    }
    words.extend(word);
    quote.is_none().then_some((words, text.len()))
}

/// Whether a backslash before this character is an escape: in a shell it always is, but before these ones it also separates the
/// parts of a path on Windows.
fn is_escaped(quote: Option<char>, next: char) -> bool {
    match quote {
        None => next.is_whitespace() || next.is_ascii_punctuation() && !"._-@%~".contains(next),
        Some(_) => matches!(next, '"' | '\\' | '$' | '`'),
    }
}

/// `C:\folder` or `\\host\share`. No file has a quotation mark in its name there.
fn is_windows_path(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '?');
    if let Some((host, share)) = text.strip_prefix(r"\\").and_then(|rest| rest.split_once('\\')) {
        return !host.is_empty() && host.chars().all(is_name) && share.starts_with(is_name);
    }
    let mut chars = text.chars();
    let drive = (chars.next(), chars.next(), chars.next(), chars.next());
    match drive {
        // `C:\\folder` has its backslashes escaped.
        (Some(drive), Some(':'), Some('\\'), next) => drive.is_ascii_alphabetic() && next != Some('\\'),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
