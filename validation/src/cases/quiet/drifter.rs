//! A body let go in a basin, and how much energy it has there.

use thalweg::rigid::BodyState;
use thalweg_compute::Rng;

use crate::floating::WATER;
use crate::rig::GRAVITY;

/// Points along the longest edge of the box around a body, for sums over its volume.
const POINTS: usize = 20;

/// A shape about the origin of its frame; lengths in m.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    Box([f64; 3]),
    Sphere(f64),
    /// Length between the ends along x, and radius.
    Capsule(f64, f64),
    Cylinder(f64, f64),
    /// A box whose bottom is narrower by a share.
    Boat([f64; 3], f64),
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Sphere(_) => "sphere",
            Self::Capsule(..) => "capsule",
            Self::Cylinder(..) => "cylinder",
            Self::Boat(..) => "boat",
        }
    }

    /// Its keys in a scene.
    fn keys(self) -> String {
        let ends = |half: f64| format!("from = [{:?}, 0, 0]\nto = [{half:?}, 0, 0]", -half);
        match self {
            Self::Box(size) => format!("shape = 'box'\nsize = {size:?}"),
            Self::Sphere(radius) => format!("shape = 'sphere'\nradius = {radius:?}\ncenter = [0, 0, 0]"),
            Self::Capsule(length, radius) => {
                format!("shape = 'capsule'\n{}\nradius = {radius:?}", ends(0.5 * length))
            }
            Self::Cylinder(length, radius) => {
                format!("shape = 'cylinder'\n{}\nradius = {radius:?}", ends(0.5 * length))
            }
            Self::Boat(size, narrower) => {
                let [x, y, z] = size.map(|v| 0.5 * v);
                let corner = |n: usize| {
                    let [right, up, front] = [0, 1, 2].map(|bit| n >> bit & 1 == 1);
                    let width = if up { 1.0 } else { narrower };
                    let sign = |is: bool, v: f64| if is { v } else { -v };
                    [sign(right, width * x), sign(up, y), sign(front, width * z)]
                };
                format!("shape = 'hull'\npoints = {:?}", (0..8).map(corner).collect::<Vec<_>>())
            }
        }
    }

    /// Half the edges of the box around it.
    fn half(self) -> [f64; 3] {
        match self {
            Self::Box(size) | Self::Boat(size, _) => size.map(|v| 0.5 * v),
            Self::Sphere(radius) => [radius; 3],
            Self::Capsule(length, radius) => [0.5 * length + radius, radius, radius],
            Self::Cylinder(length, radius) => [0.5 * length, radius, radius],
        }
    }

    /// Whether a point of the box around it is in it.
    fn holds(self, [x, y, z]: [f64; 3]) -> bool {
        match self {
            Self::Box(_) => true,
            Self::Sphere(radius) => x * x + y * y + z * z <= radius * radius,
            Self::Capsule(length, radius) => {
                let beyond = (x.abs() - 0.5 * length).max(0.0);
                beyond * beyond + y * y + z * z <= radius * radius
            }
            Self::Cylinder(_, radius) => y * y + z * z <= radius * radius,
            Self::Boat([a, height, c], narrower) => {
                let width = narrower + (1.0 - narrower) * (y / height + 0.5);
                x.abs() <= 0.5 * width * a && z.abs() <= 0.5 * width * c
            }
        }
    }
}

/// A body, the axis and angle (°) of its turn when it is let go, its density (kg/m³), how far its middle is over the
/// level, and how deep the water is (m).
#[derive(Debug, Clone, Copy)]
pub(super) struct Release {
    pub(super) form: Form,
    pub(super) axis: [f64; 3],
    pub(super) degrees: f64,
    pub(super) density: f64,
    pub(super) up: f64,
    pub(super) depth: f64,
}

impl Release {
    /// A body of any kind, size, attitude and density, some of it in the water.
    pub(super) fn random(rng: &mut Rng) -> Self {
        let mut range = |low: f32, high: f32| f64::from(rng.range(low, high));
        let mut size = || range(0.25, 0.6);
        let size = [size(), size(), size()];
        let form = match range(0.0, 5.0) as u32 {
            0 => Form::Sphere(0.5 * size[0]),
            1 => Form::Capsule(size[0], 0.4 * size[1]),
            2 => Form::Cylinder(size[0], 0.5 * size[1]),
            3 => Form::Boat(size, range(0.4, 0.9)),
            _ => Form::Box(size),
        };
        Self {
            form,
            axis: [0; 3].map(|_| range(-1.0, 1.0)),
            degrees: range(0.0, 180.0),
            density: range(50.0, 950.0),
            up: range(-0.2, 0.2),
            depth: range(1.2, 3.0),
        }
    }

    /// What it is, in a few words.
    pub(super) fn name(&self) -> String {
        let size = self.form.half().map(|half| format!("{:.2}", 2.0 * half)).join(" × ");
        format!("{} of {size} m and {:.0} kg/m³", self.form.name(), self.density)
    }

