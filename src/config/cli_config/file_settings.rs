//! The settings of one file: from the HCL 1 tree to typed values (facts/login 6.3, 6.4).

use std::collections::BTreeMap;
use std::path::Path;

use super::installation::ProviderInstallation;
use super::installation_reader::{InstallationReader, Syntax};
use super::setting::{
    CredentialsEntry, HelperSetting, HostServices, NotHonoured, Place, ServiceValue,
};
use super::typed::{
    LabelledBlock, TypeError, boolean, expected, labelled_blocks, objects, text, type_error,
};
use super::warning::{CliConfigProblem, CliConfigWarning};
use crate::address::{Hostname, HostnameError, Tool};
use crate::config::Environment;
use crate::document::hcl1::{Body, Item, Position, Value, ValueKind};
use crate::secret::Secret;

/// What one file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FileSettings {
    pub(super) plugin_cache_dir: Option<(String, Position)>,
    pub(super) plugin_cache_may_break_dependency_lock_file: bool,
    pub(super) hosts: BTreeMap<Hostname, HostServices>,
    pub(super) credentials: BTreeMap<Hostname, CredentialsEntry>,
    pub(super) helpers: BTreeMap<String, HelperSetting>,
    pub(super) provider_installations: Vec<ProviderInstallation>,
    pub(super) not_honoured: Vec<NotHonoured>,
    pub(super) warnings: Vec<CliConfigWarning>,
}

/// Reads the settings of `file`.
pub(super) fn interpret(
    file: &Path,
    tool: Tool,
    environment: &Environment,
    syntax: Syntax,
    body: &Body,
) -> Result<FileSettings, TypeError> {
    let mut reader = Reader {
        file,
        tool,
        environment,
        syntax,
        settings: FileSettings::default(),
    };
    for item in &body.items {
        reader.item(item)?;
    }
    Ok(reader.settings)
}

/// Blocks that only `tofu` has.
const TOFU_SETTINGS: [&str; 3] = [
    "registry_protocols",
    "oci_default_credentials",
    "oci_credentials",
];

/// Settings of earlier versions and of `terraform` alone, which do nothing here.
const OLD_SETTINGS: [&str; 4] = [
    "providers",
    "provisioners",
    "disable_checkpoint",
    "disable_checkpoint_signature",
];

struct Reader<'f> {
    file: &'f Path,
    tool: Tool,
    environment: &'f Environment,
    syntax: Syntax,
    settings: FileSettings,
}

impl Reader<'_> {
    /// One top-level item. Names are case-insensitive; unknown ones are ignored without a word.
    fn item(&mut self, item: &Item) -> Result<(), TypeError> {
        let name = item.keys[0].text.to_ascii_lowercase();
        match (name.as_str(), self.tool) {
            ("host", _) => self.hosts(item),
            ("credentials", _) => self.credentials(item),
            ("credentials_helper", _) => self.helpers(item),
            // Unlike all others, this name is matched literally by the tools.
            ("provider_installation", _) if item.keys[0].text == name => {
                self.installations(item);
                Ok(())
            }
            ("plugin_cache_dir", _) => self.cache_directory(item),
            ("plugin_cache_may_break_dependency_lock_file", _) => {
                let name = "plugin_cache_may_break_dependency_lock_file";
                self.settings.plugin_cache_may_break_dependency_lock_file |= boolean(name, item)?;
                Ok(())
            }
            ("disable_checkpoint" | "disable_checkpoint_signature", Tool::Terraform) => {
                boolean(&name, item).map(drop)
            }
            (_, Tool::Tofu) => {
                // Settings of `tofu` alone that are recognised, and no more.
                let known = TOFU_SETTINGS.iter().find(|known| **known == name);
                match known {
                    Some(known) => _ = self.not_honoured(known, item.position()),
                    None => self.tell_unknown(&name, item),
                }
                Ok(())
            }
            (_, Tool::Terraform) => {
                self.tell_unknown(&name, item);
                Ok(())
            }
        }
    }

    /// A setting of the other tool or of old times is no mistake; any other unknown name may be one.
    fn tell_unknown(&mut self, name: &str, item: &Item) {
        if TOFU_SETTINGS.contains(&name) || OLD_SETTINGS.contains(&name) {
            return;
        }
        self.settings.warnings.push(CliConfigWarning {
            file: self.file.to_owned(),
            position: Some(item.position()),
            problem: CliConfigProblem::UnknownSetting {
                name: item.keys[0].text.clone(),
            },
        });
    }

    fn installations(&mut self, item: &Item) {
        let mut reader = InstallationReader {
            file: self.file,
            tool: self.tool,
            environment: self.environment,
            syntax: self.syntax,
            warnings: Vec::new(),
            not_honoured: Vec::new(),
        };
        let blocks = reader.blocks(item);
        self.settings.warnings.extend(reader.warnings);
        self.settings.not_honoured.extend(reader.not_honoured);
        self.settings.provider_installations.extend(blocks);
    }

    fn place(&self, position: Position) -> Place {
        Place {
            file: self.file.to_owned(),
            position,
        }
    }

    fn not_honoured(&mut self, name: &'static str, position: Position) -> Place {
        let place = self.place(position);
        self.settings.not_honoured.push(NotHonoured {
            name,
            place: place.clone(),
        });
        place
    }

    fn cache_directory(&mut self, item: &Item) -> Result<(), TypeError> {
        if item.keys.len() > 1 {
            return type_error(item.position(), "`plugin_cache_dir` is no block");
        }
        if item.value.kind == ValueKind::Null {
            return Ok(());
        }
        let Some(path) = text(&item.value) else {
            return type_error(
                item.value.position,
                expected("plugin_cache_dir", "a string", &item.value),
            );
        };
        self.settings.plugin_cache_dir = None;
        if !path.is_empty() {
            self.settings.plugin_cache_dir = Some((path.to_owned(), item.position()));
        }
        Ok(())
    }

    /// Within one file the last block of a host replaces the earlier ones.
    fn hosts(&mut self, item: &Item) -> Result<(), TypeError> {
        for block in labelled_blocks("host", item)? {
            let services = services(block.body)?;
            if let Some(host) = self.hostname("host", &block) {
                let place = self.place(block.position);
                self.settings
                    .hosts
                    .insert(host, HostServices { services, place });
            }
        }
        Ok(())
    }

    /// Within one file the members of a host's blocks are put together, the later member winning.
    fn credentials(&mut self, item: &Item) -> Result<(), TypeError> {
        for block in labelled_blocks("credentials", item)? {
            let token = token(block.body)?;
            if let Some(host) = self.hostname("credentials", &block) {
                let place = self.place(block.position);
                let earlier = self
                    .settings
                    .credentials
                    .remove(&host)
                    .and_then(|entry| entry.token);
                let token = match token {
                    Member::Absent => earlier,
                    Member::Present(token) => token,
                };
                self.settings
                    .credentials
                    .insert(host, CredentialsEntry { token, place });
            }
        }
        Ok(())
    }

    fn helpers(&mut self, item: &Item) -> Result<(), TypeError> {
        for block in labelled_blocks("credentials_helper", item)? {
            let args = arguments(block.body)?;
            let place = self.place(block.position);
            let name = block.label.to_owned();
            self.settings
                .helpers
                .insert(name.clone(), HelperSetting { name, args, place });
        }
        Ok(())
    }

    fn hostname(
        &mut self,
        block_name: &'static str,
        block: &LabelledBlock<'_>,
    ) -> Option<Hostname> {
        match block.label.parse() {
            Ok(host) => Some(host),
            Err(error) => {
                let error: HostnameError = error;
                self.settings.warnings.push(CliConfigWarning {
                    file: self.file.to_owned(),
                    position: Some(block.position),
                    problem: CliConfigProblem::InvalidHostname {
                        block: block_name,
                        label: block.label.to_owned(),
                        reason: error.to_string(),
                    },
                });
                None
            }
        }
    }
}

