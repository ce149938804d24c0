//! What the browser shows at the end.

/// A page with one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    title: String,
    text: String,
    is_success: bool,
}

impl Page {
    /// The login is done and the token kept.
    pub fn success(text: impl Into<String>) -> Self {
        Self {
            title: "Logged in".to_owned(),
            text: text.into(),
            is_success: true,
        }
    }

    /// The login has failed.
    pub fn failure(text: impl Into<String>) -> Self {
        Self {
            title: "Not logged in".to_owned(),
            text: text.into(),
            is_success: false,
        }
    }

    /// Whether it tells of a success.
    pub(super) fn is_success(&self) -> bool {
        self.is_success
    }

    pub(super) fn html(&self) -> String {
        let (title, text) = (escape(&self.title), escape(&self.text));
        let colour = if self.is_success {
            "#1a7f37"
        } else {
            "#cf222e"
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title} - provender</title>\n\
             <style>body{{font:1.1em/1.5 sans-serif;max-width:36em;margin:4em auto;padding:0 1em}}h1{{color:{colour}}}</style></head>\n\
             <body><h1>{title}</h1><p>{text}</p></body>\n</html>\n"
        )
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_server_are_no_markup() {
        let html = Page::failure("<script>\"x\"&'y'</script>").html();
        assert!(
            html.contains("&lt;script&gt;&quot;x&quot;&amp;&#39;y&#39;&lt;/script&gt;"),
            "{html}"
        );
    }
}
