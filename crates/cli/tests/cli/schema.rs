//! A JSON-schema validator for the words that the scene schema uses, and no others: it refuses to judge by a
//! word that it does not know.

use serde_json::{Map, Value};

/// What is wrong with a value, with paths. Empty: the schema takes it.
pub(crate) fn faults(root: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    Validator { root }.visit(root, value, "", &mut faults);
    faults
}

struct Validator<'a> {
    root: &'a Value,
}

/// Words that say something to people and editors only.
const REMARKS: [&str; 8] = ["$schema", "$defs", "title", "description", "default", "format", "x-unit", "examples"];

impl Validator<'_> {
    fn visit(&self, schema: &Value, value: &Value, path: &str, faults: &mut Vec<String>) {
        let Value::Object(words) = schema else {
            assert!(schema.is_boolean(), "a schema is an object or a boolean, not {schema}");
            if schema == false {
                faults.push(format!("{path}: nothing is allowed here"));
            }
            return;
        };
        for (word, demand) in words {
            if let Err(fault) = self.word(words, word, demand, value, path, faults) {
                faults.push(format!("{path}: {fault}"));
            }
        }
    }

    fn word(
        &self,
        schema: &Map<String, Value>,
        word: &str,
        demand: &Value,
        value: &Value,
        path: &str,
        faults: &mut Vec<String>,
    ) -> Result<(), String> {
        let size = |length: usize| length as f64;
        let text = value.as_str().map(|text| size(text.chars().count()));
        let list = value.as_array();
        let object = value.as_object();
        let number = value.as_f64();
        let limit = || demand.as_f64().expect("a limit is a number");
        let good = match word {
            "$ref" => {
                let pointer = demand.as_str().and_then(|name| name.strip_prefix('#')).expect("a local reference");
                self.visit(self.root.pointer(pointer).expect("it leads somewhere"), value, path, faults);
                true
            }
            "type" => {
                let names = demand.as_array().map_or_else(|| vec![demand], |list| list.iter().collect());
                names.iter().any(|name| is_a(name.as_str().expect("a type has a name"), value))
            }
            "const" => value == demand,
            "enum" => demand.as_array().expect("a list").contains(value),
            "minimum" => number.is_none_or(|x| x >= limit()),
            "maximum" => number.is_none_or(|x| x <= limit()),
            "exclusiveMinimum" => number.is_none_or(|x| x > limit()),
            "exclusiveMaximum" => number.is_none_or(|x| x < limit()),
            "minLength" => text.is_none_or(|n| n >= limit()),
            "maxLength" => text.is_none_or(|n| n <= limit()),
            "minItems" => list.is_none_or(|l| size(l.len()) >= limit()),
            "maxItems" => list.is_none_or(|l| size(l.len()) <= limit()),
            "items" => {
                for (n, entry) in list.into_iter().flatten().enumerate() {
                    self.visit(demand, entry, &format!("{path}[{n}]"), faults);
                }
                true
            }
            "properties" => {
                for (key, property) in demand.as_object().expect("an object") {
                    if let Some(inner) = object.and_then(|o| o.get(key)) {
                        self.visit(property, inner, &format!("{path}.{key}"), faults);
                    }
                }
                true
            }
            "required" => {
                let mut keys = demand.as_array().expect("a list").iter().map(|key| key.as_str().expect("a key"));
                object.is_none_or(|o| keys.all(|key| o.contains_key(key)))
            }
            "additionalProperties" => {
                let known = |key: &str| schema.get("properties").is_some_and(|p| p.get(key).is_some());
                for (key, inner) in object.into_iter().flatten().filter(|(key, _)| !known(key)) {
                    self.visit(demand, inner, &format!("{path}.{key}"), faults);
                }
                true
            }
            "anyOf" => self.matches(demand, value) > 0,
            "oneOf" => self.matches(demand, value) == 1,
            _ => {
                assert!(REMARKS.contains(&word), "the schema uses `{word}`, which this validator does not know");
                true
            }
        };
        if good { Ok(()) } else { Err(format!("{value} breaks {word} {demand}")) }
    }

    fn matches(&self, branches: &Value, value: &Value) -> usize {
        let takes = |branch: &&Value| {
            let mut faults = Vec::new();
            self.visit(branch, value, "", &mut faults);
            faults.is_empty()
        };
        branches.as_array().expect("branches are a list").iter().filter(takes).count()
    }
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        _ => panic!("the schema uses the type `{name}`"),
    }
}

#[test]
fn a_validator_can_refuse() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {
            "a": { "$ref": "#/$defs/length" },
            "b": { "type": "array", "items": { "type": "integer" }, "maxItems": 2 },
            "c": { "oneOf": [{ "const": "x" }, { "type": "string", "minLength": 2 }] },
        },
        "$defs": { "length": { "type": "number", "exclusiveMinimum": 0 } },
    });
    for good in [r#"{"a": 1}"#, r#"{"a": 0.5, "b": [1, 2], "c": "x"}"#, r#"{"a": 2, "c": "yy"}"#] {
        assert_eq!(faults(&schema, &serde_json::from_str(good).expect("JSON")), [""; 0], "{good}");
    }
    for bad in [
        "[]",
        "{}",
        r#"{"a": 0}"#,
        r#"{"a": 1, "d": 1}"#,
        r#"{"a": 1, "b": [0.5]}"#,
        r#"{"a": 1, "b": [1, 2, 3]}"#,
        r#"{"a": 1, "c": "y"}"#,
    ] {
        assert!(!faults(&schema, &serde_json::from_str(bad).expect("JSON")).is_empty(), "{bad}");
    }
}
