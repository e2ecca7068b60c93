use super::outflow_limit::listed;
use super::tallies::{self, tally};
use super::units::{add_wide, granted, part_of, wide};
use super::{KernelParams, SideOutflowSlices, plane};
use crate::tree::layout::CELLS;

/// What goes out through open sides: a share like that of any window, and never more than the windows have left.
pub(super) fn side_outflow(p: &KernelParams, s: SideOutflowSlices<'_>) {
    for slot in listed(p, s.lists).iter().map(|&slot| slot as usize) {
        let mut removed = 0;
        for at in 0..CELLS {
            let wanted = s.drift[plane::DRIFT * CELLS * slot + plane::LEAVING * CELLS + at];
            if wanted == 0 {
                continue;
            }
            let asked = plane::ASKED * CELLS * slot + at;
            let volume = wide(s.volumes, plane::VOLUMES * CELLS * slot + at);
            let share = part_of(volume, granted(wanted, wide(s.asked, asked + plane::DEMAND * CELLS)));
            let gone = share.min(volume - wide(s.asked, asked + plane::TAKEN * CELLS));
            add_wide(s.asked, asked + plane::TAKEN * CELLS, gone);
            removed += gone;
        }
        tallies::add(&mut s.tallies[tallies::WORDS * slot..][..tallies::WORDS], tally::SIDES_TAKEN, removed);
    }
}
