//! `patchbay add FILE.mcpb`: shows what a bundle contains and would run, asks for its settings, and adds its server.

use std::path::Path;

use super::{
    form::agreed,
    terminal::{report, show},
};
use crate::{
    args::AddArgs,
    exit::{Exit, Problem},
    oneshot::{passphrase::with_vault, server::call},
    output::visible,
};
use patchbay_contract::{
    BundleAddParams, BundleCloseParams, BundleOpenParams, BundleReview, BundleSignature, BundleSource, Done,
    ServerAddResponse,
};
use patchbay_engine::Engine;

/// Whether the text names a bundle: a file that ends as one.
pub(super) fn is_bundle(text: &str) -> bool {
    matches!(super::ending(text).as_str(), "mcpb" | "dxt") && Path::new(text).exists()
}

/// Shows the bundle, asks, and adds its server.
pub(super) async fn add(engine: &Engine, args: &AddArgs, json: bool) -> Result<Exit, Problem> {
    let path = std::path::absolute(&args.text)
        .map_err(|error| Problem::internal("The path of the bundle cannot be made absolute.", &error))?;
    let source = BundleSource::Path {
        path: path.display().to_string(),
    };
    let review: BundleReview = call(engine, "bundle_open", &BundleOpenParams { source }).await?;
    let added = reviewed(engine, args, json, &review).await;
    let bundle_id = review.bundle_id;
    let _: Done = call(engine, "bundle_close", &BundleCloseParams { bundle_id }).await?;
    added
}

async fn reviewed(
    engine: &Engine,
    args: &AddArgs,
    json: bool,
    review: &BundleReview,
) -> Result<Exit, Problem> {
    show(&words(review), &review.notes, !args.yes, json);
    if let Some(blocker) = review.blockers.first() {
        return Err(Problem::usage(visible(blocker)));
    }
    let Some(values) = agreed(args, review.schema_json.as_deref(), &review.values_json).await? else {
        return Ok(Exit::Usage);
    };
    let name = args.name.clone().unwrap_or_else(|| review.name.clone());
    let params = BundleAddParams {
        bundle_id: review.bundle_id.clone(),
        name: name.clone(),
        values_json: values.to_string(),
        plain_secrets: false,
    };
    let added: ServerAddResponse = with_vault(engine, "bundle_add", &params).await?;
    report("Added", &name, &added.server_id, json).await?;
    Ok(Exit::Ok)
}

/// What the bundle is, and what would be started, one member a line.
fn words(review: &BundleReview) -> String {
    let mut lines = vec![format!(
        "{} {} by {}",
        visible(&review.title),
        visible(&review.version),
        visible(&review.author)
    )];
    let mut add = |name: &str, text: &str| lines.push(format!("  {name:<10} {}", visible(text)));
    add("about", &review.description);
    add("starts", &review.command);
    review.args.iter().for_each(|arg| add("argument", arg));
    review.env.iter().for_each(|var| add("variable", &var.name));
    for runtime in &review.runtimes {
        add("needs", &format!("{} {}", runtime.name, runtime.versions));
    }
    let tools: Vec<&str> = review.tools.iter().map(|tool| tool.name.as_str()).collect();
    if !tools.is_empty() {
        add("tools", &tools.join(", "));
    }
    add(
        "signature",
        match review.signature {
            BundleSignature::None => "none",
            BundleSignature::Unverified => "present, not verified",
            BundleSignature::Damaged => "damaged",
        },
    );
    add("sha256", &review.sha256);
    add("unpacked", &format!("below {}", review.folder));
    lines.extend(review.notes.iter().map(|note| format!("Note: {}", visible(note))));
    lines.push("Nothing is started until you connect.".to_owned());
    lines.join("\n")
}

#[cfg(test)]
mod tests;
