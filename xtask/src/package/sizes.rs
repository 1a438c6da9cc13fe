//! The table of sizes: the programs, the page in them, and the packages.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::write;
use super::stage::Stage;
use crate::install::stamp;
use crate::{Outcome, place};

/// Prints the table, and keeps it beside the packages.
pub(super) fn print(stage: &Stage, shipped: &[PathBuf]) -> Outcome {
    let mut rows = vec![
        ("patchbay (program)".to_owned(), size(&stage.program())),
        ("patchbay-app (program)".to_owned(), size(&stage.window())),
        (
            "page, in each of them".to_owned(),
            sum(&place::root().join("ui/dist/assets")),
        ),
        (
            "manual, completions, icon, licenses".to_owned(),
            sum(&stage.folder().join("share")),
        ),
    ];
    for file in shipped {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        rows.push((name.into_owned(), size(file)));
    }
    let lines: Vec<String> = rows
        .iter()
        .map(|(name, bytes)| format!("| {name} | {} |", in_words(*bytes)))
        .collect();
    let table = format!("| File | Size |\n|---|---:|\n{}\n", lines.join("\n"));
    print!("{table}");
    println!("\nIn {}", stage.folder().join("out").display());
    write(&stage.folder().join("out").join("sizes.md"), table)
}

fn size(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |file| file.len())
}

fn sum(folder: &Path) -> u64 {
    stamp::files(folder).iter().map(|file| size(file)).sum()
}

fn in_words(bytes: u64) -> String {
    match bytes {
        0..100_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
