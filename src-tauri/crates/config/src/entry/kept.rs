//! Keeps what the user wrote: a member that was not changed since it was read is written as it was, also one that is not
//! understood, such as that of a newer version or one with a slip.

use patchbay_contract::{ServerDraft, SimulatorSettings};

use super::{For, ID, INHERIT, Members, PROGRAM, http, write, write_simulator, written};

/// What is said of a server in its entry, besides its id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Content<'a> {
    pub(crate) draft: &'a ServerDraft,
    pub(crate) simulator: &'a SimulatorSettings,
    pub(crate) demo: bool,
}

impl Content<'_> {
    fn write(self, members: &Members, id: &str) -> serde_json::Result<Members> {
        let mut members = members.clone();
        write(&mut members, For::Us(id), self.demo, self.draft)?;
        write_simulator(&mut members, self.simulator)?;
        Ok(members)
    }
}

/// The entry for ourselves: `now` in `original`, which was read as `read`.
pub(crate) fn write_changed(
    original: &Members,
    id: &str,
    read: Content<'_>,
    now: Content<'_>,
) -> serde_json::Result<Members> {
    let (before, after) = (read.write(original, id)?, now.write(original, id)?);
    // The command and its arguments, or the address and its headers, may be one member in one format and two in another.
    let same_transport = !original.is_empty() && read.draft.transport == now.draft.transport;
    let is_kept = |name: &str| match is_of_transport(name) {
        true => same_transport,
        // Which environment a program gets is always said in our words.
        false => ![ID, INHERIT].contains(&name) && written(&before, name) == written(&after, name),
    };
    let mut kept = Members::new();
    for (name, raw) in original {
        let raw = if is_kept(name) { Some(raw) } else { after.get(name) };
        kept.extend(raw.map(|raw| (name.clone(), raw.clone())));
    }
    for (name, raw) in after {
        let is_said = original.contains_key(&name) || (same_transport && is_of_transport(&name));
        if !is_said {
            kept.insert(name, raw);
        }
    }
    Ok(kept)
}

fn is_of_transport(name: &str) -> bool {
    PROGRAM.contains(&name) || name == "path" || http::is_member(name)
}
