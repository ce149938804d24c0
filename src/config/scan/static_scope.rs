//! Static evaluation: what an expression is worth before anything runs (facts/modules 5.4).
//!
//! Variables, locals, `path.module`, `path.root`, `terraform.workspace`, conditions, comparisons and a few functions.
//! For Terraform only what its release 1.15 and later allow: variables declared `const`, locals and paths.
//! What needs more is unknown, which callers tell as dynamic; nothing is guessed.
//!
//! Modules of strangers are evaluated. Attacks known, and the answer to each:
//! - *Locals that name each other in a circle*: such a value is unknown.
//! - *Locals that double a text at each step*: texts end at [`LONGEST_TEXT`] bytes, and each local is evaluated
//!   once.
//! - *Chains and nests that exhaust the stack or never end*: depth and steps are counted, beyond the limits a
//!   value is unknown.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use hcl_edit::Decorated;
use hcl_edit::expr::{
    BinaryOp, BinaryOperator, Conditional, Expression, FuncCall, ObjectKey, Traversal,
    TraversalOperator, UnaryOperator,
};
use hcl_edit::template::{Element, Strip};

use super::constant;
use super::static_function;
use super::static_value::{StaticInputs, known};
use super::syntax::{Attribute, Content, Pending, Value};
use crate::address::Tool;

/// The longest text, in bytes; sources are shorter.
const LONGEST_TEXT: usize = 64 << 10;
/// How deep expressions and chains of locals may go.
const DEEPEST: usize = 200;
/// How many expressions of one module are evaluated.
const MOST_STEPS: usize = 200_000;

/// A `variable` block, as far as it matters.
#[derive(Debug, Clone, Default)]
pub(super) struct Variable {
    /// Its default, if it has one.
    pub(super) default: Option<Attribute>,
    /// `const`, if written.
    pub(super) is_const: Option<bool>,
    /// Whether it is sensitive or ephemeral, which sources may not use.
    pub(super) is_guarded: bool,
}

impl Variable {
    /// Takes over what a block of the variable says.
    pub(super) fn declare(&mut self, block: &Content) {
        let is_true = |name: &str| {
            let value = block.attribute(name).map(|it| it.value.as_bool());
            // What is no constant may be true.
            value.map(|value| value.unwrap_or(true))
        };
        self.default = block.attribute("default").cloned().or(self.default.take());
        self.is_const = is_true("const").or(self.is_const);
        let is_guarded = is_true("sensitive") == Some(true) || is_true("ephemeral") == Some(true);
        self.is_guarded |= is_guarded;
    }
}

/// One module's names and their values.
pub(super) struct StaticScope<'s> {
    tool: Tool,
    inputs: &'s StaticInputs,
    variables: &'s BTreeMap<String, Variable>,
    locals: &'s BTreeMap<String, Attribute>,
    /// Locals that were evaluated, or are being evaluated: those are unknown until they are.
    known: RefCell<BTreeMap<String, Value>>,
    steps: Cell<usize>,
}

impl<'s> StaticScope<'s> {
    pub(super) fn new(
        tool: Tool,
        inputs: &'s StaticInputs,
        variables: &'s BTreeMap<String, Variable>,
        locals: &'s BTreeMap<String, Attribute>,
    ) -> Self {
        Self {
            tool,
            inputs,
            variables,
            locals,
            known: RefCell::default(),
            steps: Cell::new(0),
        }
    }

    /// The tool whose rules hold.
    pub(super) fn tool(&self) -> Tool {
        self.tool
    }

    /// The value of an argument; unknown parts are dynamic.
    pub(super) fn value(&self, attribute: &Attribute) -> Value {
        self.value_at(attribute, 0)
    }

    fn value_at(&self, attribute: &Attribute, depth: usize) -> Value {
        match attribute.pending.as_deref() {
            None => known(attribute.value.clone()),
            Some(Pending::Expression(expression)) => self.evaluate(expression, depth),
            Some(Pending::Template(template)) => self.template(template.iter(), depth),
        }
    }

