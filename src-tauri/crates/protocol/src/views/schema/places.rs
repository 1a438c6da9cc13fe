//! The places of the subschemas of a schema. Each has only its own part of the pointer, because a name may be as long as a
//! message and be above many subschemas.

use std::borrow::Cow;

use crate::views::reader::below;

/// One place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place(usize);

#[derive(Debug)]
enum Part<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

/// The places of one schema.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    root: &'a str,
    /// The place above and the last part, of all places but the root.
    parts: Vec<(Place, Part<'a>)>,
}

impl<'a> Places<'a> {
    /// The place of the schema itself.
    pub(crate) const ROOT: Place = Place(0);

    /// `root` is the pointer of the schema itself.
    pub(crate) fn new(root: &'a str) -> Self {
        Self {
            root,
            parts: Vec::new(),
        }
    }

    /// Adds the place of a member.
    pub(crate) fn member(&mut self, above: Place, name: Cow<'a, str>) -> Place {
        self.add(above, Part::Name(name))
    }

    /// Adds the place of an element.
    pub(crate) fn element(&mut self, above: Place, index: usize) -> Place {
        self.add(above, Part::Index(index))
    }

    fn add(&mut self, above: Place, part: Part<'a>) -> Place {
        self.parts.push((above, part));
        Place(self.parts.len())
    }

    /// The parts that lead to a place.
    fn parts(&self, place: Place) -> Vec<&Part<'a>> {
        let mut found = Vec::new();
        let mut at = place;
        while let Some((above, part)) = at.0.checked_sub(1).and_then(|index| self.parts.get(index)) {
            found.push(part);
            at = *above;
        }
        found.reverse();
        found
    }

    /// The JSON pointer of a place.
    pub(crate) fn pointer(&self, place: Place) -> String {
        let parts = self.parts(place).into_iter();
        parts.fold(self.root.to_owned(), |pointer, part| match part {
            Part::Name(name) => below(&pointer, name),
            Part::Index(index) => below(&pointer, &index.to_string()),
        })
    }

    /// The names of the members that lead to a place.
    pub(crate) fn names(&self, place: Place) -> Vec<&str> {
        let mut found = Vec::new();
        for part in self.parts(place) {
            if let Part::Name(name) = part {
                found.push(&**name);
            }
        }
        found
    }
}
