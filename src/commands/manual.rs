//! What the manual says beyond the options: exit status, environment, files, the JSON document.
//!
//! The pages themselves are made by the test `generated`, which also compares them with the code.

use clap::CommandFactory;

use crate::commands::Cli;
use crate::failure::ExitCode;
use crate::ops::{FindingKind, Remedy};

/// A section of a manual page. Literals in the texts stand in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// What stands before the entries; may be empty.
    pub introduction: String,
    /// What is explained, and the explanation.
    pub entries: Vec<(String, String)>,
}

/// The sections that follow the options on the page of `command`, or on the program's own page.
pub fn sections(command: Option<&str>) -> Vec<Section> {
    let mut sections = vec![addresses(), exit_status(), environment(), files(command)];
    if command == Some("verify") {
        sections.push(problems());
    }
    sections.push(json_document());
    sections
}

/// The forms of an address, which `--help` tells too.
fn addresses() -> Section {
    let help = Cli::command().get_after_help().map(ToString::to_string);
    Section {
        title: "ADDRESSES",
        introduction: help.unwrap_or_default(),
        entries: Vec::new(),
    }
}

fn exit_status() -> Section {
    let entry = |code: ExitCode| (code.number().to_string(), code.meaning().to_owned());
    let mut entries = vec![("0".to_owned(), "done".to_owned())];
    entries.extend(ExitCode::ALL.map(entry));
    Section {
        title: "EXIT STATUS",
        introduction:
            "If several packages fail, the gravest failure counts, in the order 10, 4, 12, \
                       13, 11, 1."
                .to_owned(),
        entries,
    }
}

fn environment() -> Section {
    section(
        "ENVIRONMENT",
        "Options of the command line win over variables.",
        ENVIRONMENT,
    )
}

fn files(command: Option<&str>) -> Section {
    let entries: Vec<_> = match command {
        Some("install" | "lock") => [CONFIGURATION_FILES, INSTALL_FILES, CACHE_FILES].concat(),
        Some("mirror") => [CONFIGURATION_FILES, MIRROR_FILES, CACHE_FILES].concat(),
        Some("verify") => [CONFIGURATION_FILES, VERIFY_FILES, MIRROR_FILES, CACHE_FILES].concat(),
        Some(name) if name.starts_with("cache") => CACHE_FILES.to_vec(),
        Some(name) if is_about_logins(name) => [CONFIGURATION_FILES, LOGIN_FILES].concat(),
        Some(_) => CONFIGURATION_FILES.to_vec(),
        None => [
            CONFIGURATION_FILES,
            INSTALL_FILES,
            MIRROR_FILES,
            CACHE_FILES,
            LOGIN_FILES,
        ]
        .concat(),
    };
    section("FILES", "", &entries)
}

fn is_about_logins(command: &str) -> bool {
    command.starts_with("auth") || matches!(command, "login" | "logout")
}

/// The kinds of problems that `verify` finds.
fn problems() -> Section {
    let entry = |kind: FindingKind| {
        let (name, meaning) = (kind.name(), kind.meaning());
        let code = kind.exit_code().number();
        let mendable = match kind.remedy() {
            Remedy::Mend => ", may be mended by `--fix`",
            Remedy::None => "",
        };
        (
            name.to_owned(),
            format!(
                "{}{} (exit code {code}{mendable}).",
                name_case(meaning),
                &meaning[1..]
            ),
        )
    };
    Section {
        title: "PROBLEMS",
        introduction: "Every problem is listed, with what was got and what was expected where two values differ; the \
                       gravest decides on the exit code."
            .to_owned(),
        entries: FindingKind::ALL.map(entry).to_vec(),
    }
}

/// The first letter of a sentence.
fn name_case(text: &str) -> String {
    text.chars().take(1).flat_map(char::to_uppercase).collect()
}

fn json_document() -> Section {
    let mut section = section(
        "JSON DOCUMENT",
        "With `--json`, stdout is one JSON document, also if the command fails or the command line cannot be parsed; \
         fields are only ever added.",
        JSON_FIELDS,
    );
    let kinds = ExitCode::ALL.map(|code| format!("`{}`", code.kind()));
    section.entries.push((
        "error.kind".to_owned(),
        format!("One of {}.", kinds.join(", ")),
    ));
    section
}

fn section(title: &'static str, introduction: &str, entries: &[(&str, &str)]) -> Section {
    let owned = |&(term, meaning): &(&str, &str)| (term.to_owned(), meaning.to_owned());
    Section {
        title,
        introduction: introduction.to_owned(),
        entries: entries.iter().map(owned).collect(),
    }
}

