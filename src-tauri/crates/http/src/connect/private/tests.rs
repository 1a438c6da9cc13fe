use std::net::IpAddr;

use super::is_private;

#[test]
fn only_the_public_internet_is_public() {
    let check = |private: bool, addresses: &[&str]| {
        for address in addresses {
            let parsed: IpAddr = address.parse().unwrap();
            assert_eq!(is_private(parsed), private, "{address}");
        }
    };
    check(
        true,
        &[
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.8",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "fec0::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "2002:a00:1::",
            "2001:db8::1",
        ],
    );
    check(
        false,
        &[
            "1.1.1.1",
            "172.32.0.1",
            "100.128.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "2606:4700:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::",
        ],
    );
}
