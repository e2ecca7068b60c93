//! How a command fails: exit code 2 if the input is wrong, 1 if the run failed.

use std::process::ExitCode;

use thalweg::outputs::OutputError;
use thalweg_scene::SceneError;

use crate::text;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong.
    Input(String),
    /// The run failed.
    Run(String),
    /// Already told to the user.
    Silent,
}

impl Failure {
    /// Prints the message and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Input(message) => {
                text::message(&with_prefix(&message));
                ExitCode::from(2)
            }
            Self::Run(message) => {
                text::message(&with_prefix(&message));
                ExitCode::from(1)
            }
            Self::Silent => ExitCode::from(1),
        }
    }
}

/// A command that this program was built without.
#[cfg(not(all(feature = "view", feature = "web")))]
pub(crate) fn not_built(command: &str, feature: &str) -> Failure {
    Failure::Input(format!(
        "this thalweg was built without `{command}`: build it with `cargo build --release --features {feature}`"
    ))
}

fn with_prefix(message: &str) -> String {
    if message.starts_with("error") { message.to_string() } else { format!("error: {message}") }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<thalweg::Error> for Failure {
    fn from(error: thalweg::Error) -> Self {
        if error.is_input() { Self::Input(error.to_string()) } else { Self::Run(error.to_string()) }
    }
}

impl From<thalweg::compute::ComputeError> for Failure {
    fn from(error: thalweg::compute::ComputeError) -> Self {
        Self::Run(error.to_string())
    }
}

impl From<thalweg::tall::TallError> for Failure {
    fn from(error: thalweg::tall::TallError) -> Self {
        Self::Run(error.to_string())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(message) | Self::Run(message) => f.write_str(message),
            Self::Silent => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Store(error) => match error.downcast::<Self>() {
                Ok(own) => *own,
                Err(other) => Self::Run(other.to_string()),
            },
            // The end of the pipeline says why.
            OutputError::Stopped => Self::Silent,
            error if error.is_input() => Self::Input(error.to_string()),
            error => Self::Run(error.to_string()),
        }
    }
}

impl From<Failure> for OutputError {
    fn from(failure: Failure) -> Self {
        Self::Store(Box::new(failure))
    }
}

impl From<thalweg_io::Error> for Failure {
    fn from(error: thalweg_io::Error) -> Self {
        Self::Run(error.to_string())
    }
}

impl From<thalweg_io::checkpoint::Error> for Failure {
    fn from(error: thalweg_io::checkpoint::Error) -> Self {
        Self::Run(error.to_string())
    }
}

/// Shorthand for results of commands.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;
