//! What lies over the picture: troubles, notices, help.

use egui::{Align2, Area, Context, Frame, Grid, Id, Order, RichText, Vec2};

use super::faint;
use crate::app::App;
use crate::command::Command;
use crate::keys::{KEYS, MOUSE};
use crate::style::{ACCENT, PANEL, TROUBLE};

pub(crate) fn overlays(app: &App, context: &Context) {
    trouble(app, context);
    notice(app, context);
    if app.shows_help {
        help(context);
    }
}

fn trouble(app: &App, context: &Context) {
    let Some(text) = &app.report.trouble else { return };
    let middle = Align2::RIGHT_BOTTOM;
    Area::new(Id::unique("trouble")).order(Order::Foreground).anchor(middle, Vec2::new(-16.0, -16.0)).show(
        context,
        |ui| {
            Frame::new().fill(TROUBLE).corner_radius(6).inner_margin(12.0).show(ui, |ui| {
                ui.set_max_width(560.0);
                ui.label(RichText::new("Something went wrong").strong());
                ui.label(RichText::new(text).monospace());
                if ui.button("Close").clicked() {
                    app.send(Command::Dismiss);
                }
            });
        },
    );
}

fn notice(app: &App, context: &Context) {
    let busy = app.report.busy.as_deref();
    let text = match (busy, app.notice()) {
        (Some(busy), _) => format!("{busy} …"),
        (None, Some((text, left))) => {
            context.request_repaint_after(left);
            text.to_owned()
        }
        (None, None) => return,
    };
    let place = (Align2::RIGHT_TOP, Vec2::new(-16.0, 16.0));
    Area::new(Id::unique("notice")).order(Order::Foreground).anchor(place.0, place.1).show(context, |ui| {
        Frame::new().fill(PANEL).corner_radius(6).inner_margin(8.0).show(ui, |ui| ui.label(text));
    });
}

fn help(context: &Context) {
    let place = (Align2::CENTER_CENTER, Vec2::new(120.0, 0.0));
    Area::new(Id::unique("help")).order(Order::Foreground).anchor(place.0, place.1).show(context, |ui| {
        Frame::new().fill(PANEL).corner_radius(8).inner_margin(20.0).show(ui, |ui| {
            ui.label(RichText::new("Mouse and keys").size(17.0).strong());
            ui.add_space(8.0);
            Grid::new("help").num_columns(2).spacing([24.0, 5.0]).show(ui, |ui| {
                let keys = KEYS.iter().filter(|key| !key.name.is_empty()).map(|key| (key.name, key.what));
                for (name, what) in MOUSE.iter().copied().chain(keys) {
                    ui.label(RichText::new(name).color(ACCENT).monospace());
                    ui.label(what);
                    ui.end_row();
                }
            });
            ui.add_space(8.0);
            ui.label(faint("H closes this help"));
        });
    });
}