    /// About what it has where it is `up` over its draft, J: `½ ρ g A up²`, `A` being the area of the box around it
    /// seen from above, unturned.
    pub(super) fn heave_energy(&self, up: f64) -> f64 {
        let [x, _, z] = self.form.half();
        0.5 * WATER * GRAVITY * 4.0 * x * z * up * up
    }

    /// Its keys in a scene, where its middle is over `[x, z]`. Without drag, so that what spins or rocks it shows.
    pub(super) fn keys(&self, [x, z]: [f64; 2]) -> String {
        let Self { form, axis, degrees, density, up, depth } = *self;
        format!(
            "{}\nposition = [{x:?}, {:?}, {z:?}]\nrotation = {{ axis = {axis:?}, degrees = {degrees:?} }}\ndensity = {density:?}\ndrag = 0",
            form.keys(),
            depth + up
        )
    }
}

/// A body as points that stand for equal parts of it, in a basin.
pub(super) struct Drifter {
    /// In the frame of the body, m.
    points: Vec<[f64; 3]>,
    /// Distance of the points, m.
    spacing: f64,
    /// Sum of `(x² + y² + z²) 1 − x xᵀ` over the points about their mean, divided by how many there are, m².
    inertia: [[f64; 3]; 3],
    /// Area of the basin, m².
    area: f64,
    level: f64,
    /// Volume of its water when the body is let go, m³, and what the simulation counts then; `None` before the first
    /// look.
    water: Option<[f64; 2]>,
    /// How much lower it is taken to be than it is, m, see [`Drifter::find_rest`].
    sunk: f64,
}

impl Drifter {
    /// `level` is that of the water when the body is let go.
    pub(super) fn new(form: Form, area: f64, level: f64) -> Self {
        let half = form.half();
        let spacing = 2.0 * half.iter().fold(0.0f64, |a, b| a.max(*b)) / POINTS as f64;
        let counts = half.map(|half| (2.0 * half / spacing).round().max(1.0));
        let along = |axis: usize| {
            let step = 2.0 * half[axis] / counts[axis];
            (0..counts[axis] as usize).map(move |n| (n as f64 + 0.5) * step - half[axis])
        };
        let all = along(0).flat_map(|x| along(1).flat_map(move |y| along(2).map(move |z| [x, y, z])));
        let points: Vec<[f64; 3]> = all.filter(|point| form.holds(*point)).collect();
        let count = points.len() as f64;
        let mean = [0, 1, 2].map(|n| points.iter().map(|p| p[n]).sum::<f64>() / count);
        let about = |a: usize, b: usize| {
            let product = |p: &[f64; 3]| (p[a] - mean[a]) * (p[b] - mean[b]);
            points.iter().map(product).sum::<f64>() / count
        };
        let trace = about(0, 0) + about(1, 1) + about(2, 2);
        let inertia = [0, 1, 2].map(|a| [0, 1, 2].map(|b| if a == b { trace } else { 0.0 } - about(a, b)));
        Self { points, spacing, inertia, area, level, water: None, sunk: 0.0 }
    }

    /// Kinetic energy, J.
    fn kinetic(&self, body: &BodyState) -> f64 {
        let [x, y, z, w] = body.pose.rotation;
        // Rates along the axes of the body: the turn undone.
        let back = thalweg::rigid::Pose { position: [0.0; 3], rotation: [-x, -y, -z, w] };
        let rates = back.point(body.rates);
        let turn: f64 =
            (0..3).map(|a| rates[a] * (0..3).map(|b| self.inertia[a][b] * rates[b]).sum::<f64>()).sum::<f64>();
        0.5 * body.mass * (body.velocity.iter().map(|v| v * v).sum::<f64>() + turn)
    }

    /// Potential energy of the body and of the water under a level surface, J: `m g y_c + ρ g (A h²/2 − ∫ y dV)` with
    /// the area `A` of the basin, the level `h = (W + V)/A` over the volume `W` of the water, and the integral over the
    /// part `V` of the body below that level.
    ///
    /// A simulation keeps `W` to a part in a thousand or so, and a level that rises by a millimetre lifts all that
    /// floats. That is no energy of the body: what a body at rest would have more, `ρ g/2A` times the change of
    /// `(W + m/ρ)²`, is taken off.
    fn potential(&mut self, body: &BodyState, counted: f64) -> f64 {
        let share = body.volume / self.points.len() as f64;
        let heights = self.heights(body);
        let began = self.area * self.level - share * self.wet_points(&heights, self.level);
        let [began, counted_then] = *self.water.get_or_insert([began, counted]);
        let water = began + counted - counted_then;
        let level = self.level_over(water, share, &heights);
        let moment = |y: f64| self.wet(y, level) * (y + 0.5 * self.spacing * (self.wet(y, level) - 1.0));
        let sunk = share * heights.iter().map(|y| moment(*y)).sum::<f64>();
        let at_rest = |water: f64| 0.5 * (water + body.mass / WATER).powi(2) / self.area;
        let lifted = at_rest(water) - at_rest(began);
        GRAVITY * (body.mass * body.centre_of_mass[1] + WATER * (0.5 * self.area * level * level - sunk - lifted))
    }

