//! How the water is drawn and simulated.

use egui::{Slider, Ui};
use thalweg::render::Show;

use super::{faint, section};
use crate::app::App;
use crate::command::Command;
use crate::scale::Scale;
use crate::scene_source::Overrides;

pub(super) fn picture(app: &mut App, ui: &mut Ui) {
    let Some(world) = app.report.world.clone() else { return };
    section(ui, "Picture", false, |ui| {
        ui.horizontal(|ui| {
            ui.label("Pixels");
            for scale in Scale::ALL {
                ui.selectable_value(&mut app.scale, scale, scale.name())
                    .on_hover_text("Pixels drawn for those of the window; all of them when nothing moves");
            }
        });
        let Some(look) = &mut app.look else { return };
        let [first, last] = world.depth;
        if world.is_three_dimensional {
            ui.horizontal(|ui| {
                ui.label("Show");
                let is_cut = matches!(look.show, Show::Cells { .. });
                if ui.selectable_label(!is_cut, "water").clicked() {
                    look.show = Show::Water;
                }
                let hint = "Cells in a vertical cut, tall cells below the orange line";
                if ui.selectable_label(is_cut, "cells").on_hover_text(hint).clicked() && !is_cut {
                    look.show = Show::Cells { z: 0.5 * (first + last) };
                }
            });
            if let Show::Cells { z } = &mut look.show {
                ui.add(Slider::new(z, first..=last).text("cut at z").suffix(" m"));
            }
        }
        ui.add(Slider::new(&mut look.sun[0], -180.0..=180.0).text("sun, azimuth").suffix("°"));
        ui.add(Slider::new(&mut look.sun[1], 2.0..=90.0).text("sun, elevation").suffix("°"));
        ui.add(Slider::new(&mut look.exposure, -3.0..=3.0).text("exposure, stops"));
        ui.add(Slider::new(&mut look.samples, 1..=16).text("rays at edges"))
            .on_hover_text("Rays of a pixel at edges, in pictures that rest");
        for (channel, name) in ["absorbs red", "absorbs green", "absorbs blue"].into_iter().enumerate() {
            let most = 20.0 * world.home.water.absorption[channel].max(1e-6);
            let slider = Slider::new(&mut look.water.absorption[channel], 0.0..=most).logarithmic(true).text(name);
            ui.add(slider.smallest_positive(1e-6)).on_hover_text("1/m: less makes clearer water");
        }
        ui.checkbox(&mut look.edges, "edges of the domain");
        if ui.button("As the scene says").clicked() {
            *look = world.home.clone();
        }
    });
}

pub(super) fn water(app: &App, ui: &mut Ui) {
    let Some(before) = app.report.tuning else { return };
    section(ui, "Water, at once", false, |ui| {
        let mut now = before;
        ui.add(Slider::new(&mut now.gravity, 0.1..=50.0).logarithmic(true).text("gravity, m/s²"))
            .on_hover_text("Cannot change where sides are open");
        ui.add(Slider::new(&mut now.max_cfl, 0.25..=10.0).text("max_cfl"))
            .on_hover_text("Most cells that water crosses in a sub-step: more is quicker and rougher");
        ui.add(Slider::new(&mut now.tolerance, 1e-7..=0.1).logarithmic(true).text("tolerance"))
            .on_hover_text("Residual at which the pressure solve ends (pressure_tolerance)");
        ui.add(Slider::new(&mut now.iterations, 1..=before.most_iterations).text("iterations"))
            .on_hover_text("Most iterations of the pressure solve (pressure_iterations)");
        ui.add(Slider::new(&mut now.reinitialise_every, 1..=20).text("reinitialise every"))
            .on_hover_text("Sub-steps between reinitialisations of the level set");
        ui.checkbox(&mut now.hold_volume, "hold_volume").on_hover_text("Put drift of the volume right");
        ui.checkbox(&mut now.cubic_surface, "cubic_surface").on_hover_text("Read the level set by cubics");
        if now != before {
            app.send(Command::Tune(now));
        }
    });
}

pub(super) fn restart(app: &mut App, ui: &mut Ui) {
    let Some(world) = app.report.world.clone() else { return };
    section(ui, "Water, needs a restart", false, |ui| {
        let edited = &mut app.edited;
        let mut cell = edited.cell.unwrap_or(world.cell);
        let speed = 0.02 * world.cell;
        ui.horizontal(|ui| {
            let drag = egui::DragValue::new(&mut cell).speed(speed).range(1e-6..=1e6).max_decimals(6).suffix(" m");
            if ui.add(drag).on_hover_text("Edge of a cell; the domain must be a multiple of it").changed() {
                edited.cell = Some(cell);
            }
            ui.label("cell");
        });
        if world.is_three_dimensional {
            ui.horizontal(|ui| {
                let mut cells = edited.regular_cells.unwrap_or(world.regular_cells);
                let hint = "Cubic cells of a column; more where crowded columns are counted";
                if ui.add(egui::DragValue::new(&mut cells).range(1..=4096)).on_hover_text(hint).changed() {
                    edited.regular_cells = Some(cells);
                }
                ui.label("regular_cells");
            });
            let mut fine = edited.surface.unwrap_or(world.surface) > 1;
            if ui.checkbox(&mut fine, "surface = 2").on_hover_text("Track the surface twice as finely").changed() {
                edited.surface = Some(if fine { 2 } else { 1 });
            }
        }
        let edited = app.edited;
        ui.horizontal(|ui| {
            let apply = ui.add_enabled(edited != world.overrides, egui::Button::new("Apply and restart"));
            if apply.clicked() {
                app.send(Command::Open(world.source.clone(), edited));
            }
            if ui.button("As the scene says").clicked() {
                app.edited = Overrides::default();
            }
        });
        if edited != world.overrides {
            ui.label(faint("not in the water yet"));
        }
    });
}
