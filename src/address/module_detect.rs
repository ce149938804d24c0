//! The shorthands of remote module sources, in the order in which they are tried (facts/modules 1.4).
//!
//! The first that claims a text wins. OpenTofu asks a Bitbucket service which kind of repository a
//! `bitbucket.org/…` source is; that is a request while parsing, and the answer can only be Git by now,
//! so for both tools it is taken as Git here.

use super::go_url;
use super::{ModuleSourceError, Tool};

const GITHUB_FORM: &str = "`github.com/OWNER/REPOSITORY`";
const GCS_FORM: &str = "`www.googleapis.com/storage/VERSION/BUCKET/OBJECT`";
const S3_FORM: &str = "address of an S3 bucket in its path or virtual-host style";

/// The full form of a shorthand: getter (if it implies one) and URL, which may have a `//SUBDIR`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Detected {
    pub(super) getter: Option<&'static str>,
    pub(super) url: String,
}

type Answer = Result<Option<Detected>, ModuleSourceError>;

/// Finds the full form of `source`, which has no subdirectory; `None` if it is no shorthand.
pub(super) fn detect(source: &str, tool: Tool) -> Answer {
    let detectors = [github, scp, bitbucket, gcs, s3];
    for detector in detectors {
        if let Some(detected) = detector(source, tool)? {
            return Ok(Some(detected));
        }
    }
    Ok(absolute_path(source))
}

fn full(getter: Option<&'static str>, url: String) -> Detected {
    Detected { getter, url }
}

fn malformed(source: &str, form: &'static str) -> ModuleSourceError {
    ModuleSourceError::Shorthand {
        text: source.to_owned(),
        form,
    }
}

fn split_query(text: &str) -> (&str, &str) {
    text.find('?').map_or((text, ""), |at| text.split_at(at))
}

fn with_git_suffix(path: &str) -> String {
    let base = path.strip_suffix(".git").unwrap_or(path);
    format!("{base}.git")
}

fn github(source: &str, _: Tool) -> Answer {
    if !source.starts_with("github.com/") {
        return Ok(None);
    }
    let bad = || malformed(source, GITHUB_FORM);
    let (path, query) = split_query(source);
    let mut parts = path.splitn(4, '/').skip(1);
    let (Some(owner), Some(repository)) = (parts.next(), parts.next()) else {
        return Err(bad());
    };
    if owner.is_empty() || repository.is_empty() {
        return Err(bad());
    }
    let repository = go_url::normal_path(&format!("{owner}/{repository}")).ok_or_else(bad)?;
    let below = match parts.next() {
        Some(below) => format!("//{}", go_url::normal_path(below).ok_or_else(bad)?),
        None => String::new(),
    };
    let repository = with_git_suffix(&repository);
    Ok(Some(full(
        Some("git"),
        format!("https://github.com/{repository}{below}{query}"),
    )))
}

/// `git@HOST:PATH`, for the user `git` alone; there are no ports in it.
fn scp(source: &str, _: Tool) -> Answer {
    let Some((host, path)) = source
        .strip_prefix("git@")
        .and_then(|rest| rest.split_once(':'))
        .filter(|(host, path)| !host.is_empty() && !path.is_empty() && !host.contains('/'))
    else {
        return Ok(None);
    };
    let bad = || malformed(source, "`git@HOST:PATH`");
    let (path, query) = split_query(path);
    let path = go_url::escape_path(path.strip_prefix('/').unwrap_or(path).as_bytes());
    let query = match query.strip_prefix('?') {
        Some("") | None => String::new(),
        Some(query) => format!("?{}", go_url::sorted_query(query).ok_or_else(bad)?),
    };
    Ok(Some(full(
        Some("git"),
        format!("ssh://git@{host}/{path}{query}"),
    )))
}

fn bitbucket(source: &str, _: Tool) -> Answer {
    let Some(rest) = source.strip_prefix("bitbucket.org/") else {
        return Ok(None);
    };
    let (path, query) = split_query(rest);
    let path = go_url::normal_path(path)
        .ok_or_else(|| malformed(source, "`bitbucket.org/OWNER/REPOSITORY`"))?;
    let path = with_git_suffix(&path);
    Ok(Some(full(
        Some("git"),
        format!("https://bitbucket.org/{path}{query}"),
    )))
}

fn gcs(source: &str, tool: Tool) -> Answer {
    let mark = match tool {
        Tool::Terraform => "googleapis.com/",
        Tool::Tofu => ".googleapis.com/",
    };
    if !source.contains(mark) {
        return Ok(None);
    }
    let parts: Vec<&str> = source.splitn(5, '/').collect();
    let [_, _, version, bucket, object] = parts[..] else {
        return Err(malformed(source, GCS_FORM));
    };
    let url = format!("https://www.googleapis.com/storage/{version}/{bucket}/{object}");
    Ok(Some(full(Some("gcs"), url)))
}

fn s3(source: &str, _: Tool) -> Answer {
    if !source.contains(".amazonaws.com/") {
        return Ok(None);
    }
    let (host, path) = source.split_once('/').unwrap_or((source, ""));
    let labels: Vec<&str> = host.split('.').collect();
    let url = match labels[..] {
        [region, _, _] => format!("https://{region}.amazonaws.com/{path}"),
        [bucket, region, _, _] => format!("https://{region}.amazonaws.com/{bucket}/{path}"),
        [bucket, "s3", region, _, _] => {
            format!("https://s3.{region}.amazonaws.com/{bucket}/{path}")
        }
        _ => return Err(malformed(source, S3_FORM)),
    };
    Ok(Some(full(Some("s3"), url)))
}

/// A path from the root of the disk. Those of Windows with a drive are URLs to the tools (facts 1.4).
fn absolute_path(source: &str) -> Option<Detected> {
    let is_absolute = source.starts_with('/');
    is_absolute.then(|| full(None, format!("file://{source}")))
}
