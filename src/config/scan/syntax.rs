//! Blocks and arguments as both syntaxes give them, as far as this program looks at them.

use super::problem::Location;

/// How deep lists and objects inside one argument are looked into.
pub const MAX_VALUE_DEPTH: usize = 32;

/// The part of a file or block that the schema asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    pub(super) attributes: Vec<Attribute>,
    pub(super) blocks: Vec<Block>,
}

impl Content {
    /// The argument of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// The blocks of this type.
    pub(super) fn blocks(&self, kind: &str) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }
}

/// A block with as many labels as the schema says.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) kind: &'static str,
    pub(super) labels: Vec<String>,
    pub(super) content: Content,
    pub(super) at: Location,
}

/// An argument.
#[derive(Debug, Clone)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) at: Location,
}

/// What can be known of a value without evaluating anything but constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// A number as the tools print it.
    Number(String),
    Text(String),
    List(Vec<Value>),
    /// Keys and values in the order written; a key that is no constant makes the whole dynamic.
    Object(Vec<(String, Value)>),
    /// A reference such as `aws.west`: its names, indexes left out.
    Reference(Vec<String>),
    /// Anything that needs evaluation.
    Dynamic,
}

impl Value {
    /// A constant that converts to a string, as the tools convert where they want one.
    pub(super) fn as_text(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text.clone()),
            Self::Bool(value) => Some(value.to_string()),
            Self::Null | Self::List(_) | Self::Object(_) | Self::Reference(_) | Self::Dynamic => {
                None
            }
        }
    }

    /// Whether evaluation could still make a value of it.
    pub(super) fn is_dynamic(&self) -> bool {
        matches!(self, Self::Reference(_) | Self::Dynamic)
    }
}
