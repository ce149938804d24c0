//! Values for the variables of a root module: `TF_VAR_…`, `terraform.tfvars`, `*.auto.tfvars` (facts/modules 5.4).
//!
//! Only the sources of module calls are evaluated with them. A file that cannot be read or parsed is skipped with a
//! warning: what needed it is then told as dynamic.

use std::collections::BTreeMap;
use std::path::Path;

use crate::config::scan::{StaticInputs, StaticValue, values_of_json, values_of_native};
use crate::disk;

/// The largest file of values, in bytes.
const VALUES_CAP: u64 = 16 << 20;

/// Adds the values of the files in `dir` to those of `inputs`, in the tools' order: later files win. Returns
/// what could not be read.
pub(super) fn add_values_of_files(dir: &Path, inputs: &mut StaticInputs) -> Vec<String> {
    let mut warnings = Vec::new();
    for name in names(dir) {
        match values(&dir.join(&name), &name) {
            Some(values) => inputs.variables.extend(values),
            None => warnings.push(format!(
                "`{}` cannot be read, so its values for variables are not known",
                dir.join(&name).display()
            )),
        }
    }
    warnings
}

fn names(dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut auto: Vec<String> = names.filter(|name| is_auto(name)).collect();
    auto.sort();
    let fixed = ["terraform.tfvars", "terraform.tfvars.json"];
    let fixed = fixed.iter().filter(|name| dir.join(name).is_file());
    fixed.map(|name| (*name).to_owned()).chain(auto).collect()
}

fn is_auto(name: &str) -> bool {
    let ends = |suffix: &str| name.strip_suffix(suffix).is_some();
    !name.starts_with('.') && (ends(".auto.tfvars") || ends(".auto.tfvars.json"))
}

fn values(path: &Path, name: &str) -> Option<BTreeMap<String, StaticValue>> {
    let bytes = disk::read_capped(path, VALUES_CAP).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    match name.strip_suffix(".json") {
        Some(_) => values_of_json(&text),
        None => values_of_native(&text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_files_win_and_broken_ones_are_told() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("terraform.tfvars", "a = \"1\"\nb = \"1\"\nc = foo()\n"),
            ("terraform.tfvars.json", "{\"b\": \"2\"}"),
            ("z.auto.tfvars", "b = \"3\"\n"),
            ("bad.auto.tfvars", "b = "),
            ("other.tfvars", "a = \"9\"\n"),
        ] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let mut inputs = StaticInputs::of_root();
        let warnings = add_values_of_files(dir.path(), &mut inputs);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(inputs.variables["a"], StaticValue::text("1"));
        assert_eq!(inputs.variables["b"], StaticValue::text("3"));
        assert_eq!(inputs.variables["c"], StaticValue::unknown());
    }
}
