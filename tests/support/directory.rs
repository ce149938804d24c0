//! A directory served as a plain web server serves it: what network mirrors are in practice.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::reply::Reply;

/// The file that `path` of a URL names below `root`, as an answer; `None` where there is none.
pub(super) fn reply(root: &Path, path: &str) -> Option<Reply> {
    let relative = PathBuf::from(percent_decoded(path).trim_start_matches('/'));
    if relative
        .components()
        .any(|component| !matches!(component, Component::Normal(_)))
    {
        return None;
    }
    let file = root.join(&relative);
    if !file.is_file() {
        return None;
    }
    let body = fs::read(&file).expect("a file of the served directory can be read");
    Some(Reply::file(content_type(&relative), body))
}

/// Content type by the extension of the name.
fn content_type(name: &Path) -> &'static str {
    match name.extension().and_then(|extension| extension.to_str()) {
        Some("json") => "application/json",
        Some("zip") => "application/zip",
        Some("html") => "text/html",
        Some("md" | "txt") => "text/plain",
        _ => "application/octet-stream",
    }
}

/// `path` with `%XX` replaced by what it stands for; malformed ones stay.
pub fn percent_decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = path
            .get(at + 1..at + 3)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], code) {
            (b'%', Some(code)) => {
                decoded.push(code);
                at += 3;
            }
            (byte, _) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
