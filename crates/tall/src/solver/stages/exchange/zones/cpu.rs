use rayon::prelude::*;
use thalweg_columns::grid::{first_sample, is_tall, neighbours, world_cell};
use thalweg_columns::interpolate::SideSpan;
use thalweg_ledger::transfer::transfer_f32;
use thalweg_ledger::word::{SIDES, WATER};

use super::sea::BANDS;
use super::{RelaxCellsSlices, RelaxFacesSlices, TransferZoneSlices, ZoneParams, outside};
use crate::constants::FAR;
use crate::solver::stages::exchange::water_in_cell;

/// The column of a zone with this number, and how many columns from the side it is.
pub(super) fn column_of([nx, nz]: [u32; 2], side: u32, layer: u32, number: usize) -> (usize, usize) {
    let (nx, nz, layer) = (nx as usize, nz as usize, layer as usize);
    let (distance, along) = (number % layer, number / layer);
    let column = match side {
        0 => distance + nx * along,
        1 => nx - 1 - distance + nx * along,
        2 => along + nx * distance,
        _ => along + nx * (nz - 1 - distance),
    };
    (column, distance)
}

impl ZoneParams {
    /// The column of the zone with this number, and how many columns from the side it is.
    fn column(&self, number: usize) -> (usize, usize) {
        column_of([self.nx, self.nz], self.side, self.layer, number)
    }

    /// Share of the far field at a distance from the side, cells.
    fn weight(&self, distance: f32) -> f32 {
        let chi = (1.0 - distance / self.layer as f32).clamp(0.0, 1.0);
        1.0 - (-self.strength * chi * chi * chi).exp()
    }

    /// The given surface over the level: a parabola through side, middle and end.
    fn given(&self, distance: f32) -> f32 {
        let x = distance / self.layer as f32;
        let bend = 2.0 * (self.at_side - 2.0 * self.at_middle + self.at_end);
        self.at_side + x * (self.at_end - self.at_side - bend * (1.0 - x))
    }

    /// Height of a sea over its level at a column of the zone, cells.
    fn sea_elevation(&self, sea: &[[f32; 4]], number: usize) -> f32 {
        let mut sum = 0.0;
        for parts in &sea[number * BANDS..][..BANDS] {
            sum += self.amplitude * parts[0];
        }
        sum
    }

    /// Velocity of a sea along an axis at a height, m/s: the sums of a column's waves, each band with its own profile.
    fn sea_velocity(&self, sea: &[[f32; 4]], number: usize, plane: usize, y: f32) -> f32 {
        let bands = &sea[number * BANDS..][..BANDS];
        let surface = bands.iter().fold(0.0, |sum, parts| sum + parts[0]);
        // As in a single wave: under the surface and over the ground.
        let height = (y - self.level).min(self.amplitude * surface).max(-self.depth);
        let numbers = [self.band_0, self.band_1, self.band_2, self.band_3];
        let mut sum = 0.0;
        for (parts, k) in bands.iter().zip(numbers) {
            let (up, down) = ((k * height).exp(), (-k * (height + 2.0 * self.depth)).exp());
            sum += [parts[1], parts[3], parts[2]][plane] * if plane == 1 { up - down } else { up + down };
        }
        self.amplitude * sum
    }

    fn elevation(&self, distance: f32, ground: f32) -> f32 {
        match self.far_field {
            outside::AIRY => self.level + self.amplitude * (self.wave_number * distance - self.phase).cos(),
            outside::SURFACE => self.level + self.given(distance),
            outside::DRY => ground,
            _ => self.level,
        }
    }

    /// The far field's velocity along an axis at a height, m/s; `None` if it has none.
    fn velocity(&self, plane: usize, distance: f32, y: f32) -> Option<f32> {
        let inward = if self.side & 1 == 0 { 1.0 } else { -1.0 };
        let is_across = plane == if self.side < 2 { 0 } else { 2 };
        match self.far_field {
            outside::AIRY if is_across || plane == 1 => {
                let (k, angle) = (self.wave_number, self.wave_number * distance - self.phase);
                // Under the surface and over the ground; cosh and sinh of k (y + h) over sinh of k h, safe for deep water.
                let y = (y - self.level).min(self.amplitude * angle.cos()).max(-self.depth);
                let (up, down) = ((k * y).exp(), (-k * (y + 2.0 * self.depth)).exp());
                let scale = self.speed / (1.0 - (-2.0 * k * self.depth).exp());
                let across = inward * scale * (up + down) * angle.cos();
                Some(if is_across { across } else { scale * (up - down) * angle.sin() })
            }
            outside::SURFACE if is_across => {
                let given = self.given(distance);
                Some(inward * self.celerity * given / (self.depth + given).max(1.0))
            }
            outside::SURFACE if plane == 1 => None,
            outside::DRY => None,
            _ => Some(0.0),
        }
    }
}

