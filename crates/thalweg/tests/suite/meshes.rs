//! Meshes of any size beside the domain of a scene: water and forces are those of the shapes that they stand for.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use thalweg::{Backend, Error, LowestGround, Scene, Simulation};
use thalweg_scene::Files;

type Surface = (Vec<[f64; 3]>, Vec<[usize; 3]>);

/// A cube of edge 1 from the origin.
fn cube() -> Surface {
    let corner = |n: usize| std::array::from_fn(|axis| (n >> axis & 1) as f64);
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// A sphere of radius 1 around the origin, with more triangles towards its top: a dome of a thousandth of it is round, too.
fn sphere() -> Surface {
    let (rings, around) = (96, 192);
    let mut vertices = vec![[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
    for ring in 1..rings {
        let (s, c) = (PI * (ring as f64 / rings as f64).powi(4)).sin_cos();
        for n in 0..around {
            let (sn, cn) = (TAU * n as f64 / around as f64).sin_cos();
            vertices.push([s * cn, c, s * sn]);
        }
    }
    let at = |ring: usize, n: usize| 2 + (ring - 1) * around + n % around;
    let mut triangles = Vec::new();
    for n in 0..around {
        triangles.extend([[0, at(1, n + 1), at(1, n)], [1, at(rings - 1, n), at(rings - 1, n + 1)]]);
        for ring in 1..rings - 1 {
            triangles.push([at(ring, n), at(ring, n + 1), at(ring + 1, n)]);
            triangles.push([at(ring, n + 1), at(ring + 1, n + 1), at(ring + 1, n)]);
        }
    }
    (vertices, triangles)
}

fn obj((vertices, triangles): &Surface, size: f64, place: [f64; 3]) -> String {
    let mut text = String::new();
    for v in vertices {
        let [x, y, z] = [0, 1, 2].map(|axis| size * v[axis] + place[axis]);
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for [a, b, c] in triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

/// A tank of 4 m with water up to 1.5 m and a solid in it, far from the origin of the world by `way` along x.
fn tank(way: f64, solid: &str, file: &str) -> Scene {
    let end = way + 4.0;
    let text = format!(
        "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [4, 2, 2], cell = 0.1, origin = [{way}, 0] }}\n\
         terrain.shapes = [{{ shape = 'slope', from = [{way}, 0], to = [{end}, 0], heights = [0, 0] }}]\n\
         water = {{ solver = 'uniform', level = 1.5 }}\n{solid}\n[[probe]]\nname = 'f'\nkind = 'force'\nobstacle = 'solid'\n"
    );
    Scene::with_files(&text, "a.toml", &Files::Table(&[("a.obj", file.as_bytes())]))
        .unwrap_or_else(|error| panic!("{error}"))
}

const MESH: &str = "[[obstacle]]\nname = 'solid'\nshape = 'mesh'\nfile = 'a.obj'\n";

/// Volume of the water and force on the solid after some steps, m³ and N.
fn rest(scene: Scene) -> (f64, Vec<f64>) {
    let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap_or_else(|error| panic!("{error}"));
    (0..4).for_each(|_| simulation.step(0.02).unwrap());
    (simulation.statistics().unwrap().volume, simulation.read_probes().unwrap())
}

/// The same water and the same force, within 1 % of it.
fn check(name: &str, mesh: (f64, Vec<f64>), shape: (f64, Vec<f64>)) {
    let size = shape.1.iter().map(|f| f * f).sum::<f64>().sqrt();
    let off = mesh.1.iter().zip(&shape.1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size;
    let water = mesh.0 - shape.0;
    println!("{name}: water {:.4} m³ ({water:+.5}), force {:.0?} N ({:.3} %)", shape.0, shape.1, 100.0 * off);
    assert!(size > 100.0 && off < 0.01, "{name}: {mesh:?} and {shape:?}");
    assert!(water.abs() < 1e-3 * shape.0, "{name}: {mesh:?} and {shape:?}");
}

#[test]
fn cubes_of_any_size_are_boxes() {
    for factor in [0.5, 1.0, 10.0, 100.0, 1000.0] {
        let edge = 4.0 * factor;
        // Its upper corner is in the water, the rest below the floor and beyond the walls.
        let low = [2.03, 1.07 - edge, 0.57];
        let high = low.map(|v| v + edge);
        let shape = format!("[[obstacle]]\nname = 'solid'\nshape = 'box'\nmin = {low:?}\nmax = {high:?}");
        let mesh = rest(tank(0.0, MESH, &obj(&cube(), edge, low)));
        check(&format!("cube of {factor} domains"), mesh, rest(tank(0.0, &shape, "")));
    }
}

#[test]
fn spheres_of_any_size_are_spheres() {
    for factor in [0.5, 1.0, 10.0, 100.0, 1000.0] {
        let radius = 2.0 * factor;
        let center = [2.3, 0.83 - radius, 1.1];
        let shape = format!("[[obstacle]]\nname = 'solid'\nshape = 'sphere'\ncenter = {center:?}\nradius = {radius}");
        let mesh = rest(tank(0.0, MESH, &obj(&sphere(), radius, center)));
        check(&format!("sphere of {factor} domains"), mesh, rest(tank(0.0, &shape, "")));
    }
}

/// A cube around the whole tank leaves no water in it; one far from the world's origin is where it is, to a part of a cell.
#[test]
fn no_water_is_left_inside_and_no_digit_is_lost_far_away() {
    for edge in [9.0, 900.0, 9000.0] {
        let file = obj(&cube(), edge, [2.0 - 0.5 * edge, 1.0 - 0.5 * edge, 1.0 - 0.5 * edge]);
        let simulation = Simulation::new(tank(0.0, MESH, &file), Backend::Cpu);
        let volume = simulation.unwrap_or_else(|error| panic!("{error}")).statistics().unwrap().volume;
        println!("inside a cube of {edge} m: {volume} m³");
        assert_eq!(volume, 0.0);
    }
    let near = rest(tank(0.0, MESH, &obj(&cube(), 3.0, [2.03, -1.93, 0.57])));
    let far = rest(tank(1e6, MESH, &obj(&cube(), 3.0, [1e6 + 2.03, -1.93, 0.57])));
    check("a million metres away", far, near.clone());
    // Vertices far from the file's own origin, too.
    let back = format!("{MESH}position = [-1e6, 5e5, 0]\n");
    check("moved back", rest(tank(0.0, &back, &obj(&cube(), 3.0, [1e6 + 2.03, -5e5 - 1.93, 0.57]))), near);
}

/// What moves is looked at wherever it comes into the domain; what cannot be is refused at its line.
#[test]
fn large_meshes_may_move_and_those_that_are_too_large_are_refused() {
    // A wall of 4 km goes 0.2 m into the tank.
    let file = obj(&cube(), 4000.0, [-4000.0 + 0.55, -2000.0, -2000.0]);
    let text = format!("{MESH}motion.path = {{ points = [[0, 0, 0, 0], [0.08, 0.2, 0, 0]] }}\n");
    let (volume, force) = rest(tank(0.0, &text, &file));
    let shape = "[[obstacle]]\nname = 'solid'\nshape = 'box'\nmin = [-5, -5, -5]\nmax = [0.55, 5, 5]\n\
                 motion.path = { points = [[0, -2.225, 0, 0], [0.08, -2.025, 0, 0]] }\n";
    let wanted = rest(tank(0.0, shape, ""));
    println!("a wall of 4 km: {volume} m³ and {force:?} N, a box {wanted:?}");
    assert!((volume / wanted.0 - 1.0).abs() < 1e-3 && (force[0] / wanted.1[0] - 1.0).abs() < 0.01);

    let spinning = format!("{MESH}motion.spin = {{ rate = 0.1 }}\n");
    let scene = tank(0.0, &spinning, &file);
    let Err(Error::Scene(before)) = thalweg::check(&scene, &LowestGround { anywhere: 0.0, sides: [0.0; 4] }) else {
        panic!("not refused")
    };
    let Err(Error::Scene(later)) = Simulation::new(scene, Backend::Cpu) else { panic!("not refused") };
    for error in [before, later] {
        let [found] = error.diagnostics() else { panic!("{error}") };
        assert!(found.message.contains("obstacle 1 has too much surface"), "{}", found.message);
        assert!(found.message.contains("`spin`") && found.message.contains("`cell`"), "{}", found.message);
        assert_eq!(found.line(), Some(5));
    }
}
