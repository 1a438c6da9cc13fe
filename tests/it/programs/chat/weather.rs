//! The example of the official tutorial: a conversation that asks for the weather, and a server written as the tutorial says.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread::JoinHandle,
};

use serde_json::{Value, json};

use super::chat;
use crate::{
    http::server::Server,
    programs::{peer, quoted},
    source::tree,
};

/// A weather service on the loopback, with canned answers. It ends with the test.
struct Weather {
    address: SocketAddr,
    /// The path and the user agent of each request.
    seen: Arc<Mutex<Vec<String>>>,
    serving: Option<JoinHandle<()>>,
}

impl Weather {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let told = seen.clone();
        let serving = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if serve(stream.unwrap(), address, &told).is_none() {
                    return;
                }
            }
        });
        Self {
            address,
            seen,
            serving: Some(serving),
        }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Weather {
    fn drop(&mut self) {
        // A connection without a request ends it.
        drop(TcpStream::connect(self.address));
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}

/// Answers one request; none if there is none.
fn serve(stream: TcpStream, address: SocketAddr, seen: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let path = head.first()?.split(' ').nth(1)?.to_owned();
    let agent = head.iter().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("user-agent").then(|| value.to_owned())
    });
    let told = format!("{path} {}", agent.unwrap_or_default());
    seen.lock().unwrap().push(told);
    let answer = canned(&path, address);
    let (status, body) = match &answer {
        Some(answer) => ("200 OK", answer.to_string()),
        None => ("404 Not Found", "{}".to_owned()),
    };
    let length = body.len();
    let answered = write!(
        reader.get_mut(),
        "HTTP/1.1 {status}\r\ncontent-type: application/geo+json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    answered.ok()
}

/// As the National Weather Service answers, as far as the tutorial reads it.
fn canned(path: &str, address: SocketAddr) -> Option<Value> {
    let period = |name: &str, temperature: u32, words: &str| json!({ "name": name, "temperature": temperature, "temperatureUnit": "F", "windSpeed": "5 to 10 mph", "windDirection": "SW", "detailedForecast": words });
    Some(match path {
        "/points/38.58,-121.49" => {
            let forecast = format!("http://{address}/gridpoints/STO/41,68/forecast");
            json!({ "properties": { "gridId": "STO", "forecast": forecast } })
        }
        "/gridpoints/STO/41,68/forecast" => json!({ "properties": { "periods": [
            period("Tonight", 52, "Mostly clear, with a low around 52."),
            period("Thursday", 71, "Sunny, with a high near 71."),
        ] } }),
        "/alerts/active/area/CA" => json!({ "features": [
            { "properties": { "event": "Wind Advisory", "areaDesc": "Sacramento Valley" } },
        ] }),
        _ => return None,
    })
}

#[test]
fn a_conversation_asks_the_server_of_the_tutorial_for_the_weather() {
    let Some(python) = peer("PATCHBAY_PEERS_PYTHON", "python") else {
        return;
    };
    let (provider, weather) = (Server::of("models", "any"), Weather::start());
    let script = tree::root().join("tests/it/programs/chat/weather_server.py");
    let server = format!("{python} {} http://{}", quoted(&script), weather.address);
    let asked = "What is the weather in Sacramento?
call get_forecast {\"latitude\":38.58,\"longitude\":-121.49}
call get_alerts {\"state\":\"CA\"}";
    for (api, key) in [
        ("openai", &[][..]),
        ("anthropic", &["--key-env", "MODEL_KEY"][..]),
    ] {
        let before = (provider.seen().len(), weather.seen().len());
        let args = ["--stdio", &server, "--approve", "all", "-p", asked];
        let ended = chat(&provider, api, &[&args[..], key].concat()).code(0);
        for part in [
            "Tonight:\nTemperature: 52°F\nWind: 5 to 10 mph SW",
            "Thursday:\nTemperature: 71°F",
            "Event: Wind Advisory\nArea: Sacramento Valley",
        ] {
            assert!(ended.stdout.contains(part), "{api} {part}: {ended:?}");
        }
        // The model got the tools as the server describes them, and then the forecast.
        let requests = provider.seen().split_off(before.0);
        let [first, second] = &requests[..] else {
            panic!("{requests:#?}");
        };
        for part in [
            "Get weather alerts for a US state.",
            "Get weather forecast for a location.",
            "\"latitude\"",
            "\"state\"",
        ] {
            assert!(first.contains(part), "{api} {part}: {first}");
        }
        assert!(
            !first.contains("Tonight") && second.contains("Mostly clear, with a low around 52."),
            "{second}"
        );
        let mut seen = weather.seen().split_off(before.1);
        seen.sort();
        assert_eq!(
            seen,
            [
                "/alerts/active/area/CA weather-app/1.0",
                "/gridpoints/STO/41,68/forecast weather-app/1.0",
                "/points/38.58,-121.49 weather-app/1.0",
            ]
        );
    }
}
