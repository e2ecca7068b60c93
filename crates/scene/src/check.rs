//! The strict check: the parsed text against the schema of the format.
//!
//! It finds every unknown key, missing key, wrong type, bad choice and number out of range in one
//! pass, before any value is read. The schema comes from the types in [`crate::format`], so nothing
//! here names a key.

use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostics::quoted;
use crate::number::exact;
use crate::report::{At, Report};
use crate::suggest::nearest;

/// Reports everything in `table` that the schema does not allow.
pub(crate) fn check(schema: &Json, table: &DeTable<'_>, report: &mut Report<'_>) {
    Checker { root: schema, report }.table(schema, table, &At::root());
}

struct Checker<'s, 'r, 'a> {
    root: &'s Json,
    report: &'r mut Report<'a>,
}

impl<'s> Checker<'s, '_, '_> {
    /// Follows `$ref` into `$defs`.
    fn resolve(&self, mut schema: &'s Json) -> &'s Json {
        while let Some(name) = schema["$ref"].as_str() {
            schema = &self.root["$defs"][name.trim_start_matches("#/$defs/")];
        }
        schema
    }

    /// The alternatives of a schema, or the schema itself.
    fn branches(&self, schema: &'s Json) -> Vec<&'s Json> {
        let schema = self.resolve(schema);
        match schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
            Some(list) => list.iter().flat_map(|branch| self.branches(branch)).collect(),
            None => vec![schema],
        }
    }

    fn value(&mut self, schema: &'s Json, value: &Spanned<DeValue<'_>>, at: &At) {
        let branches = self.branches(schema);
        let kind = toml_kind(value.get_ref());
        let fitting: Vec<&'s Json> = branches.iter().copied().filter(|branch| accepts(branch, kind)).collect();
        if fitting.is_empty() {
            let unit = schema["x-unit"].as_str().or_else(|| unit_of(&branches));
            return self.wrong_type(&branches, unit, value, at);
        }
        match value.get_ref() {
            DeValue::String(text) => self.string(&fitting, text, &branches, at),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => self.number(fitting[0], number as f64, at),
                Err(_) => self.report.error(at, format!("`{at}` is too large a number")),
            },
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(number) => self.number(fitting[0], number, at),
                Err(_) => self.report.error(at, format!("`{at}` is not a number")),
            },
            DeValue::Array(array) => self.array(fitting[0], array, at),
            DeValue::Table(table) => {
                if let Some(branch) = self.choose(&fitting, table, at) {
                    let others = fitting.iter().copied().filter(|other| !std::ptr::eq(*other, branch));
                    self.table_among(branch, others.collect(), table, at);
                }
            }
            DeValue::Boolean(_) | DeValue::Datetime(_) => (),
        }
    }

    fn wrong_type(&mut self, branches: &[&'s Json], unit: Option<&str>, value: &Spanned<DeValue<'_>>, at: &At) {
        let wanted: Vec<String> = branches.iter().map(|branch| describe(branch)).collect();
        let wanted = either(wanted);
        let found = match value.get_ref() {
            DeValue::String(text) => format!("the text {}", quoted(text)),
            // As it stands there it may have any number of digits.
            DeValue::Float(number) => number.as_str().parse().map_or_else(|_| quoted(number.as_str()), exact),
            other => format!("{} {}", article(other.type_str()), other.type_str()),
        };
        let message = format!("`{at}` should be {wanted}, found {found}");
        match (value.get_ref(), unit) {
            (DeValue::String(_), Some(unit)) => {
                let unit = unit_name(unit);
                self.report.error_with(
                    at,
                    message,
                    format!("numbers are in {unit}: write the number without quotes or unit"),
                );
            }
            (DeValue::Table(_), _) | (_, None) => self.report.error(at, message),
            (_, Some(unit)) => self.report.error_with(at, message, format!("numbers are in {}", unit_name(unit))),
        }
    }

    fn string(&mut self, fitting: &[&'s Json], text: &str, branches: &[&'s Json], at: &At) {
        let choices: Vec<&str> = fitting.iter().flat_map(|branch| choices(branch)).collect();
        if choices.is_empty() {
            let length = text.chars().count() as u64;
            let shortest = fitting[0]["minLength"].as_u64().unwrap_or(0);
            let longest = fitting[0]["maxLength"].as_u64().unwrap_or(u64::MAX);
            if length < shortest {
                self.report.error(at, format!("`{at}` must not be empty"));
            } else if length > longest {
                self.report.error(at, format!("`{at}` is longer than {longest} characters"));
            }
            return;
        }
        if choices.contains(&text) {
            return;
        }
        let message = format!("`{at}` has no choice {}", quoted(text));
        // The name may be right but need a table: `"inflow"` for `{ kind = "inflow", … }`.
        let tag = branches.iter().find_map(|branch| {
            let (key, name) = tag_of(branch)?;
            (name == text).then_some(key)
        });
        let hint = match (tag, nearest(text, choices.iter().copied())) {
            (Some(key), _) => format!("it needs settings: write `{{ {key} = \"{text}\", … }}`"),
            (None, Some(name)) => format!("did you mean `{name}`?"),
            (None, None) => format!("valid: {}", listed(&choices)),
        };
        self.report.error_with(at, message, hint);
    }

    fn number(&mut self, schema: &Json, number: f64, at: &At) {
        let unit = schema["x-unit"].as_str();
        let with_unit = |number: f64| match unit {
            Some(unit) => format!("{} {unit}", exact(number)),
            None => exact(number),
        };
        if !number.is_finite() {
            self.report.error(at, format!("`{at}` must be a finite number, found {}", exact(number)));
            return;
        }
        let low = schema["minimum"].as_f64();
        let above = schema["exclusiveMinimum"].as_f64();
        let high = schema["maximum"].as_f64();
        let outside = low.is_some_and(|low| number < low)
            || above.is_some_and(|above| number <= above)
            || high.is_some_and(|high| number > high);
        if !outside {
            return;
        }
        let range = match (low, above, high) {
            (Some(low), _, Some(high)) => format!("between {} and {}", exact(low), with_unit(high)),
            (None, Some(above), Some(high)) => format!("more than {} and at most {}", exact(above), with_unit(high)),
            (Some(low), _, None) => format!("at least {}", with_unit(low)),
            (None, Some(above), None) => format!("more than {}", with_unit(above)),
            (None, None, Some(high)) => format!("at most {}", with_unit(high)),
            (None, None, None) => return,
        };
        self.report.error_with(
            at,
            format!("`{at}` is out of range: {}", with_unit(number)),
            format!("it must be {range}"),
        );
    }

    fn array(&mut self, schema: &'s Json, array: &[Spanned<DeValue<'_>>], at: &At) {
        let shortest = schema["minItems"].as_u64().unwrap_or(0);
        let longest = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
        let length = array.len() as u64;
        if length < shortest || length > longest {
            let wanted = match (shortest, longest) {
                (a, b) if a == b => format!("exactly {a} entries"),
                (_, b) if length > b => format!("at most {b} entries"),
                (1, _) => "at least one entry".to_owned(),
                (a, _) => format!("at least {a} entries"),
            };
            self.report.error(at, format!("`{at}` needs {wanted}, found {length}"));
            return;
        }
        for (index, value) in array.iter().enumerate() {
            self.value(&schema["items"], value, &at.index(index));
        }
    }

    fn table(&mut self, schema: &'s Json, table: &DeTable<'_>, at: &At) {
        self.table_among(schema, Vec::new(), table, at);
    }

    /// Checks a table against one branch; `others` are the branches that it was chosen from.
    fn table_among(&mut self, schema: &'s Json, others: Vec<&'s Json>, table: &DeTable<'_>, at: &At) {
        let known = keys(schema);
        let mut meant = Vec::new();
        for (key, value) in table {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                self.value(&schema["properties"][name], value, &at.key(name));
                continue;
            }
            let place = if *at == At::root() { "a scene".to_owned() } else { format!("`{at}`") };
            let message = format!("unknown key {} in {place}", quoted(name));
            let hint = if others.iter().any(|other| keys(other).contains(&name)) {
                format!("it belongs to another kind of {place}; here: {}", listed(&known))
            } else {
                match nearest(name, known.iter().copied()) {
                    Some(near) => {
                        meant.push(near);
                        format!("did you mean `{near}`?")
                    }
                    None => format!("valid keys: {}", listed(&known)),
                }
            };
            self.report.push(key.span(), &at.key(name), message, Some(hint));
        }
        for name in required(schema) {
            // A key that was mistyped is not missing as well.
            if !table.contains_key(name) && !meant.contains(&name) {
                let what = describe(self.resolve(&schema["properties"][name]));
                let place = if *at == At::root() { "the scene".to_owned() } else { format!("`{at}`") };
                self.report.error_with(
                    at,
                    format!("{place} lacks the key `{name}`"),
                    format!("add `{name} = …`: {what}"),
                );
            }
        }
    }

    /// The alternative that a table means: by its tag (`kind = "…"`), or by a key that only it has.
    fn choose(&mut self, fitting: &[&'s Json], table: &DeTable<'_>, at: &At) -> Option<&'s Json> {
        if let [only] = fitting {
            return Some(only);
        }
        let tags: Vec<(&str, &str)> = fitting.iter().filter_map(|branch| tag_of(branch)).collect();
        if let Some(&(tag, _)) = tags.first() {
            let names: Vec<&str> = tags.iter().map(|(_, name)| *name).collect();
            let Some(value) = table.get(tag) else {
                self.report.error_with(
                    at,
                    format!("`{at}` lacks the key `{tag}`"),
                    format!("valid: {}", listed(&names)),
                );
                return None;
            };
            let at = at.key(tag);
            let Some(text) = value.get_ref().as_str() else {
                self.report.error_with(&at, format!("`{at}` should be a text"), format!("valid: {}", listed(&names)));
                return None;
            };
            let found = fitting.iter().find(|branch| tag_of(branch) == Some((tag, text)));
            if found.is_none() {
                let hint = match nearest(text, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("valid: {}", listed(&names)),
                };
                self.report.error_with(&at, format!("`{at}` has no choice {}", quoted(text)), hint);
            }
            return found.copied();
        }
        let found = fitting.iter().find(|branch| required(branch).any(|key| table.contains_key(key)));
        if found.is_none() {
            let names: Vec<&str> = fitting.iter().flat_map(|branch| required(branch).next()).collect();
            for (key, _) in table {
                if let Some(near) = nearest(key.get_ref(), names.iter().copied()) {
                    let message = format!("unknown key {} in `{at}`", quoted(key.get_ref()));
                    let hint = format!("did you mean `{near}`?");
                    self.report.push(key.span(), &at.key(key.get_ref()), message, Some(hint));
                    return None;
                }
            }
            self.report.error_with(
                at,
                format!("`{at}` needs one of {}", listed(&names)),
                format!("for example `{{ {} = … }}`", names.first().copied().unwrap_or_default()),
            );
        }
        found.copied()
    }
}

