//! Which plugin protocol versions the tools can run (facts/providers 2.10.1).

use crate::document::OfferedVersion;
use crate::version::{Prereleases, Version, VersionConstraints};

/// What terraform and tofu support, as messages show it.
pub(super) const SUPPORTED: &str = ">= 5.0.0, < 7.0.0";

/// Whether a package with these `protocols` can be used: an empty list is unchecked, otherwise one
/// entry must be supported.
///
/// # Errors
///
/// If an entry is no version; the entry is the error.
pub(super) fn is_supported(protocols: &[String]) -> Result<bool, String> {
    let supported: VersionConstraints = SUPPORTED.parse().expect("a valid constraint");
    let mut usable = protocols.is_empty();
    for text in protocols {
        let version: Version = text.parse().map_err(|_| text.clone())?;
        usable |= supported.allows(&version, Prereleases::ExactOnly);
    }
    Ok(usable)
}

/// The newest of `offered` that lists a supported protocol; prereleases only if nothing else does.
pub(super) fn newest_supported(offered: &[OfferedVersion]) -> Option<&Version> {
    let usable = |offer: &&OfferedVersion| {
        !offer.protocols.is_empty() && is_supported(&offer.protocols).unwrap_or(false)
    };
    let newest = |prereleases: bool| {
        offered
            .iter()
            .filter(|offer| offer.version.is_prerelease() == prereleases)
            .filter(usable)
            .map(|offer| &offer.version)
            .max()
    };
    newest(false).or_else(|| newest(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(protocols: &[&str]) -> Vec<String> {
        protocols.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn protocols_five_and_six_are_supported() {
        for (protocols, expected) in [
            (&[][..], Ok(true)),
            (&["5"][..], Ok(true)),
            (&["6.9"][..], Ok(true)),
            (&["4.0", "5.0"][..], Ok(true)),
            (&["4.0"][..], Ok(false)),
            (&["7.0"][..], Ok(false)),
            (&["5.0-beta1"][..], Ok(false)),
            (&["5.0", "x"][..], Err("x".to_owned())),
        ] {
            assert_eq!(is_supported(&texts(protocols)), expected, "{protocols:?}");
        }
    }

    #[test]
    fn suggests_the_newest_version_that_would_do() {
        let offer = |version: &str, protocol: &str| OfferedVersion {
            version: version.parse().unwrap(),
            protocols: texts(&[protocol]),
            platforms: Vec::new(),
        };
        let offered = [
            offer("0.1.0", "1.0"),
            offer("2.0.0", "99.0"),
            offer("1.2.0", "5.0"),
            offer("1.0.0", "5.0"),
        ];
        assert_eq!(newest_supported(&offered).unwrap().to_string(), "1.2.0");
        assert_eq!(
            newest_supported(&[offer("1.0.0-rc1", "6.0")])
                .unwrap()
                .to_string(),
            "1.0.0-rc1"
        );
        assert_eq!(newest_supported(&[]), None);
    }
}