/// Variables and what they do.
const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "PROVENDER_TOOL",
        "`terraform` or `tofu`: what `--tool` says.",
    ),
    (
        "PROVENDER_CACHE_DIR",
        "The directory of the package cache: what `--cache-dir` says.",
    ),
    (
        "TF_CLI_CONFIG_FILE, TERRAFORM_CONFIG",
        "The CLI configuration file, instead of all others; the second counts if the first is unset.",
    ),
    (
        "TF_TOKEN_*",
        "The token of a host: `TF_TOKEN_example_com`, a hyphen in the name as two underscores. It wins \
         over the token in a file.",
    ),
    (
        "TF_DATA_DIR",
        "Where `install` puts providers and modules of a root module, instead of `.terraform`.",
    ),
    (
        "TF_VAR_*",
        "Values of variables, with which sources of module calls are evaluated.",
    ),
    (
        "GIT_SSH_COMMAND",
        "How `git` connects when modules are fetched; the `sshkey` of a source is added to it.",
    ),
    (
        "TF_WORKSPACE",
        "The workspace whose local state counts, instead of the selected one.",
    ),
    (
        "TF_REGISTRY_DISCOVERY_RETRY",
        "How often a registry request is tried again. Default 2; only whole numbers above 0 count.",
    ),
    (
        "TF_REGISTRY_CLIENT_TIMEOUT",
        "Seconds that a registry request may take. Default 10; only whole numbers above 0 count.",
    ),
    (
        "TF_PROVIDER_DOWNLOAD_RETRY",
        "How often a package download is tried again. Default 3; only whole numbers above 0 count.",
    ),
    (
        "PROVENDER_STALL_TIMEOUT",
        "Seconds that a server may send nothing before the connection is given up. Default 30; only whole \
         numbers above 0 count.",
    ),
    (
        "OPENTOFU_ENFORCE_GPG_VALIDATION",
        "With `true`, packages of `registry.opentofu.org` need a signature too.",
    ),
    (
        "OPENTOFU_ENFORCE_GPG_EXPIRATION",
        "With `true` and `--tool tofu`, packages that an expired key has signed are refused, unless \
         `--expired-keys` says otherwise.",
    ),
    (
        "TMPDIR, TEMP",
        "The directory for temporary files (the second on Windows): where `lock` puts modules, and without a \
         package cache providers, while it hashes them.",
    ),
    (
        "SSL_CERT_FILE, SSL_CERT_DIR",
        "CA certificates instead of the system's. Those of `--ca-file` are trusted as well.",
    ),
    (
        "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY, no_proxy",
        "Which proxy to use, and for which hosts none: `example.com` with those below, `.example.com` or `*.example.com` \
         for those below alone, `example.com:8443` for one port, addresses and networks. Loopback addresses never go through a proxy.",
    ),
    (
        "NETRC",
        "The file of user names and passwords for downloads of packages, instead of `~/.netrc` (`_netrc` on \
         Windows). With `--tool tofu`, `install` does not read it, as that tool does not.",
    ),
    (
        "BROWSER, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION, PATH",
        "`BROWSER` is the program that `login` starts, with its arguments. Without it the system's launcher is looked \
         for in `PATH`, unless there is no display or the session is over SSH.",
    ),
    (
        "NO_COLOR, CLICOLOR_FORCE",
        "No colours, or colours even where stderr is no terminal.",
    ),
    (
        "TERM, CI",
        "With `TERM=dumb`, or `CI` set, no progress bars are drawn; a dumb terminal gets no colours.",
    ),
    (
        "HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_DATA_DIRS, APPDATA, LOCALAPPDATA",
        "Where the files below lie.",
    ),
    (
        "TF_PLUGIN_CACHE_DIR, TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE",
        "The tools' plugin cache, instead of `plugin_cache_dir`; and, unless empty or `0`, that its entries \
         will do where the lock file holds no hashes, too. `install` links root modules to it.",
    ),
];

/// Files that every command reads.
const CONFIGURATION_FILES: &[(&str, &str)] = &[
    (
        "~/.terraformrc, ~/.tofurc, ~/.terraform.d/*.tfrc",
        "The CLI configuration of the tools (`terraform.rc`, `tofu.rc` and `terraform.d` in `%APPDATA%` \
         on Windows). Its `host`, `credentials`, `credentials_helper` and `provider_installation` blocks, \
         `plugin_cache_dir` and `plugin_cache_may_break_dependency_lock_file` are honoured.",
    ),
    (
        "~/.terraform.d/credentials.tfrc.json",
        "Tokens as `terraform login` and `provender login` keep them.",
    ),
];

