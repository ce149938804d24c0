//! What a certificate says about itself: which of its keys may sign, what is revoked, what has
//! expired.
//!
//! Follows facts/providers 3.5 to 3.8. Stricter than the tools in one point: a subkey must carry
//! the back signature by which it claims its primary key even where its binding does not list what
//! it is for.
//!
//! Attacks and answers:
//! - someone else's subkey or user id glued to a key: a binding counts only if the primary key made
//!   it, a signing subkey only if it signed back;
//! - bindings forged by way of a broken digest: MD5 and RIPEMD-160 never bind (but may revoke);
//! - a key for encryption used to sign: key flags are obeyed;
//! - a revocation that cannot be checked because another key made it: the key is set aside, as the
//!   tools do;
//! - a rule this program does not know, marked critical: refused.

use std::time::{Duration, SystemTime};

use pgp::packet::{Signature, SignatureType, SubpacketData};
use pgp::types::{KeyDetails, KeyVersion, Tag};

use super::keyring::{Certificate, Subkey};
use super::signature_facts::{Validity, binds, is_in_force, key_id_text, validity};

/// Why a listed key whose id fits a signature cannot have made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// No user id (version 4) or direct signature (version 6) by the key itself.
    #[error("has no valid signature on itself")]
    NoSelfSignature,
    /// Key flags without the one for signing.
    #[error("is not for signing")]
    NotForSigning,
    /// A subkey that the primary key did not bind.
    #[error("is not bound to its primary key")]
    NotBound,
    /// A subkey that does not acknowledge the primary key.
    #[error("does not acknowledge its primary key")]
    NoBackSignature,
    /// A revocation that the key itself did not make.
    #[error("carries a revocation that another key made")]
    ForeignRevocation,
}

/// The key of a certificate that is said to have made a signature.
#[derive(Debug, Clone, Copy)]
pub(super) enum Component<'a> {
    Primary,
    Subkey(&'a Subkey),
}

/// A component that may sign, with the signatures that say so.
#[derive(Debug)]
pub(super) struct Standing<'a> {
    /// The primary key's signature on itself.
    self_signature: &'a Signature,
    /// Revocations of the identity that the self signature belongs to.
    identity_revocations: Vec<&'a Signature>,
    /// Binding, back signature and revocations of a subkey.
    binding: Option<Binding<'a>>,
}

#[derive(Debug)]
struct Binding<'a> {
    signature: &'a Signature,
    back: &'a Signature,
    subkey: &'a Subkey,
}

impl Certificate {
    /// The id of the primary key, 16 upper-case hex digits.
    pub(super) fn key_id(&self) -> String {
        key_id_text(self.primary.legacy_key_id())
    }

    /// The fingerprint of the primary key, upper-case hex digits.
    pub(super) fn fingerprint(&self) -> String {
        format!("{:X}", self.primary.fingerprint())
    }

    /// The components that a signature names as its issuer.
    pub(super) fn issuers_of(&self, signature: &Signature) -> Vec<Component<'_>> {
        let primary = names(signature, &self.primary).then_some(Component::Primary);
        let subkeys = self
            .subkeys
            .iter()
            .filter(|subkey| names(signature, &subkey.key))
            .map(Component::Subkey);
        primary.into_iter().chain(subkeys).collect()
    }

    /// Finds out whether a component may sign at all.
    ///
    /// # Errors
    /// [`Unfit`] with the first reason why not.
    pub(super) fn standing<'a>(&'a self, component: Component<'a>) -> Result<Standing<'a>, Unfit> {
        if self
            .revocations
            .iter()
            .any(|revocation| revocation.verify_key(&self.primary).is_err())
        {
            return Err(Unfit::ForeignRevocation);
        }
        let (self_signature, identity_revocations) =
            self.self_signature().ok_or(Unfit::NoSelfSignature)?;
        let binding = match component {
            Component::Primary => None,
            Component::Subkey(subkey) => Some(self.binding(subkey)?),
        };
        let flagged = binding
            .as_ref()
            .map_or(self_signature, |binding| binding.signature);
        if forbids_signing(flagged) {
            return Err(Unfit::NotForSigning);
        }
        Ok(Standing {
            self_signature,
            identity_revocations,
            binding,
        })
    }

    /// The signature by which the primary key speaks of itself, with the revocations of the
    /// identity it stands on.
    fn self_signature(&self) -> Option<(&Signature, Vec<&Signature>)> {
        if self.primary.version() == KeyVersion::V6 {
            let direct = self.direct.iter().filter(|signature| {
                signature.typ() == Some(SignatureType::Key)
                    && binds(signature)
                    && signature.verify_key(&self.primary).is_ok()
            });
            return newest(direct).map(|signature| (signature, Vec::new()));
        }
        self.identities
            .iter()
            .filter_map(|identity| {
                let own = |signature: &&Signature| {
                    signature
                        .verify_certification(&self.primary, Tag::UserId, &identity.id)
                        .is_ok()
                };
                let (revocations, certifications): (Vec<&Signature>, Vec<&Signature>) = identity
                    .signatures
                    .iter()
                    .filter(|signature| {
                        signature.is_certification() && names(signature, &self.primary)
                    })
                    .filter(own)
                    .partition(|signature| signature.typ() == Some(SignatureType::CertRevocation));
                let certification = newest(
                    certifications
                        .into_iter()
                        .filter(|signature| binds(signature)),
                )?;
                Some((certification, revocations))
            })
            .reduce(|best, next| if preferred(&next, &best) { next } else { best })
    }

    fn binding<'a>(&'a self, subkey: &'a Subkey) -> Result<Binding<'a>, Unfit> {
        let mut revocations = subkey
            .signatures
            .iter()
            .filter(|signature| is_subkey_revocation(signature));
        if revocations.any(|revocation| {
            revocation
                .verify_subkey_binding(&self.primary, &subkey.key)
                .is_err()
        }) {
            return Err(Unfit::ForeignRevocation);
        }
        let bindings = subkey.signatures.iter().filter(|signature| {
            signature.typ() == Some(SignatureType::SubkeyBinding)
                && binds(signature)
                && signature
                    .verify_subkey_binding(&self.primary, &subkey.key)
                    .is_ok()
        });
        let signature = newest(bindings).ok_or(Unfit::NotBound)?;
        if forbids_signing(signature) {
            return Err(Unfit::NotForSigning);
        }
        let back = signature
            .embedded_signature()
            .filter(|back| {
                binds(back)
                    && back
                        .verify_primary_key_binding(&subkey.key, &self.primary)
                        .is_ok()
            })
            .ok_or(Unfit::NoBackSignature)?;
        Ok(Binding {
            signature,
            back,
            subkey,
        })
    }
}

