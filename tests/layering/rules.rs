//! The rules, each a function from a file to what breaks it.

use std::fmt;

use super::floors::{is_pure, may_use};
use super::words::{Token, names_after, path_roots, text_at, tokens};

/// A Rust file.
pub(super) struct Source {
    /// Its path from the package's root, with slashes.
    pub(super) path: String,
    pub(super) text: String,
}

/// A broken rule.
#[derive(Debug)]
pub(super) struct Violation {
    place: String,
    rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.rule)
    }
}

/// A dependency, and the only directory whose files may name it.
const HIDDEN: [(&str, &str); 9] = [
    ("reqwest", "src/http/"),
    ("pgp", "src/package/"),
    ("zip", "src/package/"),
    ("rawzip", "src/package/"),
    ("clap", "src/commands/"),
    ("indicatif", "src/ui/"),
    ("rpassword", "src/ui/"),
    ("hyper", "src/auth/"),
    ("getrandom", "src/auth/"),
];

/// The one file that reads environment variables.
const ENVIRONMENT: &str = "src/config/environment.rs";

/// Who may write to the terminal; clap renders its own messages before there is a printer.
const PRINTERS: [&str; 2] = ["src/ui/", "src/commands/run.rs"];

/// Words that a value without files, clock and tasks has no use for.
const IMPURE: [&str; 6] = ["async", "await", "tokio", "fs", "Instant", "SystemTime"];

/// What a `mod.rs` does not hold.
const LOGIC: [&str; 6] = ["fn", "struct", "enum", "trait", "impl", "macro_rules"];

/// Everything that is wrong with a file of `src`.
pub(super) fn violations(source: &Source) -> Vec<Violation> {
    let tokens = tokens(&source.text);
    let mut found = Vec::new();
    let mut add = |line: usize, rule: String| {
        found.push(Violation {
            place: format!("{}:{line}", source.path),
            rule,
        });
    };
    if !source.text.starts_with("//!") {
        add(1, "a file begins with `//!` and what it is for".to_owned());
    }
    let module = module_of(&source.path);
    for (line, rule) in imports(module, &tokens)
        .chain(ascents(&source.path, &tokens))
        .chain(hidden(&source.path, &tokens))
        .chain(environment(&source.path, &tokens))
        .chain(prints(&source.path, &tokens))
        .chain(impurities(module, &tokens))
        .chain(logic_in_mod_file(&source.path, &tokens))
    {
        add(line, rule);
    }
    found
}

type Found<'t> = Box<dyn Iterator<Item = (usize, String)> + 't>;

/// The top-level module that the file belongs to.
fn module_of(path: &str) -> &str {
    let path = path.strip_prefix("src/").unwrap_or(path);
    path.split_once('/')
        .map_or(path.trim_end_matches(".rs"), |(module, _)| module)
}

fn imports<'t>(module: &'t str, tokens: &'t [Token]) -> impl Iterator<Item = (usize, String)> + 't {
    let used = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.text == "crate")
        .flat_map(|(at, token)| {
            match text_at(tokens, at + 1) {
                "::" => names_after(tokens, at + 1),
                // `pub(crate)` and the like name no module; `use crate as other` would hide all of them.
                "as" => vec![token],
                _ => Vec::new(),
            }
        });
    used.filter(move |used| !may_use(module, &used.text))
        .map(move |used| {
            (
                used.line,
                format!("`{module}` must not use `{}`", used.text),
            )
        })
}

/// Other top-level modules are named by `crate::`, so that the rule above sees them: a chain of
/// `super::` ends inside of the module that it began in.
fn ascents<'t>(path: &'t str, tokens: &'t [Token]) -> Found<'t> {
    let is_super = |at: usize| text_at(tokens, at) == "super" && text_at(tokens, at + 1) == "::";
    let chains = (0..tokens.len())
        .filter(move |&at| is_super(at) && !(at >= 2 && is_super(at - 2)))
        .map(move |at| {
            (
                at,
                (0..tokens.len())
                    .take_while(|link| is_super(at + 2 * link))
                    .count(),
            )
        });
    let leading_out =
        chains.filter(|&(at, length)| length >= depth_of_file(path) + inline_depth(&tokens[..at]));
    Box::new(leading_out.map(|(at, _)| {
        let rule = "`super::` leads out of the module; write `crate::`";
        (tokens[at].line, rule.to_owned())
    }))
}

/// How many modules below the crate's root the file is: 1 for a top-level module.
fn depth_of_file(path: &str) -> usize {
    let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
    module.matches('/').count()
}

/// How many `mod name {` are open.
fn inline_depth(before: &[Token]) -> usize {
    let mut open = Vec::new();
    for (at, token) in before.iter().enumerate() {
        match token.text.as_str() {
            "{" => open.push(at >= 2 && before[at - 2].text == "mod"),
            "}" => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().filter(|&is_module| is_module).count()
}

fn hidden<'t>(path: &'t str, tokens: &'t [Token]) -> Found<'t> {
    let found = path_roots(tokens).filter_map(move |token| {
        let (name, home) = HIDDEN.iter().find(|(name, _)| token.text == *name)?;
        (!path.starts_with(home)).then(|| (token.line, format!("only `{home}` names `{name}`")))
    });
    Box::new(found)
}

fn environment<'t>(path: &'t str, tokens: &'t [Token]) -> Found<'t> {
    let names = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.text == "env")
        .flat_map(|(at, _)| {
            if text_at(tokens, at + 1) == "::" {
                names_after(tokens, at + 1)
            } else {
                Vec::new()
            }
        });
    let reads = names.filter(move |name| {
        path != ENVIRONMENT
            && ["var", "var_os", "vars", "vars_os", "*"].contains(&name.text.as_str())
    });
    Box::new(reads.map(|name| {
        (
            name.line,
            format!("only `{ENVIRONMENT}` reads environment variables"),
        )
    }))
}

fn prints<'t>(path: &'t str, tokens: &'t [Token]) -> Found<'t> {
    let found = tokens.iter().enumerate().filter(move |&(at, token)| {
        let next = text_at(tokens, at + 1);
        match token.text.as_str() {
            "print" | "println" | "eprint" | "eprintln" | "dbg" => next == "!",
            // A method of that name sets the stream of a child.
            "stdout" | "stderr" => next == "(" && (at == 0 || text_at(tokens, at - 1) != "."),
            _ => false,
        }
    });
    let is_printer = PRINTERS.iter().any(|printer| path.starts_with(printer));
    Box::new(found.filter(move |_| !is_printer).map(|(_, token)| {
        (
            token.line,
            "only `src/ui/` writes to the terminal".to_owned(),
        )
    }))
}

/// Tests of a pure module may read files of cases.
fn impurities<'t>(module: &'t str, tokens: &'t [Token]) -> Found<'t> {
    let found = tokens.iter().enumerate().filter(move |&(at, token)| {
        is_pure(module) && IMPURE.contains(&token.text.as_str()) && inline_depth(&tokens[..at]) == 0
    });
    Box::new(found.map(move |(_, token)| {
        (
            token.line,
            format!("`{module}` has no use for `{}`", token.text),
        )
    }))
}

fn logic_in_mod_file<'t>(path: &'t str, tokens: &'t [Token]) -> Found<'t> {
    let is_mod_file = path.ends_with("/mod.rs");
    let logic = tokens
        .iter()
        .filter(move |token| is_mod_file && LOGIC.contains(&token.text.as_str()));
    let rule = "`mod.rs` holds docs, `mod` and `pub use`, no logic";
    Box::new(logic.map(move |token| (token.line, rule.to_owned())))
}