/// Files of logins.
const LOGIN_FILES: &[(&str, &str)] = &[
    (
        "~/.terraform.d/plugins/terraform-credentials-NAME",
        "Credentials helpers, also below it in `OS_ARCH`; for `tofu` in `$XDG_DATA_HOME/opentofu/plugins`, too. \
         As `terraform-credentials-provender` this program keeps tokens in the operating system's keyring.",
    ),
    (
        "$XDG_DATA_HOME/provender/oauth.json",
        "When tokens expire, and what gets new ones where there is no keyring (`~/.local/share/provender` by \
         default; `~/Library/Application Support/provender` on macOS, `%LOCALAPPDATA%\\provender\\data` on \
         Windows).",
    ),
];

/// Files that `install` reads and writes.
const INSTALL_FILES: &[(&str, &str)] = &[
    (
        "*.tf, *.tf.json, *.tofu, *.tofu.json",
        "The root module and those it calls, whose required providers are read.",
    ),
    (
        "terraform.tfvars, *.auto.tfvars, and both with .json",
        "Values of variables, with which sources of module calls are evaluated.",
    ),
    (
        "terraform.tfstate",
        "A local state, whose providers count as required.",
    ),
    (
        ".terraform.lock.hcl",
        "The dependency lock file: read, and written when everything is in place.",
    ),
    (
        ".provender.lock.hcl",
        "The module lock, beside it: for each module call that is not local its source, version, commit or digest of the \
         archive, the hash of its files, and the module's directory in the package if that is not what the source says. \
         `lock` writes it, `install`, `mirror` and `verify` go by it.",
    ),
    (
        ".terraform/providers/",
        "The installed providers of a root module; links, if the tools have a plugin cache.",
    ),
    (
        ".terraform/modules/, .terraform/modules/modules.json",
        "The installed modules of a root module, and the record of them that the tools read.",
    ),
    (
        "HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/, OS_ARCH.lock",
        "In the tools' plugin cache, a package that root modules are linked to if its files are the locked \
         ones, and that is put there or replaced as a whole otherwise; and, with `--tool tofu`, the file that \
         is locked meanwhile.",
    ),
    (
        "$XDG_DATA_HOME/terraform/plugins/",
        "The implied local mirror directory, where providers named by address go \
         (`~/.local/share/terraform/plugins` by default; `~/Library/Application \
         Support/io.terraform/plugins` on macOS, `%APPDATA%\\HashiCorp\\Terraform\\plugins` on Windows).",
    ),
];

/// Files of root modules that `verify` reads.
const VERIFY_FILES: &[(&str, &str)] = &[
    (
        ".terraform.lock.hcl",
        "The dependency lock file; read, and never changed.",
    ),
    (
        ".terraform/providers/",
        "The installed providers of a root module.",
    ),
    (
        ".provender.lock.hcl",
        "The module lock; read, and never changed.",
    ),
    (
        ".terraform/modules/, .terraform/modules/modules.json",
        "The installed modules of a root module, and the record of them, from which the tools know the directory of \
         each module; looked at where there is a module lock.",
    ),
];

/// Files of the package cache.
const CACHE_FILES: &[(&str, &str)] = &[
    (
        "$XDG_CACHE_HOME/provender/",
        "The package cache (`~/.cache/provender` by default; `~/Library/Caches/provender` on macOS, \
         `%LOCALAPPDATA%\\provender\\cache` on Windows). It may be deleted at any time when no run is \
         using it.",
    ),
    (
        "v1/archives/SHA256.zip, v1/unpacked/SHA256/",
        "In it, each archive by its digest, and its files. Installed files share their blocks, or are \
         the same files under another name, where the file system can; before each use it is checked \
         that they are unchanged.",
    ),
    (
        "v1/records/SHA256.json, v1/index/, v1/locks/",
        "Hashes, stamps of the files, and what was proved of which package; which archives belong to a \
         package; who works on an archive, and when it was used last.",
    ),
    (
        "v1/modules/, v1/module-releases/",
        "Packages of modules as they were fetched, by the digest of their source's text and by commit or archive; which \
         of them the versions of registries' modules are. All their bytes are hashed at each use.",
    ),
];

