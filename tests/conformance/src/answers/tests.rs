use serde_json::json;

#[test]
fn a_form_is_accepted_with_its_defaults() {
    let params = r#"{"message":"?","requestedSchema":{"type":"object","properties":{
        "name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"free":{"type":"string"}}}}"#;
    let expected = json!({"action": "accept", "content": {"name": "John Doe", "age": 30}});
    assert_eq!(super::accept(params), expected);
    let empty = json!({"action": "accept", "content": {}});
    assert_eq!(super::accept("{}"), empty);
}
