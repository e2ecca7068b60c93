//! Scenes that a program makes: what a file says, said by structs, is the same scene or the same mistake.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use thalweg_scene::format::{
    Body, Boundary, BoundaryTable, Domain, Header, Obstacle, Probe, SceneFile, Series, Shape, Source, Tall, Terrain,
    Turn, Water, WaterBox,
};
use thalweg_scene::{Ability, Diagnostic, Files, Scene, SceneError, ShippedScene, Solver, SourceShape, shipped};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn texts(folder: &Path) -> impl Iterator<Item = (PathBuf, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    let scenes = paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    scenes.filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text)))
}

/// The shortest scene that is right.
fn pool() -> SceneFile {
    SceneFile {
        scene: Header { name: "Pool".into(), duration: 1.0, ..Header::default() },
        domain: Domain { size: [4.0, 2.0, 4.0], cell: 0.25, ..Domain::default() },
        water: Water { solver: "tall-cells".into(), level: Some(1.0), ..Water::default() },
        ..SceneFile::default()
    }
}

fn refused(file: &SceneFile) -> Vec<Diagnostic> {
    Scene::build(file, &Files::none()).expect_err("refused").diagnostics().to_vec()
}

/// Text to structs, to text, to structs: nothing is lost, and the scene is the same.
fn check_round_trip(name: &str, text: &str, files: &Files<'_>) {
    let from_file = Scene::with_files(text, name, files).unwrap_or_else(|error| panic!("{error}"));
    let file = SceneFile::parse(text, name).unwrap_or_else(|error| panic!("{error}"));
    let written = file.to_toml();
    let again = SceneFile::parse(&written, name).unwrap_or_else(|error| panic!("{written}\n{error}"));
    assert_eq!(again, file, "{name}");
    let scene = Scene::build(&file, files).unwrap_or_else(|error| panic!("{name}: {error}"));
    // The digest is of every setting and every file.
    assert_eq!(scene.digest, from_file.digest, "{name}");
    assert_eq!((&scene.name, scene.duration, scene.step), (&from_file.name, from_file.duration, from_file.step));
    assert_eq!(scene.grid, from_file.grid);
    assert_eq!(scene.water.shallow, from_file.water.shallow);
    assert_eq!((&scene.obstacles, &scene.bodies), (&from_file.obstacles, &from_file.bodies));
    assert_eq!((&scene.boundary, &scene.rain), (&from_file.boundary, &from_file.rain));
    assert_eq!((&scene.sources, &scene.probes), (&from_file.sources, &from_file.probes));
    assert_eq!(
        (&scene.camera, &scene.render, &scene.output),
        (&from_file.camera, &from_file.render, &from_file.output)
    );
    assert_eq!(scene.text.text, written);
    // In the order of the text, which is not the same.
    let messages =
        |scene: &Scene| -> BTreeSet<_> { scene.warnings.iter().map(|found| found.message.clone()).collect() };
    assert_eq!(messages(&scene), messages(&from_file), "{name}");
    if scene.grid.cells() < 1 << 22 && !file.terrain.stream {
        let bed = scene.terrain.rasterise(&scene.grid).expect("ground");
        assert_eq!(bed, from_file.terrain.rasterise(&scene.grid).expect("ground"), "{name}");
        let water = |scene: &Scene| scene.water.rasterise(&scene.grid, &bed).expect("water");
        assert_eq!(water(&scene), water(&from_file), "{name}");
    }
    // A checkpoint reads the scene from what it was made of.
    let resumed = Scene::from_text(&scene.text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(resumed.digest, scene.digest, "{name}");
}

#[test]
fn every_shipped_scene_is_the_same_from_code() {
    assert!(shipped().len() >= 17);
    for ShippedScene { name, text, files } in shipped() {
        check_round_trip(name, text, &Files::Table(files));
    }
}

#[test]
fn every_key_is_the_same_from_code() {
    for (path, text) in texts(&folder("valid")) {
        check_round_trip(&path.display().to_string(), &text, &Files::Folder(folder("valid")));
    }
}

#[test]
fn a_written_scene_has_no_defaults() {
    let expected = "[scene]\nduration = 1.0\nname = \"Pool\"\n\n[domain]\ncell = 0.25\nsize = [4.0, 2.0, 4.0]\n\n\
                    [water]\nlevel = 1.0\nsolver = \"tall-cells\"\n";
    assert_eq!(pool().to_toml(), expected);
    // What is there with nothing but defaults is not the same as what is not there.
    let maps = SceneFile { maps: Some(Default::default()), ..pool() };
    assert_eq!(maps.to_toml(), format!("{expected}\n[maps]\n"));
    // -0 is not 0.
    let mut west = pool();
    west.terrain.offset = -0.0;
    assert!(west.to_toml().contains("offset = -0.0"), "{}", west.to_toml());
    assert!(pool().to_toml().len() < 200);
}

/// The file as a run reads it: the scene, then its bed and its water.
fn load(scene: Result<Scene, SceneError>) -> Vec<(String, Option<String>)> {
    let load = |scene: Scene| {
        let bed = scene.terrain.rasterise(&scene.grid)?;
        scene.water.rasterise(&scene.grid, &bed)?;
        if scene.water.solver.has(Ability::ThreeDimensional) {
            scene.water.check_height(scene.elevations(&bed))?;
        }
        Ok(())
    };
    let error: SceneError = scene.and_then(load).expect_err("refused");
    let mut found: Vec<_> = error.diagnostics().iter().map(|it| (it.message.clone(), it.hint.clone())).collect();
    found.sort();
    found
}

/// All broken scenes whose mistake structs can make: numbers out of range, names, files, what sections say to each
/// other.
#[test]
fn mistakes_have_the_same_messages_from_code() {
    let files = Files::Folder(folder("broken"));
    let mut compared = 0;
    for (path, text) in texts(&folder("broken")) {
        let Ok(file) = toml::from_str::<SceneFile>(&text) else { continue };
        let name = path.display().to_string();
        let from_file = load(Scene::with_files(&text, &name, &files));
        let from_code = load(Scene::build(&file, &files));
        assert_eq!(from_code, from_file, "{name}");
        compared += 1;
    }
    assert!(compared >= 100, "only {compared} scenes were compared");
}

#[test]
fn a_diagnostic_from_code_names_the_field() {
    let barrel = |name: &str| Body {
        name: name.into(),
        radius: Some(0.2),
        shape: thalweg_scene::format::BodyShapeName::Sphere,
        position: [2.0, 1.5, 2.0],
        ..Body::default()
    };
    let mut file = pool();
    file.body = vec![barrel("a"), barrel("b"), Body { density: Some(-5.0), ..barrel("c") }];
    let found = refused(&file);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].path.as_deref(), found[0].line(), found[0].file.as_str()),
        (Some("body[2].density"), None, "Pool")
    );
    assert_eq!(
        found[0].to_string(),
        "error: `body[2].density` is out of range: -5 kg/m³\n --> Pool: body[2].density\n  \
         = help: it must be more than 0 and at most 1000000 kg/m³"
    );
    let json = serde_json::to_value(&found[0]).expect("serialises");
    assert_eq!((json["path"].as_str(), json.get("line")), (Some("body[2].density"), None));

    // From a file, the same path beside line and column.
    let text = file.to_toml();
    let error = Scene::from_str(&text, "pool.toml", ".").expect_err("refused");
    let [same] = error.diagnostics() else { panic!("{error}") };
    assert_eq!((&same.message, &same.hint, &same.path), (&found[0].message, &found[0].hint, &found[0].path));
    let line = text.lines().position(|line| line == "density = -5.0").expect("written") + 1;
    assert_eq!((same.line(), same.column()), (Some(line), Some(11)));
}

