//! `provender lock` and `terraform providers lock` write the same bytes for the same request.

use crate::support::TestRegistry;

use super::scene::{FOREIGN, HOST, IDN_HOST, Scene, configuration, current, lock_text, provider};

/// What root modules ask of two providers.
const CONSTRAINTS: [(&str, &str); 5] = [
    ("", "~> 2.0"),
    ("~> 1.0", ">= 1, != 2.1.0"),
    (">= 1.0.0, < 1.2", "2.0.0"),
    ("< 2", ""),
    ("1.2.0", "<= 2.1"),
];

/// What may be locked before.
#[derive(Clone, Copy, Debug)]
enum Before {
    Nothing,
    /// The current platform, locked by terraform.
    OnePlatform,
    /// An older version with wrong hashes, hashes of unknown schemes, and other constraints.
    OddHashes,
    /// A provider that nothing requires, a comment, and DOS line ends.
    Unused,
    /// A version without hashes.
    NoHashes,
    /// All platforms, so that nothing is new.
    Everything,
}

const BEFORE: [Before; 6] = [
    Before::Nothing,
    Before::OnePlatform,
    Before::OddHashes,
    Before::Unused,
    Before::NoHashes,
    Before::Everything,
];

impl Before {
    fn arrange(self, scene: &Scene, dir: &str) {
        let address = format!("{HOST}/acme/net");
        let text = match self {
            Self::Nothing => return,
            Self::OnePlatform => return lock_by_terraform(scene, dir, &[current()]),
            Self::Everything => return lock_by_terraform(scene, dir, &all_platforms()),
            Self::OddHashes => {
                let hashes = ["zz:later", "h1:wrong", "zh:ALSO", "h1:wrong"].map(str::to_owned);
                lock_text(&address, "1.0.0", "> 0.5.0", &hashes)
            }
            Self::Unused => {
                let hashes = ["zh:1".to_owned()];
                let text = lock_text("example.com/acme/unused", "0.0.1", "", &hashes);
                format!("{text}# a comment\n").replace('\n', "\r\n")
            }
            Self::NoHashes => {
                let text = lock_text(&address, "1.1.0", "", &[]);
                text.replace("  hashes = [\n  ]\n", "")
            }
        };
        std::fs::write(scene.lock_path(dir), text).unwrap();
    }
}

fn all_platforms() -> Vec<String> {
    vec![current(), FOREIGN[0].to_owned(), FOREIGN[1].to_owned()]
}

fn options(platforms: &[String]) -> Vec<String> {
    let option = |platform: &String| format!("-platform={platform}");
    platforms.iter().map(option).collect()
}

fn terraform_lock(scene: &Scene, dir: &str, platforms: &[String]) -> crate::support::Outcome {
    let options = options(platforms);
    let mut arguments = vec!["providers", "lock", "-no-color"];
    arguments.extend(options.iter().map(String::as_str));
    scene.terraform(dir, &arguments)
}

fn lock_by_terraform(scene: &Scene, dir: &str, platforms: &[String]) {
    terraform_lock(scene, dir, platforms);
}

fn our_lock(scene: &Scene, dir: &str, platforms: &[String]) -> crate::support::Outcome {
    let options: Vec<String> = options(platforms)
        .iter()
        .map(|option| format!("-{option}"))
        .collect();
    let mut arguments = vec!["-C", dir, "lock"];
    arguments.extend(options.iter().map(String::as_str));
    scene.context.run(arguments)
}

fn registry() -> TestRegistry {
    let versions = ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0"];
    let of = |address| {
        let provider = provider(address);
        versions
            .iter()
            .fold(provider, |it, version| it.version(version))
    };
    TestRegistry::of([of("acme/net"), of("acme/dns")])
}

#[test]
fn lock_files_are_those_of_terraform() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let sources = [format!("{HOST}/acme/net"), format!("{IDN_HOST}/acme/dns")];
    let platforms = [
        all_platforms()[..1].to_vec(),
        all_platforms(),
        all_platforms()[1..].to_vec(),
    ];
    let mut written = 0;
    for number in 0..30 {
        let (of_net, of_dns) = CONSTRAINTS[number % CONSTRAINTS.len()];
        let before = BEFORE[number / CONSTRAINTS.len()];
        let platforms = &platforms[number % platforms.len()];
        let dirs = ["ours", "theirs"].map(|whose| format!("{whose}{number}"));
        for dir in &dirs {
            let requirements = [(sources[0].as_str(), of_net), (&sources[1], of_dns)];
            scene
                .context
                .write(&format!("{dir}/main.tf"), configuration(&requirements));
            before.arrange(&scene, dir);
        }
        let [ours, theirs] = dirs;
        assert_eq!(
            scene.lock(&ours),
            scene.lock(&theirs),
            "before case {number}"
        );
        let our = our_lock(&scene, &ours, platforms);
        let their = terraform_lock(&scene, &theirs, platforms);
        let case = format!("case {number}: `{of_net}` and `{of_dns}`, {before:?}\n{our}\n{their}");
        assert_eq!(our.code == 0, their.code == 0, "{case}");
        assert_eq!(scene.lock(&ours), scene.lock(&theirs), "{case}");
        written += usize::from(our.code == 0);
    }
    assert!(written >= 20, "only {written} of 30 cases write a file");
}
