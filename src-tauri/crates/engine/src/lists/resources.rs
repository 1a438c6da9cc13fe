//! `resources/list`.

use patchbay_client::{Notices, Status};
use patchbay_contract::{ResourceItem, ServerId};
use patchbay_protocol::{Rule, json, methods, views::ResourceView};

use super::primitive::{Context, Duplicate, Entry, Primitive, declares, row_description};
use crate::{convert, dispatch::nudges::Topic};

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
        rule: Rule::ListItemDuplicate,
        member: "uri",
        noun: "resource",
    };

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
/// The maximum size of an icon in a row, in bytes: a list may have thousands of rows.
const MAX_ICON: usize = 8192;

/// The first of `icons` that can be shown without a request.
fn row_icon(icons: &str) -> Option<String> {
    json::array(icons)?
        .into_iter()
        .filter_map(|icon| Some(json::Object::parse(icon).ok()?.string("src")?.into_owned()))
        .find(|src| src.starts_with("data:image/") && src.len() <= MAX_ICON)
}

#[cfg(test)]
mod tests {
    use super::row_icon;

    #[test]
    fn an_icon_of_a_row_is_small_and_needs_no_request() {
        let icons = |src: &str| {
            row_icon(&format!(
                r#"[7,{{"src":"https://a.example/i.png"}},{{"src":"{src}"}}]"#
            ))
        };
        assert_eq!(
            icons("data:image/png;base64,AA").as_deref(),
            Some("data:image/png;base64,AA")
        );
        assert_eq!(icons("data:text/html,<b>"), None);
        assert_eq!(icons("javascript:alert(1)"), None);
        assert_eq!(icons(&format!("data:image/png,{}", "A".repeat(9000))), None);
        assert_eq!(row_icon("{}"), None);
    }
}
