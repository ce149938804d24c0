//! JSON syntax to blocks and arguments (facts/modules 5.4).
//!
//! JSON has no blocks: the schema says which names are blocks and how many levels are labels. At each
//! level an object or a list of objects is accepted; equal keys are all kept; `"//"` is a comment in
//! bodies, but not among labels; `null` is no block at all.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use hcl_edit::template::Template;
use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::constant;
use super::problem::{Location, Problem, ProblemKind, shown};
use super::schema::{BlockSchema, BodySchema, JsonStrings, Others};
use super::source_file::SourceFile;
use super::syntax::{Attribute, Block, Content, MAX_VALUE_DEPTH, Pending, Value};
use crate::address::Tool;

const COMMENT: &str = "//";

/// Reads a file. What is wrong goes to `problems`; the rest is still returned.
pub(super) fn read(
    file: &SourceFile,
    schema: &'static BodySchema,
    tool: Tool,
    problems: &mut Vec<Problem>,
) -> Content {
    let root = match serde_json::from_str::<&RawValue>(file.text()) {
        Ok(root) => Json {
            file,
            raw: root.get(),
        },
        Err(error) => {
            problems.push(Problem {
                at: file.location_at(error.line(), error.column()),
                kind: ProblemKind::Syntax(error.to_string()),
            });
            return Content::default();
        }
    };
    let mut reader = Reader { tool, problems };
    let bodies = reader.objects(root, "the file");
    reader.content(&bodies, schema, JsonStrings::Literal)
}

/// A value that is not looked into yet: a part of the file's text, so its place is known.
#[derive(Clone, Copy)]
struct Json<'f> {
    file: &'f SourceFile,
    raw: &'f str,
}

impl<'f> Json<'f> {
    fn at(self) -> Location {
        let offset = self.raw.as_ptr().addr() - self.file.text().as_ptr().addr();
        self.file.location(offset)
    }

    fn is_null(self) -> bool {
        self.raw == "null"
    }

    /// The members, equal keys included; none if this is no object.
    fn members(self) -> Option<Vec<(String, Self)>> {
        let pairs = serde_json::Deserializer::from_str(self.raw)
            .deserialize_map(Pairs)
            .ok()?;
        let with_file = |(key, raw): (String, &'f RawValue)| {
            (
                key,
                Json {
                    raw: raw.get(),
                    ..self
                },
            )
        };
        Some(pairs.into_iter().map(with_file).collect())
    }

    /// The items; none if this is no list.
    fn items(self) -> Option<Vec<Self>> {
        let items: Vec<&'f RawValue> = serde_json::from_str(self.raw).ok()?;
        Some(
            items
                .into_iter()
                .map(|raw| Json {
                    raw: raw.get(),
                    ..self
                })
                .collect(),
        )
    }
}

/// Takes an object as a list of pairs.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

struct Reader<'r> {
    tool: Tool,
    problems: &'r mut Vec<Problem>,
}

