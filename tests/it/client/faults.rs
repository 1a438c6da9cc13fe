//! What a server can do wrong within a call.

use patchbay_client::EraChoice;

use super::session::{Session, play};

#[test]
fn smoke() {
    play(async {
        let (session, status) = Session::scripted(&["legacy"], EraChoice::Legacy).await;
        println!("{status:#?}");
        for tool in ["echo", "stray", "batch", "twice", "unknown-id", "string-id", "null-id", "both", "code-string", "bom", "crlf", "two-on-a-line", "split-utf8", "not-utf8", "blank", "cancels-own","sampling", "ping", "numbers", "fails", "crash"] {
            let finished = session.call(tool).await;
            println!("{tool}: {:?}", finished.outcome);
        }
        println!("{}", session.closed().await);
    });
}
