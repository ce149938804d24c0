//! Hosts that limit the rate of requests.

use std::time::Duration;

use super::scene::{HOST, LINUX, Scene, VERSION, words};
use crate::support::registry::paths;
use crate::support::{Fault, ProviderSpec, Reply, TestRegistry, When};

const OTHER: &str = "other.example.test";

fn provider(address: &str) -> ProviderSpec {
    ProviderSpec::new(address)
        .version(VERSION)
        .payload_size(1000)
}

#[test]
fn limited_host_does_not_hold_up_another() {
    let other = TestRegistry::of([provider("acme/dns")]);
    let mut scene = Scene::of(provider("acme/net"));
    let blocks = [scene.registry.host_block(HOST), other.host_block(OTHER)].concat();
    scene.cx.config(&blocks);
    let ca_file = format!("--ca-file={}", other.ca_file().display());
    let archive = paths::archive("acme/net", VERSION, LINUX);
    let limit = Fault::retry_after(429, "3");
    scene.registry.fault_when(&archive, When::First(1), limit);
    // With one hand for all packages: the limited one comes first, and has to lay it down.
    let [net, dns] = [format!("{HOST}/acme/net"), format!("{OTHER}/acme/dns")];
    let arguments = [
        "mirror",
        "--to=mirror",
        "--platform=linux_amd64",
        "--jobs=1",
    ];
    let arguments = [words(arguments), words([&ca_file, &net, &dns])].concat();
    let outcome = scene.measure(&arguments).outcome.expect_code(0);
    let place = |addr: &str| outcome.stderr.find(&format!("mirrored `{addr}`"));
    assert!(
        place(&dns) < place(&net) && place(&dns).is_some(),
        "{outcome}"
    );
}

#[test]
fn host_that_takes_one_request_at_a_time_gets_them_so() {
    let addresses: Vec<String> = (0..6).map(|number| format!("acme/p{number}")).collect();
    let mut builder = TestRegistry::builder();
    for address in &addresses {
        builder = builder.provider(provider(address));
    }
    let scene = Scene::built(builder);
    scene.registry.guard(|request| {
        let limited = || Reply::status(429).header("Retry-After", "1");
        (request.beside > 0).then(limited)
    });
    // Slow enough that packages would meet each other.
    let slow = Fault::Slow {
        chunk: 200,
        pause: Duration::from_millis(20),
    };
    for address in &addresses {
        let archive = paths::archive(address, VERSION, LINUX);
        scene.registry.fault(&archive, slow.clone());
    }
    let arguments = words(["mirror", "--to=mirror", "--platform=linux_amd64"]);
    let wanted = addresses.iter().map(|address| format!("{HOST}/{address}"));
    let arguments: Vec<String> = arguments.into_iter().chain(wanted).collect();
    scene.measure(&arguments).outcome.expect_code(0);
}