fn services(body: &Body) -> Result<BTreeMap<String, ServiceValue>, TypeError> {
    let mut services = BTreeMap::new();
    for item in body
        .items
        .iter()
        .filter(|item| item.keys[0].text.eq_ignore_ascii_case("services"))
    {
        services.clear();
        for object in objects(&item.value, "`services`")? {
            for service in &object.items {
                let value = match &service.value.kind {
                    ValueKind::Text(text) => ServiceValue::Text(text.clone()),
                    ValueKind::Null
                    | ValueKind::Bool(_)
                    | ValueKind::Number(_)
                    | ValueKind::List(_)
                    | ValueKind::Object(_) => ServiceValue::Other(service.value.clone()),
                };
                services.insert(service.keys[0].text.clone(), value);
            }
        }
    }
    Ok(services)
}

/// A member that may be absent, which is not the same as present without a usable value.
enum Member<T> {
    Absent,
    Present(T),
}

/// The `token` of a credentials block. Other members are ignored, but an object among them is an error:
/// it makes the tools crash (facts/login 4.3).
fn token(body: &Body) -> Result<Member<Option<Secret>>, TypeError> {
    let mut token = Member::Absent;
    for item in &body.items {
        if item.keys.len() > 1 || holds_object(&item.value) {
            return type_error(
                item.value.position,
                "a member of `credentials` must be no object",
            );
        }
        if item.keys[0].text == "token" {
            token = Member::Present(match &item.value.kind {
                ValueKind::Text(text) => Some(Secret::new(text.clone())),
                ValueKind::Null
                | ValueKind::Bool(_)
                | ValueKind::Number(_)
                | ValueKind::List(_)
                | ValueKind::Object(_) => None,
            });
        }
    }
    Ok(token)
}

fn holds_object(value: &Value) -> bool {
    match &value.kind {
        ValueKind::Object(_) => true,
        ValueKind::List(values) => values.iter().any(holds_object),
        ValueKind::Null | ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::Text(_) => false,
    }
}

fn arguments(body: &Body) -> Result<Vec<String>, TypeError> {
    let mut arguments = Vec::new();
    for item in body
        .items
        .iter()
        .filter(|item| item.keys[0].text.eq_ignore_ascii_case("args"))
    {
        let ValueKind::List(values) = &item.value.kind else {
            return type_error(
                item.value.position,
                expected("args", "a list of strings", &item.value),
            );
        };
        arguments = values
            .iter()
            .map(|value| match text(value) {
                Some(text) => Ok(text.to_owned()),
                None => type_error(value.position, expected("args", "a list of strings", value)),
            })
            .collect::<Result<_, _>>()?;
    }
    Ok(arguments)
}
