//! What the tables of shapes are written in.

use crate::Revision;

/// A set of revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Revisions(u8);

impl Revisions {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(0b1_1111);
    pub(crate) const LEGACY: Self = Self(0b0_1111);
    pub(crate) const MODERN: Self = Self(0b1_0000);

    /// One revision.
    pub(crate) const fn only(revision: Revision) -> Self {
        Self(1 << revision.index())
    }

    /// A revision and all later ones.
    pub(crate) const fn from(revision: Revision) -> Self {
        Self(Self::ALL.0 & !((1 << revision.index()) - 1))
    }

    /// Those in both sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those in either set.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn has(self, revision: Revision) -> bool {
        self.0 & (1 << revision.index()) != 0
    }

    /// The revisions, oldest first.
    pub(crate) fn iter(self) -> impl Iterator<Item = Revision> {
        Revision::ALL
            .into_iter()
            .filter(move |revision| self.has(*revision))
    }
}

/// An object with known members.
#[derive(Debug)]
pub(crate) struct Record {
    /// Its name in the official schema.
    #[cfg_attr(
        not(test),
        expect(
            dead_code,
            reason = "the test against the official schema finds it by this name"
        )
    )]
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Field],
}

/// A member of a record.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// Where it is required.
    required: Revisions,
    /// Where it exists. Elsewhere it may have any value.
    exists: Revisions,
}

/// A member that must be there.
pub(crate) const fn req(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        shape,
        required: Revisions::ALL,
        exists: Revisions::ALL,
    }
}

/// A member that may be there.
pub(crate) const fn opt(name: &'static str, shape: Shape) -> Field {
    Field {
        required: Revisions::NONE,
        ..req(name, shape)
    }
}

impl Field {
    /// It exists only in these revisions.
    pub(crate) const fn within(self, revisions: Revisions) -> Self {
        Self {
            required: self.required.and(revisions),
            exists: self.exists.and(revisions),
            ..self
        }
    }

    /// It exists from this revision on.
    pub(crate) const fn since(self, revision: Revision) -> Self {
        self.within(Revisions::from(revision))
    }

    /// It is required only in these revisions.
    pub(crate) const fn required_in(self, revisions: Revisions) -> Self {
        Self {
            required: revisions,
            ..self
        }
    }

    pub(crate) fn is_required(&self, revision: Revision) -> bool {
        self.required.has(revision)
    }

    pub(crate) fn exists(&self, revision: Revision) -> bool {
        self.exists.has(revision)
    }
}

/// A member of a choice by `type`: its value, where it exists, its members.
pub(crate) type Tag = (&'static str, Revisions, &'static Record);

/// The allowed values.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Any value.
    Any,
    /// A string.
    Text,
    /// A string of base64.
    Base64,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// A number.
    Number,
    /// A number from 0 to 1.
    Fraction,
    /// An integer.
    Integer,
    /// An integer, or null.
    IntegerOrNull,
    /// A boolean.
    Boolean,
    /// An id or a progress token: a string or an integer.
    Id,
    /// An object with any members.
    Object,
    /// An object with these members.
    Record(&'static Record),
    /// An array.
    List(&'static Shape),
    /// An array of at most this many.
    Most(usize, &'static Shape),
    /// An object whose members have any names.
    Map(&'static Shape),
    /// One, or from a revision on an array.
    OneOrList(Revision, &'static Shape),
    /// One of several records, which `type` names.
    Tagged(&'static [Tag]),
    /// The contents of a resource: with `text` or with `blob`.
    Contents,
    /// The params of an elicitation, by their `mode`.
    Elicitation,
    /// `requestedSchema` of an elicitation: a flat object.
    RequestedSchema,
    /// A value in the answer to an elicitation.
    FormValue,
    /// A request for input in a result (modern era).
    InputRequest,
    /// The response to one: the result of an elicitation, of sampling, or the roots.
    InputResponse,
    /// The address of an icon.
    IconSource,
    /// A URI of a file.
    FileUri,
}
