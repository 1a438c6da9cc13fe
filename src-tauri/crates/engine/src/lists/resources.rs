//! `resources/list`.

use patchbay_client::Notices;
use patchbay_contract::{ResourceItem, ServerId};
use patchbay_protocol::{methods, views::ResourceView};

use super::{Context, Entry, Listing, Lists, Primitive, declares, primitive::Duplicate, row_description};
use crate::{connections::ConnectionHandle, convert, nudges::Topic};

/// Resources.
#[derive(Debug)]
pub(crate) struct Resources;

impl Primitive for Resources {
    type Item = ResourceItem;

    const COMMAND: &'static str = "resource_list";
    const METHOD: &'static str = methods::RESOURCES_LIST;
    const MEMBER: &'static str = "resources";
    const NOUN: &'static str = "resources";
    const DUPLICATE: Duplicate = Duplicate {
        rule: None,
        member: "uri",
        noun: "resource",
    };

    fn is_declared(live: &ConnectionHandle) -> bool {
        declares(live, "resources")
    }

    fn of(lists: &Lists) -> &Listing<Self> {
        &lists.resources
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
                violations: convert::violations(&view.violations),
            },
            violations: |item| &mut item.violations,
        }
    }

    fn description(raw: &str) -> Option<String> {
        ResourceView::parse(raw).description.map(Into::into)
    }
}