/// Files of a mirror, relative to its directory.
const MIRROR_FILES: &[(&str, &str)] = &[
    (
        "HOST/NAMESPACE/TYPE/index.json, VERSION.json",
        "Documents of the network mirror protocol, with the `h1` and `zh` hashes of each archive.",
    ),
    (
        "HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip",
        "The packages.",
    ),
    (
        "HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_SHA256SUMS",
        "The publisher's checksums, as received.",
    ),
    (
        "HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_SHA256SUMS.sig",
        "The signature of the checksums, as received.",
    ),
    (
        "HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_evidence.json",
        "What the registry said of each package, its signing keys, which of them are trusted, and what was \
         proved.",
    ),
    (
        "modules/HOST/NAMESPACE/NAME/SYSTEM/versions, VERSION/download, VERSION/module.zip",
        "A static module registry. A web server has to send the header `X-Terraform-Get: ./module.zip` with \
         `download`.",
    ),
    (
        "git/HOST/PATH.git, archives/HOST/PATH",
        "Packages of git and archive sources. `PATH/index.html` is a page that sends on.",
    ),
    (
        "modules/.../VERSION/evidence.json, git/HOST/PATH.git/evidence.json, archives/HOST/PATH.evidence.json",
        "The source of each, the commit or archive that it was, and the digest of what is kept.",
    ),
    (
        "client/terraform.rc, client/gitconfig, client/nginx.conf, README.md",
        "Settings for the far side, where there are modules, and how to use them.",
    ),
];

/// Members of the JSON document.
const JSON_FIELDS: &[(&str, &str)] = &[
    ("format_version", "`1.0`."),
    ("command", "The command, such as `mirror`."),
    (
        "packages",
        "A list of objects with `kind` (`provider` or `module`), `address`, `version`, `platform`, `action` \
         (`installed`, `mirrored`, `locked`, `lock`, `kept`, `fetch`, `skipped`, `removed`, `remove`, `verified` or `failed`), `verdict` (`signed`, \
         `checksum`, `unauthenticated` or null), `signed_by` (a key id or null), `size` (bytes or null) \
         and, if it failed, `error`. With `--recursive` also `root`, the root module's path below \
         the directory. A module has its source for `address`, the `key` of its call in `modules.json`, a \
         `version` only if a registry gave it one, and no `platform`.",
    ),
    (
        "roots",
        "Only of `install` and `lock` with `--recursive`: a list of objects with `root` (the path below the directory, `.` for \
         the directory itself), `tool`, a `summary` of this root module alone, and its `errors` that concern \
         no single package.",
    ),
    (
        "versions",
        "Only of `versions`: a list of objects with `address`, `version`, `protocols` and `platforms`.",
    ),
    (
        "outdated",
        "Only of `outdated`: a list of objects with `kind` (`provider` or `module`), `address`, `root` (with `--recursive`), \
         `constraints`, `locked`, `allowed`, `newest`, `newer_prerelease` (versions or null) and `behind` (whether another \
         version than the locked or installed one would be selected anew). A module has its source for `address`, the \
         `key` of its call, the version that the module lock has for `locked`, and the one that is `installed` (or null).",
    ),
    (
        "explanation",
        "Only of `explain`: `address`, `dev_override` (a directory or null), `version` (or null), `methods` (objects with \
         `method`, `asked`, `reason`, `versions`, `failure` and `serves`) and `hosts` (objects with `host`, \
         `credentials`, `host_block`, `discovery`, `registry` and `failure`).",
    ),
    (
        "cache",
        "Only of `cache`: `directory`, the number of `archives`, `archive_bytes` and `unpacked_bytes`, \
         `modules` (objects with `source`, `package` and `bytes`) and their `module_bytes`, as they are when the command ends.",
    ),
    (
        "credentials",
        "Only of `login`, `logout` and `auth status`: a list of objects with `host`, `source` (`variable`, \
         `file`, `helper` or null), `place` (its name, or file and line), `has_token` and, where known, `expires_at` \
         (seconds since 1970), `account` and `failure` (why the helper gave no answer). After `logout`: what still provides a token.",
    ),
    (
        "findings",
        "Of `verify`: a list of objects with `kind`, `address`, `version`, `platform`, `path`, `got`, `expected`, \
         `explanation` (each a text or null), `key` (of modules, whose source is the `address`), `exit_code`, `fixed` (whether `--fix` has mended it) and, with several \
         lock files, `root`. Of `cache verify`: a list of objects with `kind` (`mismatch` or `missing`), `packages` (as \
         `ADDRESS VERSION PLATFORM`), `module` (the source of a module's package), `path`, `got` (a hash or null) and `expected`.",
    ),
    (
        "summary",
        "The numbers of packages `installed`, `mirrored`, `locked`, to `lock`, `kept`, to `fetch`, `skipped`, `removed`, to \
         `remove`, `verified` and `failed`, and the `bytes` of those fetched.",
    ),
    (
        "error",
        "Only if something failed, the gravest: `kind`, `exit_code`, `message`, `causes` (outermost \
         first) and `hints`.",
    ),
];
