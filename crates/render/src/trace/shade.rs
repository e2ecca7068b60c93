//! What a ray brings to the eye.
//!
//! One loop follows the ray that is refracted and, when that has ended, the one that the first surface mirrored;
//! whatever it meets that the sun can shine on is left as a [`Receiver`] to the end of the turn. A GPU's compiler
//! inlines every call, so that everything here is called from one place.

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

/// What has come of a ray from the eye so far.
struct Path {
    seen: Seen,
    /// What the first surface has mirrored.
    pending: Option<Ray>,
    /// Width of a pixel on the sea, cells; less than 0 before the first surface.
    width: f32,
    /// Whether it has met nothing yet.
    is_first: bool,
}

/// What a ray meets in a turn.
struct Met {
    t: f32,
    kind: Kind,
    normal: Vec3,
    entry: Entry,
    waves: Rippled,
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
    /// What comes along a ray to the eye. What a ray does in every turn is inlined: calls would make pictures on the
    /// processor a tenth slower.
    #[inline(always)]
    pub(super) fn radiance(&self, o: Vec3, d: Vec3) -> Seen {
        let is_far = self.p.far != 0;
        let inside = is_far || (o.cmpge(Vec3::ZERO).all() && o.cmple(self.high).all());
        let wet = inside && self.surface_at(o, 0.0) < 0.0;
        let mut ray = Ray { o, d, share: Vec3::ONE, wet, mirrored: false };
        let mut path = Path { seen: Seen { light: Vec3::ZERO, t: 1e9 }, pending: None, width: -1.0, is_first: true };
        for turn in 0..TURNS {
            path.is_first = turn == 0;
            let met = self.meet(&mut ray, &mut path);
            self.fade(&mut ray, &met, &mut path.seen);
            let q = ray.o + ray.d * met.t;
            if path.is_first && met.kind != Kind::Nothing {
                path.seen.t = met.t;
                if is_far && !ray.wet {
                    self.haze(&mut ray, met.t, &mut path.seen.light);
                }
            }
            let mut receiver = Receiver { at: Vec3::ZERO, share: Vec3::ZERO };
            let mut goes_on = false;
            if met.entry == Entry::Cut {
                // The cut ends the ray, and its light is there.
            } else if met.kind == Kind::Ground || met.kind == Kind::Obstacle {
                receiver = self.solid(q, &met, ray.share, &mut path.seen.light);
            } else if met.kind == Kind::Nothing && !ray.wet {
                receiver = self.surroundings(q, ray.d, ray.share, &mut path.seen.light);
                if path.is_first && !is_far && ray.d.y < 0.0 && q.y > 0.0 {
                    path.seen.t = met.t - q.y / ray.d.y;
                }
            } else if is_far && met.kind == Kind::Nothing {
                // The ray ends deep in the sea.
                path.seen.light += ray.share * self.body;
            } else {
                (receiver, goes_on) = self.cross(q, &met, &mut ray, &mut path);
            }
            if receiver.share.max_element() > 1e-4 {
                path.seen.light += receiver.share * self.sunlight * self.sun_at(receiver.at);
            }
            if !goes_on || ray.share.max_element() < FAINT {
                match path.pending.take() {
                    Some(mirrored) => ray = mirrored,
                    None => return path.seen,
                }
            }
        }
        // After so many surfaces the rest of the light is that of deep water.
        Seen { light: path.seen.light + ray.share * self.body, ..path.seen }
    }

    /// What a ray meets next: something behind the side of the block through which it comes in, or in the block.
    #[inline(always)]
    fn meet(&self, ray: &mut Ray, path: &mut Path) -> Met {
        let is_far = self.p.far != 0;
        let span = if is_far { self.sea_span(ray.o, ray.d) } else { self.span(ray.o, ray.d) };
        let waves = Rippled { normal: Vec3::Y, foam: 0.0, lost: 0.0 };
        let mut met = Met { t: 0.0, kind: Kind::Nothing, normal: Vec3::Y, entry: Entry::Open, waves };
        if span.to <= span.from {
            return met;
        }
        if span.from > 0.0 && !is_far {
            let q = ray.o + ray.d * (span.from + 1e-3);
            met.entry = self.enter(q, span.entry, &mut path.seen.light, &mut ray.share);
        }
        (met.t, met.normal) = (span.from, span.entry);
        met.kind = match met.entry {
            Entry::Solid(kind) => kind,
            _ => Kind::Water,
        };
        if met.entry == Entry::Open {
            let side = if ray.wet { -1.0 } else { 1.0 };
            let hit = self.march(ray.o, ray.d, [span.from + 1e-3, span.to], side, path.width);
            (met.t, met.kind, met.normal) = (hit.t, hit.kind, span.exit);
            let q = ray.o + ray.d * met.t;
            if met.kind != Kind::Nothing {
                met.normal = self.normal(q, met.kind, hit.body);
            }
            if met.kind == Kind::Water && self.p.waves > 0 {
                // Later surfaces are as fine as the first one: a ray leaves the same sea that it met.
                path.width = if path.width < 0.0 { self.width(met.t, ray.d) } else { path.width };
                met.waves = self.rippled(q, met.normal, path.width);
                met.normal = met.waves.normal;
            }
        }
        met
    }

