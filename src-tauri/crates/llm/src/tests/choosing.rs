//! The choice of a model.

use super::*;

fn model(id: &str, price: Option<f64>) -> Model {
    Model {
        id: id.to_owned(),
        name: None,
        context: None,
        price: price.map(|input| Price { input, output: input }),
        images: None,
    }
}

/// The id of the chosen model and the reason.
fn chosen(params: &str, models: &[Model], default: Option<&str>) -> Option<(String, String)> {
    let candidates: Vec<Candidate<'_>> = models
        .iter()
        .map(|model| Candidate {
            provider: "Local",
            model,
            is_default: Some(&*model.id) == default,
        })
        .collect();
    let choice = choose(&Preferences::of_params(params), &candidates)?;
    Some((models[choice.index].id.clone(), choice.reason))
}

#[test]
fn hints_come_first_then_the_price_then_the_default() {
    let models = [
        model("claude-3-5-sonnet", Some(3.0)),
        model("claude-3-haiku", Some(0.3)),
        model("gpt-mini", Some(0.1)),
        model("local", None),
    ];
    let hints = |names: &str, more: &str| format!(r#"{{"modelPreferences":{{"hints":[{names}]{more}}}}}"#);
    for (params, default, id, reason) in [
        (
            hints(r#"{"name":"sonnet"}"#, ""),
            None,
            "claude-3-5-sonnet",
            "It matches the hint “sonnet”.",
        ),
        (
            hints(r#"{"name":"o9"},{"name":"GPT"}"#, ""),
            None,
            "gpt-mini",
            "It matches the hint “GPT”.",
        ),
        (
            hints(
                r#"{"name":"claude"}"#,
                r#","costPriority":0.9,"speedPriority":0.2"#,
            ),
            None,
            "claude-3-haiku",
            "2 models match the hint “claude”; cost matters most, and this one has the lowest known price.",
        ),
        (
            hints(
                r#"{"name":"claude"}"#,
                r#","costPriority":0.2,"intelligencePriority":0.9"#,
            ),
            None,
            "claude-3-5-sonnet",
            "2 models match the hint “claude”; this one is listed first.",
        ),
        (
            hints(r#"{"name":"o9"}"#, ""),
            Some("local"),
            "local",
            "No model matches the hint; it is the default model of Local.",
        ),
        (
            "{}".to_owned(),
            Some("local"),
            "local",
            "The server gives no hints; it is the default model of Local.",
        ),
        (
            "{}".to_owned(),
            None,
            "claude-3-5-sonnet",
            "The server gives no hints; this one is listed first.",
        ),
    ] {
        let expected = Some((id.to_owned(), reason.to_owned()));
        assert_eq!(chosen(&params, &models, default), expected, "{params}");
    }
    assert_eq!(chosen("{}", &[], None), None);
    // Hostile hints are text like any other.
    let odd =
        r#"{"modelPreferences":{"hints":[1,{"name":""},{"name":7},{"name":"(.*"}],"costPriority":"x"}}"#;
    assert_eq!(chosen(odd, &models, Some("local")).unwrap().0, "local");
}

#[test]
fn lists_are_read_as_far_as_they_are_usable() {
    let models = crate::models::read_models(
        r#"{"data":[{"id":"a","context_length":8000,"pricing":{"prompt":"0.000003","completion":"0.000015"}},{"id":""},{"name":"x"},7,{"id":"b","display_name":"B","pricing":{"prompt":"-1","completion":"-1"},"architecture":{"input_modalities":["text"]}}]}"#,
    )
    .unwrap();
    let ids: Vec<&str> = models.iter().map(|model| &*model.id).collect();
    assert_eq!(ids, ["a", "b"]);
    let price = models[0].price.unwrap();
    assert_eq!(format!("{:.2} {:.2}", price.input, price.output), "3.00 15.00");
    assert_eq!(
        (models[0].context, models[1].price, models[1].name.as_deref()),
        (Some(8000), None, Some("B"))
    );
    assert_eq!((models[0].images, models[1].images), (None, Some(false)));
    for member in [
        r#""context_window":4096"#,
        r#""max_context_length":4096"#,
        r#""meta":{"n_ctx_train":4096,"n_params":7}"#,
    ] {
        let list = format!(r#"{{"data":[{{"id":"a",{member}}}]}}"#);
        assert_eq!(
            crate::models::read_models(&list).unwrap()[0].context,
            Some(4096),
            "{member}"
        );
    }
    assert_eq!(
        crate::models::read_models("{}").unwrap_err().kind,
        FailureKind::NotAProvider
    );
}
