//! TLS in front of a behaviour: a new self-signed certificate for `localhost` and the loopback.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

use rcgen::{CertificateParams, KeyPair};
use rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

/// Listens on a free port of the loopback and forwards TLS connections to `plain`; returns its address.
pub(crate) fn in_front_of(plain: SocketAddr) -> io::Result<SocketAddr> {
    let acceptor = acceptor().map_err(io::Error::other)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::spawn(move || runtime.block_on(pass_on(listener, plain, acceptor)));
    Ok(address)
}

fn acceptor() -> Result<TlsAcceptor, Box<dyn std::error::Error + Send + Sync>> {
    let key = KeyPair::generate()?;
    let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    let certificate = CertificateParams::new(names)?.self_signed(&key)?;
    let key = PrivateKeyDer::try_from(key.serialize_der())?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn pass_on(listener: TcpListener, plain: SocketAddr, acceptor: TlsAcceptor) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let mut outside = acceptor.accept(stream).await?;
            let mut inside = TcpStream::connect(plain).await?;
            tokio::io::copy_bidirectional(&mut outside, &mut inside).await
        });
    }
}
