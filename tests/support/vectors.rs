//! Registries and mirrors as the conformance vectors describe them: `routes` of a case, put on a server.
//!
//! A route is `{status, headers?, json? | file? | body? | body_note?}`; its key is a path or `METHOD path`. An unknown
//! field is an error, so that a vector is never served as something else than it says.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::fault::Fault;
use super::registry::paths;
use super::reply::Reply;
use super::server::TestServer;

/// The directory of the vectors.
pub fn directory() -> PathBuf {
    std::env::var_os("PROVENDER_VECTORS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"),
        PathBuf::from,
    )
}

/// The list `vectors` of a file such as `discovery.json`.
pub fn cases(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(directory().join(file))
        .unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
    let mut document: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_value(document["vectors"].take())
        .unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The name of a case.
pub fn name(case: &Value) -> &str {
    case["name"]
        .as_str()
        .or_else(|| case["id"].as_str())
        .expect("every case has a name")
}

/// Serves the `routes` of a case over TLS; `None` if it has none.
pub fn serve(case: &Value) -> Option<TestServer> {
    let routes = case["routes"].as_object()?;
    let server = TestServer::empty();
    for (key, described) in routes {
        server.route(key, reply(key, described));
    }
    Some(server)
}

/// A server for a case that consists of one `response` and the path at which the test wants it.
pub fn serve_response(path: &str, response: &Value) -> TestServer {
    let server = TestServer::empty();
    server.route(path, reply(path, response));
    server
}

/// A server that breaks off every connection (`peer_connection_closed`).
pub fn serve_hang_ups(path: &str) -> TestServer {
    let server = TestServer::empty();
    server.fault(path, Fault::HangUp);
    server
}

/// `text` with `HOST:PORT` or `HOST` replaced by the server's; only outside routes, which need none.
pub fn filled_in(text: &str, server: &TestServer) -> String {
    text.replace("HOST:PORT", "HOST")
        .replace("HOST", &server.host())
}

/// The recorded `requests` of a case, as `METHOD TARGET`.
pub fn recorded_requests(case: &Value) -> Vec<String> {
    let lines = case["requests"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    lines
        .iter()
        .map(|line| line.as_str().expect("a request is text").to_owned())
        .collect()
}

/// The environment that a case wants.
pub fn environment(case: &Value) -> Vec<(String, String)> {
    let variables = case["env"].as_object().into_iter().flatten();
    variables
        .map(|(name, value)| (name.clone(), text(value).to_owned()))
        .collect()
}

/// The answer that a route describes.
pub fn reply(key: &str, described: &Value) -> Reply {
    let fields = described.as_object().expect("a route is an object");
    let status = fields["status"]
        .as_u64()
        .and_then(|status| u16::try_from(status).ok())
        .expect("a route has a status");
    let reply = with_body(Reply::status(status), key, fields);
    let headers = fields
        .get("headers")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    headers.fold(reply, |reply, (name, value)| {
        reply.header(name, text(value))
    })
}

fn with_body(mut reply: Reply, key: &str, fields: &Map<String, Value>) -> Reply {
    for (field, value) in fields {
        match field.as_str() {
            "status" | "headers" => {}
            "json" => {
                reply = Reply {
                    body: value.to_string().into(),
                    ..reply.header("Content-Type", "application/json")
                }
            }
            "file" => reply.body = file(text(value)).into(),
            "body" => reply.body = text(value).to_owned().into(),
            "body_note" => reply.body = padded(key, text(value)).into(),
            other => panic!("{key}: unknown field `{other}`"),
        }
    }
    reply
}

fn file(relative: &str) -> Vec<u8> {
    fs::read(directory().join(relative))
        .unwrap_or_else(|error| panic!("cannot read {relative}: {error}"))
}

/// `large body, N bytes`: the ordinary discovery document, blanks up to that size.
fn padded(key: &str, note: &str) -> String {
    assert_eq!(
        key,
        paths::DISCOVERY,
        "only the discovery document is known to be padded"
    );
    let size = note
        .strip_prefix("large body, ")
        .and_then(|rest| rest.strip_suffix(" bytes"));
    let size: usize = size
        .and_then(|size| size.parse().ok())
        .unwrap_or_else(|| panic!("unknown note `{note}`"));
    let document = format!("{{\"providers.v1\":\"{}\"}}", paths::PROVIDERS);
    let blanks = " ".repeat(size - document.len());
    document + &blanks
}

fn text(value: &Value) -> &str {
    value.as_str().expect("the vectors have text here")
}
