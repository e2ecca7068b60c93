//! What a ray brings to the eye.
//!
//! One loop follows the ray that is refracted and, when that has ended, the one that the first surface mirrored; whatever
//! it meets that the sun can shine on is left as a [`Receiver`] to the end of the turn. A GPU compiles every call anew, so
//! that everything here is called from one place.

use glam::Vec3;

use super::light::exp;
use super::march::Kind;
use super::mode;
use super::scene::World;
use super::waves::{Rippled, dulled};
use crate::constants::colour::{EDGE, PLANE};
use crate::constants::light::DIFFUSE;
use crate::constants::shade::{ABOVE, BEHIND, FAINT, FOAM, HAZE, INDEX, ROUGHNESS, TURNS, WET};

/// What a ray has met so far.
pub(super) struct Seen {
    pub(super) light: Vec3,
    /// Distance to the first thing met; large for the sky.
    pub(super) t: f32,
}

/// A ray on its way.
#[derive(Clone, Copy)]
struct Ray {
    o: Vec3,
    d: Vec3,
    /// Share of its light that reaches the eye.
    share: Vec3,
    wet: bool,
    /// Whether a surface has mirrored it.
    mirrored: bool,
}

/// A point that the sun may shine on, and what that brings to the eye.
struct Receiver {
    at: Vec3,
    share: Vec3,
}

/// What is behind the side of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Open,
    Solid(Kind),
    Water,
    /// The cut ends the ray.
    Cut,
}

