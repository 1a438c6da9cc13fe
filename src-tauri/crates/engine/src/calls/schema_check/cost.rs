//! What a check would cost, before it runs: a validator cannot be interrupted, and a schema of 1 kB can make it run for ever.
//!
//! Every pair of a subschema and a part of the value is counted as often as a validator would evaluate it. Counting is linear
//! in the number of different pairs, because the count of each is remembered.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use url::Url;

/// The most different pairs of a subschema and a part of the value.
const MOST_PAIRS: usize = 300_000;
/// The most references and levels below each other: validators recurse.
const MOST_LEVELS: usize = 512;
/// The cost of a pattern that may have to be tried in many ways, for each [`STRETCH`] of the text that has begun.
const BACKTRACKING: u64 = 2_000;
/// So many bytes of a text are read in about the time in which one other way begins.
const STRETCH: u64 = 100;
/// The root of a schema without `$id`.
const NAMELESS: &str = "json-schema:///";

/// Why a check is too expensive, as the end of a sentence.
type TooExpensive = &'static str;

const EVALUATIONS: TooExpensive =
    "its schema would have to be evaluated more often than the limit schemaEvaluations allows";
const PAIRS: TooExpensive = "its schema and its value have too many parts";
const LEVELS: TooExpensive = "its schema refers to itself or is nested more than 512 levels deep";

/// Whether the check can be run with at most so many evaluations of a subschema, counting repetitions.
pub(super) fn affordable(schema: &Value, value: &Value, most: u64) -> Result<(), TooExpensive> {
    let mut index = Index::default();
    let root = Url::parse(NAMELESS).map_err(|_| PAIRS)?;
    index.add(schema, &root, 0)?;
    // What no part of the value reaches is compiled too.
    let mut known = HashMap::new();
    for subschema in &index.subschemas {
        index.chain(subschema, &mut known, 0)?;
    }
    let mut count = Count {
        index: &index,
        most,
        known: HashMap::new(),
        open: HashSet::new(),
    };
    count.of(schema, value, 0).map(|_| ())
}

/// Where the references of a schema lead.
#[derive(Default)]
struct Index<'a> {
    /// By absolute URL, without fragment.
    resources: HashMap<String, &'a Value>,
    /// By absolute URL with the anchor as fragment.
    anchors: HashMap<String, &'a Value>,
    /// By name, for references that are resolved when they are followed.
    dynamic: HashMap<&'a str, Vec<&'a Value>>,
    /// The absolute URL that the references of a subschema are relative to.
    bases: HashMap<*const Value, Url>,
    subschemas: Vec<&'a Value>,
}

impl<'a> Index<'a> {
    /// Adds every object of the schema, whether it is a subschema or not: what is not is never referred to.
    fn add(&mut self, part: &'a Value, base: &Url, level: usize) -> Result<(), TooExpensive> {
        if level > MOST_LEVELS {
            return Err(LEVELS);
        }
        let own = part
            .get("$id")
            .and_then(Value::as_str)
            .and_then(|id| base.join(id).ok());
        let base = own.as_ref().unwrap_or(base);
        if own.is_some() || level == 0 {
            let mut resource = base.clone();
            resource.set_fragment(None);
            self.resources.entry(resource.into()).or_insert(part);
        }
        match part {
            Value::Object(members) => {
                for name in ["$anchor", "$dynamicAnchor"] {
                    if let Some(anchor) = members.get(name).and_then(Value::as_str) {
                        let mut place = base.clone();
                        place.set_fragment(Some(anchor));
                        self.anchors.entry(place.into()).or_insert(part);
                        self.dynamic.entry(anchor).or_default().push(part);
                    }
                }
                self.bases.insert(part, base.clone());
                self.subschemas.push(part);
                members
                    .values()
                    .try_for_each(|member| self.add(member, base, level + 1))
            }
            Value::Array(elements) => elements
                .iter()
                .try_for_each(|element| self.add(element, base, level + 1)),
            _ => Ok(()),
        }
    }

