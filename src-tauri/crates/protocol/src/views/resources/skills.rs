//! Skills: rows of `skills/list`. A skill is a folder of resources (extension `io.modelcontextprotocol/skills`).

use std::borrow::Cow;

use super::super::reader::Reader;
use crate::{Rule, Violation, json};

/// The extension a server declares to serve skills.
pub const SKILLS_EXTENSION: &str = "io.modelcontextprotocol/skills";

/// One skill.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SkillView<'a> {
    /// The URI of its `SKILL.md`; empty if missing.
    pub uri: Cow<'a, str>,
    /// `frontmatter.name`; empty if missing.
    pub name: Cow<'a, str>,
    /// `frontmatter.description`.
    pub description: Option<Cow<'a, str>>,
    /// Its files; none if they are `"dynamic"` or malformed.
    pub files: Option<SkillFiles>,
    /// Its violations. Pointers are into the skill.
    pub violations: Vec<Violation>,
}

/// How many files a skill has and how large they are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SkillFiles {
    /// Their number.
    pub count: usize,
    /// The sum of their sizes in bytes, as stated; a missing size counts as 0.
    pub total_size: f64,
}

impl<'a> SkillView<'a> {
    /// Parses one element of `skills`.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        let mut reader = Reader::new(raw);
        for member in ["uri", "frontmatter", "resources"] {
            reader.require(member);
        }
        let uri = reader.string("uri").unwrap_or_default();
        let frontmatter = reader.object("frontmatter");
        let files = files(&mut reader);
        let mut violations = reader.violations;
        let (mut name, mut description) = (Cow::default(), None);
        if let Some(raw) = frontmatter {
            let mut reader = Reader::at(raw, "/frontmatter".to_owned());
            reader.require("name");
            reader.require("description");
            name = reader.string("name").unwrap_or_default();
            description = reader.string("description");
            violations.append(&mut reader.violations);
        }
        Self {
            uri,
            name,
            description,
            files,
            violations,
        }
    }
}

fn files(reader: &mut Reader<'_>) -> Option<SkillFiles> {
    let raw = reader.raw("resources")?;
    if json::string(raw).as_deref() == Some("dynamic") {
        return None;
    }
    let Some(elements) = json::array(raw) else {
        let message = "`resources` is neither an array nor \"dynamic\"";
        reader.push(Rule::MemberType, "resources", message);
        return None;
    };
    let size = |element: &str| {
        json::Object::parse(element)
            .ok()?
            .get("size")
            .and_then(json::number)
    };
    Some(SkillFiles {
        count: elements.len(),
        total_size: elements.iter().filter_map(|element| size(element)).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::{SkillFiles, SkillView};
    use crate::Rule;

    #[test]
    fn a_skill_has_a_name_and_counts_its_files() {
        let raw = r#"{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"Does it","x":[1]},
            "resources":[{"uri":"skill://a/SKILL.md","digest":"sha256:0","size":20},{"uri":"skill://a/b","size":3}]}"#;
        let view = SkillView::parse(raw);
        assert_eq!((&*view.name, view.description.as_deref()), ("a", Some("Does it")));
        let files = SkillFiles {
            count: 2,
            total_size: 23.0,
        };
        assert_eq!(view.files, Some(files));
        assert_eq!(view.violations, []);
    }

    #[test]
    fn dynamic_files_are_not_counted() {
        let raw = r#"{"uri":"u","frontmatter":{"name":"a","description":""},"resources":"dynamic"}"#;
        let view = SkillView::parse(raw);
        assert_eq!((view.files, view.violations), (None, vec![]));
    }

    #[test]
    fn a_malformed_skill_is_a_row_with_violations() {
        let rules = |raw: &str| -> Vec<(Rule, String)> {
            let found = SkillView::parse(raw).violations.into_iter();
            found
                .map(|one| (one.rule, one.pointer.unwrap_or_default()))
                .collect()
        };
        assert_eq!(rules("7").first(), Some(&(Rule::MemberType, String::new())));
        assert_eq!(
            rules(r#"{"uri":1,"frontmatter":{"name":[]},"resources":"all"}"#),
            [
                (Rule::MemberType, "/uri".to_owned()),
                (Rule::MemberType, "/resources".to_owned()),
                (Rule::MemberMissing, "/frontmatter/description".to_owned()),
                (Rule::MemberType, "/frontmatter/name".to_owned()),
            ]
        );
        assert_eq!(
            rules("{}"),
            ["/uri", "/frontmatter", "/resources"].map(|at| (Rule::MemberMissing, at.to_owned()))
        );
    }
}
