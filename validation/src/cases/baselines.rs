//! What plain level sets make of the shapes of `zalesak` and `deformation`, beside what the solver's own makes of them.

use crate::data::table;
use crate::{Limit, Outcome, Result};

/// Schemes of the table and their names here. They have no reinitialisation, no particles and no correction of the
/// volume, and take half a cell per step.
const SCHEMES: [(&str, &str); 3] =
    [("SL-linear", "linear semi-Lagrangian"), ("SL-MacCormack", "MacCormack"), ("WENO5-RK3", "WENO5")];

/// Adds a note with the losses of plain level sets in `test` with `cells` along the box, and the loss of the metric
/// `loss of volume, NAME` over that of the first of them, which is of the same order as the solver's.
pub(super) fn report(out: &mut Outcome, test: &str, cells: f64, name: &str, most: f64) -> Result<()> {
    let table = table!("baseline_2d_pure_level_set")?;
    let of = |column: &str, scheme: &str| -> Result<f64> {
        Ok(table.curve("N", column, |row| row[0] == test && row[2] == scheme)?.at(cells))
    };
    let [loss, misplaced] = ["loss of volume", "misplaced volume"]
        .map(|what| out.metrics.iter().find(|m| m.name == format!("{what}, {name}")).map(|m| m.value));
    let (Some(loss), Some(misplaced)) = (loss, misplaced) else { return Ok(()) };
    let mut note =
        format!("{name}: loses {:.1} %, misplaces {:.1} %; plain level sets:", 100.0 * loss, 100.0 * misplaced);
    for (scheme, label) in SCHEMES {
        let share = 100.0 * of("sym_diff_area", scheme)? / of("area_exact", scheme)?;
        note += &format!(" {label} {:.1} and {share:.1} %,", of("loss_percent", scheme)?);
    }
    out.notes.push(note.trim_end_matches(',').to_owned());
    let plain = 0.01 * of("loss_percent", SCHEMES[0].0)?;
    let title = format!("loss over that of a plain linear semi-Lagrangian level set, {name}");
    out.ratio(title, loss / plain, Limit::AtMost(most));
    Ok(())
}
