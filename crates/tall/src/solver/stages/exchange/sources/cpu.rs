use rayon::prelude::*;
use thalweg_columns::Heights;
use thalweg_columns::grid::{first_sample, is_tall, world_cell};
use thalweg_columns::interpolate::{SideSpan, cell_at};
use thalweg_ledger::transfer::transfer_f32;
use thalweg_ledger::word::{SOURCES, WATER};

use super::constants::{MOST, RIM};
use super::{
    AFTERWARDS, PAINTING, PaintSlices, PumpSlices, PushSlices, SourceBudgetSlices, SourceParams, SurveySlices, state,
};
use crate::solver::stages::exchange::region::{distance, extent};
use crate::solver::stages::exchange::water_in_cell;

impl SourceParams {
    fn low(&self) -> [f32; 3] {
        [self.low_x, self.low_y, self.low_z]
    }

    fn high(&self) -> [f32; 3] {
        [self.high_x, self.high_y, self.high_z]
    }

    fn distance(&self, point: [f32; 3]) -> f32 {
        distance(self.kind, self.low(), self.high(), point)
    }

    /// Distance of the centre of a world cell.
    fn of_cell(&self, column: usize, y: i32) -> f32 {
        let (i, k) = (column % self.nx as usize, column / self.nx as usize);
        self.distance([i as f32 + 0.5, y as f32 + 0.5, k as f32 + 0.5])
    }

    /// The column of the region with this number.
    fn column(&self, number: usize) -> usize {
        let (i, k) = (number % self.count_i as usize, number / self.count_i as usize);
        self.first_i as usize + i + self.nx as usize * (self.first_k as usize + k)
    }

    /// World cells from the first to before the last whose centres can be inside.
    fn cells(&self, [bottom, top]: Heights) -> std::ops::Range<i32> {
        let end = top + self.samples as i32 - 2;
        let inside = [self.low_y.floor(), self.high_y.ceil()].map(|y| y as i32);
        inside[0].max(bottom)..inside[1].min(end)
    }
}

pub(super) fn survey(p: &SourceParams, s: SurveySlices<'_>) {
    let n = p.samples as usize;
    s.found[..p.columns()].par_iter_mut().enumerate().for_each(|(number, found)| {
        let column = p.column(number);
        let h = s.heights[column];
        let (phi, solid) = (&s.phi[column * n..][..n], &s.solid[column * n..][..n]);
        let (mut room, mut wet) = (0.0, 0.0);
        for sample in first_sample(h)..n {
            let away = p.of_cell(column, world_cell(h, sample));
            let painted = water_in_cell(phi[sample].min(away), solid[sample]);
            room += painted - water_in_cell(phi[sample], solid[sample]);
        }
        for y in p.cells(h) {
            let is_free = y < h[1] && is_tall(h) || solid[(y - h[1] + 2) as usize] < 1.0;
            if is_free && p.of_cell(column, y) < 0.0 && cell_at(phi, h, y) < 0.0 {
                wet += 1.0;
            }
        }
        *found = [room, wet];
    });
}

pub(super) fn source_budget(p: &SourceParams, s: SourceBudgetSlices<'_>) {
    let sum = |at: usize| s.found[..p.columns()].iter().map(|found| f64::from(found[at])).sum::<f64>() as f32;
    let own = &mut s.state[p.state_at as usize..][..state::WORDS];
    if p.stage == PAINTING {
        let (room, owed) = (sum(0), (own[state::OWED] + p.amount.max(0.0)).min(p.most_owed));
        let runs = p.amount > 0.0 && own[state::PAINTS] > 0.0;
        let starts = p.amount > 0.0 && !runs && owed >= room;
        own[state::OWED] = if p.amount < 0.0 {
            0.0
        } else if starts {
            owed - room
        } else {
            owed
        };
        own[state::PAINTS] = if runs || starts { 1.0 } else { 0.0 };
        own[state::ROOM] = room;
        if starts && room > 0.0 {
            transfer_f32(s.ledger, SOURCES, WATER, room);
        }
        return;
    }
    let wet = sum(1);
    let asked = if p.amount < 0.0 { p.amount } else { own[state::OWED] };
    let flows = asked.clamp(-MOST * wet, MOST * wet);
    own[state::OWED] = if p.amount < 0.0 { 0.0 } else { own[state::OWED] - flows };
    own[state::FLOW] = if wet > 0.0 { flows / (wet * p.dt) } else { 0.0 };
    if flows != 0.0 {
        transfer_f32(s.ledger, SOURCES, WATER, flows);
    }
}

