//! Checks scene files and prints what is wrong with them, as a person or (with `--json`) a machine reads it.
//!
//! `cargo run -p thalweg-scene --example check_scene -- [--json] SCENE…`

use std::process::ExitCode;

use thalweg_scene::Scene;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    let (flags, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    for file in files {
        match Scene::from_file(&file) {
            Ok(scene) => println!("{file}: {} cells, {} bytes", scene.cost().cells, scene.cost().bytes()),
            Err(error) => {
                code = ExitCode::from(2);
                if flags.iter().any(|flag| flag == "--json") {
                    println!("{}", serde_json::to_string_pretty(&error).expect("plain data"));
                } else {
                    println!("{error}\n");
                }
            }
        }
    }
    code
}
