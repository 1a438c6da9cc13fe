//! Server faults within a call: everything is recorded, violations are reported, and the call ends as it should.

use patchbay_client::{Outcome, Request};

use super::session::{Session, call, impatient, run_test};

/// Calls the tool and returns how the call ended, with its transcript.
fn transcript_of(tool: &str) -> String {
    let request = Request {
        progress: tool.starts_with("progress"),
        ..call(tool)
    };
    let (finished, transcript) = run_test(Session::of_call(request));
    let outcome = match finished.outcome {
        Outcome::ConnectionLost(failure) => format!("lost: {}", failure.cause),
        other => format!("{other:?}"),
    };
    format!("{outcome}\n{transcript}")
}

macro_rules! faults {
    ($($name:ident: $tool:literal, @$expected:literal;)+) => {
        $(#[test] fn $name() { insta::assert_snapshot!(transcript_of($tool), @$expected); })+
    };
}

faults! {
    stray_lines_are_invalid_records: "stray", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"stray"}}
    < 4 invalid !not-json DEBUG about to answer
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"answered"}]}}
    < 6 invalid !jsonrpc-version !not-a-message {"level":"info","msg":"a JSON log line"}
    "#;
    members_of_a_batch_are_paired: "batch", @r#"
    Result
    > 3 request tools/call #2 ok =8 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"batch"}}
    < 4 batch !batch-not-allowed [{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"in a batch"}},{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"batched"}]}}]
    < 5 note in 4 notifications/message {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"in a batch"}}
    < 6 request in 4 ping #"b1" ok =7 {"jsonrpc":"2.0","id":"b1","method":"ping"}
    > 7 response ping #"b1" ok =6 {"jsonrpc":"2.0","id":"b1","result":{}}
    < 8 response in 4 tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"batched"}]}}
    "#;
    a_second_answer: "twice", @r#"
    Result
    > 3 request tools/call #2 ok =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"twice"}}
    < 4 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"first"}]}}
    < 5 response tools/call #2 ok =3 !answered-twice {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"second"}]}}
    "#;
    an_answer_to_nobody: "unknown-id", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"unknown-id"}}
    < 4 response #4711 ok !response-unknown-id {"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":"whose?"}]}}
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"mine"}]}}
    "#;
    an_id_of_another_type: "string-id", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"string-id"}}
    < 4 response #"2" ok !response-unknown-id {"jsonrpc":"2.0","id":"2","result":{"content":[{"type":"text","text":"typed wrong"}]}}
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"typed right"}]}}
    "#;
    an_answer_without_an_id: "null-id", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"null-id"}}
    < 4 response error !id-null {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"after null"}]}}
    "#;
    a_request_without_an_id: "null-request", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"null-request"}}
    < 4 request ping #null lost !id-null {"jsonrpc":"2.0","id":null,"method":"ping"}
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"after null"}]}}
    "#;
    result_and_error: "both", @r#"
    Error
    > 3 request tools/call #2 error =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"both"}}
    < 4 response tools/call #2 error =3 !result-and-error {"jsonrpc":"2.0","id":2,"result":{"content":[]},"error":{"code":-1,"message":"and an error"}}
    "#;
    a_code_that_is_text: "code-string", @r#"
    Error
    > 3 request tools/call #2 error =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"code-string"}}
    < 4 response tools/call #2 error =3 !error-code-type {"jsonrpc":"2.0","id":2,"error":{"code":"E_FAIL","message":"code is text"}}
    "#;
    a_byte_order_mark: "bom", @r#"
    Result
    > 3 request tools/call #2 ok =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bom"}}
    < 4 response tools/call #2 ok =3 !byte-order-mark ␂{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"marked"}]}}
    "#;
    a_carriage_return: "crlf", @r#"
    Result
    > 3 request tools/call #2 ok =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"crlf"}}
    < 4 response tools/call #2 ok =3 !carriage-return {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"returned"}]}}␍
    "#;
    two_messages_on_a_line: "two-on-a-line", @r#"
    Result
    > 3 request tools/call #2 ok =6 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"two-on-a-line"}}
    < 4 batch !several-messages-on-a-line {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"second of two"}]}}
    < 5 note in 4 notifications/tools/list_changed {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    < 6 response in 4 tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"second of two"}]}}
    "#;
    a_character_cut_in_two: "split-utf8", @r#"
    Result
    > 3 request tools/call #2 ok =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"split-utf8"}}
    < 4 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"naïve €"}]}}
    "#;
    bytes_that_are_no_text: "not-utf8", @r#"
    Result
    > 3 request tools/call #2 ok =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"not-utf8"}}
    < 4 response tools/call #2 ok =3 !not-utf8 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"caf�"}]}}
    "#;
    blank_lines: "blank", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"blank"}}
    < 4 invalid !blank-line
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"between"}]}}
    < 6 invalid !blank-line
    "#;
    numbers_and_duplicates_as_written: "numbers", @r#"
    Result
    > 3 request tools/call #2 ok =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"numbers"}}
    < 4 response tools/call #2 ok =3 !structured-content-without-text {"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"big":9007199254740993,"price":1.10,"twice":1,"twice":2}}}
    "#;
    a_tool_that_failed: "fails", @r#"
    Result
    > 3 request tools/call #2 toolerror =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fails"}}
    < 4 response tools/call #2 toolerror =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"It broke."}],"isError":true}}
    "#;
    a_protocol_error: "refuses", @r#"
    Error
    > 3 request tools/call #2 error =4 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"refuses"}}
    < 4 response tools/call #2 error =3 {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool","data":{"hint":1.10}}}
    "#;
    progress_that_does_not_increase: "progress-back", @r#"
    Result
    > 3 request tools/call #2 ok =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":2},"name":"progress-back"}}
    < 4 note notifications/progress {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":2,"total":3,"message":"step 2"}}
    < 5 note notifications/progress !progress-not-increasing {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":2,"total":3,"message":"step 2"}}
    < 6 note notifications/progress !progress-not-increasing {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"total":3,"message":"step 1"}}
    < 7 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}
    "#;
    progress_for_nobody: "progress-unknown", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":2},"name":"progress-unknown"}}
    < 4 note notifications/progress !progress-unknown-token {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1}}
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}
    "#;
    sampling_without_the_capability: "sampling", @r#"
    Result
    > 3 request tools/call #2 ok =6 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sampling"}}
    < 4 request sampling/createMessage #"ask-1" error =5 !undeclared-capability {"jsonrpc":"2.0","id":"ask-1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
    > 5 response sampling/createMessage #"ask-1" error =4 {"jsonrpc":"2.0","id":"ask-1","error":{"code":-32601,"message":"Method not found: sampling/createMessage; this client did not declare `sampling`"}}
    < 6 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"error\":{\"code\":-32601,\"message\":\"Method not found: sampling/createMessage; this client did not declare `sampling`\"}}"}]}}
    "#;
    elicitation_without_the_capability: "elicitation", @r#"
    Result
    > 3 request tools/call #2 ok =6 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"elicitation"}}
    < 4 request elicitation/create #"ask-1" error =5 !undeclared-capability !elicitation-schema {"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object"}}}
    > 5 response elicitation/create #"ask-1" error =4 {"jsonrpc":"2.0","id":"ask-1","error":{"code":-32601,"message":"Method not found: elicitation/create; this client did not declare `elicitation`"}}
    < 6 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"error\":{\"code\":-32601,\"message\":\"Method not found: elicitation/create; this client did not declare `elicitation`\"}}"}]}}
    "#;
    roots_without_the_capability: "roots", @r#"
    Result
    > 3 request tools/call #2 ok =6 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"roots"}}
    < 4 request roots/list #"ask-1" error =5 !undeclared-capability {"jsonrpc":"2.0","id":"ask-1","method":"roots/list","params":{}}
    > 5 response roots/list #"ask-1" error =4 {"jsonrpc":"2.0","id":"ask-1","error":{"code":-32601,"message":"Method not found: roots/list; this client did not declare `roots`"}}
    < 6 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"error\":{\"code\":-32601,\"message\":\"Method not found: roots/list; this client did not declare `roots`\"}}"}]}}
    "#;
    a_ping_is_answered: "ping", @r#"
    Result
    > 3 request tools/call #2 ok =6 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ping"}}
    < 4 request ping #"ask-1" ok =5 {"jsonrpc":"2.0","id":"ask-1","method":"ping","params":{}}
    > 5 response ping #"ask-1" ok =4 {"jsonrpc":"2.0","id":"ask-1","result":{}}
    < 6 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"result\":{}}"}]}}
    "#;
    its_own_request_cancelled: "cancels-own", @r#"
    Result
    > 3 request tools/call #2 ok =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cancels-own"}}
    < 4 request roots/list #"own" error =5 !undeclared-capability {"jsonrpc":"2.0","id":"own","method":"roots/list"}
    > 5 response roots/list #"own" error =4 {"jsonrpc":"2.0","id":"own","error":{"code":-32601,"message":"Method not found: roots/list; this client did not declare `roots`"}}
    < 6 note notifications/cancelled {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"own","reason":"changed my mind"}}
    < 7 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}
    "#;
    half_a_line_at_the_end: "unterminated", @r#"
    lost: The server exited with code 0.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"unterminated"}}
    < 4 invalid !line-unterminated !not-json {"jsonrpc":"2.0","id":
    "#;
    a_crash: "crash", @r#"
    lost: The server exited with code 9.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"crash"}}
    "#;
    a_signal: "abort", @r#"
    lost: The server was ended by signal 6 (SIGABRT).
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"abort"}}
    "#;
}

#[test]
fn an_answer_after_the_cancellation() {
    let (finished, transcript) = run_test(Session::of_call(impatient("late")));
    assert!(
        matches!(finished.outcome, Outcome::TimedOut { .. }),
        "{finished:?}"
    );
    insta::assert_snapshot!(transcript, @r#"
    > 3 request tools/call #2 timedout =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"late"}}
    > 4 note notifications/cancelled {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"The request timed out."}}
    < 5 response tools/call #2 ok =3 !answer-after-cancel {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"too late"}]}}
    "#);
}