    /// Where a reference in a subschema may lead. Nowhere: the validator says so itself.
    fn targets(&self, subschema: &'a Value, members: &'a Map<String, Value>) -> Vec<&'a Value> {
        let mut targets = Vec::new();
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        if let (Some(reference), Some(base)) = (
            text("$ref").or_else(|| text("$recursiveRef")),
            self.bases.get(&std::ptr::from_ref(subschema)),
        ) {
            targets.extend(base.join(reference).ok().and_then(|url| self.at(&url)));
        }
        if let Some(reference) = text("$dynamicRef") {
            let name = reference.rsplit('#').next().unwrap_or_default();
            targets.extend(self.dynamic.get(name).into_iter().flatten());
            if let Some(base) = self.bases.get(&std::ptr::from_ref(subschema)) {
                targets.extend(base.join(reference).ok().and_then(|url| self.at(&url)));
            }
        }
        targets
    }

    fn at(&self, url: &Url) -> Option<&'a Value> {
        if let Some(found) = self.anchors.get(url.as_str()) {
            return Some(found);
        }
        let mut resource = url.clone();
        resource.set_fragment(None);
        let resource = self.resources.get(resource.as_str())?;
        let pointer = url.fragment().unwrap_or_default();
        let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8_lossy();
        resource.pointer(&pointer)
    }

    /// The number of references that follow one another from here. One that leads back to itself ends for a validator, which
    /// compiles each subschema once.
    fn chain(
        &self,
        from: &'a Value,
        known: &mut HashMap<*const Value, usize>,
        level: usize,
    ) -> Result<usize, TooExpensive> {
        let Value::Object(members) = from else {
            return Ok(0);
        };
        if let Some(length) = known.get(&std::ptr::from_ref(from)) {
            return Ok(*length);
        }
        if level > MOST_LEVELS {
            return Err(LEVELS);
        }
        known.insert(from, 0);
        let mut longest = 0;
        for target in self.targets(from, members) {
            longest = longest.max(self.chain(target, known, level + 1)? + 1);
        }
        if longest > MOST_LEVELS {
            return Err(LEVELS);
        }
        known.insert(from, longest);
        Ok(longest)
    }
}

/// Counts evaluations.
struct Count<'a> {
    index: &'a Index<'a>,
    /// The most evaluations.
    most: u64,
    known: HashMap<(*const Value, *const Value), u64>,
    open: HashSet<(*const Value, *const Value)>,
}

impl<'a> Count<'a> {
    fn of(&mut self, schema: &'a Value, value: &'a Value, level: usize) -> Result<u64, TooExpensive> {
        let Value::Object(members) = schema else {
            return Ok(1);
        };
        let pair = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        if let Some(known) = self.known.get(&pair) {
            return Ok(*known);
        }
        if level > MOST_LEVELS || !self.open.insert(pair) {
            return Err(LEVELS);
        }
        let mut here = 1_u64;
        for target in self.index.targets(schema, members) {
            here = here.saturating_add(self.of(target, value, level + 1)?);
        }
        let mut below = 0_u64;
        for (keyword, sub) in members {
            here = here.saturating_add(self.in_place(keyword, sub, value, level + 1)?);
            below = below.saturating_add(self.below(keyword, sub, value, level + 1)?);
            if here.saturating_add(below) > self.most {
                return Err(EVALUATIONS);
            }
        }
        // These look again at what the other keywords have looked at, for each part.
        let again = members
            .keys()
            .filter(|name| name.starts_with("unevaluated"))
            .count() as u64;
        let again = again.saturating_mul(parts(value)).saturating_mul(here);
        let total = here.saturating_add(below).saturating_add(again);
        self.open.remove(&pair);
        if total > self.most {
            return Err(EVALUATIONS);
        }
        if self.known.len() >= MOST_PAIRS {
            return Err(PAIRS);
        }
        self.known.insert(pair, total);
        Ok(total)
    }

    /// Keywords that apply subschemas to the same value.
    fn in_place(
        &mut self,
        keyword: &str,
        sub: &'a Value,
        value: &'a Value,
        level: usize,
    ) -> Result<u64, TooExpensive> {
        match (keyword, sub) {
            ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => self.sum(all.iter(), value, level),
            ("dependentSchemas" | "dependencies", Value::Object(all)) => self.sum(all.values(), value, level),
            ("not" | "if" | "then" | "else", _) => self.of(sub, value, level),
            ("enum", Value::Array(all)) => Ok(all.len() as u64),
            ("pattern", Value::String(pattern)) => {
                Ok(value.as_str().map_or(0, |text| of_pattern(pattern, text)))
            }
            _ => Ok(0),
        }
    }

