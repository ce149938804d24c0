//! Where a git source leads now, found out without a clone: by its text alone, or by one `git ls-remote`.
//!
//! The answer comes from a server. It can only say that a commit is still the one that a clone would check out; whose
//! bytes these are, a commit's name proves. What may be handed to git is decided as in `module_git`.

use std::path::Path;

use crate::document::CommitId;
use crate::source::ModuleFetchError;
use crate::source::module_git::{GitProgram, Request};

impl GitProgram {
    /// The commit that the source names itself, as a full one in its `ref`.
    pub fn named_commit(url: &str) -> Option<CommitId> {
        let request = Request::parse(url).ok()?;
        request.reference?.parse().ok()
    }

    /// The commit that the source leads to now; `None` if that is not clear without a clone, as for shortened commits. A
    /// key of the source lies beside `place` in the meantime.
    ///
    /// # Errors
    ///
    /// If the source is not usable, git is not there, or git fails.
    pub async fn current_commit(
        &self,
        url: &str,
        place: &Path,
    ) -> Result<Option<CommitId>, ModuleFetchError> {
        let request = Request::parse(url)?;
        let key = request.key_file(place)?;
        let run = self.run(&request, key.as_ref());
        let reference = request.reference.as_deref().unwrap_or("HEAD");
        // Tags are told with what they lead to only if that is asked for, too.
        let peeled = format!("{reference}^{{}}");
        let arguments = [
            "ls-remote",
            "--quiet",
            "--",
            &request.url,
            reference,
            &peeled,
        ];
        let answer = run.git(None, &arguments).await?;
        Ok(commit_of(&String::from_utf8_lossy(&answer), &request))
    }
}

/// The commit of the one ref that a clone would check out. With a branch and a tag of one name, git's own rules decide,
/// and they are not repeated here.
fn commit_of(answer: &str, request: &Request) -> Option<CommitId> {
    let commit = |name: &str| {
        let mut lines = answer.lines().filter_map(|line| line.split_once('\t'));
        let (commit, _) = lines.find(|(_, found)| *found == name)?;
        commit.parse().ok()
    };
    let Some(reference) = &request.reference else {
        return commit("HEAD");
    };
    let branch = commit(&format!("refs/heads/{reference}"));
    let tag = format!("refs/tags/{reference}");
    let tag = commit(&format!("{tag}^{{}}")).or_else(|| commit(&tag));
    match (branch, tag) {
        (Some(commit), None) | (None, Some(commit)) => Some(commit),
        (None, None) | (Some(_), Some(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    fn of(query: &str, answer: &[(&str, &str)]) -> Option<String> {
        let lines = answer
            .iter()
            .map(|(commit, name)| format!("{commit}\t{name}\n"));
        let request = Request::parse(&format!("https://h/a.git{query}")).unwrap();
        let commit = commit_of(&lines.collect::<String>(), &request);
        commit.map(|commit| commit.to_string())
    }

    #[test]
    fn refs_lead_to_the_commit_of_their_exact_name() {
        let main = ("refs/heads/main", ONE);
        for (query, answer, expected) in [
            (
                "",
                vec![(ONE, "HEAD"), (TWO, "refs/remotes/x/HEAD")],
                Some(ONE),
            ),
            (
                "?ref=main",
                vec![(TWO, "refs/heads/a/main"), (main.1, main.0)],
                Some(ONE),
            ),
            (
                "?ref=v1",
                vec![(TWO, "refs/tags/v1"), (ONE, "refs/tags/v1^{}")],
                Some(ONE),
            ),
            ("?ref=v1", vec![(ONE, "refs/tags/v1")], Some(ONE)),
            (
                "?ref=v1",
                vec![(ONE, "refs/tags/v1"), (ONE, "refs/heads/v1")],
                None,
            ),
            ("?ref=main", vec![(TWO, "refs/heads/a/main")], None),
            ("?ref=1111111", vec![], None),
            ("?ref=v1", vec![("nonsense", "refs/tags/v1")], None),
        ] {
            assert_eq!(
                of(query, &answer).as_deref(),
                expected,
                "{query} {answer:?}"
            );
        }
    }

    #[test]
    fn only_a_full_commit_names_itself() {
        let named = |query: &str| GitProgram::named_commit(&format!("https://h/a.git{query}"));
        assert_eq!(named(&format!("?ref={ONE}")).unwrap().to_string(), ONE);
        assert_eq!(named("?ref=1111111"), None);
        assert_eq!(named("?ref=main"), None);
        assert_eq!(named(""), None);
    }
}
