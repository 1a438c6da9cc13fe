use super::{ReadResourceResult, ResourceTemplateView, ResourceView};
use crate::views::ContentKind;

#[test]
fn a_malformed_row_has_violations() {
    let resource = ResourceView::parse(r#"{"uri":"a:b","size":"large"}"#);
    let found: Vec<_> = resource
        .violations
        .iter()
        .map(|found| found.pointer.as_deref())
        .collect();
    assert_eq!((&*resource.uri, resource.size), ("a:b", None));
    assert_eq!(found, [Some("/name"), Some("/size")]);
    assert_eq!(ResourceView::parse("5").violations.len(), 1);
    let template = ResourceTemplateView::parse(r#"{"name":"t"}"#);
    assert_eq!(template.violations[0].pointer.as_deref(), Some("/uriTemplate"));
}

#[test]
fn resource_contents_are_text_or_bytes() {
    let read = ReadResourceResult::parse(
        r#"{"contents":[{"uri":"a:b","text":"1"},{"uri":"a:c","blob":"AAAA"},{"uri":"a:d"},7]}"#,
    );
    let kinds = read.contents.iter().map(|block| match &block.kind {
        ContentKind::ResourceText { text, .. } => format!("text {text}"),
        ContentKind::ResourceBlob { blob, .. } => format!("blob {blob}"),
        ContentKind::Unknown { reason, .. } => reason.clone(),
        other => format!("{other:?}"),
    });
    insta::assert_snapshot!(kinds.collect::<Vec<_>>().join("\n"), @r#"
    text "1"
    blob "AAAA"
    `text` is missing
    the contents are a number instead of an object
    "#);
    assert_eq!(ReadResourceResult::parse("{}").violations.len(), 1);
}

#[test]
fn violations_of_annotations_belong_to_the_resource() {
    let resource = ResourceView::parse(
        r#"{"uri":"a:b","name":"b","annotations":{"audience":["user",7],"priority":3,"lastModified":"2026-01-02"},"icons":[]}"#,
    );
    assert_eq!(resource.annotations.audience, ["user"]);
    assert_eq!(resource.annotations.priority, Some(3.0));
    assert_eq!(resource.annotations.last_modified.as_deref(), Some("2026-01-02"));
    assert_eq!(resource.icons, Some("[]"));
    let pointers: Vec<_> = resource
        .violations
        .iter()
        .map(|found| found.pointer.as_deref())
        .collect();
    assert_eq!(pointers, [Some("/annotations/priority")]);
}
