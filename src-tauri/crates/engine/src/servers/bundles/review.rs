//! What a bundle contains, in the form of the contract.

use std::ffi::OsStr;

use patchbay_config::bundle::{Bundle, DeclaredItem, Manifest, Places, Signature};
use patchbay_config::is_http_url;
use patchbay_contract::{
    BundleId, BundleItem, BundleLink, BundleReview, BundleRuntime, BundleSignature, CommandError, ErrorCode,
    TransportDraft,
};

use super::{Program, not_found, program_of};
use crate::dispatch::error::fail_with;

/// What a review needs besides the bundle.
pub(super) struct ReviewContext<'a> {
    pub(super) id: BundleId,
    /// The name that the server gets unless the user changes it.
    pub(super) name: String,
    pub(super) places: &'a Places,
    /// The value of PATH.
    pub(super) path: Option<&'a OsStr>,
    /// The folder of unpacked bundles.
    pub(super) folder: String,
}

/// Describes a bundle.
pub(super) fn review(bundle: &Bundle, context: ReviewContext<'_>) -> Result<BundleReview, CommandError> {
    let manifest = &bundle.manifest;
    let not_written = |error| {
        fail_with(
            ErrorCode::Internal,
            "The settings of the bundle could not be written.",
            error,
        )
    };
    let (command, args, env) = match manifest.preview() {
        TransportDraft::Stdio {
            command, args, env, ..
        } => (command, args, env),
        TransportDraft::Http { url, .. } => (url, Vec::new(), Vec::new()),
    };
    let program = program_of(bundle, context.path);
    let (blockers, notes) = findings(manifest, &program);
    let schema = manifest.has_settings().then(|| manifest.schema(context.places));
    Ok(BundleReview {
        bundle_id: context.id,
        name: context.name,
        title: manifest.title().to_owned(),
        version: manifest.version.clone(),
        manifest_version: manifest.format_version().to_owned(),
        description: manifest.description.clone(),
        long_description: manifest.long_description.clone(),
        author: manifest.author.name.clone(),
        license: manifest.license.clone(),
        links: links(manifest),
        server_type: manifest.server_type().to_owned(),
        command,
        args,
        env,
        tools: manifest.tools.iter().map(item).collect(),
        tools_generated: manifest.tools_generated,
        prompts: manifest.prompts.iter().map(item).collect(),
        prompts_generated: manifest.prompts_generated,
        platforms: manifest.platforms().to_vec(),
        runtimes: manifest.runtimes().map(runtime).collect(),
        program: match program {
            Program::Found { path, .. } => Some(path.display().to_string()),
            Program::Own | Program::Missing { .. } => None,
        },
        signature: signature(bundle.signature),
        sha256: bundle.sha256.clone(),
        size: bundle.size as f64,
        files: u32::try_from(bundle.file_count()).unwrap_or(u32::MAX),
        unpacked_size: bundle.unpacked_size as f64,
        folder: context.folder,
        schema_json: schema.transpose().map_err(not_written)?,
        values_json: manifest.defaults(context.places).map_err(not_written)?,
        blockers,
        notes,
    })
}

/// Why the bundle cannot be added here, and what differs from its manifest.
pub(super) fn findings(manifest: &Manifest, program: &Program) -> (Vec<String>, Vec<String>) {
    let mut blockers: Vec<String> = manifest.wrong_platform().into_iter().collect();
    let mut notes = Vec::new();
    match program {
        Program::Own => {}
        Program::Found { name, .. } if name == "python3" && manifest.server_type() == "python" => {
            notes.push("Nothing is called `python` here; `python3` is started in its place.".to_owned());
        }
        Program::Found { .. } => {}
        Program::Missing { name } => {
            blockers.push(format!(
                "The bundle is {}, then open the bundle again.",
                not_found(name)
            ));
        }
    }
    (blockers, notes)
}

fn runtime((name, versions): (&str, &str)) -> BundleRuntime {
    BundleRuntime {
        name: name.to_owned(),
        versions: versions.to_owned(),
    }
}

fn signature(found: Signature) -> BundleSignature {
    match found {
        Signature::None => BundleSignature::None,
        Signature::Unverified { .. } => BundleSignature::Unverified,
        Signature::Damaged => BundleSignature::Damaged,
    }
}

fn item(named: &DeclaredItem) -> BundleItem {
    BundleItem {
        name: named.name.clone(),
        description: named.description.clone().unwrap_or_default(),
    }
}

fn links(manifest: &Manifest) -> Vec<BundleLink> {
    let pages = [
        ("Home page", &manifest.homepage),
        ("Documentation", &manifest.documentation),
        ("Support", &manifest.support),
        ("Author", &manifest.author.url),
    ];
    let pages = pages
        .into_iter()
        .filter_map(|(label, url)| Some((label, url.clone()?)));
    let source = manifest
        .repository
        .iter()
        .map(|source| ("Source", source.url.clone()));
    let policies = manifest.privacy_policies.iter();
    let policies = policies.map(|url| ("Privacy policy", url.clone()));
    pages
        .chain(source)
        .chain(policies)
        .filter(|(_, url)| is_http_url(url))
        .map(|(label, url)| BundleLink {
            label: label.to_owned(),
            url,
        })
        .collect()
}