pub(super) fn paint(p: &SourceParams, s: PaintSlices<'_>) {
    if s.state[p.state_at as usize + state::PAINTS] == 0.0 {
        return;
    }
    let n = p.samples as usize;
    for number in 0..p.columns() {
        let column = p.column(number);
        let h = s.heights[column];
        for sample in first_sample(h)..n {
            let phi = &mut s.phi[column * n + sample];
            *phi = phi.min(p.of_cell(column, world_cell(h, sample)));
        }
    }
}

pub(super) fn push(p: &SourceParams, s: PushSlices<'_>) {
    let own = &s.state[p.state_at as usize..][..state::WORDS];
    let flow = own[state::FLOW];
    let along = [p.along_x, p.along_y, p.along_z];
    let is_jet = along != [0.0; 3];
    let is_under_water = own[state::PAINTS] == 0.0 || own[state::ROOM] <= 0.0;
    if flow <= 0.0 || (is_under_water && (!is_jet || p.stage == AFTERWARDS)) {
        return;
    }
    let shape = p.shape();
    let (n, len, nx) = (shape.samples(), shape.len(), shape.nx);
    let long = extent(p.kind, p.low(), p.high(), along);
    // The velocity of a face with this centre, if it is one of the region's.
    let speed = |plane: usize, point: [f32; 3]| {
        let middle = |axis: usize| point[axis] - 0.5 * (p.low()[axis] + p.high()[axis]);
        let ahead = along[0] * middle(0) + along[1] * middle(1) + along[2] * middle(2);
        let way = if is_jet { along[plane] * (ahead + 0.5 * long).clamp(0.0, long) } else { middle(plane) / 3.0 };
        (p.distance(point) <= RIM).then_some(flow * way * p.cell)
    };
    for k in p.first_k as usize..=(p.first_k + p.count_k) as usize {
        for i in p.first_i as usize..=(p.first_i + p.count_i) as usize {
            if i >= nx || k >= shape.nz {
                continue;
            }
            let column = i + nx * k;
            let (h, x, z) = (s.heights[column], i as f32, k as f32);
            for entry in (0..n).filter(|entry| !(*entry == 1 && is_tall(h))) {
                let y = if entry == 0 { h[1] + n as i32 - 2 } else { world_cell(h, entry) };
                if let Some(speed) = speed(1, [x + 0.5, y as f32, z + 0.5]) {
                    s.faces[len + column * n + entry] = speed;
                }
            }
            let sides = [(0, i > 0, column.wrapping_sub(1)), (2, k > 0, column.wrapping_sub(nx))];
            for (plane, _, other) in sides.into_iter().filter(|(_, inside, _)| *inside) {
                let span = SideSpan::new(s.heights[other], h, n);
                let runs = span.run[1] - span.run[0] > 2;
                for entry in (0..n).filter(|entry| span.has(*entry) && !(runs && *entry < 2)) {
                    let y = span.cell_of(entry) as f32 + 0.5;
                    let point = if plane == 0 { [x, y, z + 0.5] } else { [x + 0.5, y, z] };
                    if let Some(speed) = speed(plane, point) {
                        s.faces[plane * len + column * n + entry] = speed;
                    }
                }
            }
        }
    }
}

pub(super) fn pump(p: &SourceParams, s: PumpSlices<'_>) {
    let n = p.samples as usize;
    let more = p.cell * p.cell * s.state[p.state_at as usize + state::FLOW];
    let diagonals = &s.cells[p.diagonal_at as usize..];
    for number in 0..p.columns() {
        let column = p.column(number);
        let h = s.heights[column];
        let phi = &s.phi[column * n..][..n];
        let (diagonals, b) = (&diagonals[column * n..][..n], &mut s.b[column * n..][..n]);
        for y in p.cells(h) {
            if p.of_cell(column, y) >= 0.0 || cell_at(phi, h, y) >= 0.0 {
                continue;
            }
            if y < h[1] && is_tall(h) {
                if diagonals[1] > 0.0 {
                    let share = (y - h[0]) as f32 / (h[1] - 1 - h[0]) as f32;
                    b[0] += (1.0 - share) * more;
                    b[1] += share * more;
                }
            } else {
                let sample = (y - h[1] + 2) as usize;
                if diagonals[sample] > 0.0 {
                    b[sample] += more;
                }
            }
        }
    }
}
