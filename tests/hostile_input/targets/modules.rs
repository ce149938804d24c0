//! What strangers say of modules: sources, constraints, registry answers, manifests, archives.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use provender::address::{ModuleSource, Tool};
use provender::document::{
    ModuleDownloadAnswer, ModuleLock, ModuleVersionsAnswer, ModulesManifest,
};
use provender::package::{
    ChecksumSource, ModuleChecksum, ModuleFormat, ModuleLimits, unpack_module,
};
use provender::version::{ModuleConstraints, ModuleVersion};

use super::told::told;

pub(super) mod seeds {
    //! From the vectors, and archives made here.

    use super::super::corpus::{files_ending, literal, texts_of};

    pub(in super::super) fn module_source() -> Vec<Vec<u8>> {
        texts_of(&["module-source.json"])
    }

    pub(in super::super) fn module_answers() -> Vec<Vec<u8>> {
        let odd = literal(&[
            r#"{"modules":[{"versions":[{"version":"1.0.0"},{"version":"v2"}]}]}"#,
            r#"{"location":"./module.zip","use_registry_credentials":false}"#,
            r#"{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"a","Source":"./a","Dir":"a"}]}"#,
            "5f4dcc3b5aa765d61d8327deb882cf99  a.zip\nSHA256 (a.zip) = 00",
        ]);
        [
            odd,
            texts_of(&["module-registry.json", "modules-manifest.json"]),
        ]
        .concat()
    }

    pub(in super::super) fn module_lock() -> Vec<Vec<u8>> {
        let hash = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        let block = |key: &str, more: &str| {
            format!(
                "module \"{key}\" {{\n  source = \"git::https://h/a.git?ref=${{\"v1\"}}\"\n{more}  hash = \"{hash}\"\n}}\n"
            )
        };
        let commit = format!("  commit = \"{}\"\n", "0a".repeat(20));
        let archive = format!(
            "  version = \"1.2.0\"\n  archive = \"sha256:{}\"\n",
            "0a".repeat(32)
        );
        literal(&[
            &(block("vpc", &archive) + &block("vpc.inner", &commit)),
            &block("a", ""),
            "<<<<<<< HEAD\nmodule \"a\" {}\n=======\n>>>>>>> x\n",
        ])
    }

    pub(in super::super) fn module_archive() -> Vec<Vec<u8>> {
        let mut tar = tar_header("main.tf", 5, b'0');
        tar.extend_from_slice(b"terraform"[..5].as_ref());
        tar.resize(1024, 0);
        let link = tar_header("link", 0, b'2');
        let tars = [
            [tar.clone(), vec![0; 1024]].concat(),
            [tar, link, vec![0; 1024]].concat(),
        ];
        files_ending(".zip").into_iter().chain(tars).collect()
    }

    /// A header of the old format, which every reader knows.
    fn tar_header(name: &str, size: usize, kind: u8) -> Vec<u8> {
        let mut header = vec![0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
        header[136..147].copy_from_slice(b"00000000000");
        header[156] = kind;
        header[157..160].copy_from_slice(b"../");
        header[148..156].copy_from_slice(b"        ");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        header
    }
}

/// A module lock that is read is written and read again as the same.
pub(super) fn module_lock(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Some(lock) = told(ModuleLock::parse(&text)) else {
        return;
    };
    let written = lock.render();
    let again = ModuleLock::parse(&written).expect("what was written is a module lock");
    assert_eq!(again, lock, "{written}");
    assert_eq!(again.render(), written);
}

/// A local or registry source that is taken means the same when its normal form is read.
pub(super) fn module_source(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for tool in [Tool::Terraform, Tool::Tofu] {
        if let Ok(source) = ModuleSource::parse(&text, tool) {
            let _ = (source.shown(), source.subdir().len());
            let again = ModuleSource::parse(&source.to_string(), tool);
            // The tools' own detectors make texts of remote sources that they then read otherwise.
            let is_remote = matches!(source, ModuleSource::Remote(_));
            assert!(
                is_remote || again.as_ref().ok() == Some(&source),
                "{source}"
            );
        }
        let _ = ModuleSource::parse_versioned(&text, tool).map_err(|error| error.to_string());
    }
    let version = text.parse::<ModuleVersion>().ok();
    if let (Ok(constraints), Some(version)) = (text.parse::<ModuleConstraints>(), version) {
        let _ = constraints.admits(&version);
    }
}

/// Registry answers, and the files that installers and publishers write.
pub(super) fn module_answers(input: &[u8]) {
    let _ = ModuleVersionsAnswer::parse(input).map_err(|error| error.to_string());
    let _ = ModuleDownloadAnswer::parse(input).map_err(|error| error.to_string());
    for tool in [Tool::Terraform, Tool::Tofu] {
        if let Ok(manifest) = ModulesManifest::parse(input, tool) {
            let text = manifest.render();
            let again = ModulesManifest::parse(text.as_bytes(), tool).expect("our own file");
            assert_eq!(again.render(), text);
        }
    }
    let text = String::from_utf8_lossy(input);
    let _ = ChecksumSource::parse(&text).map_err(|error| error.to_string());
    let _ = ModuleChecksum::find(&text, "a.zip");
}

/// As each format, and as a tar archive within a sound gzip stream: nothing comes to lie beside its place.
pub(super) fn module_archive(input: &[u8]) {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(input).expect("memory takes everything");
    let gzip = gzip.finish().expect("memory takes everything");
    let limits = ModuleLimits {
        bytes: 1 << 20,
        entries: 100,
    };
    for (format, bytes) in [
        (ModuleFormat::Zip, input),
        (ModuleFormat::TarGz, &gzip),
        (ModuleFormat::TarGz, input),
        (ModuleFormat::TarBz2, input),
        (ModuleFormat::TarXz, input),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let path = directory.path().join("archive");
        let place = directory.path().join("place");
        fs::write(&path, bytes).expect("it can be filled");
        fs::create_dir(&place).expect("it can be made");
        let _ = told(unpack_module(&path, format, &place, limits));
        let names = fs::read_dir(directory.path()).expect("it is there");
        assert_eq!(
            names.count(),
            2,
            "something beside the archive and its place"
        );
    }
}
