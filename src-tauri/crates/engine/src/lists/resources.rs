//! `resources/list`.

use patchbay_client::{Notices, Status};
use patchbay_contract::{ListKind, ResourceItem, ServerId};
use patchbay_protocol::{Rule, methods, views::ResourceView};

use super::primitive::{Context, Duplicate, Entry, Primitive, declares, row_description, row_icon};
use crate::{connections::ConnectionHandle, convert, dispatch::nudges::Topic};

/// Resources.
#[derive(Debug, Clone)]
pub(crate) struct Resources;

impl Primitive for Resources {
    type Item = ResourceItem;

    const COMMAND: &'static str = "resource_list";
    const METHOD: &'static str = methods::RESOURCES_LIST;
    const MEMBER: &'static str = "resources";
    const NOUN: &'static str = "resources";
    const DUPLICATE: Duplicate = Duplicate {
        rule: Rule::ListItemDuplicate,
        member: "uri",
        noun: "resource",
    };

    const COMPARED: Option<ListKind> = Some(ListKind::Resources);

    fn is_declared(status: &Status) -> bool {
        declares(status, "resources")
    }

    fn changes(notices: &Notices) -> u64 {
        notices.resources_changed
    }

    fn topic(server: ServerId) -> Option<Topic> {
        Some(Topic::Resources(server))
    }

    fn row(raw: &str, index: u32, _: Context) -> Entry<ResourceItem> {
        let view = ResourceView::parse(raw);
        Entry {
            identity: view.uri.to_string(),
            item: ResourceItem {
                index,
                uri: view.uri.into_owned(),
                name: view.name.into_owned(),
                title: view.title.map(Into::into),
                description: row_description(view.description.as_deref()),
                mime_type: view.mime_type.map(Into::into),
                size: view.size,
                audience: view
                    .annotations
                    .audience
                    .into_iter()
                    .take(MAX_AUDIENCE)
                    .map(Into::into)
                    .collect(),
                priority: view.annotations.priority,
                last_modified: view.annotations.last_modified.map(Into::into),
                icon: view.icons.and_then(row_icon),
                violations: convert::violations(&view.violations),
            },
            violations: |item| &mut item.violations,
        }
    }

    fn description(raw: &str) -> Option<String> {
        ResourceView::parse(raw).description.map(Into::into)
    }
}

/// The maximum number of `audience` entries in a row.
const MAX_AUDIENCE: usize = 10;

/// The definition of a resource, if it was listed.
pub(crate) fn definition_of(live: &ConnectionHandle, uri: &str) -> Option<String> {
    let list = live.lists.get::<Resources>().current()?;
    let row = list.rows().iter().find(|row| row.item.uri == uri)?;
    Some(list.definition(row).into_owned())
}
