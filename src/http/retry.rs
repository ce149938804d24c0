//! When to try again, and after which wait (facts 2.6, 2.7).

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::{Duration, SystemTime};

use url::Url;

use crate::secret::ShownUrl;

/// How often and how patiently a request is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How many tries may follow the first.
    pub retries: u32,
    /// The wait before the second try; it doubles each time.
    pub base: Duration,
    /// The longest wait of our own choosing.
    pub cap: Duration,
    /// The longest wait that a server can ask for.
    pub patience: Duration,
}

impl RetryPolicy {
    /// One try only.
    pub const fn none() -> Self {
        Self::of(0)
    }

    /// So many tries after the first, 1 s, 2 s, 4 s ... apart, at most 30 s.
    pub const fn of(retries: u32) -> Self {
        Self {
            retries,
            base: Duration::from_secs(1),
            cap: Duration::from_secs(30),
            patience: Duration::from_secs(60),
        }
    }

    /// Whether a server asks for a longer wait than a command should take; trying earlier would only
    /// prolong its limit.
    pub(super) fn is_too_long(&self, url: &Url, asked: Option<Duration>) -> bool {
        let too_long = asked.filter(|&asked| asked > self.patience);
        if let Some(asked) = too_long {
            log::warn!(
                "`{}` asks for a wait of {asked:.0?}, longer than {:.0?}: not tried again",
                ShownUrl::of(url),
                self.patience
            );
        }
        too_long.is_some()
    }

    /// How long to wait after the `tries`th failed try, whose cause is `reason`; logs it.
    pub(super) fn announced_pause(
        &self,
        url: &Url,
        tries: u32,
        reason: &str,
        asked: Option<Duration>,
    ) -> Duration {
        let wait = self.wait(tries, asked, random());
        log::info!(
            "`{}`: {reason}; trying again in {wait:.1?} ({} of {} retries)",
            ShownUrl::of(url),
            tries,
            self.retries
        );
        wait
    }

    /// The wait after `tries` failed tries. Up to half of our own waits is left to chance, so that
    /// clients that failed together do not come back together.
    fn wait(&self, tries: u32, asked: Option<Duration>, random: u32) -> Duration {
        if let Some(asked) = asked {
            return asked;
        }
        let factor = 2u32.saturating_pow(tries.saturating_sub(1));
        let half = self.base.saturating_mul(factor).min(self.cap) / 2;
        half + half.mul_f64(f64::from(random) / f64::from(u32::MAX))
    }
}

/// Whether a status tells of a passing condition: 429, and 5xx but 501.
pub(super) fn is_passing_status(status: u16) -> bool {
    status == 429 || (500..=599).contains(&status) && status != 501
}

/// Whether a status tells that the host has too many requests, rather than a fault of its own.
pub(super) fn tells_a_limit(status: u16, asked: Option<Duration>) -> bool {
    status == 429 || asked.is_some()
}

/// The wait that `Retry-After` asks for with a 429 or 503: seconds, or an HTTP date.
pub(super) fn asked_wait(status: u16, value: Option<&str>, now: SystemTime) -> Option<Duration> {
    let value = value.filter(|_| matches!(status, 429 | 503))?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit ask for longer than anybody waits.
        return Some(value.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

/// Unpredictable enough to spread clients; the keys of the hasher are random.
fn random() -> u32 {
    let [a, b, c, d, ..] = RandomState::new().build_hasher().finish().to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_cap() {
        let policy = RetryPolicy::of(9);
        for (tries, longest) in [(1, 1), (2, 2), (3, 4), (5, 16), (6, 30), (7, 30), (99, 30)] {
            let longest = Duration::from_secs(longest);
            assert_eq!(policy.wait(tries, None, u32::MAX), longest);
            assert_eq!(policy.wait(tries, None, 0), longest / 2);
        }
    }

    #[test]
    fn asked_wait_replaces_ours_unless_it_is_beyond_patience() {
        let policy = RetryPolicy::of(1);
        let wait = |seconds| {
            policy
                .wait(1, Some(Duration::from_secs(seconds)), 0)
                .as_secs()
        };
        assert_eq!(wait(0), 0);
        assert_eq!(wait(45), 45);
        let url: Url = "https://example.com/".parse().unwrap();
        let is_too_long = |seconds| policy.is_too_long(&url, Some(Duration::from_secs(seconds)));
        assert!(!is_too_long(60));
        assert!(is_too_long(61));
        assert!(!policy.is_too_long(&url, None));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        for (status, value, expected) in [
            (429, Some("7"), Some(7)),
            (503, Some(" 0 "), Some(0)),
            (503, Some("Sun, 06 Nov 1994 08:50:07 GMT"), Some(30)),
            (503, Some("Sun, 06 Nov 1994 08:00:00 GMT"), Some(0)),
            (500, Some("7"), None),
            (429, Some("soon"), None),
            (429, Some("-1"), None),
            (429, Some(""), None),
            (429, None, None),
        ] {
            let expected = expected.map(Duration::from_secs);
            assert_eq!(asked_wait(status, value, now), expected, "{value:?}");
        }
        let endless = Some("99999999999999999999999");
        assert_eq!(asked_wait(429, endless, now), Some(Duration::MAX));
    }

    #[test]
    fn passing_statuses() {
        for status in [429, 500, 502, 503, 504, 599] {
            assert!(is_passing_status(status), "{status}");
        }
        for status in [200, 204, 302, 400, 404, 410, 501, 600] {
            assert!(!is_passing_status(status), "{status}");
        }
    }
}
