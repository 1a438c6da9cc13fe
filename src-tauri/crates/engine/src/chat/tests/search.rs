//! The search tool: when it is given in place of tools, what it finds, and what is given then.

use std::time::Instant;

use patchbay_contract::*;

use crate::chat::toolbox::{OfferedTool, Searches, Toolbox, limit};

pub(super) fn tool(server: &str, name: &str, description: &str, schema: &str) -> OfferedTool {
    let given_json = format!(r#"{{"name":"{name}","description":"{description}","inputSchema":{schema}}}"#);
    OfferedTool {
        view: ChatTool {
            server_id: ServerId(server.to_owned()),
            tool: name.to_owned(),
            alias: name.to_owned(),
            renamed: None,
            included: true,
            offered: true,
            blocked: None,
            description: Some(description.to_owned()),
            hints: ToolHints::default(),
            bytes: u32::try_from(given_json.len()).unwrap(),
            given_json,
        },
        server_name: server.to_owned(),
        input_schema: Some(schema.to_owned()),
    }
}

fn toolbox(count: u32) -> Toolbox {
    let numbered = |number| tool("many", &format!("tool_{number}"), "Does some work.", "{}");
    let mut tools: Vec<OfferedTool> = (0..count).map(numbered).collect();
    let city = r#"{"properties":{"city":{}}}"#;
    tools.push(tool("weather", "getForecast", "Tells whether it rains.", city));
    tools.push(tool("files", "read_file", "Reads a file of the forecast.", "{}"));
    Toolbox {
        servers: Vec::new(),
        tools,
        system_prompt: String::new(),
        search: None,
    }
}

fn settings(max_tools: u32, max_tool_tokens: Option<u32>) -> ChatSettings {
    ChatSettings {
        max_tools,
        max_tool_tokens,
        ..ChatSettings::default()
    }
}

fn found(toolbox: &Toolbox, query: &str) -> Vec<String> {
    let arguments = serde_json::json!({ "query": query }).to_string();
    let found = Searches::new(toolbox, &ChatSettings::default())
        .search(&arguments)
        .unwrap();
    found.tools.into_iter().map(|tool| tool.tool).collect()
}

fn reference(server: &str, tool: &str) -> ChatToolRef {
    ChatToolRef {
        server_id: ServerId(server.to_owned()),
        tool: tool.to_owned(),
    }
}

#[test]
fn words_of_names_count_most_and_those_of_arguments_too() {
    let all = toolbox(5_000);
    let begun = Instant::now();
    assert_eq!(found(&all, "forecast"), ["getForecast", "read_file"]);
    assert_eq!(found(&all, "FILE reading"), ["read_file"]);
    assert_eq!(found(&all, "city"), ["getForecast"]);
    assert_eq!(found(&all, "weather"), ["getForecast"], "the server is named so");
    assert_eq!(found(&all, "tool_4999")[..1], ["tool_4999"]);
    assert_eq!(found(&all, "work").len(), 10);
    assert_eq!(found(&all, "nothing like this").len(), 0);
    println!("seven searches of 5,002 tools: {:?}", begun.elapsed());
    let long = format!("{{\"query\":\"{}\"}}", "x".repeat(2_000));
    for (arguments, why) in [
        ("[]", "not a JSON object"),
        ("{\"query\":7}", "no string"),
        ("{\"query\":\" -_\"}", "no words"),
        (&*long, "1000 bytes"),
    ] {
        let mut searches = Searches::new(&all, &ChatSettings::default());
        let error = searches.search(arguments).unwrap_err();
        assert!(error.contains(why), "{arguments}: {error}");
    }
}

#[test]
fn all_are_given_up_to_the_limits_and_then_only_what_was_found() {
    let mut few = toolbox(126);
    limit(&mut few, &settings(128, None), &[]);
    assert!(few.search.is_none() && few.given().count() == 128);

    let mut many = toolbox(127);
    limit(&mut many, &settings(128, None), &[]);
    assert_eq!(many.definitions().len(), 1, "the search tool alone");
    assert!(
        many.definitions()[0].contains("129 tools exist"),
        "{:?}",
        many.definitions()
    );

    // The newest first, as many as there is room for beside the search tool; what is gone is skipped.
    let before = [
        reference("files", "read_file"),
        reference("files", "gone"),
        reference("many", "tool_1"),
        reference("files", "read_file"),
        reference("many", "tool_2"),
    ];
    let mut many = toolbox(127);
    limit(&mut many, &settings(3, None), &before);
    let given: Vec<&str> = many.given().map(|tool| &*tool.view.tool).collect();
    assert_eq!(given, ["tool_1", "read_file"]);
    assert!(many.find("tool_2").is_none() && many.find("read_file").is_some());

    // A tool that the user leaves out, or whose definition changed, is neither given nor found.
    let mut many = toolbox(127);
    many.tools[127].view.included = false;
    many.tools[128].view.blocked = Some("changed".to_owned());
    limit(&mut many, &settings(3, None), &before);
    assert_eq!(many.given().count(), 2);
    assert_eq!(found(&many, "forecast").len(), 0);
}

#[test]
fn tokens_are_a_limit_too_and_the_name_of_the_search_tool_is_free() {
    let mut many = toolbox(127);
    let taken = ChatAlias {
        server_id: ServerId("many".to_owned()),
        tool: "search".to_owned(),
        alias: "search_tools".to_owned(),
    };
    let settings = ChatSettings {
        aliases: vec![taken],
        ..settings(10_000, Some(1_000))
    };
    limit(&mut many, &settings, &[reference("files", "read_file")]);
    let search = many.search.as_ref().unwrap();
    assert_eq!(search.alias, "search_tools_2");
    assert!(
        search.because.contains("more than the 1000"),
        "{}",
        search.because
    );
    assert_eq!(many.definitions().len(), 2);
}

/// What a search says that can be called is given with the next request.
#[test]
fn a_search_finds_what_there_is_room_for() {
    let given = |toolbox: &mut Toolbox, settings: &ChatSettings, queries: &[&str]| {
        limit(toolbox, settings, &[]);
        let mut searches = Searches::new(toolbox, settings);
        let results: Vec<_> = queries
            .iter()
            .map(|query| {
                let arguments = serde_json::json!({ "query": query }).to_string();
                searches.search(&arguments).unwrap()
            })
            .collect();
        let texts: Vec<String> = results.iter().map(|found| found.result.clone()).collect();
        // The newest first.
        let found = results.into_iter().rev().flat_map(|found| found.tools);
        let found: Vec<ChatToolRef> = found.collect();
        limit(toolbox, settings, &found);
        assert_eq!(toolbox.given().count(), found.len(), "{texts:?}");
        texts
    };
    let few = settings(4, None);
    let texts = given(&mut toolbox(127), &few, &["forecast", "work", "work"]);
    assert!(
        texts[0].contains("2 of 129 tools match. These can be called now:"),
        "{texts:?}"
    );
    assert!(
        texts[1].contains("tool_0 (of many)") && !texts[1].contains("tool_1 "),
        "{texts:?}"
    );
    assert!(texts[2].contains("takes all the room"), "{texts:?}");

    let mut with_large = toolbox(127);
    with_large
        .tools
        .push(tool("maps", "draw_forecast", &"x".repeat(4_000), "{}"));
    let texts = given(
        &mut with_large,
        &settings(100, Some(1_000)),
        &["forecast", "draw"],
    );
    assert!(
        texts[0].contains("can be called now") && texts[0].contains("too little room for draw_forecast"),
        "{texts:?}"
    );
    assert!(!texts[1].contains("can be called now"), "{texts:?}");
}
