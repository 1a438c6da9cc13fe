//! What the names of groups may be.

/// The most groups of one server.
pub(crate) const MOST_OF_SERVER: usize = 50;
/// The most groups.
pub(crate) const MOST: usize = 200;
/// The longest name, in characters.
const LONGEST: usize = 100;

/// The name of a group as stored; the error is a sentence.
pub(crate) fn named(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.is_empty() {
        return Err("The group needs a name.".to_owned());
    }
    if name.chars().count() > LONGEST || name.contains(char::is_control) {
        return Err(format!(
            "The name of a group has at most {LONGEST} characters and no line breaks."
        ));
    }
    Ok(name.to_owned())
}

/// The groups of a server as stored, each once; the error is a sentence.
pub(crate) fn groups_of(names: Vec<String>) -> Result<Vec<String>, String> {
    match names.len() > MOST_OF_SERVER {
        true => Err(format!("A server is in at most {MOST_OF_SERVER} groups.")),
        false => once(names),
    }
}

/// The list of all groups as stored, each once; the error is a sentence.
pub(crate) fn listed(names: Vec<String>) -> Result<Vec<String>, String> {
    match names.len() > MOST {
        true => Err(format!("There can be at most {MOST} groups.")),
        false => once(names),
    }
}

fn once(names: Vec<String>) -> Result<Vec<String>, String> {
    let mut groups: Vec<String> = Vec::new();
    for name in names {
        let name = named(&name)?;
        if !groups.iter().any(|known| is_same(known, &name)) {
            groups.push(name);
        }
    }
    Ok(groups)
}

/// Whether two names are of the same group.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}
