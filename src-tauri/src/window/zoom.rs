//! The zoom of the page: its levels, and the file that keeps it.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The levels, in percent, as in browsers.
const LEVELS: [u16; 11] = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200];
/// The level of a page that is not zoomed, in percent.
pub(super) const NONE: u16 = 100;
/// The kept file is a few bytes; a longer one is not ours.
const LARGEST_FILE: usize = 100;

/// A change of the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    In,
    Out,
    Reset,
}

/// The level now, and where it is kept.
#[derive(Debug)]
pub(super) struct Zoom {
    percent: u16,
    /// None: it is not remembered.
    file: Option<PathBuf>,
}

impl Zoom {
    /// The level that `file` keeps; a file that is missing, damaged or names no level means 100 %.
    pub(super) fn open(file: Option<PathBuf>) -> Self {
        let percent = file.as_deref().and_then(read).unwrap_or(NONE);
        Self { percent, file }
    }

    /// The level, in percent.
    pub(super) fn percent(&self) -> u16 {
        self.percent
    }

    /// Changes the level and keeps it. Returns the new level, in percent; at either end it stays the same.
    pub(super) fn step(&mut self, step: Step) -> u16 {
        let at = LEVELS.iter().position(|level| *level == self.percent);
        let at = at.unwrap_or(usize::MAX);
        self.percent = match step {
            Step::In => LEVELS[(at + 1).min(LEVELS.len() - 1)],
            Step::Out => LEVELS[at.saturating_sub(1)],
            Step::Reset => NONE,
        };
        if let Some(file) = &self.file
            && let Err(error) = write(file, self.percent)
        {
            tracing::warn!(%error, "the window will not remember its zoom");
        }
        self.percent
    }
}

fn read(file: &Path) -> Option<u16> {
    let text = std::fs::read(file)
        .ok()
        .filter(|text| text.len() <= LARGEST_FILE)?;
    let kept: serde_json::Value = serde_json::from_slice(&text).ok()?;
    let percent = u16::try_from(kept["percent"].as_u64()?).ok()?;
    LEVELS.contains(&percent).then_some(percent)
}

fn write(file: &Path, percent: u16) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(file)?
        .write_all(format!("{{\"percent\":{percent}}}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_at_the_first_and_last_level() {
        let mut zoom = Zoom::open(None);
        let steps = |zoom: &mut Zoom, step| (0..20).map(|_| zoom.step(step)).collect::<Vec<_>>();
        assert_eq!(steps(&mut zoom, Step::In)[..6], [110, 125, 150, 175, 200, 200]);
        assert_eq!(zoom.step(Step::Out), 175);
        assert_eq!(zoom.step(Step::Reset), 100);
        assert_eq!(steps(&mut zoom, Step::Out)[..6], [90, 80, 75, 67, 50, 50]);
        assert_eq!(zoom.step(Step::In), 67);
    }

    #[test]
    fn the_level_is_kept_in_a_private_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("zoom.json");
        Zoom::open(Some(file.clone())).step(Step::In);
        assert_eq!(Zoom::open(Some(file.clone())).percent(), 110);
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_file_that_names_no_level_means_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("zoom.json");
        let long = format!("{{\"percent\":110{}}}", " ".repeat(200));
        for text in [
            "",
            "{",
            "[]",
            "{\"percent\":\"110\"}",
            "{\"percent\":111}",
            "{\"percent\":-1}",
            &long,
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(Zoom::open(Some(file.clone())).percent(), 100, "{text}");
        }
        assert_eq!(
            Zoom::open(Some(folder.path().to_owned())).percent(),
            100,
            "a folder"
        );
    }

    #[test]
    fn a_file_that_cannot_be_written_keeps_nothing_from_zooming() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Zoom::open(Some(folder.path().to_owned())).step(Step::In), 110);
    }
}
