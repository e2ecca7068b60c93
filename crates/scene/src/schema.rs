//! The JSON schema of scene files.

use std::sync::OnceLock;

use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value as Json;

use crate::format::SceneFile;

/// The JSON schema of a scene file: every key with its meaning, unit, default and range.
///
/// Editors with a TOML language server use it for completion. Units are under `x-unit`.
///
/// ```
/// let schema = thalweg_scene::schema();
/// assert_eq!(schema["title"], "Thalweg scene");
/// ```
pub fn schema() -> Json {
    shared().clone()
}

/// The same, built once.
pub(crate) fn shared() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut schema = schemars::schema_for!(SceneFile);
        RecursiveTransform(without_null).transform(&mut schema);
        RecursiveTransform(units_to_entries).transform(&mut schema);
        schema.to_value()
    })
}

/// The schema as it is derived from the types: an option has a null, and every section its default.
pub(crate) fn as_derived() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(SceneFile).to_value())
}

/// A unit stated for a list is the unit of its entries.
fn units_to_entries(schema: &mut schemars::Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if object.contains_key("items")
        && let Some(unit) = object.remove("x-unit")
        && let Some(Json::Object(items)) = object.get_mut("items")
    {
        items.insert("x-unit".to_owned(), unit);
    }
}

/// TOML has no null: an optional key is there or it is not.
fn without_null(schema: &mut schemars::Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Json::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Json::Array(branches)) = object.get_mut("anyOf") {
        branches.retain(|branch| branch["type"] != "null");
        if branches.len() == 1
            && let Some(Json::Object(only)) = branches.pop()
        {
            object.remove("anyOf");
            object.extend(only);
        }
    }
    // Nor does a section's default say more than those of its keys.
    if object.get("default").is_some_and(|default| default.is_null() || default.is_object()) {
        object.remove("default");
    }
}
