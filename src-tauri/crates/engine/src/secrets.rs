//! Which values of a server's settings are secret, judged by their names until the vault holds them.

use patchbay_client::Environment;
use patchbay_contract::{HttpHeader, ProxyDraft, ServerDraft, TransportDraft};
use patchbay_traffic::Secret;

/// Words in a variable's or option's name that mean its value must not be shown.
const WORDS: &[&str] = &[
    "TOKEN",
    "KEY",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PWD",
    "CREDENTIAL",
    "AUTH",
    "BEARER",
    "COOKIE",
    "SESSION",
    "PAT",
    "DSN",
    "PRIVATE",
    "APIKEY",
    "ACCESSKEY",
    "SECRETKEY",
    "AUTHTOKEN",
];
/// Last words of names whose values tell where or what kind of thing it is: masking those would only falsify the log.
const HARMLESS: &[&str] = &[
    "FILE", "PATH", "DIR", "FOLDER", "SOCK", "SOCKET", "URL", "URI", "HOST", "PORT", "ADDRESS", "NAME",
    "TYPE", "MODE", "CLASS", "DESKTOP", "ENABLED", "TIMEOUT", "TTL", "SIZE",
];
/// Names that would seem to mean a secret: two folders and a desktop.
const NOT: &[&str] = &["PWD", "OLDPWD", "DESKTOP_SESSION"];

/// The values that the recorder masks from now on: those of the server, and those it gets from our environment.
pub(crate) fn of(draft: &ServerDraft, environment: &Environment) -> Vec<Secret> {
    match &draft.transport {
        TransportDraft::Stdio { args, env, .. } => {
            let own = env
                .iter()
                .filter_map(|var| part(&var.name, &var.value))
                .chain(in_args(args).into_iter().map(|(_, _, secret)| secret))
                .map(Secret::new);
            let inherited = environment
                .vars
                .iter()
                .filter_map(|(name, value)| part(name.to_str()?, value.to_str()?).map(Secret::new));
            own.chain(inherited).collect()
        }
        TransportDraft::Http {
            url, headers, proxy, ..
        } => {
            let proxy = match proxy {
                ProxyDraft::Url { url } => password(url),
                ProxyDraft::System | ProxyDraft::None => None,
            };
            headers
                .iter()
                .filter(|header| is_secret_value(header))
                .map(|header| credential(&header.value))
                .chain(in_query(url).map(|(_, value)| value))
                .chain(proxy)
                .filter(|value| !value.is_empty())
                .map(Secret::new)
                .collect()
        }
    }
}

/// The draft with `${NAME}` in place of every secret: what may leave this machine.
pub(crate) fn without(draft: &ServerDraft) -> ServerDraft {
    let mut draft = draft.clone();
    match &mut draft.transport {
        TransportDraft::Stdio { args, env, .. } => {
            for var in env {
                if part(&var.name, &var.value).is_some() {
                    var.value = format!("${{{}}}", var.name);
                }
            }
            let found: Vec<_> = in_args(args)
                .into_iter()
                .map(|(at, name, secret)| (at, name, secret.to_owned()))
                .collect();
            for (at, name, secret) in found {
                args[at] = args[at].replace(&secret, &format!("${{{name}}}"));
            }
        }
        TransportDraft::Http {
            url, headers, proxy, ..
        } => {
            for header in headers {
                if is_secret_value(header) {
                    let name: Vec<String> = words(&header.name).collect();
                    let secret = credential(&header.value);
                    header.value = header.value.replace(secret, &format!("${{{}}}", name.join("_")));
                }
            }
            let found: Vec<(String, String)> = in_query(url)
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            for (name, value) in found {
                let name: Vec<String> = words(&name).collect();
                *url = url.replace(&format!("={value}"), &format!("=${{{}}}", name.join("_")));
            }
            if let ProxyDraft::Url { url } = proxy
                && let Some(secret) = password(url).map(str::to_owned)
            {
                *url = url.replace(&secret, "${PROXY_PASSWORD}");
            }
        }
    }
    draft
}

/// Whether a header's value is kept from the log and from exports.
fn is_secret_value(header: &HttpHeader) -> bool {
    header.is_secret || is_secret_header(&header.name)
}

/// Whether a header's name alone says that its value is secret: `Authorization`, `Cookie`, `X-Api-Key` …
pub(crate) fn is_secret_header(name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization")
        || name.eq_ignore_ascii_case("proxy-authorization")
        || is_secret(name)
}

/// What is secret of a header's value: not the scheme before it (`Bearer …`).
fn credential(value: &str) -> &str {
    match value.split_once(' ') {
        Some((scheme, rest)) if !rest.is_empty() && scheme.chars().all(|c| c.is_ascii_alphabetic()) => {
            rest.trim_start()
        }
        _ => value,
    }
}

/// `?api_key=VALUE` in an address: the name and the secret, as they stand there.
fn in_query(url: &str) -> impl Iterator<Item = (&str, &str)> {
    url.split_once('?')
        .map(|(_, query)| query.split('#').next().unwrap_or_default())
        .into_iter()
        .flat_map(|query| query.split('&'))
        .filter_map(|pair| pair.split_once('='))
        .filter(|(name, value)| is_secret(name) && !value.is_empty())
}

/// What is secret of a value: all of it if its name says so, else the password in an address.
fn part<'a>(name: &str, value: &'a str) -> Option<&'a str> {
    Some(value)
        .filter(|value| is_secret(name) && !value.is_empty())
        .or_else(|| password(value))
}

/// The password in `scheme://user:password@host…`.
fn password(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let (user, _) = rest.split(['/', '?', '#']).next()?.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    Some(password).filter(|password| !password.is_empty())
}

/// `--api-key VALUE`, `--api-key=VALUE`, `-e API_KEY=VALUE` and addresses with a password: where, the name, the secret.
fn in_args(args: &[String]) -> Vec<(usize, String, &str)> {
    let mut found = Vec::new();
    let mut option = None;
    for (at, arg) in args.iter().enumerate() {
        let of_option = option
            .take()
            .filter(|_| !arg.starts_with('-'))
            .map(|name| (name, arg.as_str()));
        let secret = [arg.split_once('='), of_option, Some(("", arg))]
            .into_iter()
            .flatten()
            .find_map(|(name, value)| Some((name, part(name, value)?)));
        match secret {
            Some((name, secret)) => {
                let name: Vec<String> = words(name).collect();
                let name = if name.is_empty() {
                    "PASSWORD".to_owned()
                } else {
                    name.join("_")
                };
                found.push((at, name, secret));
            }
            None => option = arg.starts_with('-').then_some(arg.as_str()),
        }
    }
    found
}

/// `GITHUB_TOKEN`, `apiKey`, `--db-password`; not `MONKEY`, `PATH`, `AUTHOR`, `SSL_KEY_FILE`.
fn is_secret(name: &str) -> bool {
    let words: Vec<String> = words(name).collect();
    let harmless = words.last().is_some_and(|last| HARMLESS.contains(&last.as_str()));
    let is_one = |word: &String| {
        let one = word.strip_suffix('S').unwrap_or(word);
        WORDS.contains(&word.as_str()) || WORDS.contains(&one)
    };
    !harmless && !NOT.contains(&name) && words.iter().any(is_one)
}

/// The words of `SNAKE_CASE`, `--kebab-case` and `camelCase`, in capitals.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (after_lower && c.is_ascii_uppercase()) {
            words.push(String::new());
        }
        after_lower = c.is_ascii_lowercase();
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_uppercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
