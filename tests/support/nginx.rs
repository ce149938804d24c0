//! A real nginx with a configuration made by the program, where the machine has one.

use std::env;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use super::tls::Authority;

/// Set to `1` where the absence of nginx is a failure, as in CI.
const REQUIRE: &str = "PROVENDER_REQUIRE_NGINX";

/// Where nginx is; distributions put it where ordinary users do not look. If it is nowhere, says that a test is
/// skipped.
#[expect(
    clippy::print_stderr,
    reason = "the test harness shows it beside the name of the test"
)]
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from);
    let found = env::split_paths(&path)
        .chain(system)
        .map(|directory| directory.join("nginx"))
        .find(|file| file.is_file());
    if found.is_none() {
        assert!(
            env::var_os(REQUIRE).is_none_or(|value| value != "1"),
            "{REQUIRE} is set, but there is no nginx"
        );
        eprintln!("skipped: there is no nginx");
    }
    found
}

/// A running nginx, which ends on drop.
pub struct Nginx {
    child: Child,
    log: PathBuf,
}

impl Nginx {
    /// Starts `program` with `include` in its `http` block, in which `/etc/nginx/mirror.pem` and `.key` stand for a
    /// certificate of the test authority for `names`; waits until it listens on `port`. Its files lie in `dir`.
    pub fn start(program: &Path, include: &str, names: &[String], port: u16, dir: &Path) -> Self {
        let (certificate, key) = Authority::shared().server_pem(names);
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            fs::write(&path, text).expect("the directory can be written");
            path
        };
        fs::create_dir_all(dir).expect("the directory can be made");
        let certificate = write("mirror.pem", &certificate);
        let key = write("mirror.key", &key);
        let include = include
            .replace("/etc/nginx/mirror.pem", &certificate.to_string_lossy())
            .replace("/etc/nginx/mirror.key", &key.to_string_lossy());
        write("included.conf", &include);
        let at = dir.display();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("  {kind}_temp_path {at}/temporary;\n"))
            .concat();
        let config = format!(
            "daemon off;\nmaster_process off;\npid {at}/pid;\nerror_log {at}/error.log;\nevents {{}}\nhttp {{\n  access_log {at}/access.log;\n{temporary}  include {at}/included.conf;\n}}\n"
        );
        let config = write("nginx.conf", &config);
        let log = dir.join("error.log");
        let child = Command::new(program)
            .arg("-c")
            .arg(config)
            .arg("-e")
            .arg(&log)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx can be started");
        let mut nginx = Self { child, log };
        nginx.wait_for(port);
        nginx
    }

    fn wait_for(&mut self, port: u16) {
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("nginx ended with {status}: {}", self.errors());
            }
            thread::yield_now();
        }
    }

    /// What it has to complain about.
    pub fn errors(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
