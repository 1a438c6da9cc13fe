//! `completion/complete`: arguments of prompts and variables of templates, with the other values as context.

use std::sync::LazyLock;

use patchbay_protocol::json::Object;

use super::{prompts, resources};
use crate::answer::{Answer, Failure, object, strings};

/// The maximum number of values in a response.
const MOST: usize = 100;

/// `completion/complete`
pub(crate) fn complete(params: Option<&str>) -> Result<Answer, Failure> {
    let params = params.and_then(|text| Object::parse(text).ok());
    let member = |name: &str| {
        params
            .as_ref()
            .and_then(|params| Object::parse(params.get(name)?).ok())
    };
    let of = member("ref").ok_or_else(|| Failure::params("`ref` is missing"))?;
    let argument = member("argument").ok_or_else(|| Failure::params("`argument` is missing"))?;
    let name = argument
        .string("name")
        .ok_or_else(|| Failure::params("`argument.name` is missing"))?;
    let typed = argument.string("value").unwrap_or_default().to_lowercase();
    let context = member("context").and_then(|context| Object::parse(context.get("arguments")?).ok());
    let chosen = |name: &str| {
        context
            .as_ref()
            .and_then(|chosen| chosen.string(name))
            .unwrap_or_default()
    };
    let values = match of.string("type").as_deref() {
        Some("ref/prompt") => {
            let prompt = of.string("name").unwrap_or_default();
            prompts::values(&prompt, &name, &chosen("language"))
                .ok_or_else(|| Failure::params(format!("Unknown prompt: {prompt}")))?
        }
        Some("ref/resource") if of.string("uri").as_deref() == Some(resources::CITY_TEMPLATE) => match &*name
        {
            "country" => COUNTRIES,
            "name" => cities(&chosen("country")),
            _ => &[],
        },
        Some("ref/resource") => &[],
        _ => return Err(Failure::params("`ref.type` must be ref/prompt or ref/resource")),
    };
    let fitting: Vec<&str> = values
        .iter()
        .copied()
        .filter(|one| one.to_lowercase().starts_with(&typed))
        .collect();
    let shown = fitting.get(..MOST).unwrap_or(&fitting);
    Ok(Answer::new().with(
        "completion",
        object(&[
            ("values", strings(shown)),
            ("total", fitting.len().to_string()),
            ("hasMore", (fitting.len() > shown.len()).to_string()),
        ]),
    ))
}

const COUNTRIES: &[&str] = &["France", "Germany", "Japan"];

fn cities(country: &str) -> &'static [&'static str] {
    match country {
        "France" => &["Lyon", "Nantes", "Paris"],
        "Germany" => &["Berlin", "Bremen", "Hamburg"],
        "Japan" => &["Kyoto", "Osaka", "Tokyo"],
        _ => &[
            "Berlin", "Bremen", "Hamburg", "Kyoto", "Lyon", "Nantes", "Osaka", "Paris", "Tokyo",
        ],
    }
}

/// The frameworks of a language; all of them if it is not chosen yet.
pub(crate) fn frameworks(language: &str) -> &'static [&'static str] {
    match language {
        "python" => &["django", "fastapi", "flask"],
        "rust" => &["axum", "bevy", "tauri"],
        "javascript" | "typescript" => &["react", "svelte", "vue"],
        "" => &[
            "axum", "bevy", "django", "fastapi", "flask", "react", "svelte", "tauri", "vue",
        ],
        _ => &[],
    }
}

/// 1 to 1,000: more than a response may hold.
pub(crate) fn numbers() -> &'static [&'static str] {
    static NUMBERS: LazyLock<Vec<String>> = LazyLock::new(|| (1..=1000).map(|one| one.to_string()).collect());
    static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| NUMBERS.iter().map(String::as_str).collect());
    &WORDS
}
