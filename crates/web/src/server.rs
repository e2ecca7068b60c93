//! The server: page, socket, and who may have them.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc::Sender;
use std::thread;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ws::{Message as Packet, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use thalweg::Simulation;
use tokio::net::TcpListener;

use crate::guard::{Guard, Token};
use crate::page::{FILES, INDEX};
use crate::protocol::{Command, LONGEST_COMMAND, Message};
use crate::worker::{Request as Asked, Views, Worker, screens};

/// Why a simulation cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The port is taken, or may not be had.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; take another `--port`, or none for a free one")]
    Listen {
        /// Which port; 0 is any.
        port: u16,
        /// Why.
        source: std::io::Error,
    },
    /// The server stopped.
    #[error("the server stopped: {0}")]
    Stopped(#[from] std::io::Error),
    /// The operating system has no random numbers.
    #[error("no random numbers for the secret of the address: {0}")]
    Random(#[from] getrandom::Error),
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] thalweg::Error),
}

/// A simulation that can be looked at.
///
/// ```no_run
/// use thalweg::{Backend, Scene, Simulation};
/// use thalweg_web::Server;
///
/// let simulation = Simulation::new(Scene::shipped("dam-break")?, Backend::Auto)?;
/// let server = Server::new(simulation, "dam-break", None)?;
/// println!("{}", server.url());
/// server.run()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    guard: Guard,
    requests: Sender<Asked>,
    views: Views,
}

/// What every request needs.
#[derive(Debug, Clone)]
struct Shared {
    guard: Guard,
    requests: Sender<Asked>,
    views: Views,
}

impl Server {
    /// Listens on the loopback address and starts the simulation. `name` is the name of the scene; without a port any free one
    /// is taken.
    pub fn new(simulation: Simulation, name: &str, port: Option<u16>) -> Result<Self, ServeError> {
        let port = port.unwrap_or(0);
        let refused = |source| ServeError::Listen { port, source };
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let guard = Guard { token: Token::new()?, port: listener.local_addr()?.port() };
        let (screens, views) = screens();
        let (worker, requests) = Worker::new(simulation, name, screens)?;
        thread::Builder::new().name("simulation".into()).spawn(|| worker.run())?;
        Ok(Self { listener, guard, requests, views })
    }

    /// The address of the page, secret included.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.guard.port, self.guard.token.text())
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        Ok(self.listener.local_addr()?)
    }

    /// Serves until the process ends.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { listener, guard, requests, views } = self;
        let shared = Shared { guard, requests, views };
        let router = Router::new()
            .route("/{token}/", get(index))
            .route("/{token}/live", get(live))
            .route("/{token}/{file}", get(file))
            .layer(middleware::from_fn_with_state(shared.clone(), guarded))
            .with_state(shared);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async { Ok(axum::serve(TcpListener::from_std(listener)?, router).await?) })
    }
}

async fn guarded(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_socket = path.ends_with("/live");
    match shared.guard.check(path, request.headers(), is_socket) {
        Ok(()) => next.run(request).await,
        Err(refusal) => (StatusCode::FORBIDDEN, refusal.text()).into_response(),
    }
}

/// Answers that no other page may frame, keep or learn the address from.
fn answer(kind: &str, policy: &str, text: impl Into<Body>) -> Response {
    let headers = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, policy),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, text.into()).into_response()
}

async fn index(State(shared): State<Shared>) -> Response {
    let Ok(nonce) = Token::new() else {
        return (StatusCode::INTERNAL_SERVER_ERROR, "no random numbers").into_response();
    };
    let nonce = nonce.text();
    let sockets = format!("ws://127.0.0.1:{0} ws://localhost:{0}", shared.guard.port);
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self' {sockets}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    answer("text/html; charset=utf-8", &policy, INDEX.replace("NONCE", nonce))
}

async fn file(Path((_, name)): Path<(String, String)>) -> Response {
    match FILES.iter().find(|asset| asset.name == name) {
        Some(asset) => answer(asset.kind, "default-src 'none'", asset.text),
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
    }
}

async fn live(State(shared): State<Shared>, upgrade: WebSocketUpgrade, _headers: HeaderMap) -> Response {
    upgrade.max_message_size(LONGEST_COMMAND).on_upgrade(move |socket| watch(socket, shared))
}

/// Why a page is no longer looked after.
struct Left;

async fn watch(mut socket: WebSocket, shared: Shared) {
    let Shared { requests, mut views, .. } = shared;
    if requests.send(Asked::Come).is_err() {
        return; // the simulation has ended, and the process with it
    }
    // A page that leaves is no error of ours.
    let Err(Left) = follow(&mut socket, &requests, &mut views).await;
    let _ended_meanwhile = requests.send(Asked::Left);
}

async fn follow(
    socket: &mut WebSocket,
    requests: &Sender<Asked>,
    views: &mut Views,
) -> Result<std::convert::Infallible, Left> {
    views.world.mark_changed();
    views.status.mark_changed();
    views.water.mark_changed();
    let ask = |asked: Asked| requests.send(asked).map_err(|_| Left);
    // Frames wait until the page has drawn the last one; what came in between is skipped.
    let mut wants_water = true;
    loop {
        tokio::select! {
            biased;
            changed = views.world.changed() => {
                changed.map_err(|_| Left)?;
                let world = views.world.borrow_and_update().clone();
                send(socket, Packet::Text(world.hello.as_str().into())).await?;
                send(socket, Packet::Binary(world.ground.clone())).await?;
            }
            changed = views.status.changed() => {
                changed.map_err(|_| Left)?;
                let status = Message::Status(views.status.borrow_and_update().clone());
                let text = serde_json::to_string(&status).map_err(|_| Left)?;
                send(socket, Packet::Text(text.into())).await?;
            }
            packet = socket.recv() => match packet {
                Some(Ok(Packet::Text(text))) => match serde_json::from_str(&text) {
                    Ok(Command::Next) => wants_water = true,
                    Ok(command) => ask(Asked::Command(command))?,
                    // Only our own page talks here: it is a mistake of ours, or no page of ours.
                    Err(_) => return Err(Left),
                },
                Some(Ok(Packet::Close(_))) | Some(Err(_)) | None => return Err(Left),
                Some(Ok(_)) => {}
            },
            changed = views.water.changed(), if wants_water => {
                changed.map_err(|_| Left)?;
                let water: Bytes = views.water.borrow_and_update().clone();
                if !water.is_empty() {
                    wants_water = false;
                    send(socket, Packet::Binary(water)).await?;
                }
            }
        }
    }
}

async fn send(socket: &mut WebSocket, packet: Packet) -> Result<(), Left> {
    socket.send(packet).await.map_err(|_| Left)
}
