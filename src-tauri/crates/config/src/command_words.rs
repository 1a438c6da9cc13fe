//! A command line as the words that a shell would pass.

/// Splits a command line into the program and its arguments, like a shell. None if it is empty or a quotation mark is not
/// closed.
#[must_use]
pub fn command_words(line: &str) -> Option<(String, Vec<String>)> {
    let mut words = shlex::split(line)?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    Some((program, words.collect()))
}
