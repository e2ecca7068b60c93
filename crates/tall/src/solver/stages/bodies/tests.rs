use thalweg_compute::parity::Rng;
use thalweg_compute::{Dispatch, Executor};

use super::parity::{BODIES, Slots, TestBodies, test_bodies};
use super::{Assemble, BodiesParams, CHUNK, Couple, LINK_ROWS, Press, SIDE_ROWS, STILLS, Sides, word};
use crate::testing::SceneBuffers;

/// The second matrix is symmetric: `y·C x = x·C y`, and `x·C x` is what [`Couple`] adds to the sums.
#[test]
fn the_coupling_is_symmetric() {
    let exec = Executor::cpu().expect("an executor");
    let mut rng = Rng::new(7);
    for _ in 0..6 {
        let mut test_bodies = test_bodies(&exec, &mut rng).expect("memory");
        // Every column whole, so that every cell beside a face counts it; nobody is deep; inertia is symmetric.
        let (shape, len) = (test_bodies.scene.shape, test_bodies.scene.shape.len());
        let all = |body: i32| (0..shape.columns() as i32).map(move |column| [body, column, -1000, 1000]);
        let slots = Slots::new(all(0).chain(all(1)).collect(), all(0).collect(), shape.samples());
        let mut words = exec.read(&test_bodies.bodies).expect("words");
        for body in 0..BODIES {
            let own = &mut words[body * word::COUNT..][..word::COUNT];
            (own[word::FIRST], own[word::CHUNKS]) = slots.chunks_of_bodies[body];
            own[word::DEEP] = 0.0;
            own[word::PER_MASS..word::PER_MASS + 3].fill(0.4);
            own[word::PER_INERTIA..word::PER_INERTIA + 9]
                .copy_from_slice(&[0.3, 0.1, 0.0, 0.1, 0.2, 0.05, 0.0, 0.05, 0.1]);
        }
        test_bodies.bodies = exec.buffer_from("bodies", &words).expect("memory");
        test_bodies.stills = exec.buffer("stills", STILLS * slots.chunks).expect("memory");
        test_bodies.links = exec.buffer("links", LINK_ROWS * CHUNK * slots.chunks).expect("memory");
        test_bodies.sides = exec.buffer("sides", SIDE_ROWS * CHUNK * slots.side_groups()).expect("memory");
        test_bodies.items = exec.buffer_from("items", &slots.list).expect("memory");
        test_bodies.columns = exec.buffer_from("columns", &slots.columns).expect("memory");
        test_bodies.params = BodiesParams {
            items: slots.items as u32,
            chunks: slots.chunks as u32,
            columns: slots.columns.len() as u32,
            levels: slots.levels as u32,
            changes: 1,
            dot_at: 0,
            ..test_bodies.params
        };
        let cells = exec.read(&test_bodies.cells).expect("cells");
        // Vectors are 0 where there is no unknown.
        let vector = |rng: &mut Rng| -> Vec<f32> {
            let values = rng.f32s(len, -1.0, 1.0);
            values.iter().zip(&cells[3 * len..]).map(|(v, d)| if *d > 0.0 { *v } else { 0.0 }).collect()
        };
        let product = |x: &[f32]| {
            let TestBodies {
                buffers: SceneBuffers { heights, aperture, .. },
                cells,
                owner,
                bodies,
                items,
                columns,
                links,
                stills,
                sides,
                ..
            } = &test_bodies;
            let (x, q) = (exec.buffer_from("x", x).expect("x"), exec.buffer("q", len).expect("q"));
            let partials = exec.buffer("partials", 1).expect("partials");
            let mut rec = exec.record();
            let assemble = Assemble { heights, cells, aperture, owner, bodies, items, links, stills };
            rec.run(&assemble, &test_bodies.params, Dispatch::Elements(slots.chunks * CHUNK)).expect("links");
            let find = Sides { heights, cells, aperture, owner, bodies, columns, sides };
            rec.run(&find, &test_bodies.params, Dispatch::Elements(slots.columns.len() * slots.levels)).expect("sides");
            rec.run(&Press { links, x: &x, bodies }, &test_bodies.params, Dispatch::Groups([1, 1, 1])).expect("press");
            let couple = Couple { sides, bodies, q: &q, partials: &partials };
            rec.run(&couple, &test_bodies.params, Dispatch::Groups([1, 1, 1])).expect("couple");
            rec.submit().expect("a product");
            (exec.read(&q).expect("q"), exec.read(&partials).expect("partials")[0])
        };
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let (x, y) = (vector(&mut rng), vector(&mut rng));
        let ((cx, energy), (cy, _)) = (product(&x), product(&y));
        let (own, there, back) = (dot(&x, &cx), dot(&y, &cx), dot(&x, &cy));
        let scale = own.abs().max(1e-3);
        assert!(own >= 0.0 && (own - f64::from(energy)).abs() < 1e-4 * scale, "{own} and {energy}");
        assert!((there - back).abs() < 1e-4 * scale, "{there} and {back} of {scale}");
    }
}
