//! What the user sees and does: the state of the window, without the window.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use egui::{ColorImage, PointerButton, Rect, TextureHandle, TextureOptions, Ui};
use thalweg::render::Look;

use crate::command::{Command, Tool, Touch};
use crate::figures::{History, Quantity};
use crate::keys::{Action, KEYS};
use crate::orbit::Orbit;
use crate::panel;
use crate::report::Report;
use crate::scale::Scale;
use crate::scene_source::Overrides;

/// How long a notice stays.
const NOTICE: Duration = Duration::from_secs(4);
/// Points of the wheel that are one step.
const WHEEL_STEP: f32 = 50.0;
/// Width of the panel, points.
const PANEL_WIDTH: f32 = 312.0;
/// How much slower or faster a key makes the water.
const FASTER: f64 = 2.0;

/// The state of the window.
pub(crate) struct App {
    commands: Sender<Command>,
    pub(crate) report: Report,
    /// Scene that `orbit` and `look` are for.
    generation: u64,
    pub(crate) orbit: Option<Orbit>,
    /// How the water is looked at, but for the camera and the size.
    pub(crate) look: Option<Look>,
    pub(crate) scale: Scale,
    pub(crate) tool: Tool,
    /// Radius of the tool, m.
    pub(crate) radius: f64,
    /// Settings that wait for a new start.
    pub(crate) edited: Overrides,
    pub(crate) file: String,
    pub(crate) history: History,
    pub(crate) quantity: Quantity,
    pub(crate) shows_panel: bool,
    pub(crate) shows_help: bool,
    notice: Option<(String, Instant)>,
    notices: u64,
    texture: Option<TextureHandle>,
    /// Number of the picture in the texture.
    shown: u64,
    sent: Option<(Look, Scale)>,
    touches: bool,
    /// Whether the user wants to leave.
    pub(crate) quits: bool,
}

impl App {
    pub(crate) fn new(commands: Sender<Command>, scale: Scale) -> Self {
        Self {
            commands,
            report: Report::default(),
            generation: 0,
            orbit: None,
            look: None,
            scale,
            tool: Tool::Look,
            radius: 1.0,
            edited: Overrides::default(),
            file: String::new(),
            history: History::default(),
            quantity: Quantity::default(),
            shows_panel: true,
            shows_help: false,
            notice: None,
            notices: 0,
            texture: None,
            shown: 0,
            sent: None,
            touches: false,
            quits: false,
        }
    }

    /// Takes what the worker tells.
    pub(crate) fn take(&mut self, report: Report) {
        if let Some(world) = report.world.as_ref().filter(|world| world.generation != self.generation) {
            let same = self.report.world.as_ref().is_some_and(|old| old.source == world.source);
            self.generation = world.generation;
            // A restart keeps the view.
            if !same || self.orbit.is_none() {
                let [width, height] = world.home.size.map(f64::from);
                self.orbit = Some(Orbit::new(world.home.camera, width / height));
                self.look = Some(world.home.clone());
                self.radius = world.tool_radius;
            }
            if !world.is_three_dimensional && self.tool.needs_tall_cells() {
                self.tool = Tool::Look;
            }
            (self.edited, self.sent) = (world.overrides, None);
            self.history = History::default();
        }
        if report.notice.1 != self.notices {
            self.notices = report.notice.1;
            self.notice = Some((report.notice.0.clone(), Instant::now()));
        }
        self.history.push(&report.figures);
        self.report = report;
    }

    /// Tells the worker something. It is gone only when the window is about to close.
    pub(crate) fn send(&self, command: Command) {
        let _gone = self.commands.send(command);
    }

    /// The notice to show, and for how long still.
    pub(crate) fn notice(&self) -> Option<(&str, Duration)> {
        let (text, since) = self.notice.as_ref()?;
        let left = NOTICE.checked_sub(since.elapsed())?;
        Some((text, left))
    }

    pub(crate) fn act(&mut self, action: Action) {
        match action {
            Action::TogglePlay => self.send(Command::Play(!self.report.playing)),
            Action::Step => self.send(Command::Step),
            Action::Restart => self.send(Command::Restart),
            Action::Slower => self.send(Command::Speed(self.report.speed / FASTER)),
            Action::Faster => self.send(Command::Speed(self.report.speed * FASTER)),
            Action::ResetCamera => {
                if let Some(orbit) = &mut self.orbit {
                    orbit.reset();
                }
            }
            Action::Turn(by) => {
                if let Some(orbit) = &mut self.orbit {
                    orbit.turn(by);
                }
            }
            Action::Choose(tool) => {
                let is_tall = self.report.world.as_ref().is_some_and(|world| world.is_three_dimensional);
                if is_tall || !tool.needs_tall_cells() {
                    self.tool = tool;
                }
            }
            Action::Screenshot => self.send(Command::Screenshot),
            Action::ToggleRecord => self.send(Command::Record(self.report.recorded.is_none())),
            Action::TogglePanel => self.shows_panel = !self.shows_panel,
            Action::ToggleHelp => self.shows_help = !self.shows_help,
            Action::Leave => {
                if !std::mem::take(&mut self.shows_help) {
                    self.tool = Tool::Look;
                }
            }
        }
    }

