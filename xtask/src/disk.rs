//! A full disk. Compilers, linkers and installers report one in words of their own, or as something else.

use std::path::{Path, PathBuf};

use crate::{place, process};

/// With less than this a build or an installation does not end, in bytes. What a failed linker had written is deleted again, so
/// a disk that was full a moment ago has some room.
const LEAST: u64 = 1 << 30;

/// The same for the folder for temporary files, which may be a small disk in memory with nothing wrong. A program that needed
/// more of it says that it is full.
const LEAST_TEMPORARY: u64 = 64 << 20;

/// How programs say that a disk is full.
const WORDS: [&str; 6] = [
    "No space left on device",
    "ENOSPC",
    "os error 28",
    "Disk quota exceeded",
    "have enough free space",
    "There is not enough space on the disk",
];

/// Why a build or an installation failed, if it is that a disk is full, and what to do.
pub(crate) fn shortage() -> Option<String> {
    first_full(LEAST_TEMPORARY, free)
}

/// The same, if the output of a program says so.
pub(crate) fn named_in(output: &str) -> Option<String> {
    WORDS
        .iter()
        .any(|words| output.contains(words))
        .then(|| first_full(LEAST, free).unwrap_or_else(|| sentence(&place::target(), None)))
}

/// The first disk that is full, in words. The one with the temporary folder is if less than `temporary` is free.
fn first_full(temporary: u64, free: impl Fn(&Path) -> Option<u64>) -> Option<String> {
    let disks = [
        (place::target(), LEAST),
        (place::cache(), LEAST),
        (std::env::temp_dir(), temporary),
    ];
    disks.into_iter().find_map(|(folder, least)| {
        let free = free(&folder)?;
        (free < least).then(|| sentence(&folder, Some(free)))
    })
}

fn sentence(folder: &Path, free: Option<u64>) -> String {
    let left = free.map_or_else(String::new, |bytes| {
        format!(": {} MB are free", bytes / 1_000_000)
    });
    format!(
        "The disk with {} is full{left}. Free some space (a build takes about 15 GB; the last one is in {}, which can be deleted), \
         then start again.",
        folder.display(),
        place::target().display()
    )
}

/// The free bytes of the disk with a folder that need not exist yet; `None` if they are not known.
fn free(folder: &Path) -> Option<u64> {
    let existing: PathBuf = folder.ancestors().find(|path| path.exists())?.to_owned();
    available(&process::answer(process::command("df").arg("-Pk").arg(existing))?)
}

/// The free bytes in the output of `df -Pk` (POSIX): the fourth column of the last line.
fn available(output: &str) -> Option<u64> {
    let line = output.lines().last()?;
    // The name of a disk may have spaces, and the path too: from the column with the percent sign.
    let words: Vec<&str> = line.split_whitespace().collect();
    let percent = words.iter().position(|word| {
        word.strip_suffix('%')
            .is_some_and(|number| number.parse::<u8>().is_ok())
    })?;
    let kilobytes: u64 = words.get(percent.checked_sub(1)?)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_space_is_read_from_df() {
        let header = "Filesystem     1024-blocks      Used Available Capacity Mounted on\n";
        for (line, expected) in [
            (
                "/dev/vda         264089336  66000000  30400000      69% /",
                30_400_000,
            ),
            (
                "tmpfs                 1024      1024         0     100% /a folder",
                0,
            ),
            (
                "//host/a share         100        60        40      60% /mnt/a 5% b",
                40,
            ),
        ] {
            assert_eq!(available(&format!("{header}{line}\n")), Some(expected * 1024));
        }
        assert_eq!(available("df: no such file\n"), None);
    }

    #[test]
    fn a_small_temporary_folder_is_not_the_cause_of_every_failure() {
        let temporary = std::env::temp_dir();
        let half_a_gigabyte_there = |folder: &Path| Some(if folder == temporary { LEAST / 2 } else { LEAST });
        assert_eq!(first_full(LEAST_TEMPORARY, half_a_gigabyte_there), None);
        let cause = first_full(LEAST, half_a_gigabyte_there).expect("a program said that a disk is full");
        assert!(cause.contains(&temporary.display().to_string()), "{cause}");
        for least in [LEAST, LEAST_TEMPORARY] {
            let cause = first_full(least, |_| Some(0)).expect("all are full");
            assert!(cause.contains(&place::target().display().to_string()), "{cause}");
        }
    }

    #[test]
    fn the_last_build_is_named_where_it_is() {
        let cause = sentence(&std::env::temp_dir(), None);
        assert!(cause.contains(&place::target().display().to_string()), "{cause}");
    }

    #[test]
    fn the_cause_is_named_however_a_tool_says_it() {
        for output in [
            "error: failed to write `x.rmeta`: No space left on device (os error 28)",
            "npm error code ENOSPC\nnpm error nospc",
            "E: You don't have enough free space in /var/cache/apt/archives/.",
            "/usr/bin/ld: final link failed: No space left on device",
        ] {
            let cause = named_in(output).expect(output);
            assert!(
                cause.contains("is full") && cause.contains("Free some space"),
                "{cause}"
            );
        }
        assert_eq!(named_in("error: linking with `cc` failed: exit status: 1"), None);
    }
}
