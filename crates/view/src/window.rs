//! The window: events in, the picture and the panels out.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use crate::app::App;
use crate::canvas::Canvas;
use crate::command::Command;
use crate::error::ViewError;
use crate::figures::FinalFigures;
use crate::options::ViewOptions;
use crate::report::Report;
use crate::slot::Slot;
use crate::worker::Worker;

/// Smallest window, points.
const SMALLEST: [u32; 2] = [640, 400];

/// The worker has put something into the slot, or egui wants to draw.
#[derive(Debug, Clone, Copy)]
struct Woken;

/// Opens a window on a scene and stays until it is closed. Must be called from the main thread.
pub fn open(options: ViewOptions) -> Result<FinalFigures, ViewError> {
    let events = EventLoop::<Woken>::with_user_event().build().map_err(|error| no_display(&error))?;
    let slot = Arc::new(Slot::default());
    let (commands, orders) = channel();
    let worker = start(&options, orders, Arc::clone(&slot), events.create_proxy())?;
    let mut handler = Handler {
        app: App::new(commands, options.scale),
        slot,
        size: options.size,
        title: options.scene.name(),
        canvas: None,
        repaint_at: None,
        failed: None,
    };
    let ended = events.run_app(&mut handler);
    let failed = handler.failed.take();
    // The worker sees that nobody gives commands any more, and ends.
    drop(handler);
    let figures = worker.join().map_err(|_| ViewError::Worker("it panicked; its message is above".into()))?;
    match (failed, ended) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(no_display(&error)),
        (None, Ok(())) => Ok(figures),
    }
}

/// winit tells the line of its own source first; the cause comes last.
fn no_display(error: &impl ToString) -> ViewError {
    let text = error.to_string();
    ViewError::NoDisplay(
        text.rsplit_once(".rs:")
            .and_then(|(_, rest)| rest.split_once(": "))
            .map_or(text.clone(), |(_, why)| why.to_owned()),
    )
}

fn start(
    options: &ViewOptions,
    orders: Receiver<Command>,
    slot: Arc<Slot<Report>>,
    proxy: EventLoopProxy<Woken>,
) -> Result<JoinHandle<FinalFigures>, ViewError> {
    let (options, scene) = (options.clone(), options.scene.clone());
    let run = move || {
        // A loop that is gone needs no more waking.
        let wake = Box::new(move || {
            let _gone = proxy.send_event(Woken);
        });
        Worker::new(&options, orders, slot, wake).run(&scene)
    };
    let thread = std::thread::Builder::new().name("thalweg-water".into());
    thread.spawn(run).map_err(|error| ViewError::Worker(error.to_string()))
}

struct Handler {
    app: App,
    slot: Arc<Slot<Report>>,
    /// Of the window at the start, points.
    size: [u32; 2],
    title: String,
    canvas: Option<Canvas>,
    repaint_at: Option<Instant>,
    failed: Option<ViewError>,
}

impl ApplicationHandler<Woken> for Handler {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.canvas.is_some() {
            return;
        }
        let [width, height] = self.size;
        let attributes = Window::default_attributes()
            .with_title(format!("Thalweg: {}", self.title))
            .with_inner_size(LogicalSize::new(width, height))
            .with_min_inner_size(LogicalSize::new(SMALLEST[0], SMALLEST[1]));
        let canvas = events
            .create_window(attributes)
            .map_err(|error| no_display(&error))
            .and_then(|window| Canvas::new(events, Arc::new(window)));
        match canvas {
            Ok(canvas) => self.canvas = Some(canvas),
            Err(error) => self.give_up(events, error),
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, Woken: Woken) {
        self.redraw();
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(canvas) = &mut self.canvas else { return };
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::RedrawRequested => self.draw(events),
            event => {
                if let WindowEvent::Resized(size) = event {
                    canvas.resize([size.width, size.height]);
                }
                if canvas.takes(&event) {
                    self.redraw();
                }
            }
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        match self.repaint_at {
            Some(at) if at <= Instant::now() => {
                self.repaint_at = None;
                self.redraw();
                events.set_control_flow(ControlFlow::Wait);
            }
            Some(at) => events.set_control_flow(ControlFlow::WaitUntil(at)),
            None => events.set_control_flow(ControlFlow::Wait),
        }
    }
}

impl Handler {
    fn redraw(&self) {
        if let Some(canvas) = &self.canvas {
            canvas.request_redraw();
        }
    }

    fn draw(&mut self, events: &ActiveEventLoop) {
        if let Some(report) = self.slot.take() {
            self.app.take(report);
        }
        let Some(canvas) = &mut self.canvas else { return };
        let app = &mut self.app;
        match canvas.draw(|ui| app.ui(ui)) {
            Ok(again) => self.repaint_at = again.and_then(|after| Instant::now().checked_add(after)),
            Err(error) => self.give_up(events, error),
        }
        if self.app.quits {
            events.exit();
        }
    }

    fn give_up(&mut self, events: &ActiveEventLoop, error: ViewError) {
        self.failed = Some(error);
        events.exit();
    }
}
