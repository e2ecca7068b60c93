//! `serve`: a running simulation in the browser.

use std::path::Path;
use std::process::{Command, Stdio};

use thalweg::Backend;
use thalweg_web::{ServeError, Server};

use crate::args::ServeArgs;
use crate::failure::{Failure, Outcome};
use crate::inspect::open_scene;
use crate::opening::open_simulation;
use crate::text;

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Simulation(error) => error.into(),
            ServeError::Listen { .. } => Self::Input(error.to_string()),
            _ => Self::Run(error.to_string()),
        }
    }
}

pub(crate) fn serve(args: &ServeArgs) -> Outcome {
    let scene = open_scene(&args.scene)?;
    let simulation = open_simulation(Backend::from(args.backend).open(None)?, scene, false)?;
    // What the page calls it: no folders of this machine.
    let name = Path::new(&args.scene).file_stem().unwrap_or_default().to_string_lossy();
    let server = Server::new(simulation, &name, args.port)?;
    let url = server.url();
    text::print(&url);
    text::message("open this address in a browser on this machine; Ctrl-C ends it");
    if args.open && !args.no_open {
        open(&url);
    }
    Ok(server.run()?)
}

/// Opens the page in the user's browser. The address is printed already, so a failure is told and no more.
fn open(url: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program).args(before).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        text::message(&format!("no browser could be started ({program}: {error}): open the address by hand"));
    }
}
