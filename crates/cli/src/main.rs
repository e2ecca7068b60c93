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
mod serve;
mod text;
mod validate;
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
        Command::Serve(args) => serve::serve(args),
        Command::View(args) => view::view(args),
        Command::Check(args) => inspect::check(args),
        Command::Scenes(args) => inspect::scenes(args),
        Command::Schema => inspect::schema(),
        Command::Info(args) => info::info(args),
        Command::Bench(args) => bench::bench(args),
        Command::Validate(args) => validate::validate(args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
