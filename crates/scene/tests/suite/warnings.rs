//! Scenes that are allowed and hardly meant: what is warned of, at which line, and what is not.

use thalweg_scene::{Files, Scene, Severity};

/// A tank of three-dimensional water, 4 m long, 2 m high and wide, with more in it.
fn tank(more: &str) -> Scene {
    let text = format!(
        "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [4, 2, 2], cell = 0.1 }}\n\
         water = {{ solver = 'tall-cells', level = 1 }}\n{more}\n"
    );
    read(&text)
}

/// Reads a scene that may name `cube.obj`, a cube with an edge of 400 units, `flat.obj`, half of one, `inwards.obj`, the same inside out, or
/// `sheet.obj`, of 20 units.
fn read(text: &str) -> Scene {
    let corners = |height: f64| {
        let corner = |n: u32| format!("v {} {} {}\n", 400 * (n & 1), height * f64::from(n >> 1 & 1), 400 * (n >> 2));
        (0..8).map(corner).collect::<String>()
    };
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    let [cube, flat, sheet] = [400.0, 200.0, 20.0].map(|height| corners(height) + faces);
    // Seen from the other side of the plane of x and z: a mirror turns all triangles.
    let inwards = corners(-200.0) + faces;
    let table = [
        ("cube.obj", cube.as_bytes()),
        ("flat.obj", flat.as_bytes()),
        ("inwards.obj", inwards.as_bytes()),
        ("sheet.obj", sheet.as_bytes()),
    ];
    Scene::with_files(text, "a.toml", &Files::Table(&table)).unwrap_or_else(|error| panic!("{error}"))
}

/// There is one warning: at a line, which says this and advises that.
fn warns(scene: &Scene, line: usize, message: &str, hint: &str) {
    let [found] = scene.warnings.as_slice() else { panic!("not one warning but {:#?}", scene.warnings) };
    assert_eq!((found.severity, found.line()), (Severity::Warning, Some(line)), "{found}");
    assert!(found.message.contains(message), "`{message}` is not in\n{found}");
    assert!(found.hint.as_ref().is_some_and(|found| found.contains(hint)), "`{hint}` is not in\n{found}");
}

fn is_quiet(scene: &Scene) {
    assert_eq!(scene.warnings, [], "a sensible scene");
}

#[test]
fn shipped_scenes_mean_what_they_say() {
    for shipped in thalweg_scene::shipped() {
        is_quiet(&Scene::shipped(shipped.name).unwrap_or_else(|error| panic!("{error}")));
    }
    is_quiet(&tank(""));
}

#[test]
fn an_obstacle_that_fills_the_tank() {
    let filling = [
        "shape = 'box'\nmin = [-1, 0, 0]\nmax = [5, 3, 2]",
        "shape = 'sphere'\ncenter = [2, 1, 1]\nradius = 4",
        "shape = 'capsule'\nfrom = [-1, 1, 1]\nto = [5, 1, 1]\nradius = 2",
        "shape = 'cylinder'\nfrom = [-1, 1, 1]\nto = [5, 1, 1]\nradius = 2",
        "shape = 'cone'\nfrom = [-1, 1, 1]\nto = [5, 1, 1]\nradii = [2, 3]",
        "shape = 'mesh'\nfile = 'cube.obj'\nscale = 0.02\nposition = [-2, -4, -4]",
    ];
    for shape in filling {
        warns(&tank(&format!("[[obstacle]]\n{shape}")), 4, "takes the place of 100 % of the water", "make it smaller");
    }
    let beside = [
        "shape = 'box'\nmin = [1, 0, 0]\nmax = [4, 2, 2]",
        "shape = 'sphere'\ncenter = [2, 1, 1]\nradius = 1",
        "shape = 'capsule'\nfrom = [1, 1, 1]\nto = [3, 1, 1]\nradius = 0.5",
        "shape = 'cylinder'\nfrom = [1, 1, 1]\nto = [3, 1, 1]\nradius = 2",
        "shape = 'cone'\nfrom = [-1, 1, 1]\nto = [5, 1, 1]\nradii = [2, 0]",
        "shape = 'mesh'\nfile = 'cube.obj'\nscale = 0.002\nposition = [1, 0, 0]",
    ];
    for shape in beside {
        is_quiet(&tank(&format!("[[obstacle]]\n{shape}")));
    }
}

