//! `install` of providers: into one root module, a tree of them, or a mirror directory. A single root module is a tree of one.

pub(super) mod directory;
pub(super) mod one;
pub(super) mod prior;
pub(super) mod root;
pub(super) mod root_run;
pub(super) mod tree;
pub(super) mod tree_packages;
pub(super) mod tree_selection;
pub(super) mod tree_site;
