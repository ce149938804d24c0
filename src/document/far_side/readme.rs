//! How to use a mirror, for whoever finds it on the far side.

use super::FarSide;

/// By what a later run knows that the file is its own.
pub(super) const MARK: &str =
    "<!-- Written by `provender mirror`; changes are lost when it runs again. -->\n";

/// Prints the file.
pub(super) fn render(far: &FarSide) -> String {
    let mut text = format!("{MARK}# A mirror of Terraform and OpenTofu packages\n\n");
    text += &contents(far);
    text += &serving(far);
    text += &clients(far);
    text
}

fn contents(far: &FarSide) -> String {
    let mut rows = String::new();
    if far.has_providers {
        rows += "- `HOST/NAMESPACE/TYPE`: providers, a filesystem mirror and a network mirror at once\n";
    }
    if !far.registries.is_empty() {
        rows += "- `modules`: a static module registry\n";
    }
    if !far.repositories.is_empty() {
        rows += "- `git`: bare repositories of modules\n";
    }
    if !far.servers.is_empty() {
        rows += "- `archives`: archives of modules, by the host that is asked for them\n";
    }
    format!(
        "{rows}- `client`: settings for the far side\n\nPlain files all of them. `provender verify --mirror .` proves them again, without any network.\n\n"
    )
}

fn serving(far: &FarSide) -> String {
    let url = &far.settings.url;
    let mut text = "## Serve it\n\n".to_owned();
    if far.settings.is_placeholder() {
        text.extend([format!(
            "The settings name `{url}`, as nobody has said where the mirror will be: run `provender mirror` with `--served-at URL`, or change the name in `client`.\n\n"
        )]);
    }
    text.extend([format!(
        "1. Put this directory on a web server, as `{url}`. For nginx, include `client/nginx.conf` in its `http` block, and change `root` and the certificate in it.\n"
    )]);
    if !far.registries.is_empty() {
        text += "   Another server does, too, if it sends the header `X-Terraform-Get: ./module.zip` with every file named `download`; Terraform looks for the archive of a module nowhere else.\n";
        for other in &far.locations {
            text.extend([format!(
                "   With `{}` the header is `X-Terraform-Get: {}`.\n",
                other.path, other.location
            )]);
        }
    }
    if !far.servers.is_empty() {
        let names: Vec<String> = far
            .servers
            .iter()
            .map(|it| format!("`{}`", it.directory))
            .collect();
        text.extend([format!(
            "2. Let these names resolve to that server, with a certificate that bears them: {}. Configurations ask them for archives.\n",
            names.join(", ")
        )]);
    }
    text + "\n"
}

fn clients(far: &FarSide) -> String {
    let mut text = "## Use it\n\nOn each machine that runs `terraform` or `tofu`, copy `client` to some place and set\n\n```sh\nexport TF_CLI_CONFIG_FILE=PLACE/client/terraform.rc\n".to_owned();
    if !far.repositories.is_empty() {
        text += "export GIT_CONFIG_GLOBAL=PLACE/client/gitconfig\n";
    }
    if let Some(ca_file) = &far.settings.ca_file {
        text.extend([format!("export SSL_CERT_FILE={ca_file}\n")]);
    }
    text += "```\n\nConfigurations stay as they are.\n";
    if !far.repositories.is_empty() {
        text += "Git asks the mirror for each repository in `client/gitconfig`. A plain web server has no part of a history: calls with `depth` fail.\n";
        if far.settings.ca_file.is_none() {
            text += "If the system does not trust the server's certificate, add `[http \"URL OF THE MIRROR\"] sslCAInfo = FILE` to it, and set `SSL_CERT_FILE=FILE` for the tools.\n";
        }
    }
    text
}
