//! What draws into the window: its surface, and egui on it.

use std::sync::Arc;
use std::time::Duration;

use egui_wgpu::wgpu;
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use crate::error::ViewError;
use crate::style;

/// A window's surface and the user interface on it.
pub(crate) struct Canvas {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    device: wgpu::Device,
    queue: wgpu::Queue,
    config: wgpu::SurfaceConfiguration,
    context: egui::Context,
    input: egui_winit::State,
    renderer: Renderer,
}

impl Canvas {
    pub(crate) fn new(events: &ActiveEventLoop, window: Arc<Window>) -> Result<Self, ViewError> {
        let no_driver = |error: String| ViewError::NoDriver(error);
        let display = Box::new(events.owned_display_handle());
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(display);
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(Arc::clone(&window)).map_err(|error| no_driver(error.to_string()))?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        }))
        .map_err(|error| no_driver(error.to_string()))?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("thalweg.window"),
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| no_driver(error.to_string()))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| no_driver("the adapter cannot present here".into()))?;
        // egui mixes colours as they are stored.
        let formats = surface.get_capabilities(&adapter).formats;
        config.format = formats.into_iter().find(|format| !format.is_srgb()).unwrap_or(config.format);
        config.present_mode = wgpu::PresentMode::AutoVsync;
        surface.configure(&device, &config);
        let context = egui::Context::default();
        style::apply(&context);
        let side = usize::try_from(device.limits().max_texture_dimension_2d).ok();
        let scale = Some(window.scale_factor() as f32);
        let input = egui_winit::State::new(context.clone(), egui::ViewportId::ROOT, &window, scale, None, side);
        let renderer = Renderer::new(&device, config.format, RendererOptions::default());
        Ok(Self { window, surface, device, queue, config, context, input, renderer })
    }

    pub(crate) fn request_redraw(&self) {
        self.window.request_redraw();
    }

    /// Gives an event to egui; whether that changes what is seen.
    pub(crate) fn takes(&mut self, event: &WindowEvent) -> bool {
        self.input.on_window_event(&self.window, event).repaint
    }

    pub(crate) fn resize(&mut self, [width, height]: [u32; 2]) {
        // A minimised window has no pixels.
        if width > 0 && height > 0 {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(&self.device, &self.config);
        }
    }

    /// Draws the user interface; after which time it wants to be drawn again.
    pub(crate) fn draw(&mut self, ui: impl FnMut(&mut egui::Ui)) -> Result<Option<Duration>, ViewError> {
        let input = self.input.take_egui_input(&self.window);
        let mut output = self.context.run_ui(input, ui);
        self.input.handle_platform_output(&self.window, std::mem::take(&mut output.platform_output));
        let again = output.viewport_output.get(&egui::ViewportId::ROOT).map(|viewport| viewport.repaint_delay);
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.renderer.update_texture(&self.device, &self.queue, id, &delta);
            }
        }
        let free: Vec<egui::TextureId> = output.textures_delta.free.drain().collect();
        let jobs = self.context.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
        let screen = ScreenDescriptor {
            size_in_pixels: [self.config.width, self.config.height],
            pixels_per_point: output.pixels_per_point,
        };
        self.present(&jobs, &screen)?;
        free.iter().for_each(|id| self.renderer.free_texture(id));
        Ok(again)
    }

    fn present(&mut self, jobs: &[egui::ClippedPrimitive], screen: &ScreenDescriptor) -> Result<(), ViewError> {
        use wgpu::CurrentSurfaceTexture as Current;
        let texture = match self.surface.get_current_texture() {
            Current::Success(texture) => texture,
            Current::Suboptimal(texture) => texture,
            // Nobody sees it, or it comes later.
            Current::Timeout | Current::Occluded => return Ok(()),
            Current::Outdated | Current::Lost => {
                self.surface.configure(&self.device, &self.config);
                self.window.request_redraw();
                return Ok(());
            }
            other => return Err(ViewError::NoDriver(format!("the window gives no picture to draw into: {other:?}"))),
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let buffers = self.renderer.update_buffers(&self.device, &self.queue, &mut encoder, jobs, screen);
        {
            let attachment = wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            };
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("thalweg.window"),
                color_attachments: &[Some(attachment)],
                ..Default::default()
            });
            self.renderer.render(&mut pass.forget_lifetime(), jobs, screen);
        }
        self.queue.submit(buffers.into_iter().chain([encoder.finish()]));
        self.window.pre_present_notify();
        self.queue.present(texture);
        Ok(())
    }
}