impl Standing<'_> {
    /// The certificate's own signatures that a verdict rests on.
    pub(super) fn signatures(&self) -> impl Iterator<Item = &Signature> {
        let binding = self
            .binding
            .iter()
            .flat_map(|binding| [binding.signature, binding.back]);
        std::iter::once(self.self_signature).chain(binding)
    }

    /// Whether the primary key, the identity or the signing subkey is revoked.
    pub(super) fn is_revoked(&self, certificate: &Certificate, now: SystemTime) -> bool {
        let subkey = self
            .binding
            .iter()
            .flat_map(|binding| &binding.subkey.signatures);
        certificate
            .revocations
            .iter()
            .chain(self.identity_revocations.iter().copied())
            .chain(subkey.filter(|signature| is_subkey_revocation(signature)))
            .any(|revocation| is_in_force(revocation, now))
    }

    /// The validity of the key that signs: of the primary key and, if one signs, of the subkey.
    pub(super) fn key_validity(&self, certificate: &Certificate, now: SystemTime) -> Validity {
        let primary = key_validity(&certificate.primary, self.self_signature, now);
        match &self.binding {
            Some(binding) if primary == Validity::Current => {
                key_validity(&binding.subkey.key, binding.signature, now)
            }
            Some(_) | None => primary,
        }
    }
}

fn names(signature: &Signature, key: &impl KeyDetails) -> bool {
    let (id, fingerprint) = (key.legacy_key_id(), key.fingerprint());
    signature.issuer_key_id().contains(&&id)
        || signature.issuer_fingerprint().contains(&&fingerprint)
}

fn is_subkey_revocation(signature: &Signature) -> bool {
    signature.typ() == Some(SignatureType::SubkeyRevocation)
}

/// The newest signature; of equally old ones the first.
fn newest<'a>(signatures: impl Iterator<Item = &'a Signature>) -> Option<&'a Signature> {
    signatures.reduce(|best, next| {
        if next.created() > best.created() {
            next
        } else {
            best
        }
    })
}

/// Which identity speaks for the key: the less revoked, then the one marked primary, then the newer
/// (facts 3.7).
fn preferred(next: &(&Signature, Vec<&Signature>), best: &(&Signature, Vec<&Signature>)) -> bool {
    let rank = |(certification, revocations): &(&Signature, Vec<&Signature>)| {
        (
            std::cmp::Reverse(revocations.len()),
            certification.is_primary(),
            certification.created(),
        )
    };
    rank(next) > rank(best)
}

/// Whether key flags are there and leave signing out. Without flags a key may do everything.
fn forbids_signing(signature: &Signature) -> bool {
    signature.config().is_some_and(|config| {
        let has_flags = config
            .hashed_subpackets()
            .any(|part| matches!(part.data, SubpacketData::KeyFlags(_)));
        has_flags && !signature.key_flags().sign()
    })
}

fn key_validity(key: &impl KeyDetails, says: &Signature, now: SystemTime) -> Validity {
    validity(
        key.created_at().into(),
        says.key_expiration_time().map(Duration::from),
        now,
    )
}