/// The JSON name of a TOML value's type.
fn toml_kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "datetime",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "object",
    }
}

fn accepts(schema: &Json, kind: &str) -> bool {
    match schema["type"].as_str() {
        Some("number") => kind == "number" || kind == "integer",
        Some(wanted) => wanted == kind,
        None => schema["const"].is_string() && kind == "string",
    }
}

fn keys(schema: &Json) -> Vec<&str> {
    let properties = schema["properties"].as_object();
    properties.into_iter().flat_map(|map| map.keys().map(String::as_str)).collect()
}

fn required(schema: &Json) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str)
}

/// The texts that a string may be; empty where any text is fine.
fn choices(schema: &Json) -> Vec<&str> {
    match (&schema["enum"], &schema["const"]) {
        (Json::Array(list), _) => list.iter().filter_map(Json::as_str).collect(),
        (_, Json::String(text)) => vec![text],
        _ => Vec::new(),
    }
}

/// The key and value that tell one alternative from the others.
fn tag_of(schema: &Json) -> Option<(&str, &str)> {
    let properties = schema["properties"].as_object()?;
    properties.iter().find_map(|(key, value)| Some((key.as_str(), value["const"].as_str()?)))
}

/// What a schema wants, in words.
fn describe(schema: &Json) -> String {
    let unit = schema["x-unit"].as_str().map(unit_name);
    match schema["type"].as_str() {
        Some("number") => match unit {
            Some(unit) => format!("a number in {unit}"),
            None => "a number".to_owned(),
        },
        Some("integer") => "a whole number".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("array") => match (&schema["minItems"], &schema["maxItems"]) {
            (low, high) if low == high && low.is_u64() => format!("a list of {low} numbers"),
            _ => "a list".to_owned(),
        },
        Some("object") => "a table".to_owned(),
        _ => match choices(schema).as_slice() {
            [] => "a text".to_owned(),
            names => format!("\"{}\"", names.join("\" or \"")),
        },
    }
}

fn unit_of<'s>(branches: &[&'s Json]) -> Option<&'s str> {
    branches.iter().find_map(|branch| branch["x-unit"].as_str().or(branch["items"]["x-unit"].as_str()))
}

fn unit_name(unit: &str) -> &str {
    match unit {
        "m" => "metres (m)",
        "s" => "seconds (s)",
        "rad" => "radians",
        other => other,
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn either(mut options: Vec<String>) -> String {
    options.dedup();
    match options.pop() {
        Some(last) if options.is_empty() => last,
        Some(last) => format!("{} or {last}", options.join(", ")),
        None => "nothing".to_owned(),
    }
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
