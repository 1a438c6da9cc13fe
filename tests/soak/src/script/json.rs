//! JSON that may be written wrong: members twice, literals of any form.

use crate::random::Random;

/// A value as it is written.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// Anything, as text.
    Raw(String),
    List(Vec<Node>),
    /// Names are JSON texts too.
    Map(Vec<(String, Node)>),
}

impl Node {
    pub(crate) fn text(text: &str) -> Self {
        Self::Raw(quoted(text))
    }

    pub(crate) fn of(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            serde_json::Value::Object(members) => Self::Map(
                members
                    .iter()
                    .map(|(name, value)| (quoted(name), Self::of(value)))
                    .collect(),
            ),
            other => Self::Raw(other.to_string()),
        }
    }

    /// Sets a member of an object.
    pub(crate) fn set(&mut self, name: &str, value: Node) {
        if let Self::Map(members) = self {
            let name = quoted(name);
            members.retain(|(known, _)| *known != name);
            members.push((name, value));
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Self::Map(members) = self {
            members.retain(|(known, _)| *known != quoted(name));
        }
    }

    pub(crate) fn member(&mut self, name: &str) -> Option<&mut Node> {
        let Self::Map(members) = self else { return None };
        let name = quoted(name);
        members
            .iter_mut()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Raw(text) => out.push_str(text),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Map(members) => {
                out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    out.push_str(name);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    pub(crate) fn written(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn count(&self) -> usize {
        1 + match self {
            Self::Raw(_) => 0,
            Self::List(items) => items.iter().map(Self::count).sum(),
            Self::Map(members) => members.iter().map(|(_, value)| value.count()).sum(),
        }
    }

    /// Any of the values in it.
    pub(crate) fn any(&mut self, random: &mut Random) -> &mut Node {
        let number = random.below(self.count());
        self.at(&mut { number }).unwrap()
    }

    fn at(&mut self, number: &mut usize) -> Option<&mut Node> {
        if *number == 0 {
            return Some(self);
        }
        *number -= 1;
        match self {
            Self::Raw(_) => None,
            Self::List(items) => items.iter_mut().find_map(|item| item.at(number)),
            Self::Map(members) => members.iter_mut().find_map(|(_, value)| value.at(number)),
        }
    }
}

pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}
