//! The contract's TypeScript is current, and its names and types follow the conventions.

use std::fs;

use crate::source::tree;

const GENERATED: &str = "ui/src/contract/generated";

#[test]
fn the_generated_typescript_is_fresh() {
    let folder = tree::root().join(GENERATED);
    let fresh = patchbay_contract::export::typescript();
    let mut complaints: Vec<String> = fresh
        .iter()
        .filter_map(|(name, fresh)| {
            let committed = fs::read_to_string(folder.join(name)).unwrap_or_default();
            let same = |(fresh, committed)| fresh == committed;
            let line = fresh.lines().zip(committed.lines()).take_while(|pair| same(*pair)).count() + 1;
            (*fresh != committed).then(|| {
                format!("{GENERATED}/{name} is stale from line {line} on: run `cargo xtask contract` and commit it")
            })
        })
        .collect();
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !fresh.contains_key(&name) {
            complaints.push(format!("{GENERATED}/{name} is not generated: remove it"));
        }
    }
    tree::none(&complaints);
}

macro_rules! names {
    (calls { $($(#[$call_doc:meta])* $call:ident($call_in:ident) -> $call_out:ident;)* }
     streams { $($(#[$stream_doc:meta])* $stream:ident($stream_in:ident) -> $stream_out:ident;)* }) => {
        &[$((stringify!($call), stringify!($call_in), stringify!($call_out)),)*
          $((stringify!($stream), stringify!($stream_in), stringify!($stream_out)),)*]
    };
}

/// Every command: its name, the type of its parameters, the type of its response or event.
const COMMANDS: &[(&str, &str, &str)] = patchbay_contract::commands!(names);

#[test]
fn every_command_is_named_noun_verb() {
    let complaints: Vec<String> = COMMANDS
        .iter()
        .filter_map(|(name, params, _)| {
            let camel: String = name
                .split('_')
                .map(|word| {
                    word.chars()
                        .take(1)
                        .flat_map(char::to_uppercase)
                        .chain(word.chars().skip(1))
                        .collect::<String>()
                })
                .collect();
            if name.split('_').count() < 2 {
                return Some(format!("`{name}`: call it <noun>_<verb>"));
            }
            // All lists share the same parameters.
            let shared = *params == "ListParams" && name.ends_with("_list");
            (*params != format!("{camel}Params") && !shared)
                .then(|| format!("`{name}` takes `{params}`: call it `{camel}Params`"))
        })
        .collect();
    tree::none(&complaints);
}

#[test]
fn command_names_are_unique() {
    let mut names: Vec<&str> = COMMANDS.iter().map(|(name, _, _)| *name).collect();
    names.sort_unstable();
    let repeated: Vec<String> = names
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| format!("`{}` occurs twice", pair[0]))
        .collect();
    tree::none(&repeated);
}

/// JavaScript has no 64-bit integers: sizes and times are `f64`, Seqs are strings.
#[test]
fn the_contract_has_no_64_bit_integers_and_no_any() {
    let mut complaints = Vec::new();
    for file in tree::files()
        .iter()
        .filter(|file| file.starts_with("src-tauri/crates/contract/src/"))
    {
        for (at, line) in tree::text(file).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for word in words.filter(|word| {
                matches!(
                    *word,
                    "u64" | "i64" | "u128" | "i128" | "usize" | "isize" | "Value" | "RawValue"
                )
            }) {
                complaints.push(format!(
                    "{file}:{}: `{word}` is not allowed; use u32, f64, a String or JSON as text",
                    at + 1
                ));
            }
        }
    }
    for (name, text) in patchbay_contract::export::typescript() {
        for (at, line) in text.lines().enumerate() {
            if line.contains(": any") || line.contains("bigint") {
                complaints.push(format!("{GENERATED}/{name}:{}: `{}`", at + 1, line.trim()));
            }
        }
    }
    tree::none(&complaints);
}
