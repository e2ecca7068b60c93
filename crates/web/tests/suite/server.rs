//! The server as strangers and pages meet it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use thalweg::{Backend, Scene, Simulation};
use thalweg_web::Server;
use thalweg_web::frame::{Frame, Geometry};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

fn simulation() -> Simulation {
    let scene = Scene::from_str(
        r#"
        [scene]
        name = "Basin"
        duration = 10.0
        step = 0.01
        [domain]
        size = [0.8, 0.8, 0.4]
        cell = 0.05
        [water]
        solver = "uniform"
        boxes = [{ min = [0, 0, 0], max = [0.4, 0.4, 0.4] }]
        "#,
        "basin.toml",
        ".",
    )
    .unwrap_or_else(|error| panic!("{error}"));
    Simulation::new(scene, Backend::Cpu).unwrap()
}

/// A running server; it ends with the process.
fn started() -> (SocketAddr, String) {
    started_with(simulation())
}

fn started_with(simulation: Simulation) -> (SocketAddr, String) {
    let server = Server::new(simulation, "basin", None).unwrap();
    let (address, url) = (server.address().unwrap(), server.url());
    std::thread::spawn(|| server.run());
    (address, url.trim_start_matches(&format!("http://{address}")).to_owned())
}

/// Status and text of an answer.
fn get(address: SocketAddr, path: &str, host: &str, more: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let status = text.split_whitespace().nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    (status, text)
}

fn socket(address: SocketAddr, path: &str, origin: &str) -> Result<WebSocket<TcpStream>, String> {
    let mut request = format!("ws://{address}{path}live").into_client_request().unwrap();
    request.headers_mut().insert("origin", origin.parse().unwrap());
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    tungstenite::client(request, stream).map(|(socket, _)| socket).map_err(|error| error.to_string())
}

fn page(address: SocketAddr, path: &str) -> WebSocket<TcpStream> {
    socket(address, path, &format!("http://{address}")).unwrap()
}

fn tell(socket: &mut WebSocket<TcpStream>, command: &str) {
    socket.send(Message::Text(command.into())).unwrap();
}

/// The next frame of water; other messages are passed by.
fn frame(socket: &mut WebSocket<TcpStream>) -> Frame {
    loop {
        if let Message::Binary(bytes) = socket.read().unwrap() {
            let frame = Frame::decode(&bytes).unwrap();
            if !matches!(frame.geometry, Geometry::Heights { is_ground: true, .. }) {
                return frame;
            }
        }
    }
}

/// The next text of a type.
fn text(socket: &mut WebSocket<TcpStream>, kind: &str) -> serde_json::Value {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            if value["type"] == kind {
                return value;
            }
        }
    }
}

#[test]
fn it_listens_on_the_loopback_address_only() {
    let server = Server::new(simulation(), "basin", None).unwrap();
    let address = server.address().unwrap();
    assert!(address.ip().is_loopback() && address.port() > 0, "{address}");
    let taken = Server::new(simulation(), "basin", Some(address.port())).unwrap_err().to_string();
    assert!(taken.contains(&address.port().to_string()) && taken.contains("--port"), "{taken}");
}

#[test]
fn strangers_get_nothing() {
    let (address, path) = started();
    let host = address.to_string();
    let (status, text) = get(address, &path, &host, "");
    assert!(status == 200 && text.contains("<canvas"), "{text}");
    let policy = text.lines().find(|line| line.to_lowercase().starts_with("content-security-policy")).unwrap();
    assert!(policy.contains("default-src 'none'") && text.contains("no-referrer"), "{policy}");
    for file in ["live.js", "view.js", "hand.js", "three.min.js", "page.css"] {
        assert_eq!(get(address, &format!("{path}{file}"), &host, "").0, 200, "{file}");
    }
    assert_eq!(get(address, &format!("{path}other.js"), &host, "").0, 404);
    for bad in ["/", "/live.js", "/00000000000000000000000000000000/", "/00000000000000000000000000000000/live.js"] {
        let (status, text) = get(address, bad, &host, "");
        assert!(status == 403 && text.contains("secret"), "{bad}: {text}");
    }
    // A name of somebody else's that points here, and a page of another site.
    assert_eq!(get(address, &path, "evil.example", "").0, 403);
    assert_eq!(get(address, &path, &format!("evil.example:{}", address.port()), "").0, 403);
    assert_eq!(get(address, &path, &host, "Origin: http://evil.example\r\n").0, 403);
    assert!(socket(address, &path, "http://evil.example").unwrap_err().contains("403"));
    assert!(
        socket(address, "/00000000000000000000000000000000/", &format!("http://{host}")).unwrap_err().contains("403")
    );
}

