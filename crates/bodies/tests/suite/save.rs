//! The same bits, from run to run and after load; and no panic whatever is asked.
use thalweg_bodies::{
    Body, BodyPart, Coupling, GroundHeights, Impulse, LoadError, Locks, Mass, Mooring, Motion, Obstacle, PartShape,
    Pose, Solid, Spin, Travel, Walls, Wet, World, WorldSetup,
};

use crate::shapes::{ball, block, capsule, cone, cylinder, mesh};

const DT: f64 = 1.0 / 30.0;

/// Bodies of all shapes on hills, in contact.
fn busy() -> WorldSetup {
    let tetrahedron = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let part = |shape: PartShape, position| vec![BodyPart { shape, pose: Pose::at(position) }];
    let solid = |solid: Solid| part(solid.into(), [0.0; 3]);
    let shapes = [
        solid(block([0.4, 0.3, 0.5])),
        solid(ball(0.4)),
        solid(capsule(0.4, 0.2)),
        solid(cylinder(0.3, 0.4)),
        solid(cone(0.5, [0.4, 0.1])),
        part(PartShape::Hull { points: tetrahedron.clone() }, [0.0; 3]),
        solid(mesh(tetrahedron, faces)),
        [solid(block([0.6, 0.1, 0.1])), part(ball(0.3).into(), [0.6, 0.0, 0.0])].concat(),
    ];
    let place = |n: usize| [2.0 + 0.9 * (n % 4) as f64, 2.0 + 1.1 * (n / 4) as f64, 3.0 + 0.3 * (n % 3) as f64];
    let body =
        |(n, parts): (usize, Vec<BodyPart>)| Body { parts, ..Body::new(format!("body-{n}"), ball(1.0), place(n)) };
    let mut bodies: Vec<Body> = shapes.iter().cycle().take(16).cloned().enumerate().map(body).collect();
    bodies[3].moorings =
        vec![Mooring { at: [0.1; 3], anchor: [4.0, 6.0, 3.0], length: 2.0, stiffness: 3e3, damping: 10.0 }];
    let heights = (0..8 * 8).map(|n| ((n * 7) % 5) as f32 * 0.2).collect();
    let ground = Some(GroundHeights { nx: 8, nz: 8, cell: 1.0, origin: [0.0; 2], heights });
    let walls = Walls { west: Some(0.0), east: Some(8.0), south: Some(0.0), north: Some(8.0), floor: Some(-1.0) };
    let path = Motion { travel: Travel::Rest, spin: Some(Spin { axis: [0.0, 1.0, 0.0], rate: 2.0, pivot: None }) };
    let mill = Obstacle { motion: Some(path), ..Obstacle::at_rest(block([2.0, 0.3, 0.1]).moved([4.0, 1.0, 4.0])) };
    WorldSetup { ground, walls, obstacles: vec![mill], bodies, ..WorldSetup::default() }
}

fn go(world: &mut World, steps: u32) {
    for n in 0..steps {
        world.predict(DT).unwrap();
        let push = |k: usize| Impulse { linear: [0.0, 20.0 * f64::from(n % 3), k as f64], angular: [0.1, 0.0, 0.0] };
        let impulses: Vec<_> = (0..world.len()).map(push).collect();
        world.receive(DT, &impulses).unwrap();
        world.submerge(&vec![Wet { displaced: 0.05, area: [0.1; 3], ..Wet::default() }; impulses.len()]).unwrap();
    }
}

#[test]
fn two_runs_have_the_same_bits() {
    let run = || {
        let mut world = World::new(&busy()).unwrap();
        go(&mut world, 90);
        world
    };
    let (a, b) = (run(), run());
    assert_eq!(a.states(), b.states());
    assert_eq!(a.save(), b.save());
}

#[test]
fn what_is_loaded_goes_on_with_the_same_bits() {
    let mut world = World::new(&busy()).unwrap();
    for pause in [0, 1, 45] {
        go(&mut world, pause);
        world.grab(0, [0.1; 3], [4.0, 3.0, 4.0]).unwrap();
        let mut loaded = World::load(&world.save()).unwrap();
        assert_eq!(loaded.states(), world.states());
        let mut whole = World::load(&world.save()).unwrap();
        go(&mut loaded, 60);
        go(&mut whole, 60);
        assert_eq!(loaded.states(), whole.states());
        let mut straight = World::new(&busy()).unwrap();
        // The world that was never saved.
        std::mem::swap(&mut straight, &mut world);
        go(&mut straight, 60);
        assert_eq!(loaded.states(), straight.states(), "after {pause} steps");
        world = loaded;
    }
}

