use clap::{CommandFactory as _, Parser as _};
use patchbay_contract::AssertionFrom;
use patchbay_engine::{ElicitationRule, SamplingRule};

use super::{
    Cli, Command, Limit, OnSampling, OneShot, Tools, Traffic,
    inputs::{Capability, OnElicitation},
};

fn parse(line: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(line.split(' '))
}

#[test]
fn the_definition_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn options_can_precede_and_follow_the_arguments() {
    for line in [
        "patchbay tools call --stdio x get-sum {\"a\":1} --timeout 1.5 --env A=b=c --task --json",
        "patchbay --json tools call --task get-sum --timeout 1.5 --env A=b=c --stdio x {\"a\":1}",
    ] {
        let cli = parse(line).unwrap();
        let Command::OneShot(OneShot::Tools(Tools::Call {
            server,
            name,
            arguments,
            task,
        })) = cli.command
        else {
            panic!("a tool call: {line}");
        };
        assert!(cli.json && task);
        assert_eq!((name.as_str(), arguments.as_str()), ("get-sum", "{\"a\":1}"));
        assert_eq!(server.timeout, Some(1500));
        assert_eq!(server.env, [("A".to_owned(), "b=c".to_owned())]);
    }
}

#[test]
fn wrong_usage_is_refused() {
    for line in [
        "patchbay",
        "patchbay tools list",
        "patchbay tools list --stdio x --server y",
        "patchbay tools list --stdio x --timeout 601",
        "patchbay tools list --stdio x --timeout 0",
        "patchbay tools list --stdio x --timeout soon",
        "patchbay tools list --stdio x --env A",
        "patchbay tools list --stdio x --era old",
        "patchbay request --stdio x",
        "patchbay no-such-command",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}

#[test]
fn quota_options_are_numbers_with_units() {
    let quota = |line: &str| match parse(line).map(|cli| cli.command) {
        Ok(Command::Traffic(Traffic::Quota(args))) => Some((args.max_size, args.max_age)),
        _ => None,
    };
    let given = |size, age| Some((Some(size), Some(age)));
    assert_eq!(
        quota("patchbay traffic quota --max-size 2GB --max-age 1.5h"),
        given(Limit::At(2e9), Limit::At(5_400e3))
    );
    assert_eq!(
        quota("patchbay traffic quota --max-size none --max-age 30D"),
        given(Limit::None, Limit::At(30.0 * 86_400e3))
    );
    assert_eq!(quota("patchbay traffic quota"), Some((None, None)));
    for line in [
        "patchbay traffic quota --max-size 5",
        "patchbay traffic quota --max-size GB",
        "patchbay traffic quota --max-size 2h",
        "patchbay traffic quota --max-age -1d",
        "patchbay traffic quota --max-age 1..2h",
    ] {
        assert_eq!(quota(line), None, "{line}");
    }
}

#[test]
fn headers_require_an_address() {
    for (line, fits) in [
        ("patchbay tools list --stdio x --header A:b", false),
        ("patchbay tools list --server x --header A:b", true),
        ("patchbay tools list --stdio x --transport sse", false),
        ("patchbay tools list --stdio x --proxy none", false),
        (
            "patchbay tools list --url http://x --transport streamable-http",
            true,
        ),
        ("patchbay tools list --url http://x --env A=b", false),
        ("patchbay tools list --url http://x --header A:b", true),
        ("patchbay tools list --stdio x", true),
    ] {
        let Command::OneShot(OneShot::Tools(Tools::List { server })) = parse(line).unwrap().command else {
            panic!("a list: {line}");
        };
        assert_eq!(server.check().is_ok(), fits, "{line}");
    }
}

#[test]
fn input_options_become_responders() {
    let given = |line: &str| {
        let Command::OneShot(OneShot::Tools(Tools::List { server })) = parse(line).unwrap().command else {
            panic!("a list: {line}");
        };
        server.inputs
    };
    let nothing = given("patchbay tools list --url http://x");
    assert!(nothing.on_elicitation.is_none() && nothing.on_sampling.is_none() && nothing.root.is_empty());
    let rules = given(
        "patchbay tools list --url http://x --on-elicitation accept-defaults --on-sampling hello --root /",
    );
    assert_eq!(
        rules.on_elicitation,
        Some(OnElicitation::Rule(ElicitationRule::AcceptDefaults))
    );
    assert_eq!(
        rules.on_sampling,
        Some(OnSampling::Rule(SamplingRule::Text("hello".to_owned())))
    );
    assert_eq!(rules.root, [std::path::PathBuf::from("/")]);
    let rules = given(
        "patchbay tools list --url http://x --on-elicitation {\"action\":\"accept\"} --on-sampling {\"model\":1.10}",
    );
    assert_eq!(
        rules.on_elicitation,
        Some(OnElicitation::Rule(ElicitationRule::Result(
            "{\"action\":\"accept\"}".to_owned()
        )))
    );
    assert_eq!(
        rules.on_sampling,
        Some(OnSampling::Rule(SamplingRule::Result(
            "{\"model\":1.10}".to_owned()
        )))
    );
    let asks = given("patchbay tools list --url http://x --on-elicitation ask --on-sampling ask");
    assert!(asks.asks_elicitation() && asks.asks_sampling() && asks.asks());
    assert!(!rules.asks());
    for line in [
        "patchbay tools list --url http://x --on-elicitation file:/no/such/file",
        "patchbay tools list --url http://x --on-elicitation maybe",
        "patchbay tools list --url http://x --on-sampling {broken",
        "patchbay tools list --url http://x --root /no/such/folder",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}

#[test]
fn authorization_requires_an_address_and_secrets_are_passed_by_name() {
    let list = |line: &str| match parse(line).map(|cli| cli.command) {
        Ok(Command::OneShot(OneShot::Tools(Tools::List { server }))) => server.check().map(|()| server).ok(),
        _ => None,
    };
    for line in [
        "patchbay tools list --stdio x --no-browser",
        "patchbay tools list --stdio x --client-id me",
        "patchbay tools list --url http://x --redirect-port 0",
        "patchbay tools list --url http://x --client-credentials",
        "patchbay tools list --url http://x --client-secret-env PATH",
        "patchbay tools list --url http://x --client-id me --client-secret-env NO_SUCH_VARIABLE",
        "patchbay tools list --url http://x --client-id me --client-key /no/such/file.pem",
    ] {
        assert!(list(line).is_none(), "{line}");
    }
    let server = list(
        "patchbay tools list --url http://x --client-id me --client-secret-env PATH --client-credentials --scope a --scope b",
    )
    .unwrap();
    let args = &server.authorization;
    assert_eq!(args.scope, ["a", "b"]);
    let secret = args.client_secret_env.as_ref().unwrap();
    assert_eq!(secret.0, std::env::var("PATH").unwrap());
    assert!(!format!("{server:?}").contains(&secret.0), "it is not printed");
}

#[test]
fn the_assertion_of_a_workload_has_one_source() {
    let source = |options: &str| {
        let cli = parse(&format!("patchbay tools list --url http://a/mcp {options}"))?;
        let Command::OneShot(OneShot::Tools(Tools::List { server })) = cli.command else {
            panic!("a list: {options}");
        };
        assert!(server.authorization.is_given());
        let source = server.authorization.assertion();
        Ok::<_, clap::Error>(source.map(|assertion| (assertion.from, assertion.value)))
    };
    let of = |from, value: &str| Some((from, value.to_owned()));
    assert_eq!(
        source("--assertion-file /run/token").unwrap(),
        of(AssertionFrom::File, "/run/token")
    );
    assert_eq!(
        source("--assertion-env TOKEN").unwrap(),
        of(AssertionFrom::Variable, "TOKEN")
    );
    assert_eq!(
        source("--assertion-command fetch-token").unwrap(),
        of(AssertionFrom::Command, "fetch-token")
    );
    assert_eq!(source("--dpop always").unwrap(), None);
    for wrong in [
        "--assertion-file /a --assertion-env B",
        "--assertion-env B --client-credentials --client-id c",
        "--dpop sometimes",
    ] {
        assert!(source(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn simulated_answers_are_read_and_wrong_ones_explained() {
    let settings = |options: &str| {
        let line = format!("patchbay tools list --url http://x {options}");
        let Command::OneShot(OneShot::Tools(Tools::List { server })) = parse(line.trim())?.command else {
            panic!("a list: {line}");
        };
        Ok::<_, clap::Error>(serde_json::to_value(server.inputs.simulate.settings()).unwrap())
    };
    assert_eq!(settings("").unwrap(), serde_json::Value::Null);
    assert_eq!(
        settings("--simulate elicitation=slow:1.5,decline --simulate sampling=error:-32000:Out:of").unwrap(),
        serde_json::json!({
            "isOn": true,
            "sampling": { "answer": { "type": "error", "code": -32000, "message": "Out:of" }, "delayMs": 0 },
            "elicitation": { "answer": { "type": "decline" }, "delayMs": 1500 },
            "roots": null,
        })
    );
    let script = settings("--simulate roots=script-repeat:/a:b.json").unwrap();
    assert_eq!(
        script["roots"]["answer"],
        serde_json::json!({ "type": "script", "script": { "type": "file", "path": "/a:b.json" }, "atEnd": "repeat" })
    );
    assert_eq!(settings("--simulate off").unwrap()["isOn"], false);
    for (given, why) in [
        ("decline", "write KIND=ANSWER"),
        ("tools=decline", "tools is not one of sampling"),
        ("roots=maybe", "maybe is not one of defaults"),
        ("roots=decline:x", "decline:x is not one of"),
        ("roots=error:x", "write error:CODE:MESSAGE"),
        ("roots=error:x:y", "x is not an error code"),
        ("roots=slow:5", "write slow:SECONDS,ANSWER"),
        ("roots=slow:x,decline", "x is not a number of seconds"),
        ("roots=slow:90000,decline", "from 0 to 86400 seconds"),
        ("roots=script:", "name the file"),
    ] {
        let error = settings(&format!("--simulate {given}")).unwrap_err().to_string();
        assert!(error.contains(why), "{given}: {error}");
    }
}

#[test]
fn what_is_declared_is_changed_for_this_run() {
    let Command::OneShot(OneShot::Tools(Tools::List { server })) = parse(
        "patchbay tools list --stdio x --no-capability sampling.tools --no-capability tasks --extensions {} --offer-revision 2025-06-18 --any-revision",
    )
    .unwrap()
    .command
    else {
        panic!("a list");
    };
    let args = server.advertised;
    assert_eq!(args.no_capability, [Capability::SamplingTools, Capability::Tasks]);
    let mut draft = None;
    args.adjust(&mut draft);
    let draft = draft.unwrap();
    assert!(!draft.sampling_tools && !draft.tasks && draft.sampling && draft.any_revision);
    assert_eq!(draft.extensions_json.as_deref(), Some("{}"));
    assert_eq!(draft.revision.as_deref(), Some("2025-06-18"));
    let mut unchanged = None;
    super::AdvertisedArgs::default().adjust(&mut unchanged);
    assert_eq!(unchanged, None);
    for line in [
        "patchbay tools list --stdio x --no-capability dreams",
        "patchbay tools list --stdio x --experimental [1]",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}
