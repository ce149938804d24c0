//! Errors as text: the message, the causes, a blank line, the hints (`cli.md`, "Errors").

use crate::failure::Failure;

/// Renders `error` as `error: …`, one `caused by: …` line a cause, then its hints.
pub fn render_error(error: &dyn Failure) -> String {
    let mut text = format!("error: {error}");
    for cause in causes(error) {
        text.push_str("\n  caused by: ");
        text.push_str(&cause);
    }
    let hints = error.hints();
    if !hints.is_empty() {
        text.push('\n');
    }
    for hint in hints {
        text.push_str("\nhint: ");
        text.push_str(&hint);
    }
    text
}

/// The messages of the causes, outermost first; one that repeats what stands before it is left out.
pub(super) fn causes(error: &dyn Failure) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    let mut last = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let message = cause.to_string();
        if !last.ends_with(&message) {
            messages.push(message.clone());
        }
        last = message;
        next = cause.source();
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::ExitCode;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot mirror it")]
    struct Outer(#[source] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("the signature is by another key")]
    struct Inner;

    impl Failure for Outer {
        fn exit_code(&self) -> ExitCode {
            ExitCode::Verification
        }
        fn hints(&self) -> Vec<String> {
            vec!["ask the publisher".to_owned()]
        }
    }

    #[test]
    fn causes_are_indented_and_hints_stand_apart() {
        assert_eq!(
            render_error(&Outer(Inner)),
            "error: cannot mirror it\n  caused by: the signature is by another key\n\nhint: ask the publisher"
        );
    }
}
