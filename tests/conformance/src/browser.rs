//! A minimal browser with a user who consents: it requests the authorization page and follows one redirect.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use url::Url;

use crate::Failure;

/// Consents: follows the redirect of the authorization server's response.
pub(crate) async fn agree(address: &str) -> Result<(), Failure> {
    let page = get(address).await?;
    let callback = location(&page).ok_or_else(|| format!("{address} does not redirect: {page}"))?;
    get(callback).await.map(drop)
}

fn location(page: &str) -> Option<&str> {
    page.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("location"))
        .map(|(_, value)| value.trim())
}

/// The raw response, head and body. Only over plain HTTP: the suite's servers are on this machine.
async fn get(address: &str) -> Result<String, Failure> {
    let url = Url::parse(address)?;
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or(80);
    let mut stream = TcpStream::connect((host, port)).await?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let request = format!(
        "GET {}{query} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n",
        url.path()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut page = Vec::new();
    stream.read_to_end(&mut page).await?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
