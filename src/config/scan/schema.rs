//! The blocks and arguments of the language that matter here, with their labels.

/// What to take of a body.
#[derive(Debug)]
pub(super) struct BodySchema {
    pub(super) attributes: Attributes,
    pub(super) blocks: &'static [BlockSchema],
    /// Whether a name that is not listed is an error. Only where the list is complete.
    pub(super) others: Others,
}

/// What to take of a body's arguments.
#[derive(Debug)]
pub(super) enum Attributes {
    /// All of them.
    All,
    /// Those of these names.
    Named(&'static [&'static str]),
}

/// What to do with names that the schema does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// They belong to the language, but not to this program's business.
    Ignored,
    /// They are errors.
    Refused,
}

/// One type of block.
#[derive(Debug)]
pub(super) struct BlockSchema {
    pub(super) kind: &'static str,
    pub(super) labels: usize,
    pub(super) body: BodySchema,
    /// Whether OpenTofu evaluates strings of the JSON syntax here; all others are literal.
    pub(super) tofu_json: JsonStrings,
}

/// What strings of the JSON syntax are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonStrings {
    Literal,
    Templates,
}

impl BodySchema {
    pub(super) fn wants(&self, attribute: &str) -> bool {
        match self.attributes {
            Attributes::All => true,
            Attributes::Named(names) => names.contains(&attribute),
        }
    }

    pub(super) fn block(&self, kind: &str) -> Option<&'static BlockSchema> {
        self.blocks.iter().find(|block| block.kind == kind)
    }
}

const fn body(names: &'static [&'static str], blocks: &'static [BlockSchema]) -> BodySchema {
    BodySchema {
        attributes: Attributes::Named(names),
        blocks,
        others: Others::Ignored,
    }
}

const fn block(kind: &'static str, labels: usize, body: BodySchema) -> BlockSchema {
    BlockSchema {
        kind,
        labels,
        body,
        tofu_json: JsonStrings::Literal,
    }
}

const fn ignored(kind: &'static str, labels: usize) -> BlockSchema {
    block(kind, labels, body(&[], &[]))
}

const REQUIRED_PROVIDERS: BlockSchema = block("required_providers", 0, all());

const DATA: BlockSchema = block("data", 2, body(&["provider"], &[]));

const PROVIDER_ARGUMENTS: [&str; 6] = [
    "alias",
    "version",
    "count",
    "for_each",
    "depends_on",
    "source",
];

const MODULE_ARGUMENTS: [&str; 2] = ["source", "version"];

const VARIABLE_ARGUMENTS: [&str; 4] = ["default", "const", "sensitive", "ephemeral"];

/// All arguments, no blocks.
const fn all() -> BodySchema {
    BodySchema {
        attributes: Attributes::All,
        blocks: &[],
        others: Others::Ignored,
    }
}

/// A configuration file. Every block type of every released version of either tool is listed, since a
/// newer one than the user's does no harm here.
pub(super) static CONFIGURATION: BodySchema = BodySchema {
    attributes: Attributes::Named(&[]),
    others: Others::Refused,
    blocks: &[
        block(
            "terraform",
            0,
            body(
                &["required_version", "experiments"],
                &[
                    REQUIRED_PROVIDERS,
                    ignored("backend", 1),
                    ignored("cloud", 0),
                ],
            ),
        ),
        block("provider", 1, body(&PROVIDER_ARGUMENTS, &[])),
        block("resource", 2, body(&["provider"], &[])),
        DATA,
        block("ephemeral", 2, body(&["provider"], &[])),
        block("action", 2, body(&["provider"], &[])),
        BlockSchema {
            kind: "module",
            labels: 1,
            body: all(),
            tofu_json: JsonStrings::Templates,
        },
        block("check", 1, body(&[], &[DATA])),
        block("import", 0, body(&["provider", "to"], &[])),
        block("variable", 1, body(&VARIABLE_ARGUMENTS, &[])),
        ignored("output", 1),
        BlockSchema {
            kind: "locals",
            labels: 0,
            body: all(),
            tofu_json: JsonStrings::Templates,
        },
        ignored("moved", 0),
        ignored("removed", 0),
        ignored("language", 0),
    ],
};

/// A test file: only its modules and, for OpenTofu, its providers matter.
pub(super) static TEST: BodySchema = body(
    &[],
    &[
        block(
            "run",
            1,
            body(&[], &[block("module", 0, body(&MODULE_ARGUMENTS, &[]))]),
        ),
        ignored("provider", 1),
        ignored("mock_provider", 1),
    ],
);
