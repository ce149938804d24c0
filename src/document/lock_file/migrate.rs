//! Locks that Terraform made, taken over by OpenTofu (facts/providers 5.12).

use super::{Locks, ProviderLock};
use crate::address::{Hostname, ProviderAddr, Tool};

const NAMESPACE: &str = "hashicorp";

/// A lock that was taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdoptedLock {
    /// The provider on Terraform's default host, whose lock stays.
    pub from: ProviderAddr,
    /// Its counterpart on OpenTofu's default host, now locked too.
    pub to: ProviderAddr,
}

impl Locks {
    /// Locks the OpenTofu counterpart of each provider of Terraform's default host and namespace that
    /// has none: the same version and constraints, and no hashes, as the packages differ.
    ///
    /// Gives what was added, for a warning; the old locks stay until the installer finds them unused.
    pub fn adopt_terraform_locks(&mut self) -> Vec<AdoptedLock> {
        let from_host = host(Tool::Terraform);
        let to_host = host(Tool::Tofu);
        let is_old =
            |addr: &&ProviderAddr| *addr.hostname() == from_host && addr.namespace() == NAMESPACE;
        let adopted: Vec<AdoptedLock> = self
            .providers
            .keys()
            .filter(is_old)
            .map(|from| AdoptedLock {
                from: from.clone(),
                to: from.on_host(to_host.clone()),
            })
            .filter(|lock| !self.providers.contains_key(&lock.to))
            .collect();
        for lock in &adopted {
            let old = &self.providers[&lock.from];
            let new = ProviderLock {
                version: old.version.clone(),
                constraints: old.constraints.clone(),
                hashes: Vec::new(),
            };
            self.providers.insert(lock.to.clone(), new);
        }
        adopted
    }
}

fn host(tool: Tool) -> Hostname {
    tool.default_host()
        .parse()
        .expect("the default hosts are valid names")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_adoption_finds_nothing_left_to_do() {
        let text = "provider \"registry.terraform.io/hashicorp/a\" {\n  version = \"1.0.0\"\n}\n";
        let mut locks = Locks::parse(text, Tool::Tofu).unwrap().locks;
        assert_eq!(locks.adopt_terraform_locks().len(), 1);
        assert_eq!(locks.providers.len(), 2);
        assert_eq!(locks.adopt_terraform_locks(), []);
    }
}