    /// Elevations of the points of a body, m.
    fn heights(&self, body: &BodyState) -> Vec<f64> {
        self.points.iter().map(|point| body.pose.point(*point)[1] - self.sunk).collect()
    }

    /// The part of a point's cell that is under a level, from 0 to 1.
    fn wet(&self, y: f64, level: f64) -> f64 {
        ((level - y) / self.spacing + 0.5).clamp(0.0, 1.0)
    }

    fn wet_points(&self, heights: &[f64], level: f64) -> f64 {
        heights.iter().map(|y| self.wet(*y, level)).sum()
    }

    /// The level of so much water around a body, m: it rises by a small part of what the body displaces more for it.
    fn level_over(&self, water: f64, share: f64, heights: &[f64]) -> f64 {
        (0..6).fold(self.level, |level, _| (water + share * self.wet_points(heights, level)) / self.area)
    }

    /// Finds how much too high or low the grid lets the body float, m, by the states in which it has come to rest: on
    /// the mean it should displace its weight. From then on its energy is that over where it floats. On a grid a body
    /// floats some hundredths of a cell from where it should, and without this a sphere of two cells radius that creeps
    /// there by a tenth of a millimetre would seem to gain energy.
    pub(super) fn find_rest(&mut self, began: &BodyState, at_rest: &[BodyState]) -> f64 {
        let share = began.volume / self.points.len() as f64;
        let water = self.area * self.level - share * self.wet_points(&self.heights(began), self.level);
        let lacks = |drifter: &Self| {
            let displaced = at_rest.iter().map(|body| {
                let heights = drifter.heights(body);
                share * drifter.wet_points(&heights, drifter.level_over(water, share, &heights))
            });
            displaced.sum::<f64>() / at_rest.len() as f64 - began.mass / WATER
        };
        let mut range = [-2.0, 2.0].map(|lengths| lengths * self.spacing * POINTS as f64);
        for _ in 0..40 {
            self.sunk = 0.5 * (range[0] + range[1]);
            // The lower it is taken to be, the more it displaces.
            range[usize::from(lacks(self) > 0.0)] = self.sunk;
        }
        self.sunk
    }

    /// Kinetic and potential energy, J, the latter from any zero. `counted` is the volume of the water as the
    /// simulation counts it, m³.
    pub(super) fn energy(&mut self, body: &BodyState, counted: f64) -> [f64; 2] {
        [self.kinetic(body), self.potential(body, counted)]
    }
}

#[cfg(test)]
mod tests {
    use thalweg::rigid::Pose;

    use super::*;

    fn state(pose: Pose, mass: f64, volume: f64) -> BodyState {
        BodyState {
            name: "body".into(),
            pose,
            centre_of_mass: pose.position,
            velocity: [0.0; 3],
            rates: [0.0; 3],
            force: [0.0; 3],
            torque: [0.0; 3],
            mass,
            volume,
            is_kinematic: false,
        }
    }

    /// A box that stays upright: its potential is that of a spring of `ρ g` times the area that it cuts out of the
    /// surface, over one less that share of the basin, for the level falls as it rises.
    #[test]
    fn a_box_bobs_on_a_spring() {
        let (size, area) = ([0.5, 0.3, 0.4], 2.0);
        let mut drifter = Drifter::new(Form::Box(size), area, 1.0);
        let volume = 0.06;
        let energy = |drifter: &mut Drifter, y: f64| {
            drifter.energy(&state(Pose::at([1.0, y, 1.0]), 0.5 * WATER * volume, volume), 2.0)[1]
        };
        let [rest, low, high] = [0.0, -0.04, 0.06].map(|up| energy(&mut drifter, 1.0 + up));
        let stiffness = WATER * GRAVITY * 0.2 / (1.0 - 0.2 / area);
        for (found, up) in [(low, 0.04), (high, 0.06)] {
            let wanted = 0.5 * stiffness * up * up;
            assert!(((found - rest) / wanted - 1.0).abs() < 0.01, "{} J, not {wanted}", found - rest);
        }
        // With 4 mm more of water it rests as much higher, and has no more energy.
        let lifted = drifter.energy(&state(Pose::at([1.0, 1.004, 1.0]), 0.5 * WATER * volume, volume), 2.008)[1];
        assert!((lifted - rest).abs() < 0.01 * stiffness * 0.004 * 0.004, "{} J", lifted - rest);
    }

    #[test]
    fn a_box_that_spins_has_the_energy_of_its_inertia() {
        let size = [0.5, 0.3, 0.4];
        let mut drifter = Drifter::new(Form::Box(size), 2.0, 1.0);
        let turned = Pose::turned([1.0, 3.0, 1.0], [0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2);
        // Around x of the world, which is −y of the box.
        let body = BodyState { rates: [2.0, 0.0, 0.0], velocity: [0.0, 0.0, 1.0], ..state(turned, 30.0, 0.06) };
        let wanted = 0.5 * 30.0 * (1.0 + 4.0 * (0.25 + 0.16) / 12.0);
        assert!((drifter.energy(&body, 2.0)[0] / wanted - 1.0).abs() < 0.01);
    }
}
