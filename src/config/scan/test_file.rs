//! Test files of a root module (facts/modules 5.1, 5.2).

use super::module_call::Call;
use super::problem::Location;
use super::syntax::{Block, Content};
use crate::address::Tool;

/// What a test file adds to its module.
#[derive(Debug, Default)]
pub(super) struct TestFile {
    /// The modules of its `run` blocks.
    pub(super) calls: Vec<Call>,
    /// Local names of providers; terraform takes none from tests.
    pub(super) providers: Vec<(String, Location)>,
}

impl TestFile {
    /// Takes what matters from the file of this name.
    pub(super) fn new(name: &str, content: &Content, tool: Tool) -> Self {
        let of_run = |run: &'_ Block| -> Vec<Call> {
            run.content
                .blocks("module")
                .map(|module| Call::of_test(run, module, name))
                .collect()
        };
        let is_provider = |block: &&Block| matches!(block.kind, "provider" | "mock_provider");
        let providers = match tool {
            Tool::Terraform => Vec::new(),
            Tool::Tofu => content
                .blocks
                .iter()
                .filter(is_provider)
                .map(|block| (block.labels[0].clone(), block.at.clone()))
                .collect(),
        };
        Self {
            calls: content.blocks("run").flat_map(of_run).collect(),
            providers,
        }
    }
}
