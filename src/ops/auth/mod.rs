//! `login`, `logout`, `auth status`, `auth token` and `auth install-helper`.

pub(super) mod browser;
pub(super) mod dialog;
pub(super) mod error;
pub(super) mod helper;
pub(super) mod login;
pub(super) mod logout;
pub(super) mod status;
pub(super) mod token;
pub(super) mod way;
