//! Colours and spacing: dark and calm, so that the water is what one looks at.

use egui::{Color32, Context, CornerRadius, Stroke, Theme, Visuals};

pub(crate) const ACCENT: Color32 = Color32::from_rgb(92, 176, 196);
pub(crate) const PANEL: Color32 = Color32::from_rgb(22, 26, 31);
pub(crate) const RAISED: Color32 = Color32::from_rgb(34, 40, 47);
pub(crate) const TEXT: Color32 = Color32::from_rgb(206, 212, 218);
pub(crate) const FAINT: Color32 = Color32::from_rgb(134, 144, 154);
pub(crate) const TROUBLE: Color32 = Color32::from_rgb(74, 32, 32);

/// Puts the style on.
pub(crate) fn apply(context: &Context) {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.extreme_bg_color = Color32::from_rgb(15, 18, 22);
    visuals.override_text_color = Some(TEXT);
    visuals.selection.bg_fill = Color32::from_rgb(38, 84, 98);
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    visuals.slider_trailing_fill = true;
    let corner = CornerRadius::same(4);
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = corner;
    }
    visuals.widgets.inactive.weak_bg_fill = RAISED;
    visuals.widgets.inactive.bg_fill = RAISED;
    context.set_theme(Theme::Dark);
    context.set_visuals_of(Theme::Dark, visuals);
    context.style_mut_of(Theme::Dark, |style| {
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.spacing.slider_width = 120.0;
        style.spacing.interact_size.y = 20.0;
    });
}