#[test]
fn damaged_bytes_are_told_and_never_read() {
    let mut world = World::new(&busy()).unwrap();
    go(&mut world, 20);
    let bytes = world.save();
    assert!(matches!(World::load(b""), Err(LoadError::NotBodies)));
    assert!(matches!(World::load(b"THWBODY\n"), Err(LoadError::Damaged(_))));
    let mut other = bytes.clone();
    other[8] = 9;
    assert!(matches!(World::load(&other), Err(LoadError::Version { found: 9, wanted: 1 })));
    for cut in [9, 15, 20, 21, bytes.len() / 2, bytes.len() - 1] {
        assert!(matches!(World::load(&bytes[..cut]), Err(LoadError::Damaged(_))), "{cut}");
    }
    for at in (20..bytes.len()).step_by(bytes.len() / 97) {
        let mut other = bytes.clone();
        other[at] ^= 0x10;
        assert!(matches!(World::load(&other), Err(LoadError::Damaged(_))), "{at}");
    }
}

/// A generator of numbers, nice and not.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.bits().is_multiple_of(n)
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn number(&mut self) -> f64 {
        match self.bits() % 24 {
            0 => 0.0,
            1 => -self.unit(),
            2 => f64::NAN,
            3 => f64::INFINITY,
            4 => 1e-7 * self.unit(),
            5 => 1e7 * self.unit(),
            _ => 0.05 + self.unit(),
        }
    }

    fn point(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.number())
    }

    fn pose(&mut self) -> Pose {
        let near = std::array::from_fn(|_| 6.0 * self.unit());
        match self.bits() % 20 {
            0 => Pose { position: self.point(), rotation: [0.0, 0.0, 0.0, 1.0] },
            1 => Pose { position: near, rotation: [self.number(); 4] },
            _ => Pose::turned(near, [self.unit(), 1.0, self.unit()], 6.0 * self.unit()),
        }
    }

    fn solid(&mut self) -> Solid {
        match self.bits() % 6 {
            0 => block(self.point()),
            1 => ball(self.number()),
            2 => capsule(self.number(), self.number()),
            3 => cylinder(self.number(), self.number()),
            4 => cone(self.number(), [self.number(), self.number()]),
            _ => {
                let vertices = (0..4).map(|_| self.point()).collect();
                mesh(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
            }
        }
    }

    fn shape(&mut self) -> PartShape {
        match self.bits() % 8 {
            0 => PartShape::Hull { points: (0..self.bits() % 12).map(|_| self.point()).collect() },
            1 => ball(0.3).into(),
            _ => self.solid().into(),
        }
    }

    fn body(&mut self, n: usize) -> Body {
        let mut body = Body::new(format!("b{n}"), self.shape(), [0.0; 3]);
        if self.one_in(8) {
            body.parts = (0..self.bits() % 4).map(|_| BodyPart { shape: self.shape(), pose: self.pose() }).collect();
        }
        body.pose = self.pose();
        if self.one_in(3) {
            body.mass = if self.one_in(2) { Mass::Mass(self.number()) } else { Mass::Density(1e3 * self.number()) };
        }
        if self.one_in(8) {
            body.velocity = self.point();
            body.inertia = Some(self.point());
            body.center_of_mass = Some(self.point());
        }
        if self.one_in(6) {
            let (length, stiffness, damping) = (self.number(), 1e4 * self.number(), self.number());
            body.moorings = vec![Mooring { at: self.point(), anchor: self.point(), length, stiffness, damping }];
        }
        body.locks = Locks { translation: [self.one_in(9); 3], rotation: [self.one_in(9); 3] };
        if self.one_in(8) {
            let travel = Travel::Path { points: [[0.0; 4], [self.number(), 1.0, 1.0, self.number()]].into() };
            let spin = Some(Spin { axis: self.point(), rate: self.number(), pivot: None });
            body.motion = Some(Motion { travel, spin });
        }
        body
    }
}

#[test]
fn no_setup_makes_it_panic() {
    let (mut made, mut refused) = (0, 0);
    for seed in 1..400_u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let bodies = (0..random.bits() % 4).map(|n| random.body(n as usize)).collect();
        let obstacle = Obstacle::at_rest(random.solid().moved(random.point()));
        let heights = (0..9).map(|_| random.unit() as f32).collect();
        let ground = GroundHeights { nx: 3, nz: 3, cell: random.number(), origin: [0.0; 2], heights };
        let coupling = if seed.is_multiple_of(2) { Coupling::Pressure } else { Coupling::Buoyancy };
        let setup = WorldSetup {
            coupling,
            ground: (seed.is_multiple_of(3)).then_some(ground),
            walls: Walls { floor: (!seed.is_multiple_of(5)).then(|| random.unit()), ..Walls::default() },
            obstacles: if seed.is_multiple_of(4) { vec![obstacle] } else { Vec::new() },
            bodies,
            ..WorldSetup::default()
        };
        let Ok(mut world) = World::new(&setup) else {
            refused += 1;
            continue;
        };
        made += 1;
        for _ in 0..10 {
            if world.predict(DT).is_err() {
                break;
            }
            let impulses = vec![Impulse { linear: random.point(), angular: random.point() }; world.len()];
            let _ = world.receive(DT, &impulses);
            assert!(world.states().iter().all(|state| state.velocity.iter().all(|v| v.is_finite())));
        }
    }
    assert!(made > 50 && refused > 50, "{made} worlds, {refused} refused");
}
