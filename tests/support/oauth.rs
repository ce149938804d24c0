//! An authorization server inside the process that checks what a client must prove, and a browser for it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::{Url, form_urlencoded};

use super::registry::paths;
use super::reply::Reply;
use super::request::Request;
use super::server::{TestServer, Transport};

/// The client id that hosts announce.
pub const CLIENT: &str = "provender tests/1";

/// The path of the token endpoint on the host itself.
pub const TOKEN_PATH: &str = "/oauth/token";

/// What the server gives, and what it was given.
#[derive(Debug, Default)]
struct Books {
    /// Challenge and redirect URI by code.
    codes: BTreeMap<String, (String, String)>,
    refresh_tokens: Vec<String>,
    answer: Value,
    refusal: Option<String>,
    account: Option<(String, String)>,
    issued: usize,
}

/// An authorization server: its page on plain loopback, as a browser reaches it, its token endpoint on the host.
pub struct OAuthServer {
    page: TestServer,
    books: Arc<Mutex<Books>>,
}

impl OAuthServer {
    /// A server that gives `token` and nothing more.
    pub fn giving(token: &str) -> Self {
        let books = Arc::new(Mutex::new(Books {
            answer: json!({ "access_token": token, "token_type": "bearer" }),
            ..Books::default()
        }));
        let page = TestServer::builder().transport(Transport::Plain).start();
        let kept = Arc::clone(&books);
        page.route_fn("/authz", move |request| {
            authorize(&mut lock(&kept), request)
        });
        Self { page, books }
    }

    /// Adds members to the answers of the token endpoint; a `refresh_token` is good from then on.
    pub fn answer(&self, members: &Value) {
        let mut books = lock(&self.books);
        for (name, value) in members.as_object().expect("members of an object") {
            books.answer[name] = value.clone();
        }
        if let Some(token) = members["refresh_token"].as_str() {
            books.refresh_tokens = vec![token.to_owned()];
        }
    }

    /// Refuses logins with this error.
    pub fn refuse(&self, error: &str) {
        lock(&self.books).refusal = Some(error.to_owned());
    }

    /// Gives the token for this user name and password, too.
    pub fn account(&self, username: &str, password: &str) {
        lock(&self.books).account = Some((username.to_owned(), password.to_owned()));
    }

    /// The value of `login.v1`.
    pub fn login(&self) -> Value {
        json!({
            "client": CLIENT,
            "authz": self.page.url("/authz?tenant=a%20b"),
            "token": TOKEN_PATH,
            "scopes": ["one", "two"],
        })
    }

    /// Announces the login beside `services` at `host`, and answers its token endpoint.
    pub fn serve_at(&self, host: &TestServer, services: &Value) {
        let mut document = services.clone();
        document["login.v1"] = self.login();
        host.route(paths::DISCOVERY, Reply::json(&document));
        let books = Arc::clone(&self.books);
        host.route_fn(&format!("POST {TOKEN_PATH}"), move |request| {
            token(&mut lock(&books), request)
        });
    }
}

fn lock(books: &Mutex<Books>) -> MutexGuard<'_, Books> {
    books.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fields(text: &[u8]) -> BTreeMap<String, String> {
    form_urlencoded::parse(text).into_owned().collect()
}

/// The authorization endpoint. What a client must not leave out is insisted on.
fn authorize(books: &mut Books, request: &Request) -> Reply {
    let query = request
        .target
        .split_once('?')
        .map_or("", |(_, query)| query);
    let given = fields(query.as_bytes());
    let expected = [
        ("tenant", "a b"),
        ("client_id", CLIENT),
        ("code_challenge_method", "S256"),
        ("response_type", "code"),
        ("scope", "one two"),
    ];
    let fits = expected
        .iter()
        .all(|(name, value)| given.get(*name).is_some_and(|it| it == value));
    let long = |name: &str| given.get(name).is_some_and(|value| value.len() == 43);
    let uri = given.get("redirect_uri").cloned().unwrap_or_default();
    let is_local = uri.starts_with("http://localhost:") && uri.ends_with("/login");
    if !fits || !is_local || !long("state") || !long("code_challenge") {
        return Reply::status(400);
    }
    let state = &given["state"];
    if let Some(error) = &books.refusal {
        return Reply::redirect(&format!(
            "{uri}?state={state}&error={error}&error_description=not+today%1B%5B2J"
        ));
    }
    books.issued += 1;
    let code = format!("code+/{}", books.issued);
    let challenge = given["code_challenge"].clone();
    books.codes.insert(code.clone(), (challenge, uri.clone()));
    let code: String = form_urlencoded::byte_serialize(code.as_bytes()).collect();
    Reply::redirect(&format!("{uri}?state={state}&code={code}"))
}

/// The token endpoint: a code is good once, and only with the verifier of its challenge.
fn token(books: &mut Books, request: &Request) -> Reply {
    let given = fields(&request.body);
    let get = |name: &str| given.get(name).cloned().unwrap_or_default();
    let is_good = match get("grant_type").as_str() {
        "authorization_code" => {
            let issued = books.codes.remove(&get("code"));
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(get("code_verifier")));
            issued == Some((challenge, get("redirect_uri")))
        }
        "password" => {
            let named = (get("username"), get("password"));
            get("scope") == "one two" && books.account.as_ref() == Some(&named)
        }
        "refresh_token" => books.refresh_tokens.contains(&get("refresh_token")),
        _ => false,
    };
    let is_bare = request.header("authorization").is_none();
    if get("client_id") == CLIENT && is_good && is_bare {
        return Reply::json(&books.answer);
    }
    Reply::json(&json!({ "error": "invalid_grant" })).with_status(400)
}

/// Opens a page as a browser does: redirects are followed, the last answer is returned with its head.
pub fn browse(url: &str) -> String {
    let mut url: Url = url.parse().expect("a URL to open");
    loop {
        let answer = get(&url);
        let location = answer.lines().find_map(|line| {
            line.to_ascii_lowercase()
                .starts_with("location: ")
                .then(|| &line[10..])
        });
        match location {
            Some(location) => url = url.join(location).expect("a URL to follow"),
            None => return answer,
        }
    }
}

/// Where the authorization page sends a browser.
pub fn redirect_of(url: &str) -> String {
    let answer = get(&url.parse().expect("a URL to open"));
    let location = answer.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .starts_with("location: ")
            .then(|| line[10..].to_owned())
    });
    location.unwrap_or_else(|| panic!("no redirect\n{answer}"))
}

fn get(url: &Url) -> String {
    let (host, port) = (url.host_str().expect("a host"), url.port().expect("a port"));
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let mut stream = TcpStream::connect((host, port)).expect("somebody listens");
    write!(
        stream,
        "GET {target} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
    )
    .expect("the request is read");
    let mut answer = Vec::new();
    // A browser takes what it got when the other side is cut off.
    let _until_error = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