impl Reader<'_> {
    fn problem(&mut self, at: Location, kind: ProblemKind) {
        self.problems.push(Problem { at, kind });
    }

    /// An object, or the objects of a list; each with its members.
    fn objects<'f>(
        &mut self,
        json: Json<'f>,
        what: &str,
    ) -> Vec<(Json<'f>, Vec<(String, Json<'f>)>)> {
        let candidates = json.items().unwrap_or_else(|| vec![json]);
        let mut objects = Vec::new();
        for candidate in candidates
            .into_iter()
            .filter(|candidate| !candidate.is_null())
        {
            match candidate.members() {
                Some(members) => objects.push((candidate, members)),
                None => self.problem(candidate.at(), ProblemKind::JsonShape(shown(what))),
            }
        }
        objects
    }

    /// The content of bodies that count as one.
    fn content(
        &mut self,
        bodies: &[(Json<'_>, Vec<(String, Json<'_>)>)],
        schema: &'static BodySchema,
        strings: JsonStrings,
    ) -> Content {
        let mut content = Content::default();
        let mut seen = HashSet::new();
        let members = bodies.iter().flat_map(|(_, members)| members);
        for (name, json) in members.filter(|(name, _)| name != COMMENT) {
            if let Some(block) = schema.block(name) {
                self.blocks(*json, block, &mut Vec::new(), &mut content.blocks);
            } else if schema.wants(name) {
                if !seen.insert(name.as_str()) {
                    self.problem(json.at(), ProblemKind::Duplicate(shown(name)));
                }
                content.attributes.push(attribute(name, *json, strings));
            } else if schema.others == Others::Refused {
                let kind = match name.as_str() {
                    "required_providers" => ProblemKind::RequiredProvidersOutsideTerraform,
                    _ => ProblemKind::UnknownName(shown(name)),
                };
                self.problem(json.at(), kind);
            }
        }
        content
    }

    /// The blocks below `json`, at which `labels` have been passed. The schema bounds the recursion.
    fn blocks(
        &mut self,
        json: Json<'_>,
        schema: &'static BlockSchema,
        labels: &mut Vec<String>,
        blocks: &mut Vec<Block>,
    ) {
        for (object, members) in
            self.objects(json, labels.last().map_or(schema.kind, |label| label))
        {
            if labels.len() < schema.labels {
                for (label, inner) in members {
                    labels.push(label);
                    self.blocks(inner, schema, labels, blocks);
                    labels.pop();
                }
                continue;
            }
            let strings = match self.tool {
                Tool::Terraform => JsonStrings::Literal,
                Tool::Tofu => schema.tofu_json,
            };
            let at = object.at();
            let content = self.content(&[(object, members)], &schema.body, strings);
            blocks.push(Block {
                kind: schema.kind,
                labels: labels.clone(),
                content,
                at,
            });
        }
    }
}

fn attribute(name: &str, json: Json<'_>, strings: JsonStrings) -> Attribute {
    let value = value(json, strings, 0);
    // Only a string as a whole is evaluated; templates inside of lists and objects stay unknown.
    let pending = match (value.is_dynamic(), strings) {
        (true, JsonStrings::Templates) => template(json.raw),
        (true, JsonStrings::Literal) | (false, _) => None,
    };
    Attribute {
        name: name.to_owned(),
        value,
        pending: pending.map(|template| Arc::new(Pending::Template(template))),
        at: json.at(),
    }
}

fn template(raw: &str) -> Option<Template> {
    let text: String = serde_json::from_str(raw).ok()?;
    text.parse().ok()
}

fn value(json: Json<'_>, strings: JsonStrings, depth: usize) -> Value {
    if depth > MAX_VALUE_DEPTH {
        return Value::Dynamic;
    }
    if let Some(members) = json.members() {
        let members = members.into_iter().filter(|(key, _)| key != COMMENT);
        return Value::Object(
            members
                .map(|(key, inner)| (key, value(inner, strings, depth + 1)))
                .collect(),
        );
    }
    if let Some(items) = json.items() {
        return Value::List(
            items
                .into_iter()
                .map(|inner| value(inner, strings, depth + 1))
                .collect(),
        );
    }
    scalar(json.raw, strings)
}

fn scalar(raw: &str, strings: JsonStrings) -> Value {
    match (raw, serde_json::from_str::<String>(raw), strings) {
        ("null", _, _) => Value::Null,
        ("true", _, _) => Value::Bool(true),
        ("false", _, _) => Value::Bool(false),
        (_, Ok(text), JsonStrings::Literal) => Value::Text(text),
        (_, Ok(text), JsonStrings::Templates) => constant::evaluate_template(&text),
        // Half a surrogate pair: valid to the eye, but no text.
        (_, Err(_), _) if raw.starts_with('"') => Value::Dynamic,
        // Everything else was a number when the file was read.
        (number, Err(_), _) => Value::Number(number_text(number)),
    }
}

/// A number as the tools convert it to text: `1.0` is `1`.
fn number_text(raw: &str) -> String {
    match (raw.parse::<i64>(), raw.parse::<f64>()) {
        (Err(_), Ok(float)) => float.to_string(),
        (Ok(_) | Err(_), _) => raw.to_owned(),
    }
}
