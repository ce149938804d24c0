//! Provider packages as publishers make them, and the two hashes of a package.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::reply::hex;

/// A file of a package.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name in the archive.
    pub name: String,
    /// Unix permissions.
    pub mode: u32,
    /// Content.
    pub content: Vec<u8>,
}

/// A zip of `members`, in that order.
pub fn zip(members: &[Member]) -> Bytes {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for member in members {
        let options = SimpleFileOptions::default().unix_permissions(member.mode);
        writer
            .start_file(&member.name, options)
            .expect("names of members differ");
        writer
            .write_all(&member.content)
            .expect("a vector takes any bytes");
    }
    Bytes::from(
        writer
            .finish()
            .expect("a vector takes any bytes")
            .into_inner(),
    )
}

/// The members of an ordinary release: an executable and a licence.
pub fn release(ty: &str, version: &str, major_protocol: &str, payload: usize) -> Vec<Member> {
    let name = format!("terraform-provider-{ty}_v{version}_x{major_protocol}");
    let content = executable(&name, payload);
    let license = Member {
        name: "LICENSE.txt".into(),
        mode: 0o644,
        content: b"Public domain.\n".to_vec(),
    };
    vec![
        license,
        Member {
            name,
            mode: 0o755,
            content,
        },
    ]
}

/// A script that fails, followed by so many bytes that hardly compress and that depend on the name alone.
fn executable(name: &str, payload: usize) -> Vec<u8> {
    let mut content = b"#!/bin/sh\nexit 1\n".to_vec();
    let end = content.len() + payload;
    let mut block = Sha256::digest(name);
    while content.len() < end {
        content.extend_from_slice(&block);
        block = Sha256::digest(block);
    }
    content.truncate(end);
    content
}

/// `zh:` hash: SHA-256 of the archive's bytes.
pub fn zh(archive: &[u8]) -> String {
    format!("zh:{}", hex(&Sha256::digest(archive)))
}

/// `h1:` hash: SHA-256 over the sorted list of files and their SHA-256; `None` for bytes that are no readable zip.
///
/// Written apart from the program's own, so that the two check each other.
pub fn h1(archive: &[u8]) -> Option<String> {
    let mut zip = ZipArchive::new(Cursor::new(archive)).ok()?;
    let mut files = BTreeMap::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).ok()?;
        let mut content = Vec::new();
        file.read_to_end(&mut content).ok()?;
        files.insert(file.name_raw().to_vec(), hex(&Sha256::digest(&content)));
    }
    let mut list = Vec::new();
    for (name, digest) in files {
        list.extend_from_slice(digest.as_bytes());
        list.extend_from_slice(b"  ");
        list.extend_from_slice(&name);
        list.push(b'\n');
    }
    Some(format!("h1:{}", STANDARD.encode(Sha256::digest(&list))))
}