/// Columns grow for what moves; what stands below their cubic cells has no shape there.
#[test]
fn an_obstacle_below_the_cubic_cells() {
    let scene = |regular: &str, obstacle: &str| {
        read(&format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [4, 8, 4], cell = 0.1 }}\n\
             water = {{ solver = 'tall-cells', level = 6, tall = {{ below = 4, above = 4{regular} }} }}\n\
             [[obstacle]]\nshape = 'box'\n{obstacle}\n"
        ))
    };
    let pile = "min = [1, 2, 1]\nmax = [2, 7, 2]";
    // From 20 cells less 2 to 60 cells, one more and 4 of air.
    warns(
        &scene(", regular_cells = 46", pile),
        4,
        "goes down to 2 m, and columns have 46 cubic cells",
        "to 47 or more",
    );
    is_quiet(&scene(", regular_cells = 47", pile));
    is_quiet(&scene("", pile));
    // On the ground a column needs no tall cell: two cells fewer.
    let foot = "min = [1, -1, 1]\nmax = [2, 7, 2]";
    warns(&scene(", regular_cells = 62", foot), 4, "goes down to 0 m", "to 63 or more");
    is_quiet(&scene(", regular_cells = 63", foot));
    is_quiet(&scene(", regular_cells = 20", "min = [1, 6.5, 1]\nmax = [2, 7, 2]"));
    is_quiet(&scene(", regular_cells = 20", &format!("{pile}\nmotion = {{ velocity = [0.1, 0, 0] }}")));
}

/// A column behind a gate: what counts is where water is, and a tank that is dry is to be filled.
#[test]
fn an_obstacle_where_all_the_water_is() {
    let scene = |boxes: &str, to: f64| {
        read(&format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [4, 2, 2], cell = 0.1 }}\n\
             water = {{ solver = 'uniform', boxes = [{boxes}] }}\n\
             [[obstacle]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [{to}, 2, 2]\n"
        ))
    };
    let column = "{ min = [0, 0, 0], max = [1, 1, 2] }";
    warns(&scene(column, 1.0), 4, "100 % of the water at the start", "x from 0 to 4 m");
    is_quiet(&scene(column, 0.5));
    is_quiet(&scene("", 1.0));
    warns(&scene("", 4.0), 4, "100 % of the domain", "elevations from 0 to 2 m");
}

#[test]
fn waves_higher_than_the_water() {
    let wave = |amplitude: f64| tank(&format!("[boundary.west]\nkind = 'wave'\namplitude = {amplitude}\nperiod = 4"));
    warns(&wave(0.4), 6, "waves 0.8000 m high come in over water of 1.000 m at most", "here 0.7800 m");
    is_quiet(&wave(0.35));
    // The bed rises to the east, where the water is 0.2 m deep.
    let slope = "[terrain]\nshapes = [{ shape = 'slope', from = [0, 0], to = [4, 0], heights = [0, 0.81] }]";
    let east = |amplitude: f64| {
        let side = format!("boundary.east = {{ kind = 'wave', amplitude = {amplitude}, period = 2 }}");
        tank(&format!("{side}\n{slope}"))
    };
    warns(&east(0.1), 4, "over water of 0.2", "raise the water");
    is_quiet(&east(0.05));
    let dry = "[terrain]\nshapes = [{ shape = 'slope', from = [0, 0], to = [4, 0], heights = [0, 2] }]";
    let scene = tank(&format!("boundary.east = {{ kind = 'wave', amplitude = 0.1, period = 2 }}\n{dry}"));
    warns(&scene, 4, "come in over dry ground", "take a side with water");
}

/// In 1 m of water waves of 1 s are 1.56 m long, and none of them is higher than 0.142 · 1.56 m · tanh 4.03.
#[test]
fn waves_too_steep_for_their_length() {
    let wave = |amplitude: f64| tank(&format!("[boundary.west]\nkind = 'wave'\namplitude = {amplitude}\nperiod = 1"));
    warns(&wave(0.115), 6, "waves 0.2300 m high come in, and are only 1.560 m long", "before they are 0.2214 m high");
    is_quiet(&wave(0.105));
}

#[test]
fn a_sea_higher_than_the_water() {
    let sea = |height: f64| tank(&format!("boundary.north = 'ocean'\n[waves]\nwind = 5\nheight = {height}"));
    warns(&sea(1.5), 7, "waves 1.500 m high", "raise the water");
    is_quiet(&sea(0.1));
}

#[test]
fn crests_above_the_domain() {
    let text = |level: f64| {
        format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [4, 2, 2], cell = 0.1 }}\n\
             water = {{ solver = 'tall-cells', level = {level} }}\n\
             boundary.west = {{ kind = 'wave', amplitude = 0.5, period = 4 }}\n"
        )
    };
    warns(
        &read(&text(1.8)),
        4,
        "crests of the waves are at 2.3 m, above the domain, which ends at 2 m",
        "raise `size`",
    );
    is_quiet(&read(&text(1.4)));
}

#[test]
fn a_tide_that_falls_below_the_ground() {
    let tide = |amplitude: f64| {
        read(&format!(
            "scene = {{ name = 'a', duration = 100 }}\ndomain = {{ size = [40, 2, 20], cell = 1 }}\nwater.level = 1\n\
             [boundary.west]\nkind = 'inflow'\nsurface = {{ sine = {{ mean = 1, amplitude = {amplitude}, period = 20 }} }}\n"
        ))
    };
    warns(&tide(1.5), 6, "the surface falls to -0.5 m at this side", "raise `mean`");
    is_quiet(&tide(0.9));
}

