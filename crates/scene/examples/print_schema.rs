//! Prints the JSON schema of scene files, for editors: `cargo run -p thalweg-scene --example print_schema`.

fn main() {
    println!("{:#}", thalweg_scene::schema());
}
