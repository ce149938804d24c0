//! `provender`: provider vendoring for Terraform and OpenTofu.
pub mod address;
pub mod auth;
pub mod config;
pub mod disk;
pub mod document;
pub mod failure;
pub mod hash;
pub mod http;
pub mod ops;
pub mod package;
pub mod registry;
pub mod secret;
pub mod source;
pub mod store;
pub mod version;
