//! Groups of servers: the changes of the list of groups.
//!
//! A server says which groups it is in, so that no group can name a server that is gone. The file has the list of names too,
//! for their order and for groups without a server.

use patchbay_contract::{CommandError, ErrorCode, ServerId};

use super::document::Document;
use crate::group_names::{MOST, MOST_OF_SERVER, is_same, named};

/// Writes the groups of a server with the names they have already, or says that there are too many.
pub(super) fn adopt(document: &Document, groups: &mut [String]) -> Result<(), CommandError> {
    let mut known = document.groups();
    for name in groups.iter_mut() {
        match known.iter().find(|known| is_same(known, name)) {
            Some(known) => name.clone_from(known),
            None => known.push(name.clone()),
        }
    }
    match known.len() > MOST {
        true => Err(invalid(format!(
            "There can be at most {MOST} groups. Remove one first."
        ))),
        false => Ok(()),
    }
}

/// Adds a group, or renames the one that is named and sets its servers.
pub(super) fn save(
    document: &mut Document,
    group: Option<&str>,
    name: &str,
    servers: &[ServerId],
) -> Result<(), CommandError> {
    let name = named(name).map_err(invalid)?;
    let mut all = document.groups();
    let at = group.map(|group| position(&all, group)).transpose()?;
    let other = |(index, known): (usize, &String)| Some(index) != at && is_same(known, &name);
    if all.iter().enumerate().any(other) {
        return Err(invalid(format!(
            "There is a group named \"{name}\" already. Choose another name, or edit that group."
        )));
    }
    if let Some(gone) = servers
        .iter()
        .find(|id| document.servers().all(|server| server.id != **id))
    {
        return Err(super::unknown(gone));
    }
    let before = at.map(|at| all[at].clone());
    match at {
        Some(at) => all[at].clone_from(&name),
        None if all.len() == MOST => {
            return Err(invalid(format!(
                "There can be at most {MOST} groups. Remove one first."
            )));
        }
        None => all.push(name.clone()),
    }
    for server in document.servers_mut() {
        let place = before.as_ref().and_then(|before| {
            server
                .draft
                .groups
                .iter()
                .position(|known| is_same(known, before))
        });
        match (place, servers.contains(&server.id)) {
            (Some(place), true) => server.draft.groups[place].clone_from(&name),
            (Some(place), false) => drop(server.draft.groups.remove(place)),
            (None, true) if server.draft.groups.len() == MOST_OF_SERVER => {
                return Err(invalid(format!(
                    "\"{}\" is in {MOST_OF_SERVER} groups already, which is the most.",
                    server.draft.name
                )));
            }
            (None, true) => server.draft.groups.push(name.clone()),
            (None, false) => {}
        }
    }
    document.set_groups(all);
    Ok(())
}

/// Removes a group. Its servers stay.
pub(super) fn remove(document: &mut Document, group: &str) -> Result<(), CommandError> {
    let mut all = document.groups();
    let removed = all.remove(position(&all, group)?);
    for server in document.servers_mut() {
        server.draft.groups.retain(|known| !is_same(known, &removed));
    }
    document.set_groups(all);
    Ok(())
}

/// Sets the order of the groups. Each must be named exactly once.
pub(super) fn reorder(document: &mut Document, groups: &[String]) -> Result<(), CommandError> {
    let (mut named, mut present) = (groups.to_vec(), document.groups());
    named.sort();
    present.sort();
    if named != present {
        return Err(invalid(
            "The new order must name every group exactly once. List them again.".to_owned(),
        ));
    }
    document.set_groups(groups.to_vec());
    Ok(())
}

fn position(all: &[String], group: &str) -> Result<usize, CommandError> {
    all.iter().position(|known| known == group).ok_or_else(|| {
        let words = format!("There is no group named \"{group}\" any more. List the servers again.");
        CommandError::new(ErrorCode::NotFound, words)
    })
}

fn invalid(why: String) -> CommandError {
    CommandError::new(ErrorCode::InvalidParams, why)
}
