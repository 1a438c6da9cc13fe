use socket2::SockRef;
use tokio::net::TcpListener;

use super::*;
use crate::ProxyChoice;
use crate::connect::resolve::System;

/// A connection that died is found out although nothing is sent on it: that of an event stream.
#[tokio::test]
async fn a_connection_is_kept_alive() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let settings = Settings {
        proxy: ProxyChoice::None,
        ..Settings::default()
    };
    let connector = Connector::new(&settings, Arc::new(System)).unwrap();
    let Ok(wire) = connector.connect(&url.parse().unwrap(), Addresses::Any).await else {
        panic!("not connected")
    };
    let Stream::Tcp(stream) = wire.stream else {
        panic!("not plain TCP")
    };
    let socket = SockRef::from(&stream);
    assert!(stream.nodelay().unwrap());
    assert!(socket.keepalive().unwrap());
    #[cfg(target_os = "linux")]
    {
        assert_eq!(socket.tcp_keepalive_time().unwrap(), Duration::from_secs(20));
        assert_eq!(socket.tcp_keepalive_interval().unwrap(), Duration::from_secs(10));
        assert_eq!(socket.tcp_keepalive_retries().unwrap(), 3);
    }
}
