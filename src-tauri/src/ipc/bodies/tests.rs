use std::cell::Cell;
use std::future::ready;

use patchbay_contract::{CommandError, ErrorCode};

use super::{Bodies, Body, BodyId, KEPT};

fn body(text: &'static str) -> Result<Body, CommandError> {
    Ok(Body {
        bytes: text.as_bytes().into(),
    })
}

#[tokio::test]
async fn a_body_is_read_once_for_all_its_parts() {
    let (bodies, id, reads) = (Bodies::default(), BodyId("f:1".into()), Cell::new(0));
    let mut parts = Vec::new();
    for from in [0, 4, 8] {
        let read = |_: &_| {
            reads.set(reads.get() + 1);
            ready(body("abcdefghij"))
        };
        parts.push(bodies.part(&id, from..from + 4, read).await.unwrap());
    }
    assert_eq!(parts, [&b"abcd"[..], b"efgh", b"ij"]);
    assert_eq!(reads.get(), 1);
    assert!(bodies.lock().is_empty(), "nothing is kept after the last part");
}

#[tokio::test]
async fn a_body_that_fills_its_parts_ends_with_an_empty_one() {
    let (bodies, id) = (Bodies::default(), BodyId("f:1".into()));
    let mut parts = Vec::new();
    for from in [0, 4] {
        parts.push(
            bodies
                .part(&id, from..from + 4, |_| ready(body("abcd")))
                .await
                .unwrap(),
        );
    }
    assert_eq!(parts, [&b"abcd"[..], b""]);
    assert!(bodies.lock().is_empty());
}

#[tokio::test]
async fn what_nobody_receives_to_its_end_is_not_kept() {
    let bodies = Bodies::default();
    for at in 0..2 * KEPT {
        let id = BodyId(format!("f:{at}"));
        bodies.part(&id, 0..2, |_| ready(body("abcd"))).await.unwrap();
    }
    assert_eq!(bodies.lock().len(), KEPT);
    let last = BodyId(format!("f:{}", 2 * KEPT - 1));
    let unwanted = bodies.part(&last, 2..2, |_| ready(body("abcd"))).await.unwrap();
    assert!(unwanted.is_empty());
    assert_eq!(bodies.lock().len(), KEPT - 1);
    bodies.clear();
    assert!(bodies.lock().is_empty());
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_an_error() {
    let error = CommandError::new(ErrorCode::NotFound, "gone".to_owned());
    let failed = Bodies::default()
        .part(&BodyId("f:1".into()), 0..4, |_| ready(Err(error)))
        .await
        .unwrap_err();
    assert_eq!(failed.code, ErrorCode::NotFound);
}
