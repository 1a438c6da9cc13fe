//! Conversion, and whole exchanges with the scripted provider, for both APIs.

use patchbay_http::{Client, ProxyChoice, Settings};
use patchbay_secret::Secret;
use patchbay_test_server::models::{KEY, ModelProvider};
use patchbay_traffic::{NewConnection, Origin, Recorder, Store, StoreOptions};
use tokio::sync::mpsc;

use super::*;

mod bodies;
mod calls;
mod choosing;
mod exchanges;
mod failures;

const BOTH: [Api; 2] = [Api::Anthropic, Api::ChatCompletions];
const SIMPLE: &str =
    r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":100}"#;

/// A provider and the way to it.
struct Harness {
    scripted: ModelProvider,
    store: Store,
    recorder: Recorder,
    wire: Wire,
}

impl Harness {
    fn new() -> Self {
        let (store, recorder) = Store::open(StoreOptions::default()).unwrap();
        let connection = recorder.connection(NewConnection {
            server_id: "p".to_owned(),
            server_name: "Provider".to_owned(),
            origin: Origin::Model,
        });
        // Without the proxies of the machine that runs the tests.
        let direct = Settings {
            proxy: ProxyChoice::None,
            ..Settings::default()
        };
        let http = Client::new(direct, recorder.clone()).unwrap();
        Self {
            scripted: ModelProvider::start().unwrap(),
            store,
            wire: Wire {
                http,
                connection,
                operation: None,
            },
            recorder,
        }
    }

    fn provider(&self, api: Api) -> Provider {
        Provider {
            api,
            base_url: parse_base_url(&format!("{}/v1", self.scripted.origin())).unwrap(),
            key: Some(Secret::new(KEY)),
        }
    }

    /// The answer of a model, and its pieces, one line each.
    async fn ask(&self, api: Api, model: &str) -> (Result<Answer, Failure>, Vec<String>) {
        let (sender, mut deltas) = mpsc::channel(4);
        let prompt = Prompt::parse(SIMPLE).unwrap();
        let provider = self.provider(api);
        let asking = async {
            let answer = provider.generate(&self.wire, model, &prompt, &sender).await;
            drop(sender);
            answer
        };
        let reading = async {
            let mut lines = Vec::new();
            while let Some(delta) = deltas.recv().await {
                if lines.len() < 100 {
                    lines.push(match delta {
                        Delta::Text(text) => text.chars().take(20).collect(),
                        Delta::Thinking(text) => format!("({text})"),
                        Delta::ToolUse { name } => format!("{name}:"),
                        Delta::ToolInput(text) => format!("+{text}"),
                    });
                }
            }
            lines
        };
        tokio::join!(asking, reading)
    }
}
