use super::auth_method_for;
use crate::AuthMethod::{self, Basic, None as Public, Post, PrivateKeyJwt};
use crate::discovery::server::Server;

#[test]
fn the_strongest_method_that_both_sides_support_is_used() {
    let check = |supported: Option<&[&str]>,
                 has_secret: bool,
                 registered: Option<AuthMethod>,
                 expected: AuthMethod| {
        let server = Server {
            token_endpoint_auth_methods_supported: supported
                .map(|methods| methods.iter().map(|method| (*method).to_owned()).collect()),
            ..Server::default()
        };
        let chosen = auth_method_for(&server, has_secret, registered);
        assert_eq!(chosen, expected, "{supported:?} {has_secret} {registered:?}");
    };
    let (basic, post, none) = ("client_secret_basic", "client_secret_post", "none");
    check(None, true, None, Basic);
    check(None, false, None, Public);
    check(Some(&[post, basic]), true, None, Basic);
    check(Some(&[post]), true, None, Post);
    check(Some(&[none]), true, None, Public);
    check(Some(&[none]), false, None, Public);
    check(Some(&[basic]), false, None, Public);
    check(Some(&["tls_client_auth"]), true, None, Basic);
    // The registered method is kept if possible.
    check(Some(&[basic]), true, Some(Post), Post);
    check(Some(&[basic]), false, Some(Basic), Public);
    check(Some(&[basic]), false, Some(Public), Public);
    check(Some(&[basic]), true, Some(Public), Basic);
    check(None, true, Some(PrivateKeyJwt), Basic);
    check(None, false, Some(PrivateKeyJwt), Public);
}
