//! Identifiers, as branded strings.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $ts:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "export", derive(ts_rs::TS))]
        #[cfg_attr(feature = "export", ts(type = $ts))]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// A configured server. Stable over renames and restarts.
    ServerId = "string & { readonly __brand: 'ServerId' }";
    /// One lifetime of our client with one server.
    ConnectionId = "string & { readonly __brand: 'ConnectionId' }";
    /// A request to a server and everything that belongs to it.
    ExchangeId = "string & { readonly __brand: 'ExchangeId' }";
    /// A request of a server that waits for the user: sampling, elicitation or roots.
    InputId = "string & { readonly __brand: 'InputId' }";
    /// A configured model provider.
    ProviderId = "string & { readonly __brand: 'ProviderId' }";
    /// A shared set of roots.
    RootSetId = "string & { readonly __brand: 'RootSetId' }";
    /// A bundle that is being received or reviewed.
    BundleId = "string & { readonly __brand: 'BundleId' }";
    /// A conversation of the chat.
    ChatId = "string & { readonly __brand: 'ChatId' }";
    /// An authorization run.
    RunId = "string & { readonly __brand: 'RunId' }";
    /// A record's sequence number, in decimal. Compare with `BigInt` or by length then text.
    Seq = "string & { readonly __brand: 'Seq' }";
    /// The document of an app's frame. Knowing it is enough to load the document.
    AppFrameId = "string & { readonly __brand: 'AppFrameId' }";
    /// Bytes that can be pulled with `body(id)`. Opaque to the UI.
    BodyId = "string & { readonly __brand: 'BodyId' }";
}