pub(super) fn relax_cells(p: &ZoneParams, s: RelaxCellsSlices<'_>) {
    let n = p.samples as usize;
    for (number, exchanged) in s.exchanged[..p.columns()].iter_mut().enumerate() {
        let (column, distance) = p.column(number);
        let distance = distance as f32 + 0.5;
        let (weight, mut elevation) = (p.weight(distance), p.elevation(distance, s.terrain[column]));
        if p.far_field == outside::SEA {
            elevation += p.sea_elevation(s.sea, number);
        }
        let h = s.heights[column];
        *exchanged = 0.0;
        for sample in first_sample(h)..n {
            let (phi, solid) = (&mut s.phi[column * n + sample], s.solid[column * n + sample]);
            let wanted = (world_cell(h, sample) as f32 + 0.5 - elevation).clamp(-FAR as f32, FAR as f32);
            let before = water_in_cell(*phi, solid);
            *phi += weight * (wanted - *phi);
            *exchanged += water_in_cell(*phi, solid) - before;
        }
    }
}

pub(super) fn transfer_zone(p: &ZoneParams, s: TransferZoneSlices<'_>) {
    let sum = s.exchanged[..p.columns()].iter().map(|cells| f64::from(*cells)).sum::<f64>() as f32;
    if sum != 0.0 {
        transfer_f32(s.ledger, SIDES + p.side, WATER, sum);
    }
}

pub(super) fn relax_faces(p: &ZoneParams, s: RelaxFacesSlices<'_>) {
    let shape = p.shape();
    let (n, len) = (shape.samples(), shape.len());
    // Every entry belongs to one column, so that lines can be changed in parallel.
    let mut zone = vec![None; shape.columns()];
    for number in 0..p.columns() {
        let (column, distance) = p.column(number);
        zone[column] = Some((number, distance as f32));
    }
    let blend = |value: &mut f32, number: usize, plane: usize, distance: f32, y: f32| {
        let wanted = if p.far_field == outside::SEA {
            Some(p.sea_velocity(s.sea, number, plane, y))
        } else {
            p.velocity(plane, distance, y)
        };
        if let Some(wanted) = wanted {
            *value += p.weight(distance) * (wanted - *value);
        }
    };
    s.faces.par_chunks_mut(n).enumerate().for_each(|(index, faces)| {
        let (plane, column) = (index / shape.columns(), index % shape.columns());
        let (Some((number, distance)), h) = (zone[column], s.heights[column]) else { return };
        if plane == 1 {
            for (entry, v) in faces.iter_mut().enumerate() {
                let y = if entry == 0 { h[1] + n as i32 - 2 } else { world_cell(h, entry) };
                blend(v, number, 1, distance + 0.5, y as f32);
            }
            return;
        }
        let Some(other) = neighbours(shape, column)[plane] else { return };
        // The face is the low one of its column.
        let is_across = plane == if p.side < 2 { 0 } else { 2 };
        let distance = match (is_across, p.side & 1) {
            (true, 0) => distance,
            (true, _) => distance + 1.0,
            (false, _) => distance + 0.5,
        };
        let span = SideSpan::new(s.heights[other], h, n);
        for (entry, u) in faces.iter_mut().enumerate().filter(|(entry, _)| span.has(*entry)) {
            blend(u, number, plane, distance, span.cell_of(entry) as f32 + 0.5);
        }
    });
    debug_assert_eq!(s.faces.len(), 3 * len);
    for (column, inner) in s.inner.iter_mut().enumerate() {
        let h = s.heights[column];
        if let Some((number, distance)) = zone[column].filter(|_| is_tall(h)) {
            blend(inner, number, 1, distance + 0.5, (h[0] + 1) as f32);
        }
    }
}
