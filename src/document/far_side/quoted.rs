//! Text in quotes, as the languages of all settings have it.

/// Puts `text` in double quotes, with `\\` before quotes and backslashes and `dollar` for each `$`; control characters, line
/// ends among them, are left out.
pub(super) fn quoted_with(text: &str, dollar: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '$' => quoted.push_str(dollar),
            c if c.is_control() => {}
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::document::far_side::{ArchiveServer, FarSide, FarSideSettings, MirroredRepository};
    use crate::document::hcl1;

    /// Ends a string, a line and a block, and begins a variable.
    const EVIL: &str = "x\"\n}\n$evil \\";

    fn far() -> FarSide {
        let url = "https://m.example/";
        FarSide {
            settings: FarSideSettings::of(url, Some(EVIL.to_owned())).unwrap(),
            root: EVIL.to_owned(),
            has_providers: true,
            registries: BTreeSet::from([EVIL.to_owned()]),
            repositories: vec![MirroredRepository {
                path: vec![EVIL.to_owned()],
                urls: vec![EVIL.to_owned()],
            }],
            servers: BTreeSet::from([ArchiveServer {
                directory: EVIL.to_owned(),
                host: EVIL.to_owned(),
                port: 443,
                has_tls: true,
            }]),
            locations: Vec::new(),
        }
    }

    #[test]
    fn text_that_ends_a_string_begins_no_setting_of_its_own() {
        let far = far();
        let git = far.git_config().unwrap();
        let expected = "\tinsteadOf = \"x\\\"}$evil \\\\\"";
        assert!(git.lines().any(|line| line == expected), "{git}");
        let nginx = far.nginx();
        let expected = "    root \"x\\\"}?evil \\\\\";";
        assert!(nginx.lines().any(|line| line == expected), "{nginx}");
        let cli = far.cli_config();
        let expected = "host \"x\\\"}\\u0024evil \\\\\" {";
        assert!(cli.lines().any(|line| line == expected), "{cli}");
        for text in [&git, &nginx, &cli] {
            assert!(
                !text.lines().any(|line| line.starts_with("$evil")),
                "{text}"
            );
        }
        assert!(hcl1::parse(cli.as_bytes()).is_ok(), "{cli}");
    }
}
