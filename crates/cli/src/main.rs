//! The `thalweg` command line: simulate scenes, check them, measure and validate the solvers.

mod args;
mod bench;
mod export;
mod failure;
mod huge_pages;
mod info;
mod inspect;
mod no_screen;
mod opening;
mod run;
#[cfg(feature = "selftest")]
mod selftest;
#[cfg(feature = "web")]
mod serve;
mod text;
mod validate;
#[cfg(feature = "view")]
mod view;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

#[global_allocator]
static ALLOCATOR: huge_pages::HugePages = huge_pages::HugePages;

fn main() -> ExitCode {
    no_screen::leave_out_device_selection();
    let cli = Cli::parse();
    let outcome = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Export(args) => export::export(args),
        #[cfg(feature = "web")]
        Command::Serve(args) => serve::serve(args),
        #[cfg(not(feature = "web"))]
        Command::Serve(_) => Err(failure::not_built("serve", "web")),
        #[cfg(feature = "view")]
        Command::View(args) => view::view(args),
        #[cfg(not(feature = "view"))]
        Command::View(_) => Err(failure::not_built("view", "view")),
        Command::Check(args) => inspect::check(args),
        Command::Scenes(args) => inspect::scenes(args),
        Command::Schema => inspect::schema(),
        Command::Info(args) => info::info(args),
        Command::Bench(args) => bench::bench(args),
        Command::Validate(args) => validate::validate(args),
        #[cfg(feature = "selftest")]
        Command::Selftest(args) => selftest::selftest(args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
