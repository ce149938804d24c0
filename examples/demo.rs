//! Shows what `provender` does in a few seconds, without the internet: `cargo run --release --example demo`.
//!
//! A small registry with signed packages runs inside this program. The commands are the real ones: the program
//! starts itself again for each of them, with nothing in its environment but what is printed, and hands over to the
//! library as the binary does. So neither home directory nor proxy settings of the user play a part.

#![expect(
    clippy::print_stdout,
    reason = "this program is a conversation with its user"
)]

/// The registry that the tests use, too.
#[path = "../tests/support/mod.rs"]
pub mod support;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use provender::address::Platform;
use provender::commands;
use provender::config::Environment;
use support::{ProviderSpec, TestRegistry};

/// Set where the program is to be `provender` itself.
const AS_PROVENDER: &str = "PROVENDER_DEMO_COMMAND";

/// The host name that the registry goes by; no such host exists.
const HOST: &str = "registry.example.test";

/// What a user would write.
const CONFIGURATION: &str = r#"terraform {
  required_providers {
    net = {
      source  = "registry.example.test/acme/net"
      version = "~> 2.0"
    }
    dns = {
      source = "registry.example.test/acme/dns"
    }
  }
}
"#;

fn main() -> ExitCode {
    if env::var_os(AS_PROVENDER).is_some() {
        let arguments = env::args_os().skip(1);
        let arguments = std::iter::once("provender".into()).chain(arguments);
        return commands::run(arguments, &Environment::of_process());
    }
    match show() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("\nThe demo cannot go on: {error}");
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<(), Box<dyn Error>>;

fn show() -> Outcome {
    let stage = Stage::set()?;
    let registry = registry();
    stage.write("near.tfrc", &registry.host_block(HOST))?;
    fs::copy(registry.ca_file(), stage.dir.join("ca.pem"))?;
    stage.write("project/main.tf", CONFIGURATION)?;

    say(&format!(
        "A registry with signed packages runs at {}, inside this program.\nEverything happens in {} and stays there.",
        registry.base_url(),
        stage.dir.display()
    ));
    println!("  cd {}", stage.dir.display());
    println!("  export TF_CLI_CONFIG_FILE=$PWD/near.tfrc   # says where `{HOST}` is");

    near_side(&stage, &registry)?;
    drop(registry);
    far_side(&stage)?;
    what_next(&stage);
    Ok(())
}

/// Where the registry can be reached.
fn near_side(stage: &Stage, registry: &TestRegistry) -> Outcome {
    say("What does the registry offer?");
    stage.provender(
        ".",
        "versions registry.example.test/acme/net --ca-file ca.pem",
    )?;

    say("Install what the root module `project` requires, and lock it.");
    stage.provender("project", "install --ca-file ../ca.pem")?;
    stage.show_file("project/.terraform.lock.hcl")?;

    say("Mirror the same providers for three platforms, at the locked versions.");
    let platforms = platforms();
    let [first, second, third] = &platforms;
    let mirror = format!(
        "mirror --root project --to mirror --platform {first} --platform {second} --platform {third} --ca-file ca.pem"
    );
    stage.provender(".", &mirror)?;

    say("Once more: everything is there, so no package is fetched.");
    registry.clear_requests();
    stage.provender(".", &mirror)?;
    let fetched = registry.request_lines();
    let fetched = fetched
        .iter()
        .filter(|line| line.contains("/archives/"))
        .count();
    println!("  (the registry was asked for {fetched} packages)");

    say("The mirror holds, besides the packages, the proofs of where they come from:");
    stage.show_tree("mirror");
    Ok(())
}

/// Where nothing is left but the mirror.
fn far_side(stage: &Stage) -> Outcome {
    let mirror = stage.dir.join("mirror");
    let settings = format!(
        "provider_installation {{\n  filesystem_mirror {{\n    path = {:?}\n  }}\n}}\n",
        mirror.display().to_string()
    );
    stage.write("far.tfrc", &settings)?;
    stage.write("far/main.tf", CONFIGURATION)?;
    fs::copy(
        stage.dir.join("project/.terraform.lock.hcl"),
        stage.dir.join("far/.terraform.lock.hcl"),
    )?;
    say("The registry has stopped. On the far side of an air gap there is only the mirror.");
    println!(
        "  export TF_CLI_CONFIG_FILE=$PWD/far.tfrc   # says that packages come from the mirror"
    );
    let terraform = support::terraform::find();
    match &terraform {
        Some(_) => println!("  $ terraform -chdir=far init\n"),
        None => println!("  (not run here:) $ terraform -chdir=far init"),
    }
    match terraform {
        Some(program) => stage.run(&program, ".", "-chdir=far init -no-color", "far.tfrc"),
        None => Ok(()),
    }
}

fn what_next(stage: &Stage) {
    say("What next");
    println!("  Look around in     {}", stage.dir.display());
    println!("  Try it for real    provender versions hashicorp/random");
    println!(
        "                     provender mirror hashicorp/random --to mirror --platform linux_amd64"
    );
    println!("  Read more          provender --help");
}

/// Versions with real signatures, by a key that is made now.
fn registry() -> TestRegistry {
    let platforms = platforms();
    let [first, second, third] = &platforms;
    let provider = |address| {
        ProviderSpec::new(address)
            .platforms([first, second, third])
            .payload_size(300_000)
    };
    TestRegistry::of([
        provider("acme/net")
            .version("1.4.2")
            .version("2.0.0")
            .version("2.1.0")
            .version("3.0.0-beta1"),
        provider("acme/dns").version("0.9.1").version("1.0.0"),
    ])
}

/// This machine's platform and two others.
fn platforms() -> [String; 3] {
    let own = Platform::current().to_string();
    let mut others = ["linux_amd64", "darwin_arm64", "windows_amd64"]
        .into_iter()
        .filter(|platform| *platform != own);
    let mut other = || {
        others
            .next()
            .expect("at most one of the three was left out")
            .to_owned()
    };
    [own.clone(), other(), other()]
}

/// The directory that everything happens in, and the commands that run there.
struct Stage {
    dir: PathBuf,
}

impl Stage {
    /// A fresh directory, which stays.
    fn set() -> Result<Self, Box<dyn Error>> {
        let dir = tempfile::Builder::new()
            .prefix("provender-demo-")
            .tempdir()?
            .keep();
        fs::create_dir(dir.join("home"))?;
        Ok(Self { dir })
    }

    fn write(&self, file: &str, text: &str) -> Outcome {
        let path = self.dir.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(fs::write(path, text)?)
    }

    /// Prints a command of `provender` as a user would type it, and runs it in a directory.
    fn provender(&self, dir: &str, arguments: &str) -> Outcome {
        let program = env::current_exe()?;
        if dir == "." {
            println!("  $ provender {arguments}\n");
        } else {
            println!("  $ (cd {dir} && provender {arguments})\n");
        }
        self.run(&program, dir, arguments, "near.tfrc")
    }

    /// Runs a program with nothing of the user's settings.
    fn run(&self, program: &Path, dir: &str, arguments: &str, settings: &str) -> Outcome {
        let status = Command::new(program)
            .args(arguments.split(' '))
            .current_dir(self.dir.join(dir))
            .env_clear()
            .envs(kept_variables())
            .env(AS_PROVENDER, "1")
            .env("HOME", self.dir.join("home"))
            .env("TF_CLI_CONFIG_FILE", self.dir.join(settings))
            .env("CHECKPOINT_DISABLE", "1")
            .status()?;
        if status.success() {
            return Ok(());
        }
        Err(format!("the last command ended with {status}").into())
    }

    fn show_file(&self, file: &str) -> Outcome {
        println!("\n  {file}:\n");
        for line in fs::read_to_string(self.dir.join(file))?.lines() {
            println!("{}", format!("    {line}").trim_end());
        }
        Ok(())
    }

    fn show_tree(&self, dir: &str) {
        for file in support::tree::names(&self.dir.join(dir)) {
            println!("    {dir}/{file}");
        }
    }
}

/// Variables without which programs do not start or look odd; no settings.
fn kept_variables() -> impl Iterator<Item = (&'static str, std::ffi::OsString)> {
    [
        "PATH",
        "TERM",
        "NO_COLOR",
        "SystemRoot",
        "TEMP",
        "TMP",
        "TMPDIR",
    ]
    .into_iter()
    .filter_map(|name| Some((name, env::var_os(name)?)))
}

fn say(text: &str) {
    println!("\n{text}\n");
}
