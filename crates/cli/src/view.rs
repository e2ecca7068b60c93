//! `view`: a window on a running scene.

use thalweg_view::{SceneSource, ViewError, ViewOptions};

use crate::args::ViewArgs;
use crate::failure::{Failure, Outcome};
use crate::text;

pub(crate) fn view(args: &ViewArgs) -> Outcome {
    let scene = SceneSource::named(&args.scene);
    // Mistakes of the scene are told here, with their lines; the window would only show them.
    scene.load()?;
    let figures = thalweg_view::open(ViewOptions {
        backend: args.backend.into(),
        threads: args.threads.map(usize::from),
        size: args.size.0,
        scale: args.scale.parse().map_err(Failure::Input)?,
        out: args.out.clone(),
        ..ViewOptions::new(scene)
    })?;
    if args.json {
        let line = serde_json::to_string(&figures).map_err(|error| Failure::Run(error.to_string()))?;
        text::print(&line);
    }
    Ok(())
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        Self::Run(error.to_string())
    }
}
