//! The configuration of nginx for a mirror: its own server, and one for each host whose archives it has.

use super::quoted::quoted_with;
use super::{ArchiveServer, FarSide};

/// The types that the tools look at, whatever the server knows besides.
const TYPES: &str = "    types {\n        application/json  json;\n        application/zip   zip;\n        text/html         html;\n    }\n    default_type application/octet-stream;\n";
/// Where the certificate is as long as nobody has changed it.
const CERTIFICATE: &str = "    ssl_certificate     /etc/nginx/mirror.pem;\n    ssl_certificate_key /etc/nginx/mirror.key;\n";

/// Prints the file, which belongs into the `http` block.
pub(super) fn render(far: &FarSide) -> String {
    let mut text = "# Configuration of nginx for this mirror, written by `provender mirror`; include it in the `http` block.\n# Change `root` to where the mirror lies, and the certificate, which must bear all names of servers below.\n".to_owned();
    text += &mirror_server(far);
    for server in &far.servers {
        text += &archive_server(far, server);
    }
    text
}

fn mirror_server(far: &FarSide) -> String {
    let url = &far.settings.url;
    let host = url.host_str().unwrap_or_default();
    let base = url.path();
    let mut text = server_start(
        host,
        url.port_or_known_default().unwrap_or(443),
        url.scheme() == "https",
    );
    // With a path before the mirror's own, `root` would be looked for below it.
    let place = if base == "/" {
        format!("    root {};\n", quoted(&far.root))
    } else {
        let alias = format!("{}/", far.root.trim_end_matches('/'));
        format!(
            "    location {} {{ alias {}; }}\n",
            quoted(base),
            quoted(&alias)
        )
    };
    text += &place;
    text += TYPES;
    if !far.registries.is_empty() {
        let base = regex(base);
        text += &registry_rules(&base, far);
    }
    text + "}\n"
}

/// Terraform reads the location from a header alone (facts/modules 2.3); it is the same for all modules but those that
/// are not the whole of their archives.
fn registry_rules(base: &str, far: &FarSide) -> String {
    let mut text = String::from(
        "\n    # Terraform finds the archive of a module by this header, OpenTofu by the file.\n",
    );
    for other in &far.locations {
        text.extend([format!(
            "    location = {} {{\n{}    }}\n",
            quoted(&format!("{}{}", far.settings.url.path(), other.path)),
            download_rule(base, far, &other.location)
        )]);
    }
    text.extend([format!(
        "    location ~ \"^{base}modules/.+/download$\" {{\n{}    }}\n",
        download_rule(base, far, "./module.zip")
    )]);
    text.extend([format!(
        "    location ~ \"^{base}modules/.+/versions$\" {{\n{}        default_type application/json;\n    }}\n",
        alias_rule(base, far)
    )]);
    text
}

fn download_rule(base: &str, far: &FarSide, location: &str) -> String {
    format!(
        "{}        default_type application/json;\n        add_header X-Terraform-Get {};\n",
        alias_rule(base, far),
        quoted(location)
    )
}

/// Within a rule of a mirror that is not at the server's root, where its files are.
fn alias_rule(_: &str, far: &FarSide) -> String {
    if far.settings.url.path() == "/" {
        return String::new();
    }
    format!(
        "        root {};\n        rewrite \"^{}(.*)$\" /$1 break;\n",
        quoted(&far.root),
        regex(far.settings.url.path())
    )
}

fn archive_server(far: &FarSide, server: &ArchiveServer) -> String {
    let root = format!(
        "{}/archives/{}",
        far.root.trim_end_matches('/'),
        server.directory
    );
    format!(
        "\n# Archives that configurations ask of {}: its name must resolve to this server.\n{}    root {};\n{TYPES}    location / {{ try_files $uri $uri/index.html =404; }}\n}}\n",
        comment(&server.directory),
        server_start(&server.host, server.port, server.has_tls).trim_start(),
        quoted(&root),
    )
}

fn server_start(host: &str, port: u16, has_tls: bool) -> String {
    let (tls, certificate) = if has_tls {
        (" ssl", CERTIFICATE)
    } else {
        ("", "")
    };
    format!(
        "\nserver {{\n    listen {port}{tls};\n    server_name {};\n{certificate}",
        quoted(host)
    )
}

/// A string of nginx, where a `$` would begin a variable and cannot be written: what holds one does not work, and does no
/// harm.
fn quoted(text: &str) -> String {
    quoted_with(text, "?")
}

fn comment(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A path as it stands in a pattern.
fn regex(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '~' | '%') {
            pattern.push(c);
        } else {
            pattern.extend(['[', c, ']']);
        }
    }
    pattern
}