    /// What the water on the way takes from a ray, and sends to the eye.
    #[inline(always)]
    fn fade(&self, ray: &mut Ray, met: &Met, seen: &mut Seen) {
        if ray.wet {
            let through = exp(-self.absorb * met.t);
            seen.light += ray.share * self.body * (Vec3::ONE - through);
            ray.share *= through;
        }
    }

    /// The same of the air over the sea, on the way from the eye.
    #[inline(always)]
    fn haze(&self, ray: &mut Ray, t: f32, light: &mut Vec3) {
        let clear = libm::expf(-t / (HAZE * self.high.length()));
        *light += self.sky_at(Vec3::new(ray.d.x, 0.0, ray.d.z)) * (1.0 - clear);
        ray.share *= clear;
    }

    /// A solid that a ray has met ends it.
    #[inline(always)]
    fn solid(&self, q: Vec3, met: &Met, share: Vec3, light: &mut Vec3) -> Receiver {
        let is_side = matches!(met.entry, Entry::Solid(_));
        let share = share * self.colour(q, met.normal, met.kind, is_side) * DIFFUSE;
        *light += share * if is_side { self.skylight_on(met.normal) } else { self.skylight_under(q, met.normal) };
        Receiver { at: q + met.normal * ABOVE, share: share * met.normal.dot(self.sun).max(0.0) }
    }

    /// A surface: of the water, or a side of the block with water behind it. What is refracted goes on; what is
    /// mirrored waits if it is the first one, and is the sky later. Says what the sun may shine on, and whether the ray
    /// goes on.
    #[inline(always)]
    fn cross(&self, q: Vec3, met: &Met, ray: &mut Ray, path: &mut Path) -> (Receiver, bool) {
        let mut receiver = Receiver { at: Vec3::ZERO, share: Vec3::ZERO };
        let waves = &met.waves;
        let facing = if met.normal.dot(ray.d) > 0.0 { -met.normal } else { met.normal };
        let (mut share, bent) = interface(ray.d, facing, ray.wet);
        let mut reflected = ray.d - facing * (2.0 * ray.d.dot(facing));
        if waves.lost > 0.0 && !ray.wet {
            // Among slopes too fine to be seen those that face the eye count more: they mirror less, and what is
            // higher.
            share = dulled(share, waves.lost);
            reflected = (reflected + Vec3::Y * waves.lost.sqrt()).normalize();
        }
        if self.p.waves > 0 && !ray.wet && reflected.y < 0.02 && met.normal.y > 0.0 {
            // Such rays would meet other waves: they take the sky above those.
            reflected = Vec3::new(reflected.x, reflected.y.abs().max(0.02), reflected.z).normalize();
        }
        if ray.mirrored && !ray.wet {
            // Water that water mirrors: its colour and the sky are enough.
            path.seen.light += ray.share * (self.body * (1.0 - share) + self.sky_at(reflected) * share);
            return (receiver, false);
        }
        let mut next = Ray { d: reflected, ..*ray };
        if let Some(bent) = bent {
            if !ray.wet {
                let foam = if met.entry == Entry::Open { self.foam_at(q, waves.foam) } else { 0.0 };
                receiver = self.glitter(q, *ray, facing, share, [foam, waves.lost]);
                path.seen.light += ray.share * (foam * FOAM * DIFFUSE) * self.skylight_on(facing);
                ray.share *= 1.0 - foam;
                if path.is_first {
                    let (o, share) = (q + facing * BEHIND, ray.share * share);
                    path.pending = Some(Ray { o, d: reflected, share, wet: false, mirrored: true });
                } else {
                    path.seen.light += ray.share * share * self.sky_at(reflected);
                }
                next.share = ray.share * (1.0 - share);
            }
            next.wet = !ray.wet;
            next.d = bent;
        }
        next.o = q + next.d * BEHIND;
        *ray = next;
        (receiver, true)
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
        // The block hides some of the sky from the plane beside it.
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

/// Share of the light that a surface mirrors, and the way of the rest; `None` if there is none. `wet`: the ray is in
/// the water.
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