    fn evaluate(&self, expression: &Expression, depth: usize) -> Value {
        self.steps.set(self.steps.get() + 1);
        if depth > DEEPEST || self.steps.get() > MOST_STEPS {
            return Value::Dynamic;
        }
        match expression {
            Expression::Array(array) => {
                let items = array.iter().map(|item| self.evaluate(item, depth + 1));
                Value::List(items.collect())
            }
            Expression::Object(object) => {
                let members = object.iter().map(|(key, value)| {
                    let value = self.evaluate(value.expr(), depth + 1);
                    Some((self.key(key, depth)?, value))
                });
                members
                    .collect::<Option<_>>()
                    .map_or(Value::Dynamic, Value::Object)
            }
            Expression::StringTemplate(template) => self.template(template.iter(), depth),
            Expression::HeredocTemplate(heredoc) => self.template(heredoc.template.iter(), depth),
            Expression::Parenthesis(inner) => self.evaluate(inner.inner(), depth + 1),
            Expression::Traversal(traversal) => self.traversal(traversal, depth),
            Expression::Conditional(conditional) => self.conditional(conditional, depth),
            Expression::FuncCall(call) => self.call(call, depth),
            Expression::UnaryOp(operation) => match operation.operator.value() {
                UnaryOperator::Not => {
                    let value = self.evaluate(&operation.expr, depth + 1).as_bool();
                    value.map_or(Value::Dynamic, |value| Value::Bool(!value))
                }
                UnaryOperator::Neg => Value::Dynamic,
            },
            Expression::BinaryOp(operation) => self.binary(operation, depth),
            Expression::Variable(_) | Expression::ForExpr(_) => Value::Dynamic,
            Expression::Null(_)
            | Expression::Bool(_)
            | Expression::Number(_)
            | Expression::String(_) => constant::evaluate(expression),
        }
    }

    fn key(&self, key: &ObjectKey, depth: usize) -> Option<String> {
        match key {
            ObjectKey::Ident(name) => Some(name.value().as_str().to_owned()),
            ObjectKey::Expression(Expression::Variable(name)) => {
                Some(name.value().as_str().to_owned())
            }
            ObjectKey::Expression(expression) => self.evaluate(expression, depth + 1).as_text(),
        }
    }

