//! Who may look: a secret in the address, and nobody but this machine's own pages.
//!
//! The server listens on the loopback address only. That alone would not do: any program of this machine could ask, and any page in
//! the browser too. A program would have to know the secret, 128 random bits. A page of another site could try to reach the
//! server under a name of its own that it points at 127.0.0.1 (DNS rebinding), or open a WebSocket across origins: it shows in the
//! `Host` and `Origin` that the browser sends.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};
use subtle::ConstantTimeEq;

/// A secret of 128 bits as 32 hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)") // it shall not end up in logs
    }
}

impl Token {
    /// A new one, from the operating system.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The digits.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether it is the same, in a time that does not tell where they differ.
    pub fn matches(&self, other: &str) -> bool {
        self.0.as_bytes().ct_eq(other.as_bytes()).into()
    }
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Another name than this machine's.
    Host,
    /// It comes from the page of another site, or from none where one is needed.
    Origin,
    /// Without the secret.
    Token,
}

impl Refusal {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Host => {
                "this server answers to 127.0.0.1 and localhost only: open the address that `thalweg serve` printed"
            }
            Self::Origin => "this server answers to its own page only",
            Self::Token => "the address lacks the secret: open the one that `thalweg serve` printed",
        }
    }
}

/// What requests are held to.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub(crate) token: Token,
    pub(crate) port: u16,
}

impl Guard {
    /// Whether a request may come in. The first part of its path is the secret.
    pub(crate) fn check(&self, path: &str, headers: &HeaderMap, is_socket: bool) -> Result<(), Refusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).filter(|_| hosts.next().is_none());
        if !host.is_some_and(|host| self.is_ours(host)) {
            return Err(Refusal::Host);
        }
        let origin = headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
        let own = origin.map(|origin| origin.strip_prefix("http://").is_some_and(|host| self.is_ours(host)));
        // Browsers send it with every WebSocket; with a page they may leave it out.
        if !own.unwrap_or(!is_socket) {
            return Err(Refusal::Origin);
        }
        let secret = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        if self.token.matches(secret) { Ok(()) } else { Err(Refusal::Token) }
    }

    fn is_ours(&self, host: &str) -> bool {
        let name = host.strip_suffix(&self.port.to_string()).and_then(|name| name.strip_suffix(':'));
        name.is_some_and(|name| name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(name.parse::<axum::http::HeaderName>().unwrap(), value.parse().unwrap());
        }
        map
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (a, b) = (Token::new().unwrap(), Token::new().unwrap());
        assert!(a.text().len() == 32 && a.text().bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_ne!(a.text(), b.text());
        assert!(a.matches(a.text()));
        assert!(!a.matches(b.text()) && !a.matches("") && !a.matches(&a.text()[..31]));
        assert!(!format!("{a:?}").contains(a.text()), "debug output keeps the secret");
    }

    #[test]
    fn only_own_names_origins_and_secrets_pass() {
        let guard = Guard { token: Token::new().unwrap(), port: 8123 };
        let own = format!("/{}/live", guard.token.text());
        let check = |path: &str, pairs: &[(&str, &str)], socket| guard.check(path, &headers(pairs), socket);
        let host = ("host", "127.0.0.1:8123");
        for good in [host, ("host", "localhost:8123"), ("host", "LOCALHOST:8123")] {
            assert_eq!(check(&own, &[good], false), Ok(()), "{good:?}");
        }
        for bad in
            ["evil.example:8123", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8123", "127.0.0.1:18123", ""]
        {
            assert_eq!(check(&own, &[("host", bad)], false), Err(Refusal::Host), "{bad}");
        }
        assert_eq!(check(&own, &[], false), Err(Refusal::Host), "no host at all");
        assert_eq!(check(&own, &[host, ("host", "evil.example")], false), Err(Refusal::Host), "two hosts");
        assert_eq!(check(&own, &[host, ("origin", "http://127.0.0.1:8123")], true), Ok(()));
        assert_eq!(check(&own, &[host], true), Err(Refusal::Origin), "a socket without origin");
        for bad in ["http://evil.example", "null", "https://127.0.0.1:8123", "http://127.0.0.1:9000"] {
            assert_eq!(check(&own, &[host, ("origin", bad)], true), Err(Refusal::Origin), "{bad}");
            assert_eq!(check(&own, &[host, ("origin", bad)], false), Err(Refusal::Origin), "{bad}");
        }
        let other = format!("/{}/", Token::new().unwrap().text());
        for bad in ["/", "/live", other.as_str(), "//"] {
            assert_eq!(check(bad, &[host], false), Err(Refusal::Token), "{bad}");
        }
    }
}
