//! Why one try of a download brought no complete package, and what follows from it.

use std::time::{Duration, SystemTime};

use crate::http::HttpError;
use crate::http::answer::text;
use crate::http::exchange::{Fault, Reply};
use crate::http::retry::{asked_wait, is_passing_status, tells_a_limit};
use crate::secret::ShownUrl;

/// Why a try brought no complete package.
pub(super) enum Setback {
    Fault(Fault),
    Status {
        url: ShownUrl,
        status: u16,
        asked: Option<Duration>,
    },
}

impl<E: Into<Fault>> From<E> for Setback {
    fn from(fault: E) -> Self {
        Self::Fault(fault.into())
    }
}

impl Setback {
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Fault(fault) => fault.is_passing(),
            Self::Status { status, .. } => is_passing_status(*status),
        }
    }

    pub(super) fn reason(&self) -> String {
        match self {
            Self::Fault(fault) => fault.reason(),
            Self::Status { status, .. } => format!("status {status}"),
        }
    }

    pub(super) fn asked(&self) -> Option<Duration> {
        match self {
            Self::Fault(_) => None,
            Self::Status { asked, .. } => *asked,
        }
    }

    pub(super) fn tells_a_limit(&self) -> bool {
        match self {
            Self::Fault(_) => false,
            Self::Status { status, asked, .. } => tells_a_limit(*status, *asked),
        }
    }

    pub(super) fn into_error(self, tries: u32) -> HttpError {
        match self {
            Self::Fault(fault) => fault.into_error(tries),
            Self::Status { url, status, .. } => HttpError::UnexpectedStatus { url, status, tries },
        }
    }
}

/// The setback that an answer with another status than hoped for is.
pub(super) fn refused(reply: &Reply, status: u16) -> Setback {
    let value = text(reply.response.headers(), "retry-after");
    let asked = asked_wait(status, value, SystemTime::now());
    Setback::Status {
        url: ShownUrl::of(&reply.url),
        status,
        asked,
    }
}