impl World<'_> {
    /// What comes along a ray to the eye. It is one body on the processor too, with all that a ray does at every step: calls would make it a tenth slower.
    #[inline(always)]
    pub(super) fn radiance(&self, o: Vec3, d: Vec3) -> Seen {
        let is_far = self.p.far != 0;
        let inside = is_far || (o.cmpge(Vec3::ZERO).all() && o.cmple(self.high).all());
        let wet = inside && self.surface_at(o, 0.0) < 0.0;
        let mut ray = Ray { o, d, share: Vec3::ONE, wet, mirrored: false };
        let mut pending: Option<Ray> = None;
        let (mut light, mut first, mut width) = (Vec3::ZERO, 1e9_f32, -1.0_f32);
        for turn in 0..TURNS {
            let mut receiver = Receiver { at: Vec3::ZERO, share: Vec3::ZERO };
            let mut goes_on = false;
            let span = if is_far { self.sea_span(ray.o, ray.d) } else { self.span(ray.o, ray.d) };
            let mut waves = Rippled { normal: Vec3::Y, foam: 0.0, lost: 0.0 };
            let mut kind = Kind::Nothing;
            let (mut t, mut normal, mut entry) = (0.0, Vec3::Y, Entry::Open);
            if span.to > span.from {
                if span.from > 0.0 && !is_far {
                    entry = self.enter(ray.o + ray.d * (span.from + 1e-3), span.entry, &mut light, &mut ray.share);
                }
                (t, normal) = (span.from, span.entry);
                kind = match entry {
                    Entry::Solid(kind) => kind,
                    _ => Kind::Water,
                };
                if entry == Entry::Open {
                    let side = if ray.wet { -1.0 } else { 1.0 };
                    let hit = self.march(ray.o, ray.d, [span.from + 1e-3, span.to], side, width);
                    (t, kind, normal) = (hit.t, hit.kind, span.exit);
                    if kind != Kind::Nothing {
                        normal = self.normal(ray.o + ray.d * t, kind, hit.body);
                    }
                    if kind == Kind::Water && self.p.waves > 0 {
                        // Later surfaces are seen as fine as the first one, or a ray would leave another sea than it met.
                        width = if width < 0.0 { self.width(t, ray.d) } else { width };
                        waves = self.rippled(ray.o + ray.d * t, normal, width);
                        normal = waves.normal;
                    }
                }
            }
            if ray.wet {
                let through = exp(-self.absorb * t);
                light += ray.share * self.body * (Vec3::ONE - through);
                ray.share *= through;
            }
            if turn == 0 && kind != Kind::Nothing {
                first = t;
            }
            if is_far && turn == 0 && !ray.wet && kind != Kind::Nothing {
                let clear = libm::expf(-t / (HAZE * self.high.length()));
                light += self.sky_at(Vec3::new(ray.d.x, 0.0, ray.d.z)) * (1.0 - clear);
                ray.share *= clear;
            }
            let q = ray.o + ray.d * t;
            if entry == Entry::Cut {
                // All is said.
            } else if kind == Kind::Ground || kind == Kind::Obstacle {
                let is_side = matches!(entry, Entry::Solid(_));
                let share = ray.share * self.colour(q, normal, kind, is_side) * DIFFUSE;
                light += share * if is_side { self.skylight_on(normal) } else { self.skylight_under(q, normal) };
                receiver = Receiver { at: q + normal * ABOVE, share: share * normal.dot(self.sun).max(0.0) };
            } else if kind == Kind::Nothing && !ray.wet {
                receiver = self.surroundings(q, ray.d, ray.share, &mut light);
                if turn == 0 && !is_far && ray.d.y < 0.0 && q.y > 0.0 {
                    first = t - q.y / ray.d.y;
                }
            } else if is_far && kind == Kind::Nothing {
                // Deep in the sea.
                light += ray.share * self.body;
            } else {
                // A surface: of the water, or a side of the block with water behind it.
                let facing = if normal.dot(ray.d) > 0.0 { -normal } else { normal };
                let (mut share, bent) = interface(ray.d, facing, ray.wet);
                let mut reflected = ray.d - facing * (2.0 * ray.d.dot(facing));
                if waves.lost > 0.0 && !ray.wet {
                    // Of slopes that are not seen one sees those that face the eye: they mirror less, and what is higher.
                    share = dulled(share, waves.lost);
                    reflected = (reflected + Vec3::Y * waves.lost.sqrt()).normalize();
                }
                if self.p.waves > 0 && !ray.wet && reflected.y < 0.02 && normal.y > 0.0 {
                    // Waves would mirror waves behind them: the sky above those is near enough.
                    reflected = Vec3::new(reflected.x, reflected.y.abs().max(0.02), reflected.z).normalize();
                }
                if ray.mirrored && !ray.wet {
                    // Water in a mirror of water: its colour and its sky are enough.
                    light += ray.share * (self.body * (1.0 - share) + self.sky_at(reflected) * share);
                } else {
                    goes_on = true;
                    let mut next = Ray { d: reflected, ..ray };
                    if let Some(bent) = bent {
                        if !ray.wet {
                            let foam = if entry == Entry::Open { self.foam_at(q, waves.foam) } else { 0.0 };
                            receiver = self.glitter(q, ray, facing, share, [foam, waves.lost]);
                            light += ray.share * (foam * FOAM * DIFFUSE) * self.skylight_on(facing);
                            ray.share *= 1.0 - foam;
                            if turn == 0 {
                                let o = q + facing * BEHIND;
                                let mirrored = true;
                                pending = Some(Ray { o, d: reflected, share: ray.share * share, wet: false, mirrored });
                            } else {
                                light += ray.share * share * self.sky_at(reflected);
                            }
                            next.share = ray.share * (1.0 - share);
                        }
                        next.wet = !ray.wet;
                        next.d = bent;
                    }
                    next.o = q + next.d * BEHIND;
                    ray = next;
                }
            }
            if receiver.share.max_element() > 1e-4 {
                light += receiver.share * self.sunlight * self.sun_at(receiver.at);
            }
            if !goes_on || ray.share.max_element() < FAINT {
                match pending.take() {
                    Some(mirrored) => ray = mirrored,
                    None => return Seen { light, t: first },
                }
            }
        }
        // Caught between surfaces: it has gone through a lot of water.
        Seen { light: light + ray.share * self.body, t: first }
    }

    /// What is right behind the side of the block through which a ray comes in.
    fn enter(&self, q: Vec3, side: Vec3, light: &mut Vec3, share: &mut Vec3) -> Entry {
        if self.p.edge > 0.0 && self.is_edge(q) {
            *light += *share * 0.5 * Vec3::from(EDGE);
            *share *= 0.5;
        }
        if side.y < 0.5
            && let (distance, kind) = self.solid_at(q)
            && distance < 0.0
        {
            return Entry::Solid(kind);
        }
        if self.p.mode != mode::WATER
            && side.z > 0.5
            && let Some(colour) = self.cut(q)
        {
            *light += *share * colour;
            return Entry::Cut;
        }
        if self.water_at(q) < 0.0 { Entry::Water } else { Entry::Open }
    }

    /// Whether a point of a side is near an edge of the block.
    fn is_edge(&self, q: Vec3) -> bool {
        let near = q.min(self.high - q);
        let close = |v: f32| u32::from(v < self.p.edge);
        close(near.x) + close(near.y) + close(near.z) >= 2
    }

    /// Light that leaves the block towards the sky, or the plane around it.
    fn surroundings(&self, o: Vec3, d: Vec3, share: Vec3, light: &mut Vec3) -> Receiver {
        let horizon = self.sky_at(Vec3::new(d.x, d.y.max(0.0), d.z));
        if d.y >= 0.0 || o.y <= 0.0 || self.p.far != 0 {
            *light += share * horizon;
            return Receiver { at: o, share: Vec3::ZERO };
        }
        let t = -o.y / d.y;
        let q = o + d * t;
        let far = libm::expf(-t / (12.0 * self.high.length()));
        // The block takes some of the sky from the ground beside it.
        let beside = (-q).max(q - self.high).max(Vec3::ZERO).length();
        let open = 1.0 - 0.3 * libm::expf(-beside / (0.15 * self.high.y));
        let share_of_plane = share * Vec3::from(PLANE) * (DIFFUSE * open * far);
        *light += share * horizon * (1.0 - far) + share_of_plane * self.skylight_on(Vec3::Y);
        Receiver { at: q + Vec3::Y * 0.01, share: share_of_plane * self.sun.y.max(0.0) }
    }

    /// Foam of the columns, in the block, or of the waves.
    fn foam_at(&self, q: Vec3, of_waves: f32) -> f32 {
        let own = if self.p.far != 0 && self.beside(q) > 0.0 { 0.0 } else { self.ground_at(q).z };
        own.max(of_waves)
    }

    /// Foam, or the image of the sun, widened by ripples (Trowbridge and Reitz 1975).
    fn glitter(&self, q: Vec3, ray: Ray, n: Vec3, mirrored: f32, [foam, lost]: [f32; 2]) -> Receiver {
        let at = q + n * ABOVE;
        if foam > 0.05 {
            return Receiver { at, share: ray.share * (foam * FOAM * DIFFUSE * n.dot(self.sun).max(0.0)) };
        }
        let half = (self.sun - ray.d).normalize();
        let (a2, cosine) = (ROUGHNESS * ROUGHNESS + lost, n.dot(half).max(0.0));
        let spread = cosine * cosine * (a2 - 1.0) + 1.0;
        let lobe = a2 / (std::f32::consts::PI * spread * spread);
        let glint = (lobe / (4.0 * (-n.dot(ray.d)).max(0.15))).min(60.0) * n.dot(self.sun).clamp(0.0, 1.0);
        if glint < 0.05 {
            return Receiver { at, share: Vec3::ZERO };
        }
        Receiver { at: q + n * 0.3, share: ray.share * (mirrored * glint) }
    }

    fn colour(&self, q: Vec3, n: Vec3, kind: Kind, is_side: bool) -> Vec3 {
        if kind == Kind::Obstacle {
            return Vec3::new(self.p.obstacle_r, self.p.obstacle_g, self.p.obstacle_b);
        }
        let mut colour = Vec3::new(self.p.ground_r, self.p.ground_g, self.p.ground_b);
        if is_side {
            return colour * 0.55;
        }
        if self.p.tile > 0.0 {
            let odd = ((q.x / self.p.tile).floor() + (q.z / self.p.tile).floor()) as i32 & 1;
            colour *= if odd == 0 { 1.0 } else { 0.8 };
        } else {
            // Steep ground is bare and darker.
            colour *= 0.55 + 0.45 * ((n.y - 0.6) / 0.35).clamp(0.0, 1.0);
        }
        colour * (1.0 + (WET - 1.0) * self.ground_at(q).y.clamp(0.0, 1.0))
    }

    /// Irradiance of the sky on a solid, through the water above it and past solids beside it.
    fn skylight_under(&self, q: Vec3, n: Vec3) -> Vec3 {
        let depth = (-self.water_at(q + n * ABOVE)).max(0.0);
        self.skylight_on(n) * exp(-self.absorb * depth) * self.openness(q, n)
    }
}

/// Share of the light that a surface mirrors, and the way of the rest; `None` if there is none. `wet`: the ray is in the water.
fn interface(d: Vec3, n: Vec3, wet: bool) -> (f32, Option<Vec3>) {
    let eta = if wet { INDEX } else { 1.0 / INDEX };
    let cosine = -d.dot(n);
    let k = 1.0 - eta * eta * (1.0 - cosine * cosine);
    if k < 0.0 {
        return (1.0, None);
    }
    let inner = k.sqrt();
    // Fresnel, the mean of both polarisations.
    let across = (eta * cosine - inner) / (eta * cosine + inner);
    let along = (cosine - eta * inner) / (cosine + eta * inner);
    let share = 0.5 * (across * across + along * along);
    (share, Some((d * eta + n * (eta * cosine - inner)).normalize()))
}
