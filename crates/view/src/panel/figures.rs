//! Numbers of the running water.

use egui::{Grid, Ui};
use egui_plot::{Line, Plot, PlotPoints};

use super::{faint, section};
use crate::app::App;
use crate::figures::Quantity;
use crate::style::ACCENT;

pub(super) fn figures(app: &App, ui: &mut Ui) {
    let figures = &app.report.figures;
    section(ui, "Figures", true, |ui| {
        Grid::new("figures").num_columns(2).min_col_width(104.0).spacing([12.0, 3.0]).show(ui, |ui| {
            let mut row = |name: &str, hint: &str, value: String| {
                ui.label(faint(name)).on_hover_text(hint);
                ui.monospace(value);
                ui.end_row();
            };
            row("Time", "Simulated time", format!("{:.2} s", figures.time));
            row("Pace", "Simulated seconds per second", format!("{:.2} ×", figures.pace));
            row("Pictures", "Pictures per second", format!("{:.1} /s", figures.pictures_per_second));
            row("Step", "Time of a step of the scene", format!("{:.1} ms", figures.step_ms));
            let [width, height] = figures.size;
            let size = format!("{:.1} ms, {width}×{height}", figures.draw_ms);
            row("Picture", "Time and pixels of a picture", size);
            if let Some(water) = figures.statistics {
                row("Volume", "Water in the domain", format!("{} m³", significant(water.volume)));
                let drift = format!("{:+.3} %", 100.0 * figures.drift);
                row("Drift", "Volume that the ledger of inflow and outflow cannot explain", drift);
                row("Fastest water", "Largest speed", format!("{} m/s", significant(water.max_speed)));
                row("Came in", "Volume added since the start", format!("{} m³", significant(water.added)));
                row("Went out", "Volume removed since the start", format!("{} m³", significant(water.removed)));
                if water.crowded_columns > 0 {
                    let hint =
                        "Columns whose cubic cells did not reach over all of their water: more regular_cells help";
                    row("Crowded", hint, water.crowded_columns.to_string());
                }
            }
        });
    });
}

/// Four digits, whatever the size.
fn significant(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e7).contains(&size) {
        return format!("{value:.3e}");
    }
    let before = if size >= 1.0 { size.log10().floor() as usize + 1 } else { 1 };
    format!("{value:.*}", 4_usize.saturating_sub(before))
}

pub(super) fn plot(app: &mut App, ui: &mut Ui) {
    section(ui, "Plot", true, |ui| {
        ui.horizontal(|ui| {
            let label = ui.label(faint("of")).id;
            let choice = egui::ComboBox::from_id_salt("quantity").selected_text(app.quantity.name()).width(180.0);
            let choice = choice.show_ui(ui, |ui| {
                for quantity in Quantity::ALL {
                    ui.selectable_value(&mut app.quantity, quantity, quantity.name());
                }
            });
            choice.response.labelled_by(label);
        });
        let points = PlotPoints::from(app.history.points(app.quantity));
        let line = Line::new(app.quantity.name(), points).color(ACCENT).width(1.5);
        Plot::new("plot")
            .height(110.0)
            .width(ui.available_width() - 10.0)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .show_x(true)
            .include_y(0.0)
            .set_margin_fraction(egui::vec2(0.02, 0.08))
            .show(ui, |plot| plot.line(line));
    });
}

pub(super) fn stages(app: &App, ui: &mut Ui) {
    section(ui, "Stages", false, |ui| {
        if app.report.figures.stages.is_empty() {
            ui.label(faint("known after some steps"));
        }
        Grid::new("stages").num_columns(2).min_col_width(104.0).spacing([12.0, 2.0]).show(ui, |ui| {
            for (name, ms) in &app.report.figures.stages {
                ui.label(faint(*name));
                ui.monospace(format!("{ms:7.2} ms"));
                ui.end_row();
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn figures_have_four_digits() {
        let cases = [
            (0.0, "0.000"),
            (1.23456, "1.235"),
            (123.456, "123.5"),
            (54321.0, "54321"),
            (2e-5, "2.000e-5"),
            (3e9, "3.000e9"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value), text);
        }
    }
}