    /// Keywords that apply subschemas to parts of the value.
    fn below(
        &mut self,
        keyword: &str,
        sub: &'a Value,
        value: &'a Value,
        level: usize,
    ) -> Result<u64, TooExpensive> {
        let mut total = 0_u64;
        match (keyword, sub, value) {
            ("properties", Value::Object(all), Value::Object(members)) => {
                for (name, sub) in all {
                    if let Some(member) = members.get(name) {
                        total = total.saturating_add(self.of(sub, member, level)?);
                    }
                }
            }
            // Which members match is not looked at.
            ("patternProperties", Value::Object(all), Value::Object(members)) => {
                for (pattern, sub) in all {
                    total = total.saturating_add(on_names(pattern, members));
                    total = total.saturating_add(self.each(sub, members.values(), level)?);
                }
            }
            ("propertyNames", _, Value::Object(members)) => {
                for name in members.keys() {
                    total = total.saturating_add(self.of_name(sub, name, level)?);
                    if total > self.most {
                        return Err(EVALUATIONS);
                    }
                }
            }
            ("additionalProperties" | "unevaluatedProperties", _, Value::Object(members)) => {
                total = self.each(sub, members.values(), level)?;
            }
            ("items" | "prefixItems", Value::Array(all), Value::Array(elements)) => {
                for (sub, element) in all.iter().zip(elements) {
                    total = total.saturating_add(self.of(sub, element, level)?);
                }
            }
            ("items" | "additionalItems" | "contains" | "unevaluatedItems", _, Value::Array(elements)) => {
                total = self.each(sub, elements.iter(), level)?;
            }
            _ => {}
        }
        Ok(total)
    }

    /// What a subschema costs for the name of a member, which is no part of the value that could be remembered.
    fn of_name(&self, sub: &'a Value, name: &str, level: usize) -> Result<u64, TooExpensive> {
        let name = Value::String(name.to_owned());
        let mut count = Count {
            index: self.index,
            most: self.most,
            known: HashMap::new(),
            open: HashSet::new(),
        };
        count.of(sub, &name, level)
    }

    fn sum(
        &mut self,
        all: impl Iterator<Item = &'a Value>,
        value: &'a Value,
        level: usize,
    ) -> Result<u64, TooExpensive> {
        let mut total = 0_u64;
        for sub in all {
            total = total.saturating_add(self.of(sub, value, level)?);
        }
        Ok(total)
    }

    fn each(
        &mut self,
        sub: &'a Value,
        values: impl Iterator<Item = &'a Value>,
        level: usize,
    ) -> Result<u64, TooExpensive> {
        let mut total = 0_u64;
        for value in values {
            total = total.saturating_add(self.of(sub, value, level)?);
            if total > self.most {
                return Err(EVALUATIONS);
            }
        }
        Ok(total)
    }
}

fn parts(value: &Value) -> u64 {
    match value {
        Value::Object(members) => members.len() as u64,
        Value::Array(elements) => elements.len() as u64,
        _ => 0,
    }
}

/// The cost of a pattern on the names of all members.
fn on_names(pattern: &str, members: &Map<String, Value>) -> u64 {
    let costs = members.keys().map(|name| of_pattern(pattern, name));
    costs.fold(0, u64::saturating_add)
}

/// Most patterns take linear time. Each way in which another one is tried may read the whole text.
fn of_pattern(pattern: &str, text: &str) -> u64 {
    match backtracks(pattern) {
        true => BACKTRACKING.saturating_mul(1 + text.len() as u64 / STRETCH),
        false => 1,
    }
}

/// Whether a pattern may need backtracking: one that looks around, does not try a part again (`(?>…)`, `a++`), depends on a
/// group or refers back to it, or asks for the boundary of a word, which the validator's library does not leave to its linear
/// engine.
fn backtracks(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    let (mut before, mut is_class) = (None, false);
    while let Some(c) = chars.next() {
        let is_hard = match c {
            // What is escaped is neither a group nor a class.
            '\\' => chars
                .next()
                .is_some_and(|escaped| escaped.is_ascii_digit() || matches!(escaped, 'k' | 'b' | 'B')),
            '(' => chars
                .as_str()
                .strip_prefix('?')
                .is_some_and(|after| !is_plain_group(after)),
            '+' => !is_class && matches!(before, Some('+' | '*' | '?' | '}')),
            _ => false,
        };
        if is_hard {
            return true;
        }
        is_class = c == '[' || is_class && c != ']';
        before = (c != '\\').then_some(c);
    }
    false
}

/// Whether a group is without backtracking, by what follows `(?`: `:`, flags, or a name (`<n>`, `P<n>`).
fn is_plain_group(after: &str) -> bool {
    if let Some(name) = after.strip_prefix('P').unwrap_or(after).strip_prefix('<') {
        return !name.starts_with(['=', '!']);
    }
    // With `x` there would be comments.
    let flags = |c: char| c.is_ascii_alphabetic() && c != 'x' || c == '-';
    after.trim_start_matches(flags).starts_with([':', ')'])
}
