//! Values whose shape depends on their members.

use super::{Step, Walk, Walked, is_name, shorten};
use crate::json::{self, Kind, Problem};
use crate::shapes::content::{BLOB_CONTENTS, TEXT_CONTENTS};
use crate::shapes::inputs::{
    BOOLEAN_FIELD, CHOICE_FIELD, CHOICES_FIELD, ELICITED, FORM, NUMBER_FIELD, ROOTS, SAMPLED_RESULT,
    SAMPLING, TEXT_FIELD, TITLED_CHOICE_FIELD, TITLED_CHOICES_FIELD, URL,
};
use crate::shapes::table::{Shape, Tag};
use crate::{Revision, Rule, methods};

impl<'a> Walk<'a> {
    /// The members of the object that starts here by these names, without moving. None: it is not an object.
    fn ahead<const N: usize>(&self, names: [&str; N]) -> Result<Option<[Option<&'a str>; N]>, Problem> {
        let mut at = self.at;
        if at.peek() != Some(b'{') {
            return Ok(None);
        }
        let mut found = [None; N];
        let mut more = at.enter(b'}')?;
        while more {
            let (name, _) = json::member_name(&mut at)?;
            let value = at.value()?;
            let wanted = names.iter().zip(&mut found).find(|(wanted, _)| name == **wanted);
            if let Some((_, found)) = wanted {
                *found = Some(value);
            }
            more = at.follow(b'}')?;
        }
        Ok(Some(found))
    }

    /// Skips the value that is here, which is wrong in one member.
    fn skip_wrong(&mut self, member: &'static str, rule: Rule, message: String) -> Walked {
        self.path.push(Step::Member(member));
        self.wrong(rule, message);
        self.path.pop();
        self.at.skip_value()
    }

    /// Skips the value that is here, which is not an object.
    fn skip_other(&mut self) -> Walked {
        self.enter(b'}').map(|_| ())
    }

    pub(super) fn tagged(&mut self, tags: &'static [Tag]) -> Walked {
        let Some([tag]) = self.ahead(["type"])? else {
            return self.skip_other();
        };
        let Some(tag) = tag else {
            return self.skip_wrong("type", Rule::MemberMissing, "`type` is missing".to_owned());
        };
        let known = tags.iter().find(|(known, ..)| is_name(tag, known));
        match known {
            Some((_, within, record)) if within.has(self.revision) => self.record(record),
            Some((known, ..)) => {
                let message = format!(
                    "`type` is \"{known}\", which revision {} does not have",
                    self.revision
                );
                self.skip_wrong("type", Rule::FeatureNotInRevision, message)
            }
            None => {
                let message = format!("`type` is {}, which is not allowed here", shorten(tag));
                self.skip_wrong("type", Rule::ContentTypeUnknown, message)
            }
        }
    }

    pub(super) fn contents(&mut self) -> Walked {
        let is_blob = matches!(self.ahead(["blob", "text"])?, Some([Some(_), None]));
        self.record(if is_blob { &BLOB_CONTENTS } else { &TEXT_CONTENTS })
    }

    pub(super) fn elicitation(&mut self) -> Walked {
        let mode = self.ahead(["mode"])?.and_then(|[mode]| mode);
        match mode.is_some_and(|mode| is_name(mode, "url")) {
            true if self.revision >= Revision::V2025_11_25 => self.record(&URL),
            true => {
                let message = format!(
                    "`mode` is \"url\", which revision {} does not have",
                    self.revision
                );
                self.skip_wrong("mode", Rule::FeatureNotInRevision, message)
            }
            false => self.record(&FORM),
        }
    }

    /// A flat object whose properties are of primitive types (`client/elicitation`, "Requested Schema").
    pub(super) fn requested_schema(&mut self) -> Walked {
        let Some([kind, properties, required]) = self.ahead(["type", "properties", "required"])? else {
            return self.skip_other();
        };
        let outer = self.instead.replace(Rule::ElicitationSchema);
        if !kind.is_some_and(|kind| is_name(kind, "object")) {
            let found = kind.map_or("missing".to_owned(), shorten);
            self.path.push(Step::Member("type"));
            self.wrong(
                Rule::MemberValue,
                format!("`type` is {found} instead of \"object\""),
            );
            self.path.pop();
        }
        match properties {
            None => self.missing("properties"),
            Some(properties) => self.again("properties", properties, Self::form_fields)?,
        }
        if let Some(required) = required {
            self.again("required", required, |walk| walk.list(usize::MAX, &Shape::Text))?;
        }
        self.instead = outer;
        self.at.skip_value()
    }

    fn form_fields(&mut self) -> Walked {
        let mut more = self.enter(b'}')?;
        while more {
            let (name, _) = self.at.name()?;
            self.within(Step::Written(name), Self::form_field)?;
            more = self.at.follow(b'}')?;
        }
        Ok(())
    }

    fn form_field(&mut self) -> Walked {
        let Some([kind, choices, titled, items]) = self.ahead(["type", "enum", "oneOf", "items"])? else {
            return self.skip_other();
        };
        let name = kind.and_then(json::string);
        let with_choices = self.revision >= Revision::V2025_11_25;
        let record = match name.as_deref() {
            Some("string") if choices.is_some() => &CHOICE_FIELD,
            Some("string") if titled.is_some() && with_choices => &TITLED_CHOICE_FIELD,
            Some("string") => &TEXT_FIELD,
            Some("number" | "integer") => &NUMBER_FIELD,
            Some("boolean") => &BOOLEAN_FIELD,
            Some("array") if with_choices => {
                match items.is_some_and(|items| json::member(items, "anyOf").is_some()) {
                    true => &TITLED_CHOICES_FIELD,
                    false => &CHOICES_FIELD,
                }
            }
            _ => {
                let found = kind.map_or("missing".to_owned(), shorten);
                let message = format!("{} has the `type` {found}, which a form cannot have", self.name());
                return self.skip_wrong("type", Rule::MemberValue, message);
            }
        };
        self.record(record)
    }

    pub(super) fn form_value(&mut self) -> Walked {
        if self.at.peek() == Some(b'[') && self.revision >= Revision::V2025_11_25 {
            return self.list(usize::MAX, &Shape::Text);
        }
        let value = self.at.value()?;
        let is = matches!(json::kind(value), Kind::String | Kind::Number | Kind::Bool);
        self.expect(is, value, "a string, a number, a boolean or an array of strings");
        Ok(())
    }

    /// The method was checked by the view ([`crate::views::InputRequired`]).
    pub(super) fn input_request(&mut self) -> Walked {
        let Some([method, params]) = self.ahead(["method", "params"])? else {
            return self.skip_other();
        };
        let method = method.and_then(json::string);
        let shape = match method.as_deref() {
            Some(methods::ELICITATION_CREATE) => Shape::Elicitation,
            Some(methods::SAMPLING_CREATE_MESSAGE) => Shape::Record(&SAMPLING),
            Some(methods::ROOTS_LIST) if params.is_some() => Shape::Object,
            _ => return self.at.skip_value(),
        };
        match params {
            Some(params) => self.again("params", params, |walk| walk.value(&shape))?,
            None => self.missing("params"),
        }
        self.at.skip_value()
    }

    /// Which of the three it is depends on the request; its members tell.
    pub(super) fn input_response(&mut self) -> Walked {
        let record = match self.ahead(["action", "roots"])? {
            Some([Some(_), _]) => &ELICITED,
            Some([None, Some(_)]) => &ROOTS,
            _ => &SAMPLED_RESULT,
        };
        self.record(record)
    }
}
