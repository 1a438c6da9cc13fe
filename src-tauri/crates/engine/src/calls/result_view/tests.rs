use bytes::Bytes;
use patchbay_client::Answer;
use patchbay_contract::{ContentItem, SchemaCheck, SchemaProblem, ToolResultView};

use super::{MaskedAnswer, fault};

/// The response of a batch member at offset `at` of its frame.
fn answered(prefix: &str, result: &str) -> MaskedAnswer {
    let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}");
    let frame = Bytes::from(format!("{prefix}{message}"));
    let start = prefix.len() + message.find(result).unwrap();
    let answer = Answer {
        seq: 9,
        frame: frame.clone(),
        message: prefix.len()..frame.len(),
        body: start..start + result.len(),
    };
    MaskedAnswer { frame, answer }
}

fn view(result: &str) -> ToolResultView {
    answered("", result).tool_view(false).0
}

#[test]
fn every_content_type_has_a_view() {
    let view = view(
        r#"{"content":[{"type":"text","text":"a\nb","annotations":{"priority":1.10}},{"type":"image","data":"aGFsbG8=","mimeType":"image/png"},{"type":"audio","data":"aGFs","mimeType":"audio/wav"},{"type":"resource_link","uri":"u:1","name":"n","size":5},{"type":"resource","resource":{"uri":"u:2","text":"{\"a\":1}"}},{"type":"resource","resource":{"uri":"u:3","blob":"aA=="}},{"type":"new","x":9007199254740993}]}"#,
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&view).unwrap(), @r#"
    {
      "isError": false,
      "content": [
        {
          "type": "text",
          "text": {
            "inline": "a\nb",
            "body": "s:9:67-73",
            "size": 3.0,
            "pretty": null
          },
          "annotationsJson": "{\"priority\":1.10}"
        },
        {
          "type": "image",
          "mimeType": "image/png",
          "body": "b:9:130-140",
          "size": 5.0,
          "annotationsJson": null
        },
        {
          "type": "audio",
          "mimeType": "audio/wav",
          "body": "b:9:188-194",
          "size": 3.0,
          "annotationsJson": null
        },
        {
          "type": "resourceLink",
          "uri": "u:1",
          "name": "n",
          "title": null,
          "description": null,
          "mimeType": null,
          "size": 5.0,
          "annotationsJson": null
        },
        {
          "type": "resourceText",
          "uri": "u:2",
          "mimeType": null,
          "text": {
            "inline": "{\"a\":1}",
            "body": "s:9:326-337",
            "size": 7.0,
            "pretty": "ps:9:326-337"
          },
          "annotationsJson": null
        },
        {
          "type": "resourceBlob",
          "uri": "u:3",
          "mimeType": null,
          "body": "b:9:390-396",
          "size": 1.0,
          "annotationsJson": null
        },
        {
          "type": "unknown",
          "kind": "new",
          "json": {
            "inline": "{\"type\":\"new\",\"x\":9007199254740993}",
            "body": "t:9:399-434",
            "size": 35.0,
            "pretty": "p:9:399-434"
          },
          "reason": "\"new\" is not a known content type"
        }
      ],
      "structured": null,
      "structuredMissing": false,
      "violations": [
        {
          "rule": "content-type-unknown",
          "severity": "error",
          "message": "\"new\" is not a known content type",
          "pointer": "/content/6/type"
        }
      ]
    }
    "#);
}

#[test]
fn spans_refer_to_the_record_also_for_a_batch_member() {
    let result = r#"{"content":[{"type":"text","text":"hallo"}]}"#;
    for prefix in ["", "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"},"] {
        let answered = answered(prefix, result);
        let record = &answered.frame[answered.answer.message.clone()];
        let span_of = |id: &str| {
            let (start, end) = id.rsplit(':').next().unwrap().split_once('-').unwrap();
            String::from_utf8(record[start.parse().unwrap()..end.parse().unwrap()].to_vec()).unwrap()
        };
        assert_eq!(span_of(&answered.raw().body.0), result);
        let (view, _) = answered.tool_view(false);
        let [ContentItem::Text { text, .. }] = view.content.as_slice() else {
            panic!("one text")
        };
        assert_eq!(span_of(&text.body.0), "\"hallo\"");
    }
}

/// What is not UTF-8 keeps its length, so that what comes after it is found.
#[test]
fn spans_refer_to_the_record_also_after_a_byte_that_is_not_utf8() {
    let result = r#"{"content":[{"type":"text","text":"~~"},{"type":"image","data":"aGFsbG8=","mimeType":"image/png"}]}"#;
    let mut answered = answered("", result);
    let frame: Vec<u8> = answered
        .frame
        .iter()
        .map(|byte| match byte {
            b'~' => 0xff,
            byte => *byte,
        })
        .collect();
    answered.frame = Bytes::from(frame);
    answered.answer.frame = answered.frame.clone();
    let (view, _) = answered.tool_view(false);
    let [ContentItem::Text { text, .. }, ContentItem::Image { body, .. }] = view.content.as_slice() else {
        panic!("a text and an image: {:?}", view.content)
    };
    assert_eq!(text.inline.as_deref(), Some("??"));
    let (start, end) = body.0.rsplit(':').next().unwrap().split_once('-').unwrap();
    let image = &answered.frame[start.parse().unwrap()..end.parse().unwrap()];
    assert_eq!(image, br#""aGFsbG8=""#);
}

#[test]
fn structured_content_is_required_only_with_an_output_schema() {
    let missing = |result: &str, has_schema| answered("", result).tool_view(has_schema).0.structured_missing;
    assert!(missing(r#"{"content":[]}"#, true));
    assert!(!missing(r#"{"content":[]}"#, false));
    assert!(!missing(r#"{"content":[],"isError":true}"#, true));
    assert!(!missing(r#"{"content":[],"structuredContent":null}"#, true));
}

#[test]
fn large_text_is_passed_by_reference() {
    let text = "x".repeat(70_000);
    let view = view(&format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}"
    ));
    let [ContentItem::Text { text, .. }] = view.content.as_slice() else {
        panic!("one text")
    };
    assert_eq!((text.inline.as_ref(), text.size), (None, 70_000.0));
}

/// The fault of a result whose schema check had this outcome.
fn fault_of(result: &str, problems: &[&str]) -> Option<String> {
    let mut view = answered("", result).tool_view(true).0;
    if let Some(structured) = &mut view.structured {
        structured.check = Some(SchemaCheck::Invalid {
            problems: problems
                .iter()
                .map(|message| SchemaProblem {
                    pointer: "/n".to_owned(),
                    message: (*message).to_owned(),
                    schema_pointer: String::new(),
                })
                .collect(),
        });
    }
    fault(&view).map(|violation| {
        format!(
            "{} {} {}",
            violation.rule.id(),
            violation.pointer.unwrap_or_default(),
            violation.message
        )
    })
}

#[test]
fn structured_content_that_violates_the_schema_is_a_fault() {
    let unfit = r#"{"content":[],"structuredContent":{"n":"x"}}"#;
    assert_eq!(
        fault_of(unfit, &["no number", "no more"]).unwrap(),
        "structured-content-mismatch /result/structuredContent/n it does not match the tool's `outputSchema`: no number (and 1 more)"
    );
    assert!(
        fault_of(r#"{"content":[]}"#, &[])
            .unwrap()
            .starts_with("structured-content-missing /result ")
    );
    assert_eq!(fault_of(r#"{"content":[],"isError":true}"#, &[]), None);
    let failed = r#"{"content":[],"structuredContent":{"n":"x"},"isError":true}"#;
    assert_eq!(fault_of(failed, &["no number"]), None);
}
