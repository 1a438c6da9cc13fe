//! Watching that ends while the server is being restarted.

use super::*;

/// The server is being stopped by then.
#[tokio::test]
async fn a_restart_that_has_begun_is_completed_when_watching_ends() {
    let harness = Harness::new(watch(None)).await;
    for (starts, ends) in [(2, "file_watch_stop"), (3, "settings")] {
        harness.write("linger", "");
        harness.write("src/a", "1");
        harness.until("restarting").await;
        match ends {
            "settings" => {
                let mut draft = harness.item().await["draft"].clone();
                draft["fileWatch"]["on"] = json!(false);
                let params = json!({ "serverId": harness.server, "draft": draft, "chosenRoots": [] });
                call(&harness.engine, "server_update", params).await;
            }
            command => drop(harness.of_server(command).await),
        }
        std::fs::remove_file(harness.path("linger")).unwrap();
        let is_back =
            |item: &Value| item["connection"]["state"] == "ready" && harness.lines("starts") == starts;
        let item = harness.when("restarted", is_back).await;
        match ends {
            "settings" => assert_eq!(item["fileWatch"], Value::Null),
            _ => {
                assert_eq!(item["fileWatch"]["state"]["type"], "stopped");
                harness.of_server("file_watch_start").await;
                harness.until("watching").await;
            }
        }
    }
    harness.engine.shutdown().await;
}
