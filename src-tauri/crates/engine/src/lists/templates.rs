//! `resources/templates/list`. The server announces its changes as those of the resources.

use patchbay_client::{Notices, Status};
use patchbay_contract::{ListKind, ResourceTemplateItem, ServerId};
use patchbay_protocol::{Rule, methods, views::ResourceTemplateView};

use super::primitive::{Context, Duplicate, Entry, Primitive, declares, row_description};
use crate::{convert, dispatch::nudges::Topic};

/// Resource templates.
#[derive(Debug, Clone)]
pub(crate) struct ResourceTemplates;

impl Primitive for ResourceTemplates {
    type Item = ResourceTemplateItem;

    const COMMAND: &'static str = "resource_template_list";
    const METHOD: &'static str = methods::RESOURCES_TEMPLATES_LIST;
    const MEMBER: &'static str = "resourceTemplates";
    const NOUN: &'static str = "resource templates";
    const DUPLICATE: Duplicate = Duplicate {
        rule: Rule::ListItemDuplicate,
        member: "uriTemplate",
        noun: "resource template",
    };

    const COMPARED: Option<ListKind> = Some(ListKind::ResourceTemplates);

    fn is_declared(status: &Status) -> bool {
        declares(status, "resources")
    }

    fn changes(notices: &Notices) -> u64 {
        notices.resources_changed
    }

    fn topic(server: ServerId) -> Option<Topic> {
        Some(Topic::ResourceTemplates(server))
    }

    fn row(raw: &str, index: u32, _: Context) -> Entry<ResourceTemplateItem> {
        let view = ResourceTemplateView::parse(raw);
        Entry {
            identity: view.uri_template.to_string(),
            item: ResourceTemplateItem {
                index,
                uri_template: view.uri_template.into_owned(),
                name: view.name.into_owned(),
                title: view.title.map(Into::into),
                description: row_description(view.description.as_deref()),
                mime_type: view.mime_type.map(Into::into),
                violations: convert::violations(&view.violations),
            },
            violations: |item| &mut item.violations,
        }
    }

    fn description(raw: &str) -> Option<String> {
        ResourceTemplateView::parse(raw).description.map(Into::into)
    }
}
