//! The panel beside the picture, and what lies over it.

mod figures;
mod overlay;
mod settings;
mod transport;

use egui::{RichText, ScrollArea, Ui};

use crate::app::App;
use crate::style::FAINT;

pub(crate) use overlay::overlays;

/// The whole panel.
pub(crate) fn panel(app: &mut App, ui: &mut Ui) {
    ui.add_space(8.0);
    transport::scene(app, ui);
    ui.add_space(6.0);
    transport::transport(app, ui);
    ui.add_space(6.0);
    transport::tools(app, ui);
    ui.add_space(4.0);
    ui.separator();
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        figures::figures(app, ui);
        figures::plot(app, ui);
        figures::stages(app, ui);
        settings::picture(app, ui);
        settings::water(app, ui);
        settings::restart(app, ui);
        ui.add_space(12.0);
    });
}

/// A heading that can be folded away.
fn section(ui: &mut Ui, title: &str, is_open: bool, add: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong()).default_open(is_open).show(ui, add);
}

fn faint(text: impl Into<String>) -> RichText {
    RichText::new(text).color(FAINT)
}
