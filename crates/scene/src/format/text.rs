//! A scene's content to and from TOML.

use serde::Deserialize;
use serde_json::Value as Json;
use toml::de::DeTable;
use toml::{Spanned, Table, Value};

use super::SceneFile;
use crate::check::check;
use crate::diagnostics::{Diagnostic, SceneError};
use crate::report::{MOST_DIAGNOSTICS, Report};

/// Largest scene file, bytes.
pub(crate) const LARGEST_SCENE: u64 = 4 << 20;

/// Sections that a text begins with; the others follow by name.
const FIRST: [&str; 4] = ["scene", "domain", "water", "terrain"];

impl SceneFile {
    /// Reads a scene's text: syntax, keys, types, choices and ranges. What sections say to each other, and the files
    /// that they name, are checked by [`crate::Scene::build`]. `name` stands for the file in messages.
    pub fn parse(text: &str, name: &str) -> Result<Self, SceneError> {
        let tree = parse_tree(text, name)?;
        Self::of_tree(&mut Report::new(name, text, &tree), &tree)
    }

    /// The scene file that says this, without the keys that have their default values.
    ///
    /// ```
    /// use thalweg_scene::format::{Domain, SceneFile};
    ///
    /// let domain = Domain { size: [8.0, 2.0, 4.0], cell: 0.25, ..Domain::default() };
    /// let file = SceneFile { domain, ..SceneFile::default() };
    /// assert!(file.to_toml().contains("[domain]\ncell = 0.25\nsize = [8.0, 2.0, 4.0]\n"));
    /// ```
    pub fn to_toml(&self) -> String {
        let mut table = Table::try_from(self).expect("every field of the format has a form in TOML");
        let schema = crate::schema::as_derived();
        Defaults { root: schema }.remove_from_table(schema, &mut table);
        let first = FIRST.iter().filter_map(|name| table.remove_entry(*name)).collect::<Vec<_>>();
        let mut text = String::new();
        for (name, section) in first.into_iter().chain(table) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&Table::from_iter([(name, section)]).to_string());
        }
        text
    }

    /// The content of a parsed text: every key, type, choice and range is held against the schema.
    pub(crate) fn of_tree(report: &mut Report<'_>, tree: &Spanned<DeTable<'_>>) -> Result<Self, SceneError> {
        check(crate::schema::shared(), tree.get_ref(), report);
        report.result()?;
        Self::deserialize(toml::Deserializer::from(tree.clone()))
            .map_err(|error| SceneError::from(from_toml(&error, report.file(), report.text())))
    }
}

/// Syntax: every error that the parser can recover from is reported.
pub(crate) fn parse_tree<'t>(text: &'t str, name: &str) -> Result<Spanned<DeTable<'t>>, SceneError> {
    if text.len() as u64 > LARGEST_SCENE {
        let message = format!("the scene has {} bytes, at most {LARGEST_SCENE} are accepted", text.len());
        return Err(Diagnostic::whole_file(name, message, None).into());
    }
    let (tree, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let errors = errors.iter().take(MOST_DIAGNOSTICS).map(|error| from_toml(error, name, text));
        return Err(SceneError::new(errors.collect()));
    }
    Ok(tree)
}

/// A diagnostic from an error of the TOML parser.
fn from_toml(error: &toml::de::Error, name: &str, text: &str) -> Diagnostic {
    let message = match error.message() {
        message if message.contains("recursion") => "keys or values are nested too deeply",
        message => message,
    };
    match error.span() {
        Some(span) => Diagnostic::at(name, text, span, message, None),
        None => Diagnostic::whole_file(name, message, None),
    }
}

/// Removes what a schema, as derived from the types, has as its default.
struct Defaults<'s> {
    root: &'s Json,
}

impl<'s> Defaults<'s> {
    fn remove_from_table(&self, schema: &'s Json, table: &mut Table) {
        let Some(branch) = self.branches(schema).into_iter().find(|branch| fits(branch, table)) else { return };
        table.retain(|key, value| {
            let property = &branch["properties"][key];
            let is_needed = !is_default(&property["default"], value);
            if is_needed {
                self.remove_from(property, value);
            }
            is_needed
        });
    }

    fn remove_from(&self, schema: &'s Json, value: &mut Value) {
        match value {
            Value::Table(table) => self.remove_from_table(schema, table),
            Value::Array(entries) => {
                let lists = self.branches(schema).into_iter().map(|branch| &branch["items"]);
                let Some(items) = lists.into_iter().find(|items| items.is_object()) else { return };
                entries.iter_mut().for_each(|entry| self.remove_from(items, entry));
            }
            _ => {}
        }
    }

    /// The alternatives of a schema, or the schema itself.
    fn branches(&self, mut schema: &'s Json) -> Vec<&'s Json> {
        while let Some(name) = schema["$ref"].as_str() {
            schema = &self.root["$defs"][name.trim_start_matches("#/$defs/")];
        }
        match schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
            Some(list) => list.iter().flat_map(|branch| self.branches(branch)).collect(),
            None => vec![schema],
        }
    }
}

/// Whether a table is of this alternative: it has no other keys, and the tag (`kind = "…"`) if there is one.
fn fits(branch: &Json, table: &Table) -> bool {
    table.iter().all(|(key, value)| {
        let property = &branch["properties"][key];
        let tag = property["const"].as_str();
        property.is_object() && tag.is_none_or(|tag| value.as_str() == Some(tag))
    })
}

fn is_default(default: &Json, value: &Value) -> bool {
    let mut default = default.clone();
    without_nulls(&mut default);
    // As texts: 0 and -0 are not the same.
    !default.is_null()
        && Value::try_from(default).is_ok_and(|default| default == *value && default.to_string() == value.to_string())
}

/// TOML has no null: what is not there is left out.
fn without_nulls(value: &mut Json) {
    if let Json::Object(entries) = value {
        entries.retain(|_, entry| !entry.is_null());
        entries.values_mut().for_each(without_nulls);
    }
}