#[test]
fn ground_far_above_the_domain() {
    let hill = |height: f64| {
        let shape =
            format!("{{ shape = 'cone', center = [2, 1], base_radius = 1, top_radius = 0.5, height = {height} }}");
        tank(&format!("[terrain]\nshapes = [{shape}]"))
    };
    let scene = hill(300.0);
    warns(&scene, 4, "rises to 300.0 m, far above the domain, which ends at 2 m", "raise `size`");
    is_quiet(&hill(2.5));
}

/// The domain begins at the lowest ground: with all of it far up there is no water left.
#[test]
fn water_below_all_of_the_ground() {
    let plane = |height: f64| tank(&format!("[terrain]\nshapes = [{{ shape = 'plane', height = {height} }}]"));
    warns(&plane(300.0), 3, "no water up to 1 m: the lowest ground is at 300.0 m", "count from the same zero");
    is_quiet(&plane(0.5));
    let boxes = |top: f64| {
        read(&format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [400, 5, 200], cell = 1 }}\n\
             terrain.shapes = [{{ shape = 'slope', from = [0, 0], to = [400, 0], heights = [20, 30] }}]\n[water]\nboxes = [\n\
             {{ min = [0, 0, 0], max = [100, {top}, 100] }},\n]\n"
        ))
    };
    warns(&boxes(5.0), 6, "no water up to 5 m", "raise the water");
    is_quiet(&boxes(25.0));
}

#[test]
fn meshes_in_millimetres() {
    let mesh =
        |scale: &str| tank(&format!("[[obstacle]]\nshape = 'mesh'\n{scale}\nfile = 'flat.obj'\nposition = [1, 0, 1]"));
    warns(&mesh(""), 7, "the mesh is 400.0 m long, the domain 4.000 m", "in millimetres, set `scale = 0.001`");
    warns(&mesh("scale = 2"), 7, "800.0 m long", "in millimetres, set `scale = 0.002`");
    warns(&mesh("scale = 0.2"), 7, "80.00 m long", "in centimetres, set `scale = 0.002`");
    is_quiet(&mesh("scale = 0.001"));
    // The file was in metres after all.
    warns(&mesh("scale = 0.0001"), 7, "less than a cell of 0.1 m", "set `scale`");
}

#[test]
fn meshes_inside_out_and_thinner_than_a_cell() {
    let obstacle = |file: &str| {
        tank(&format!("[[obstacle]]\nshape = 'mesh'\nscale = 0.001\nfile = '{file}'\nposition = [1, 0.5, 1]"))
    };
    let body = |file: &str| {
        tank(&format!(
            "[[body]]\nname = 'a'\nshape = 'mesh'\nscale = 0.001\nfile = '{file}'\nposition = [1, 0.5, 1]\ndensity = 500"
        ))
    };
    for (scene, line) in [(obstacle("inwards.obj"), 7), (body("inwards.obj"), 8)] {
        warns(&scene, line, "the mesh is inside out", "normals outwards");
    }
    // 0.4 x 0.02 x 0.4 m: all but the edges.
    let thin = "91 % of the mesh has less than a cell of 0.1 m between its sides: 0.02000 m at [";
    for (scene, line, of) in [(obstacle("sheet.obj"), 7, "]"), (body("sheet.obj"), 8, "] of its own coordinates")] {
        warns(&scene, line, thin, "make it thicker");
        assert!(scene.warnings[0].message.ends_with(of), "{}", scene.warnings[0].message);
    }
    is_quiet(&obstacle("flat.obj"));
    is_quiet(&body("flat.obj"));
}

#[test]
fn bodies_in_millimetres() {
    let body = |shape: &str| tank(&format!("[[body]]\nname = 'a'\n{shape}"));
    let hint = "set `scale = 0.001`";
    warns(&body("position = [1, 1, 1]\nshape = 'mesh'\nfile = 'flat.obj'"), 8, "400.0 m long", hint);
    warns(&body("position = [-199, 1, -199]\nshape = 'hull'\nfile = 'flat.obj'"), 8, "400.0 m long", hint);
    let parts = "position = [-199, 1, -199]\nshape = 'compound'\nparts = [\n{ shape = 'sphere', radius = 0.1 },\n{ shape = 'mesh', file = 'flat.obj' },\n]";
    warns(&body(parts), 10, "400.0 m long", hint);
    is_quiet(&body("position = [1, 1, 1]\nshape = 'mesh'\nfile = 'flat.obj'\nscale = 0.001"));
    // Points are in metres for sure.
    is_quiet(&body(
        "position = [1, 1, 1]\nshape = 'hull'\npoints = [[0, 0, 0], [0.05, 0, 0], [0, 0.05, 0], [0, 0, 0.05]]",
    ));
}
