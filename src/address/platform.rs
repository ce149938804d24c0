//! Platforms: an operating system and an architecture, `linux_amd64` (facts/providers 12.8).
//!
//! Registries list platforms and mirrors name directories after them, so a hostile one could try to
//! leave its directory: parts are made of ASCII letters, digits, dots and hyphens, and begin with a
//! letter or digit, which no separator, drive or parent directory does.

use std::env::consts;
use std::fmt;
use std::str::FromStr;

use crate::failure::{ExitCode, Failure};

/// An operating system and an architecture, in Go's names. `Display` gives back what was parsed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Platform {
    os: String,
    arch: String,
}

impl Platform {
    /// The operating system, such as `linux`, `darwin`, `windows`.
    pub fn os(&self) -> &str {
        &self.os
    }

    /// The architecture, such as `amd64`, `arm64`.
    pub fn arch(&self) -> &str {
        &self.arch
    }

    /// The platform this program was built for.
    pub fn current() -> Self {
        Self {
            os: go_os(consts::OS).to_owned(),
            arch: go_arch(consts::ARCH).to_owned(),
        }
    }
}

/// Go's name of an operating system that Rust calls `name`.
fn go_os(name: &str) -> &str {
    match name {
        "macos" => "darwin",
        other => other,
    }
}

/// Go's name of an architecture that Rust calls `name`.
fn go_arch(name: &str) -> &str {
    let little = cfg!(target_endian = "little");
    match name {
        "x86_64" => "amd64",
        "x86" => "386",
        "aarch64" => "arm64",
        "loongarch64" => "loong64",
        "powerpc64" if little => "ppc64le",
        "powerpc64" => "ppc64",
        "mips" if little => "mipsle",
        "mips64" if little => "mips64le",
        other => other,
    }
}

impl FromStr for Platform {
    type Err = PlatformError;

    fn from_str(text: &str) -> Result<Self, PlatformError> {
        match text.split_once('_') {
            Some((os, arch)) if is_word(os) && is_word(arch) => Ok(Self {
                os: os.to_owned(),
                arch: arch.to_owned(),
            }),
            _ => Err(PlatformError(text.to_owned())),
        }
    }
}

fn is_word(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_alphanumeric())
        && part
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.os, self.arch)
    }
}

/// The text, as given, is no platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no platform: that is an operating system and an architecture joined by one `_`")]
pub struct PlatformError(pub String);

impl Failure for PlatformError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        let guess = self.0.trim().to_ascii_lowercase().replace(['/', '-'], "_");
        let example = match guess.parse::<Platform>() {
            Ok(platform) => platform,
            Err(_) => Platform::current(),
        };
        vec![format!("write it like `{example}`")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_parse_and_print_the_same() {
        for text in [
            "linux_amd64",
            "darwin_arm64",
            "Windows_386",
            "linux_arm64-v8",
        ] {
            assert_eq!(text.parse::<Platform>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn refuses_other_shapes() {
        for text in [
            "",
            "linux",
            "_amd64",
            "linux_",
            "linux_x86_64",
            "linux amd64",
            " linux_amd64",
        ] {
            assert!(text.parse::<Platform>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn refuses_platforms_that_would_leave_their_directory() {
        for text in [
            "../x_amd64",
            ".._amd64",
            "a_b/../c",
            "a\\b_c",
            "c:_x",
            "a_b\0",
            "a_\u{2025}",
        ] {
            assert!(text.parse::<Platform>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn own_platform_is_one() {
        let own = Platform::current();
        assert_eq!(own.to_string().parse(), Ok(own));
        assert_eq!((go_os("macos"), go_arch("x86_64")), ("darwin", "amd64"));
    }

    #[test]
    fn advice_shows_the_likely_spelling() {
        assert_eq!(
            PlatformError("Linux/AMD64".into()).hints(),
            ["write it like `linux_amd64`"]
        );
    }
}
