//! `prompts/list`.

use patchbay_client::{Notices, Status};
use patchbay_contract::{ListKind, PromptArgumentItem, PromptItem, ServerId};
use patchbay_protocol::{Rule, methods, views::PromptView};

use super::primitive::{Context, Duplicate, Entry, Primitive, declares, row_description, row_icon};
use crate::{convert, dispatch::nudges::Topic};

/// The maximum number of arguments in a row; the definition has all.
const MOST_ARGUMENTS: usize = 100;

/// Prompts.
#[derive(Debug, Clone)]
pub(crate) struct Prompts;

impl Primitive for Prompts {
    type Item = PromptItem;

    const COMMAND: &'static str = "prompt_list";
    const METHOD: &'static str = methods::PROMPTS_LIST;
    const MEMBER: &'static str = "prompts";
    const NOUN: &'static str = "prompts";
    const DUPLICATE: Duplicate = Duplicate {
        rule: Rule::ListItemDuplicate,
        member: "name",
        noun: "prompt",
    };

    const COMPARED: Option<ListKind> = Some(ListKind::Prompts);

    fn is_declared(status: &Status) -> bool {
        declares(status, "prompts")
    }

    fn changes(notices: &Notices) -> u64 {
        notices.prompts_changed
    }

    fn topic(server: ServerId) -> Option<Topic> {
        Some(Topic::Prompts(server))
    }

    fn row(raw: &str, index: u32, _: Context) -> Entry<PromptItem> {
        let view = PromptView::parse(raw);
        let arguments = view.arguments.into_iter().take(MOST_ARGUMENTS);
        Entry {
            identity: view.name.to_string(),
            item: PromptItem {
                index,
                name: view.name.into_owned(),
                title: view.title.map(Into::into),
                description: row_description(view.description.as_deref()),
                arguments: arguments
                    .map(|argument| PromptArgumentItem {
                        name: argument.name.into_owned(),
                        title: argument.title.map(Into::into),
                        description: row_description(argument.description.as_deref()),
                        required: argument.required,
                    })
                    .collect(),
                icon: view.icons.and_then(row_icon),
                violations: convert::violations(&view.violations),
            },
            violations: |item| &mut item.violations,
        }
    }

    fn description(raw: &str) -> Option<String> {
        PromptView::parse(raw).description.map(Into::into)
    }
}
