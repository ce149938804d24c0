//! Numbers that the tools take from the environment, with our defaults (facts/providers 1.20), and one of our own.

use std::time::Duration;

use crate::config::{Environment, environment};

/// How patient to be with registries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Further tries of a registry request after the first.
    pub registry_retries: u32,
    /// Further tries of a package download after the first.
    pub package_retries: u32,
    /// How long a registry request may take in all.
    pub registry_timeout: Duration,
    /// How long a server may send nothing while it is waited for.
    pub stall_timeout: Duration,
}

impl Patience {
    /// Reads the variables; as with those of the tools, only whole numbers above zero count.
    pub fn from_environment(environment: &Environment) -> Self {
        let number = |name| {
            environment
                .get(name)
                .and_then(|text| text.trim().parse().ok())
        };
        let positive =
            |name, default: u32| number(name).filter(|&number| number > 0).unwrap_or(default);
        let seconds = |name, default| Duration::from_secs(positive(name, default).into());
        Self {
            registry_retries: positive(environment::TF_REGISTRY_DISCOVERY_RETRY, 2),
            package_retries: positive(environment::TF_PROVIDER_DOWNLOAD_RETRY, 3),
            registry_timeout: seconds(environment::TF_REGISTRY_CLIENT_TIMEOUT, 10),
            stall_timeout: seconds(environment::PROVENDER_STALL_TIMEOUT, 30),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_above_zero_count() {
        let patience = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()));
            Patience::from_environment(&pairs.collect())
        };
        let default = patience(&[]);
        assert_eq!(default.registry_retries, 2);
        for text in ["0", "-1", "x", ""] {
            assert_eq!(
                patience(&[("TF_REGISTRY_DISCOVERY_RETRY", text)]),
                default,
                "{text}"
            );
        }
        assert_eq!(
            patience(&[("TF_REGISTRY_DISCOVERY_RETRY", "5")]).registry_retries,
            5
        );
        let slow = patience(&[("TF_REGISTRY_CLIENT_TIMEOUT", "30")]);
        assert_eq!(slow.registry_timeout, Duration::from_secs(30));
        assert_eq!(default.stall_timeout, Duration::from_secs(30));
        let hasty = patience(&[("PROVENDER_STALL_TIMEOUT", "1")]);
        assert_eq!(hasty.stall_timeout, Duration::from_secs(1));
    }
}
