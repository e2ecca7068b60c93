//! Bodies of the kernels. Twin: trace.wesl.

use glam::Vec3;
use rayon::prelude::*;

use super::scene::World;
use super::{RefineSlices, TraceParams, TraceSlices};

/// Differences of mapped luminance between neighbours that ask for more rays.
const CONTRAST: f32 = 0.03;

pub(super) fn trace(p: &TraceParams, s: TraceSlices<'_>) {
    let world = World::new(p, (s.water, s.ground), (s.obstacles, s.distances), s.field, s.sky);
    rows(p, s.image).for_each(|(y, row)| {
        for (x, pixel) in row.iter_mut().enumerate() {
            *pixel = world.pixel(x as f32 + 0.5, y as f32 + 0.5);
        }
    });
}

pub(super) fn refine(p: &TraceParams, s: RefineSlices<'_>) {
    let world = World::new(p, (s.water, s.ground), (s.obstacles, s.distances), s.field, s.sky);
    let width = p.width as usize;
    let tone = |x: usize, y: usize| mapped(s.rough[x + width * y], p.exposure);
    rows(p, s.image).for_each(|(y, row)| {
        for (x, pixel) in row.iter_mut().enumerate() {
            let own = tone(x, y);
            let around = [
                tone(x.saturating_sub(1), y),
                tone((x + 1).min(width - 1), y),
                tone(x, y.saturating_sub(1)),
                tone(x, (y + 1).min(p.height as usize - 1)),
            ];
            let contrast = around.into_iter().fold(0.0_f32, |most, other| most.max((other - own).abs()));
            *pixel = s.rough[x + width * y];
            if contrast > CONTRAST {
                for n in 1..p.samples {
                    let [dx, dy] = offset(n);
                    let other = world.pixel(x as f32 + dx, y as f32 + dy);
                    pixel.iter_mut().zip(other).take(3).for_each(|(sum, part)| *sum += part);
                }
                pixel.iter_mut().take(3).for_each(|sum| *sum /= p.samples.max(1) as f32);
            }
        }
    });
}

type Row<'a> = (usize, &'a mut [[f32; 4]]);

fn rows<'a>(p: &TraceParams, image: &'a mut [[f32; 4]]) -> impl IndexedParallelIterator<Item = Row<'a>> {
    let (width, height) = (p.width as usize, p.height as usize);
    image[..width * height].par_chunks_mut(width).enumerate()
}

/// Place of a ray in its pixel: an even sequence in two dimensions (Roberts 2018).
fn offset(n: u32) -> [f32; 2] {
    [0.754_877_7, 0.569_840_3].map(|step: f32| (0.5 + n as f32 * step).fract())
}

/// Luminance squeezed between 0 and 1, much as the eye will see it.
fn mapped([r, g, b, _]: [f32; 4], exposure: f32) -> f32 {
    let y = (0.2126 * r + 0.7152 * g + 0.0722 * b) * exposure;
    (y / (1.0 + y)).sqrt()
}

/// No single ray is brighter than this, so that the mean of some has no white dots.
const BRIGHTEST: f32 = 12.0;

impl<'a> World<'a> {
    pub(super) fn new(
        p: &'a TraceParams,
        (water, ground): (&'a [f32], &'a [[f32; 4]]),
        (obstacles, distances): (&'a [f32], &'a [f32]),
        field: &'a [f32],
        sky: &'a [[f32; 4]],
    ) -> Self {
        let sun = Vec3::new(p.sun_x, p.sun_y, p.sun_z);
        let sunlight = Vec3::new(p.sunlight_r, p.sunlight_g, p.sunlight_b);
        let skylight = Vec3::new(p.skylight_r, p.skylight_g, p.skylight_b);
        let light = sunlight * (sun.y.max(0.0) * super::light::DIFFUSE) + skylight;
        Self {
            p,
            water,
            ground,
            obstacles,
            distances,
            field,
            sky,
            eye: Vec3::new(p.eye_x, p.eye_y, p.eye_z),
            forward: Vec3::new(p.forward_x, p.forward_y, p.forward_z),
            sun,
            sunlight,
            skylight,
            absorb: Vec3::new(p.absorb_r, p.absorb_g, p.absorb_b),
            body: Vec3::new(p.body_r, p.body_g, p.body_b) * light,
            high: Vec3::new(p.nx as f32, p.top, p.end_z),
        }
    }

    /// Radiance at a place of the picture, and distance along the axis of the camera.
    fn pixel(&self, x: f32, y: f32) -> [f32; 4] {
        let p = self.p;
        let right = Vec3::new(p.right_x, p.right_y, p.right_z);
        let up = Vec3::new(p.up_x, p.up_y, p.up_z);
        let (u, v) = (2.0 * x / p.width as f32 - 1.0, 1.0 - 2.0 * y / p.height as f32);
        let d = (self.forward + right * u + up * v).normalize();
        let seen = self.radiance(self.eye, d);
        let [r, g, b] = seen.light.min(Vec3::splat(BRIGHTEST)).to_array();
        [r, g, b, seen.t * d.dot(self.forward)]
    }
}
