//! Blocks and arguments as both syntaxes give them, as far as this program looks at them.

use std::sync::Arc;

use hcl_edit::expr::Expression;
use hcl_edit::template::Template;

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
    /// What is left to evaluate, if the value is not constant throughout.
    pub(super) pending: Option<Arc<Pending>>,
    pub(super) at: Location,
}

/// What static evaluation may make a value of.
#[derive(Debug)]
pub(super) enum Pending {
    /// An expression of the native syntax.
    Expression(Expression),
    /// A string of the JSON syntax.
    Template(Template),
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

    /// A truth value.
    pub(super) fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self {
            return Some(*value);
        }
        None
    }

    /// The member or element of this key.
    pub(super) fn part(&self, key: &str) -> Option<Self> {
        match self {
            Self::Object(members) => {
                let member = members.iter().rfind(|(name, _)| name == key);
                member.map(|(_, value)| value.clone())
            }
            Self::List(items) => items.get(key.parse::<usize>().ok()?).cloned(),
            Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Text(_)
            | Self::Reference(_)
            | Self::Dynamic => None,
        }
    }

    /// Whether any part of it needs evaluation.
    pub(super) fn is_partly_dynamic(&self) -> bool {
        match self {
            Self::List(items) => items.iter().any(Self::is_partly_dynamic),
            Self::Object(members) => members.iter().any(|(_, value)| value.is_partly_dynamic()),
            Self::Reference(_) | Self::Dynamic => true,
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) => false,
        }
    }

    /// Whether evaluation could still make a value of it.
    pub(super) fn is_dynamic(&self) -> bool {
        matches!(self, Self::Reference(_) | Self::Dynamic)
    }
}