/// Each of these is one mistake: what is said of it, and of which field.
#[test]
fn mistakes_of_programs_are_found() {
    let disc = SourceShape::Disc { center: [2.0, 2.0], radius: 0.5 };
    let source = Source { shape: disc, y: Some([0.5, 1.0]), rate: Series::Constant(0.1), ..Source::default() };
    let mut cases: Vec<(SceneFile, &str, &str)> = Vec::new();
    let mut case = |path, part, change: &dyn Fn(&mut SceneFile)| {
        let mut file = pool();
        change(&mut file);
        cases.push((file, path, part));
    };
    case("scene.name", "must not be empty", &|file| file.scene.name.clear());
    case("scene.duration", "out of range: 0 s", &|file| file.scene.duration = 0.0);
    case("scene.gravity", "must be a finite number", &|file| file.scene.gravity = f64::NAN);
    case("domain.size[1]", "out of range", &|file| file.domain.size[1] = f64::MIN);
    case("water.level", "must be a finite number", &|file| file.water.level = Some(f64::NAN));
    case("water.solver", "there is no solver `deep`", &|file| file.water.solver = "deep".into());
    case("water.boxes[0].max[1]", "the box is empty", &|file| {
        file.water.boxes = vec![WaterBox { min: [0.0; 3], max: [1.0, 0.0, 1.0] }];
    });
    case("water.tall.surface", "out of range", &|file| {
        file.water.tall = Some(Tall { surface: 3, ..Tall::default() });
    });
    case("terrain.shapes[0].octaves", "out of range", &|file| {
        let hills = Shape::Hills { seed: 1, amplitude: 0.1, wavelength: 1.0, octaves: 99, mode: Default::default() };
        file.terrain = Terrain { shapes: vec![hills], ..Terrain::default() };
    });
    case("terrain.file", "the file does not exist", &|file| file.terrain.file = Some("none.asc".into()));
    case("obstacle[0].radius", "out of range: 0 m", &|file| {
        file.obstacle = vec![Obstacle::Sphere { center: [1.0; 3], radius: 0.0, name: None, motion: None }];
    });
    case("boundary.west.layer", "fills the domain", &|file| {
        file.boundary.west = Boundary::Table(Box::new(BoundaryTable::Open { level: None, layer: Some(100) }));
    });
    case("source[0].shape.disc.radius", "out of range: 0 m", &|file| {
        file.source = vec![Source { shape: SourceShape::default(), ..source.clone() }];
    });
    case("probe[0].at", "outside the domain", &|file| {
        file.probe = vec![Probe::Depth { name: "far".into(), at: [9.0, 9.0] }];
    });
    case("body[0].rotation.axis", "the axis has no length", &|file| {
        let rotation = Some(Turn { axis: [0.0; 3], degrees: 5.0 });
        let size = Some([0.5; 3]);
        file.body = vec![Body { name: "box".into(), size, position: [2.0; 3], rotation, ..Body::default() }];
    });
    for (file, path, part) in cases {
        let found = refused(&file);
        assert!(
            found.iter().any(|it| it.path.as_deref() == Some(path) && it.message.contains(part)),
            "nothing at `{path}` says `{part}`, but: {found:?}"
        );
        assert!(found.iter().all(|it| it.place.is_none() && it.file == file.scene.name), "{found:?}");
    }
    assert_eq!(Scene::build(&pool(), &Files::none()).expect("right").water.solver, Solver::TallCells);
}
