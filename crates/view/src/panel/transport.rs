//! Scene, pause, speed and tools.

use egui::{RichText, Slider, Ui};
use thalweg::Session;
use thalweg_scene::shipped;

use super::faint;
use crate::app::App;
use crate::command::{Command, Tool};
use crate::keys::Action;
use crate::scene_source::{Overrides, SceneSource};
use crate::style::ACCENT;

pub(super) fn scene(app: &mut App, ui: &mut Ui) {
    let world = app.report.world.clone();
    let title = world.as_ref().map_or_else(|| "Thalweg".to_owned(), |world| world.title.clone());
    ui.add(egui::Label::new(RichText::new(title).size(17.0).strong()).truncate());
    if let Some(world) = &world {
        let line = format!("{}, {} cells of {} m", world.solver, grouped(world.cells), world.cell);
        ui.label(faint(line)).on_hover_text(format!("runs on {}", world.executor));
    }
    let name = world.as_ref().map_or_else(String::new, |world| world.source.name());
    ui.horizontal(|ui| {
        let label = ui.label("Scene").id;
        let choice = egui::ComboBox::from_id_salt("scene").selected_text(name.clone()).width(196.0);
        let choice = choice.show_ui(ui, |ui| {
            for scene in shipped() {
                if ui.selectable_label(scene.name == name, scene.name).clicked() {
                    let source = SceneSource::Shipped(scene.name.to_owned());
                    app.send(Command::Open(source, Overrides::default()));
                }
            }
        });
        choice.response.labelled_by(label);
    });
    ui.horizontal(|ui| {
        let label = ui.label("File").id;
        let edit = egui::TextEdit::singleline(&mut app.file).hint_text("path of a scene.toml").desired_width(170.0);
        let entered =
            ui.add(edit).labelled_by(label).lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let opens = ui.button("Open").on_hover_text("Open a scene file").clicked();
        if (opens || entered) && !app.file.trim().is_empty() {
            app.send(Command::Open(SceneSource::File(app.file.trim().into()), Overrides::default()));
        }
    });
}

pub(super) fn transport(app: &mut App, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let (label, hint) = if app.report.playing { ("Pause", "Pause (Space)") } else { ("Play", "Go on (Space)") };
        let play = egui::Button::new(RichText::new(label).color(ACCENT).strong()).min_size(egui::vec2(60.0, 24.0));
        if ui.add(play).on_hover_text(hint).clicked() {
            app.act(Action::TogglePlay);
        }
        let mut button = |label: &str, hint: &str, action: Action| {
            let wide = egui::Button::new(label).min_size(egui::vec2(0.0, 24.0));
            if ui.add(wide).on_hover_text(hint).clicked() {
                app.act(action);
            }
        };
        button("Step", "One step, then pause (N)", Action::Step);
        button("Restart", "The scene from its beginning (R)", Action::Restart);
        button("Camera", "The first camera again (Home)", Action::ResetCamera);
    });
    ui.horizontal(|ui| {
        ui.label("Speed");
        let mut speed = app.report.speed;
        let [slowest, fastest] = Session::SPEEDS;
        let slider = Slider::new(&mut speed, slowest..=fastest).logarithmic(true).suffix(" ×");
        let hint = "Simulated seconds per second: below 1 is slow motion (− and +)";
        if ui.add(slider.max_decimals(2)).on_hover_text(hint).changed() {
            app.send(Command::Speed(speed));
        }
    });
    ui.horizontal(|ui| {
        if ui.button("Screenshot").on_hover_text("Write the picture as PNG (S)").clicked() {
            app.act(Action::Screenshot);
        }
        let label = match app.report.recorded {
            Some(frames) => format!("Stop recording ({frames})"),
            None => "Record".to_owned(),
        };
        let hint = "Write pictures as PNG into a new folder, thirty per watched second (V)";
        if ui.button(label).on_hover_text(hint).clicked() {
            app.act(Action::ToggleRecord);
        }
        if ui.button("Help").on_hover_text("Keys and mouse (H)").clicked() {
            app.act(Action::ToggleHelp);
        }
    });
}

pub(super) fn tools(app: &mut App, ui: &mut Ui) {
    let is_tall = app.report.world.as_ref().is_some_and(|world| world.is_three_dimensional);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for tool in Tool::ALL {
            let enabled = is_tall || !tool.needs_tall_cells();
            let label = egui::Button::selectable(app.tool == tool, tool.name());
            let response = ui.add_enabled(enabled, label).on_hover_text(tool.hint());
            let response = response.on_disabled_hover_text("Only three-dimensional water can be touched");
            if response.clicked() {
                app.act(Action::Choose(tool));
            }
        }
    });
    if let Some(world) = app.report.world.clone().filter(|_| is_tall) {
        ui.horizontal(|ui| {
            ui.label("Tool radius");
            let range = 1.5 * world.cell..=(8.0 * world.tool_radius);
            ui.add(Slider::new(&mut app.radius, range).logarithmic(true).max_decimals(3).suffix(" m"))
                .on_hover_text("Radius of the stream, the push, balls; half the edge of boxes");
        });
    }
}

/// 1234567 as 1 234 567.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([7, 123, 1234, 1_234_567].map(grouped), ["7", "123", "1 234", "1 234 567"]);
    }
}
