use super::*;

fn six() -> Limits {
    Limits {
        reconnects: 6,
        ..Limits::default()
    }
}

fn policy(random: f64) -> Reconnect {
    Reconnect {
        first: Duration::from_secs(1),
        most: Duration::from_secs(10),
        random: Arc::new(move || random),
    }
}

#[test]
fn delays_have_jitter_double_and_are_limited() {
    let seconds = |random| {
        let policy = policy(random);
        let mut tries = Tries::new(&policy, &six());
        let waits: Vec<f64> = std::iter::from_fn(|| tries.failed(None))
            .map(|wait| wait.as_secs_f64())
            .collect();
        waits
    };
    assert_eq!(seconds(1.0), [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]);
    assert_eq!(seconds(0.0), [0.5, 1.0, 2.0, 4.0, 5.0, 5.0]);
}

#[test]
fn the_servers_delay_is_respected() {
    let policy = policy(0.5);
    let mut tries = Tries::new(&policy, &six());
    let short = Some(PeerDelay::from_millis(120));
    let long = Some(PeerDelay::from_secs(60));
    assert_eq!(tries.ended(short), Duration::from_millis(120));
    assert_eq!(tries.ended(long), Duration::from_secs(60));
    assert_eq!(tries.failed(long), Some(Duration::from_secs(60)));
    assert_eq!(tries.failed(short), Some(Duration::from_millis(1500)));
}

#[test]
fn a_delay_of_zero_grows_until_a_message_arrives() {
    let policy = policy(0.5);
    let mut tries = Tries::new(&policy, &six());
    let none = Some(PeerDelay::default());
    let mut waits = || -> Vec<u128> { (0..9).map(|_| tries.ended(none).as_millis()).collect() };
    assert_eq!(waits(), [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
    tries.useful();
    assert_eq!(tries.ended(none), Duration::from_millis(100));
}

#[test]
fn a_useful_stream_resets_the_delay() {
    let policy = policy(1.0);
    let mut tries = Tries::new(&policy, &six());
    for _ in 0..6 {
        assert!(tries.failed(None).is_some());
    }
    tries.opened();
    assert_eq!(tries.failed(None), Some(Duration::from_secs(1)));
    tries.ended(None);
    assert_eq!(tries.ended(None), Duration::from_secs(2));
    tries.useful();
    assert_eq!(tries.ended(None), Duration::from_secs(1));
    assert_eq!(tries.fruitless(), 2);
}

#[test]
fn huge_attempt_numbers_do_not_overflow() {
    assert_eq!(policy(1.0).backoff(u32::MAX), Duration::from_secs(10));
}

#[test]
fn a_delay_of_the_server_is_shortened_to_the_limit() {
    let limits = Limits {
        retry_delay_ms: 2_000,
        reconnects: 1,
        ..Limits::default()
    };
    let policy = policy(0.0);
    let mut tries = Tries::new(&policy, &limits);
    let long = Some(PeerDelay::from_secs(60));
    assert_eq!(tries.ended(long), Duration::from_secs(2));
    assert_eq!(tries.failed(long), Some(Duration::from_secs(2)));
    assert_eq!(tries.failed(long), None);
}
