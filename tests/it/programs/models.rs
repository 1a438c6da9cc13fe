//! `--on-sampling model:NAME`: the demo server asks, the scripted model provider answers.

use crate::{
    http::server::Server,
    programs::{Ended, Patchbay, ours, quoted},
};

/// Calls the demo server's `ask_model` with a provider in a data folder.
fn ask(provider: &Server, era: &str, name: &str) -> Ended {
    let patchbay = Patchbay::new();
    let data = patchbay.folder().join("all");
    std::fs::create_dir(&data).unwrap();
    let base = provider.url.replace("/v1", "/open/v1");
    let providers = format!(
        r#"{{"providers":[{{"id":"p","name":"Local","api":"chatCompletions","baseUrl":"{base}","defaultModel":"talk"}}]}}"#
    );
    std::fs::write(data.join("providers.json"), providers).unwrap();
    let demo = format!("{} demo-server", quoted(&ours("patchbay")));
    let folder = data.display().to_string();
    let name = format!("model:{name}");
    let args = [
        "--data-dir",
        &folder,
        "tools",
        "call",
        "--stdio",
        &demo,
        "--era",
        era,
    ];
    patchbay.run(&[&args[..], &["--on-sampling", &name, "ask_model", "{}"]].concat())
}

#[test]
fn a_model_answers_sampling_in_both_eras() {
    let provider = Server::of("models", "any");
    for era in ["legacy", "modern"] {
        for (name, answer) in [
            ("Local", "Hello, wörld"),
            ("Local/short", "short-2026"),
            ("think", "Thought."),
        ] {
            let ended = ask(&provider, era, name).code(0);
            assert!(ended.stdout.contains(answer), "{era} {name}: {}", ended.stdout);
        }
    }
    let seen = provider.seen();
    assert_eq!(seen.len(), 6);
    assert!(
        seen[0].contains(r#"{"role":"system","content":"Answer in one sentence."}"#),
        "{seen:?}"
    );
}

#[test]
fn a_model_that_does_not_answer_is_an_error_for_the_server() {
    let provider = Server::of("models", "any");
    let ended = ask(&provider, "legacy", "Local/529");
    assert!(ended.stderr.contains("overloaded (status 529)"), "{ended:?}");
    assert!(ended.stdout.contains("the model did not answer"), "{ended:?}");
    assert!(
        !ended.stdout.contains("529"),
        "the server does not learn why: {ended:?}"
    );
    let ended = ask(&provider, "legacy", "").code(1);
    assert!(ended.stderr.contains("model:NAME"), "{ended:?}");
    let seen = provider.seen().len();
    let unknown = Patchbay::new();
    let demo = format!("{} demo-server", quoted(&ours("patchbay")));
    let args = [
        "tools",
        "call",
        "--stdio",
        &demo,
        "--on-sampling",
        "model:nobody",
        "ask_model",
        "{}",
    ];
    let ended = unknown.run(&args).code(1);
    assert!(
        ended.stderr.contains("No model provider is configured"),
        "{ended:?}"
    );
    assert_eq!(provider.seen().len(), seen);
}