#[test]
fn a_slow_page_gets_the_newest_water_and_no_queue() {
    let (address, path) = started();
    let (mut slow, mut quick) = (page(address, &path), page(address, &path));
    tell(&mut slow, r#"{"do":"speed","factor":null}"#);
    let first = frame(&mut slow).figures;
    // The quick one draws until a good part of a second has been simulated; the slow one does not ask.
    let begin = Instant::now();
    let (mut frames, mut last) = (0, 0.0);
    while last < first.time + 0.4 {
        last = frame(&mut quick).figures.time;
        frames += 1;
        tell(&mut quick, r#"{"do":"next"}"#);
        assert!(begin.elapsed() < Duration::from_secs(60), "{frames} frames up to {last} s");
    }
    assert!(frames > 4, "the quick page got {frames} frames");
    tell(&mut slow, r#"{"do":"next"}"#);
    let next = frame(&mut slow).figures;
    assert!(next.time >= last - 0.1, "the slow page is given {} s when it is {last} s", next.time);
    // And it was the only one: without another word nothing else comes.
    slow.get_mut().set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let silence = slow.read();
    assert!(matches!(silence, Err(tungstenite::Error::Io(_))), "{silence:?}");
}

/// A basin with a crate that floats and one that is led.
fn with_bodies() -> Simulation {
    let scene = Scene::from_str(
        r#"
        [scene]
        name = "Basin"
        duration = 10.0
        step = 0.02
        [domain]
        size = [1.6, 1.6, 0.8]
        cell = 0.1
        [water]
        solver = "uniform"
        level = 0.4
        [[body]]
        name = "crate"
        shape = "box"
        size = [0.3, 0.3, 0.3]
        position = [0.4, 0.4, 0.4]
        [[body]]
        name = "stone"
        shape = "compound"
        position = [1.2, 0.2, 0.4]
        parts = [
            { shape = "hull", points = [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]] },
            { shape = "cylinder", from = [0, 0, 0], to = [0, 0.2, 0], radius = 0.1 },
        ]
        motion.velocity = [-0.01, 0, 0]
        "#,
        "basin.toml",
        ".",
    )
    .unwrap_or_else(|error| panic!("{error}"));
    Simulation::new(scene, Backend::Cpu).unwrap()
}

/// Steps until the place of a body is as wanted; 300 steps at most.
fn until(socket: &mut WebSocket<TcpStream>, body: usize, wanted: impl Fn([f64; 3]) -> bool) -> [f64; 3] {
    let mut way = [0.0; 3];
    for _ in 0..300 {
        tell(socket, r#"{"do":"step"}"#);
        tell(socket, r#"{"do":"next"}"#);
        way = frame(socket).poses[body].position;
        if wanted(way) {
            return way;
        }
    }
    panic!("the body is at {way:?}");
}

#[test]
fn bodies_are_shown_held_dropped_and_removed() {
    let (address, path) = started_with(with_bodies());
    let mut socket = page(address, &path);
    let hello = text(&mut socket, "hello");
    let names = |hello: &serde_json::Value| -> Vec<String> {
        let bodies = hello["bodies"].as_array().unwrap();
        bodies.iter().map(|body| body["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&hello), ["crate", "stone"]);
    let [crate_, stone] = [0, 1].map(|n| hello["bodies"][n].clone());
    assert_eq!((crate_["free"].as_bool(), stone["free"].as_bool()), (Some(true), Some(false)));
    assert_eq!(crate_["parts"][0]["solid"]["shape"], "box");
    assert_eq!(
        (stone["parts"][0]["solid"]["shape"].as_str(), stone["parts"].as_array().unwrap().len()),
        (Some("mesh"), 2)
    );
    tell(&mut socket, r#"{"do":"pause"}"#);
    let first = frame(&mut socket);
    assert_eq!(first.poses.len(), 2, "one pose per body");
    assert!((first.poses[0].position[0] - 0.4).abs() < 0.05 && (first.poses[1].position[0] - 1.25).abs() < 0.05);

    let at = first.poses[0].position;
    tell(&mut socket, &format!(r#"{{"do":"grab","body":"crate","at":{at:?}}}"#));
    tell(&mut socket, r#"{"do":"drag","to":[0.9,1.2,0.4]}"#);
    until(&mut socket, 0, |way| way[1] > 1.0 && way[0] > 0.8);
    // A hand that moves when it lets go throws.
    let mut hand = 0.9;
    for _ in 0..4 {
        hand -= 0.05;
        tell(&mut socket, &format!(r#"{{"do":"drag","to":[{hand},1.2,0.4]}}"#));
        tell(&mut socket, r#"{"do":"step"}"#);
    }
    tell(&mut socket, r#"{"do":"release"}"#);
    until(&mut socket, 0, |way| way[1] < 0.7 && way[0] < 0.6);

    tell(&mut socket, r#"{"do":"grab","body":"stone","at":[1.2,0.2,0.4]}"#);
    while !text(&mut socket, "status")["trouble"].as_str().unwrap().contains("follows a path") {}
    // Beside the stone, on which it would lie.
    tell(&mut socket, r#"{"do":"drop","shape":"ball","at":[0.8,0.4,0.4]}"#);
    assert_eq!(names(&text(&mut socket, "hello")), ["crate", "stone", "ball-1"]);
    let high = until(&mut socket, 2, |_| true);
    assert!(high[1] > 0.6, "{high:?}");
    until(&mut socket, 2, |way| way[1] < 0.6);
    tell(&mut socket, r#"{"do":"remove","body":"crate"}"#);
    assert_eq!(names(&text(&mut socket, "hello")), ["stone", "ball-1"]);
    tell(&mut socket, r#"{"do":"restart"}"#);
    assert_eq!(names(&text(&mut socket, "hello")), ["crate", "stone"], "the scene as it was");
}

#[test]
fn commands_are_obeyed() {
    let (address, path) = started();
    let mut socket = page(address, &path);
    let hello = text(&mut socket, "hello");
    assert_eq!(
        (hello["scene"].as_str(), hello["meshes"].as_bool(), hello["generation"].as_u64()),
        (Some("basin"), Some(true), Some(1))
    );
    tell(&mut socket, r#"{"do":"pause"}"#);
    while !text(&mut socket, "status")["paused"].as_bool().unwrap() {}
    tell(&mut socket, r#"{"do":"next"}"#);
    tell(&mut socket, r#"{"do":"step"}"#);
    let before = frame(&mut socket).figures;
    tell(&mut socket, r#"{"do":"next"}"#);
    tell(&mut socket, r#"{"do":"step"}"#);
    let after = frame(&mut socket).figures;
    assert!(after.steps > before.steps && after.steps <= before.steps + 2, "{before:?} {after:?}");
    // Refused commands say why.
    tell(&mut socket, r#"{"do":"pour","at":[9,9,9],"seconds":1}"#);
    assert!(text(&mut socket, "status")["trouble"].as_str().unwrap().contains("domain"));
    tell(&mut socket, r#"{"do":"scene","name":"no-such-scene"}"#);
    assert!(text(&mut socket, "status")["trouble"].as_str().unwrap().contains("no-such-scene"));
    // A stream adds water, once it owes enough to fill its cylinder.
    tell(&mut socket, r#"{"do":"pour","at":[0.2,0.3,0.2],"seconds":1}"#);
    assert_eq!(text(&mut socket, "status")["trouble"], "");
    for _ in 0..40 {
        tell(&mut socket, r#"{"do":"step"}"#);
    }
    let begin = Instant::now();
    loop {
        tell(&mut socket, r#"{"do":"next"}"#);
        let now = frame(&mut socket).figures;
        if now.added > 0.0 {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{now:?}");
    }
    tell(&mut socket, r#"{"do":"restart"}"#);
    let hello = text(&mut socket, "hello");
    assert_eq!(hello["generation"].as_u64(), Some(2));
    // Anything else ends the conversation.
    tell(&mut socket, "hello?");
    let begin = Instant::now();
    while socket.read().is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}