    /// One pass over the whole window.
    pub(crate) fn ui(&mut self, ui: &mut Ui) {
        let pressed = ui.input(|input| pressed(&input.events));
        self.quits |= pressed.iter().any(|(key, modifiers)| *key == egui::Key::Q && modifiers.command);
        if !ui.ctx().egui_wants_keyboard_input() {
            for (key, modifiers) in pressed {
                let binding = KEYS.iter().find(|binding| binding.key == key);
                if let Some(binding) = binding.filter(|_| modifiers.is_none() || modifiers.shift_only()) {
                    self.act(binding.action);
                }
            }
        }
        if self.shows_panel {
            egui::Panel::left("panel").resizable(false).exact_size(PANEL_WIDTH).show(ui, |ui| panel::panel(self, ui));
        }
        let frame = egui::Frame::NONE.fill(egui::Color32::from_rgb(12, 14, 17));
        egui::CentralPanel::default().frame(frame).show(ui, |ui| self.picture(ui));
        panel::overlays(self, ui.ctx());
    }

    /// The picture, and what the mouse does on it.
    fn picture(&mut self, ui: &mut Ui) {
        let area = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(area, egui::Sense::click_and_drag());
        self.upload(ui.ctx());
        if let Some(texture) = &self.texture {
            let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            ui.painter().image(texture.id(), area, whole, egui::Color32::WHITE);
        }
        self.mouse(ui, &response, area);
        let pixels = ui.ctx().pixels_per_point();
        self.look_at([area.width(), area.height()].map(|side| (side * pixels).round().max(1.0) as u32));
    }

    fn mouse(&mut self, ui: &Ui, response: &egui::Response, area: Rect) {
        let modifiers = ui.input(|input| input.modifiers);
        let is_tall = self.report.world.as_ref().is_some_and(|world| world.is_three_dimensional);
        let tool = match self.tool {
            _ if !is_tall => Tool::Look,
            _ if modifiers.shift => Tool::Pour,
            _ if modifiers.command => Tool::Push,
            own => own,
        };
        let place = response.interact_pointer_pos().or(response.hover_pos()).map(|at| {
            let from = at - area.min;
            [f64::from(from.x / area.width().max(1.0)), f64::from(from.y / area.height().max(1.0))]
        });
        let touch = place.map(|place| Touch { tool, place, radius: self.radius });
        let is_held = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
        if let (Some(touch), true) = (touch, is_held && tool != Tool::Look && !tool.clicks()) {
            self.touches = true;
            self.send(Command::Touch(Some(touch)));
        } else if self.touches && !is_held {
            self.touches = false;
            self.send(Command::Touch(None));
        }
        if let (Some(touch), true) = (touch, response.clicked_by(PointerButton::Primary)) {
            match tool {
                Tool::Ball | Tool::Block => self.send(Command::Place(touch)),
                Tool::Remove => self.send(Command::Remove(touch)),
                Tool::DropBox | Tool::DropBall => self.send(Command::Drop(touch)),
                _ => {}
            }
        }
        let Some(orbit) = &mut self.orbit else { return };
        let height = area.height().max(1.0);
        let drag = response.drag_delta();
        let drag = [f64::from(drag.x / height), f64::from(drag.y / height)];
        let turns = tool == Tool::Look || tool.clicks();
        if response.dragged_by(PointerButton::Primary) && turns && !self.touches {
            orbit.turn(drag);
        } else if response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle) {
            orbit.pan(drag);
        }
        if response.hovered() {
            let wheel = ui.input(|input| input.smooth_scroll_delta().y);
            if wheel != 0.0 {
                orbit.zoom(f64::from(wheel / WHEEL_STEP));
            }
        }
    }

    /// Brings the newest picture into the texture.
    fn upload(&mut self, context: &egui::Context) {
        let Some((picture, number)) = self.report.picture.as_ref().filter(|(_, number)| *number != self.shown) else {
            return;
        };
        self.shown = *number;
        let image = ColorImage::from_rgba_unmultiplied(picture.size.map(|side| side as usize), &picture.rgba);
        match &mut self.texture {
            Some(texture) => texture.set(image, TextureOptions::LINEAR),
            None => self.texture = Some(context.load_texture("picture", image, TextureOptions::LINEAR)),
        }
    }

    /// Tells the worker how the water is looked at, if that has changed.
    pub(crate) fn look_at(&mut self, size: [u32; 2]) {
        let (Some(orbit), Some(look)) = (&mut self.orbit, &self.look) else { return };
        orbit.fit(f64::from(size[0]) / f64::from(size[1]));
        let look = Look { camera: orbit.camera(), size, ..look.clone() };
        if self.sent.as_ref().is_some_and(|(old, scale)| *old == look && *scale == self.scale) {
            return;
        }
        self.sent = Some((look.clone(), self.scale));
        self.send(Command::Look { generation: self.generation, look: Box::new(look), scale: self.scale });
    }
}

/// Keys that went down, each with the modifiers of its own moment: quick ones are up again at the end of a pass.
fn pressed(events: &[egui::Event]) -> Vec<(egui::Key, egui::Modifiers)> {
    let key = |event: &egui::Event| match event {
        egui::Event::Key { key, pressed: true, modifiers, .. } => Some((*key, *modifiers)),
        _ => None,
    };
    events.iter().filter_map(key).collect()
}
