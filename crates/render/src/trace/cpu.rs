//! Bodies of the kernels.

use glam::Vec3;
use rayon::prelude::*;

use super::scene::World;
use super::tiles::highest;
use super::{RefineSlices, TraceParams, TraceSlices};
use crate::constants::heights::HEADROOM;
use crate::constants::trace::BRIGHTEST;
use crate::edges::HEAD;

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
    let (count, sums) = (s.list[0] as usize, s.list[1] as usize);
    let pixels = s.image[..count * sums].par_chunks_mut(sums).zip(&s.list[HEAD..]);
    pixels.with_min_len(64).for_each(|(rays, at)| {
        let (x, y) = ((at % p.width) as f32, (at / p.width) as f32);
        rays.fill([0.0; 4]);
        for n in 1..p.samples {
            let [dx, dy] = offset(n);
            let ray = world.pixel(x + dx, y + dy);
            rays[(n as usize - 1) % sums].iter_mut().zip(ray).for_each(|(sum, part)| *sum += part);
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
        let top = if p.height_field != 0 { highest(sky) + HEADROOM } else { p.top };
        let light = sunlight * (sun.y.max(0.0) * crate::constants::light::DIFFUSE) + skylight;
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
            high: Vec3::new(p.nx as f32, top, p.end_z),
            values_per_cell: Vec3::new(p.lattice_x as f32 / p.nx as f32, p.per_cell, p.lattice_z as f32 / p.nz as f32),
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