    fn template<'e>(&self, elements: impl Iterator<Item = &'e Element>, depth: usize) -> Value {
        let elements: Vec<&Element> = elements.collect();
        // A template that is nothing but one interpolation is worth what that is.
        if let [Element::Interpolation(part)] = elements[..] {
            return self.evaluate(&part.expr, depth + 1);
        }
        let mut text = String::new();
        for element in elements {
            match element {
                Element::Literal(literal) => text.push_str(literal.value()),
                Element::Interpolation(part) if part.strip == Strip::None => {
                    match self.evaluate(&part.expr, depth + 1).as_text() {
                        Some(part) => text.push_str(&part),
                        None => return Value::Dynamic,
                    }
                }
                Element::Interpolation(_) | Element::Directive(_) => return Value::Dynamic,
            }
            if text.len() > LONGEST_TEXT {
                return Value::Dynamic;
            }
        }
        Value::Text(text)
    }

    fn traversal(&self, traversal: &Traversal, depth: usize) -> Value {
        let mut operators = traversal.operators.iter();
        let mut value = match (&traversal.expr, operators.next().map(Decorated::value)) {
            (Expression::Variable(root), Some(TraversalOperator::GetAttr(name))) => {
                self.name(root.value().as_str(), name.value().as_str(), depth)
            }
            _ => return Value::Dynamic,
        };
        for operator in operators {
            let key = match operator.value() {
                TraversalOperator::GetAttr(name) => Some(name.value().as_str().to_owned()),
                TraversalOperator::Index(index) => self.evaluate(index, depth + 1).as_text(),
                TraversalOperator::LegacyIndex(index) => Some(index.value().to_string()),
                TraversalOperator::AttrSplat(_) | TraversalOperator::FullSplat(_) => None,
            };
            value = key
                .and_then(|key| value.part(&key))
                .unwrap_or(Value::Dynamic);
        }
        value
    }

    fn name(&self, root: &str, name: &str, depth: usize) -> Value {
        match (root, name) {
            ("var", name) => self.variable(name, depth),
            ("local", name) => self.local(name, depth),
            ("path", "module") => Value::Text(self.inputs.module_path.clone()),
            ("path", "root") => Value::Text(".".to_owned()),
            ("terraform" | "tofu", "workspace") if self.tool == Tool::Tofu => {
                Value::Text(self.inputs.workspace.clone())
            }
            _ => Value::Dynamic,
        }
    }

    fn variable(&self, name: &str, depth: usize) -> Value {
        let Some(variable) = self.variables.get(name) else {
            return Value::Dynamic;
        };
        let is_static = match self.tool {
            Tool::Terraform => variable.is_const == Some(true),
            Tool::Tofu => variable.is_const != Some(false),
        };
        if !is_static || variable.is_guarded {
            return Value::Dynamic;
        }
        match (self.inputs.variables.get(name), &variable.default) {
            (Some(given), _) => given.0.clone(),
            (None, Some(default)) => self.value_at(default, depth + 1),
            (None, None) => Value::Dynamic,
        }
    }

    fn local(&self, name: &str, depth: usize) -> Value {
        if let Some(value) = self.known.borrow().get(name) {
            return value.clone();
        }
        let Some(attribute) = self.locals.get(name) else {
            return Value::Dynamic;
        };
        self.known
            .borrow_mut()
            .insert(name.to_owned(), Value::Dynamic);
        let value = self.value_at(attribute, depth + 1);
        self.known
            .borrow_mut()
            .insert(name.to_owned(), value.clone());
        value
    }

    fn conditional(&self, conditional: &Conditional, depth: usize) -> Value {
        match self.evaluate(&conditional.cond_expr, depth + 1).as_bool() {
            Some(true) => self.evaluate(&conditional.true_expr, depth + 1),
            Some(false) => self.evaluate(&conditional.false_expr, depth + 1),
            None => Value::Dynamic,
        }
    }

    fn binary(&self, operation: &BinaryOp, depth: usize) -> Value {
        let left = self.evaluate(&operation.lhs_expr, depth + 1);
        let right = self.evaluate(&operation.rhs_expr, depth + 1);
        let is_scalar = |value: &Value| {
            matches!(
                value,
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_)
            )
        };
        let are_comparable = is_scalar(&left) && is_scalar(&right);
        match (operation.operator.value(), &left, &right) {
            (BinaryOperator::Eq, _, _) if are_comparable => Value::Bool(left == right),
            (BinaryOperator::NotEq, _, _) if are_comparable => Value::Bool(left != right),
            (BinaryOperator::And, Value::Bool(left), Value::Bool(right)) => {
                Value::Bool(*left && *right)
            }
            (BinaryOperator::Or, Value::Bool(left), Value::Bool(right)) => {
                Value::Bool(*left || *right)
            }
            _ => Value::Dynamic,
        }
    }

    fn call(&self, call: &FuncCall, depth: usize) -> Value {
        let is_plain = !call.args.expand_final()
            && (call.name.namespace.is_empty()
                || matches!(&call.name.namespace[..], [core] if core.value().as_str() == "core"));
        if self.tool == Tool::Terraform || !is_plain {
            return Value::Dynamic;
        }
        let arguments = call.args.iter().map(|it| self.evaluate(it, depth + 1));
        let arguments: Vec<Value> = arguments.collect();
        let value = static_function::call(call.name.name.value().as_str(), &arguments);
        value
            .filter(|value| !matches!(value, Value::Text(text) if text.len() > LONGEST_TEXT))
            .unwrap_or(Value::Dynamic)
    }
}
