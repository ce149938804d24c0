//! Native syntax to blocks and arguments.

use std::sync::Arc;

use hcl_edit::Span;
use hcl_edit::structure::{Body, Structure};

use super::constant;
use super::problem::{Problem, ProblemKind, shown};
use super::schema::{BlockSchema, BodySchema, Others};
use super::source_file::SourceFile;
use super::syntax::{Attribute, Block, Content, Pending};

/// Reads a file. What is wrong goes to `problems`; the rest is still returned.
pub(super) fn read(
    file: &SourceFile,
    schema: &'static BodySchema,
    problems: &mut Vec<Problem>,
) -> Content {
    match hcl_edit::parser::parse_body(file.text()) {
        Ok(body) => Reader { file, problems }.content(&body, schema),
        Err(error) => {
            let place = error.location();
            let message = error.message().trim().replace('\n', "; ");
            problems.push(Problem {
                at: file.location_at(place.line(), place.column()),
                kind: ProblemKind::Syntax(shown(&message)),
            });
            Content::default()
        }
    }
}

struct Reader<'r> {
    file: &'r SourceFile,
    problems: &'r mut Vec<Problem>,
}

impl Reader<'_> {
    fn content(&mut self, body: &Body, schema: &'static BodySchema) -> Content {
        let mut content = Content::default();
        for structure in body {
            match structure {
                Structure::Attribute(attribute) => {
                    let name = attribute.key.as_str();
                    if schema.wants(name) {
                        content.attributes.push(self.attribute(attribute));
                    } else if schema.others == Others::Refused {
                        self.unknown(name, attribute);
                    }
                }
                Structure::Block(block) => {
                    let name = block.ident.as_str();
                    match schema.block(name) {
                        Some(schema) => content.blocks.extend(self.block(block, schema)),
                        None if schema.others == Others::Refused => self.unknown(name, block),
                        None => {}
                    }
                }
            }
        }
        content
    }

    fn unknown(&mut self, name: &str, place: &impl Span) {
        let kind = match name {
            "required_providers" => ProblemKind::RequiredProvidersOutsideTerraform,
            _ => ProblemKind::UnknownName(shown(name)),
        };
        self.problem(place, kind);
    }

    fn problem(&mut self, place: &impl Span, kind: ProblemKind) {
        let at = self.file.location(start(place));
        self.problems.push(Problem { at, kind });
    }

    fn attribute(&self, attribute: &hcl_edit::structure::Attribute) -> Attribute {
        let value = constant::evaluate(&attribute.value);
        let pending = value
            .is_partly_dynamic()
            .then(|| Arc::new(Pending::Expression(attribute.value.clone())));
        Attribute {
            name: attribute.key.as_str().to_owned(),
            value,
            pending,
            at: self.file.location(start(attribute)),
        }
    }

    fn block(
        &mut self,
        block: &hcl_edit::structure::Block,
        schema: &'static BlockSchema,
    ) -> Option<Block> {
        let got = block.labels.len();
        if got != schema.labels {
            let kind = ProblemKind::LabelCount {
                block: schema.kind,
                expected: schema.labels,
                got,
            };
            self.problem(block, kind);
            return None;
        }
        Some(Block {
            kind: schema.kind,
            labels: block
                .labels
                .iter()
                .map(|label| label.as_str().to_owned())
                .collect(),
            content: self.content(&block.body, &schema.body),
            at: self.file.location(start(block)),
        })
    }
}

/// Where something begins; everything that the parser made has a span.
fn start(place: &impl Span) -> usize {
    place.span().map_or(0, |span| span.start)
}
