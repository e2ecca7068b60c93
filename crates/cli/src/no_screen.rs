//! No talk of screens on a machine that has none.
//!
//! Mesa's Vulkan layer for the choice of a device asks the display server which device it draws on. Where there is no such
//! server `libwayland` complains on the error output, once per look at the devices: `XDG_RUNTIME_DIR is invalid or not set in
//! the environment`. The layer then has nothing to say, and a switch of its own to be left out.

// To change a variable of the environment is unsafe while other threads may read it.
#![allow(unsafe_code)]

use std::ffi::OsString;
use std::path::Path;

/// The layer's switch.
const SWITCH: &str = "NODEVICE_SELECT";

/// What a person chooses a device with, by way of the layer.
const CHOICES: [&str; 3] = ["MESA_VK_DEVICE_SELECT", "MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE", "DRI_PRIME"];

/// Leaves the layer out if there is no screen and nobody has a use for it. The first thing that the program does.
pub(crate) fn leave_out_device_selection() {
    if cfg!(target_os = "linux") && is_of_no_use(|name| std::env::var_os(name)) {
        // SAFETY: no other thread is there yet that could read the environment.
        unsafe { std::env::set_var(SWITCH, "1") };
    }
}

/// Whether the layer can only complain: neither kind of display server can be reached, and no device is chosen.
fn is_of_no_use(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    // The path of a socket is in the folder, unless it is whole.
    let is_path = |name: &str| variable(name).is_some_and(|value| Path::new(&value).is_absolute());
    let has_wayland = is_path("XDG_RUNTIME_DIR") || is_path("WAYLAND_DISPLAY") || variable("WAYLAND_SOCKET").is_some();
    let has_x11 = variable("DISPLAY").is_some_and(|value| !value.is_empty());
    !has_wayland && !has_x11 && CHOICES.into_iter().chain([SWITCH]).all(|name| variable(name).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_and_choices_are_left_alone() {
        let of_no_use = |set: &[(&str, &str)]| {
            is_of_no_use(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value)))
        };
        for set in [&[][..], &[("DISPLAY", "")], &[("WAYLAND_DISPLAY", "wayland-1")], &[("XDG_RUNTIME_DIR", "tmp")]] {
            assert!(of_no_use(set), "{set:?}");
        }
        for set in [
            ("XDG_RUNTIME_DIR", "/run/user/1000"),
            ("DISPLAY", ":0"),
            ("WAYLAND_DISPLAY", "/run/wayland-0"),
            ("WAYLAND_SOCKET", "3"),
            ("MESA_VK_DEVICE_SELECT", "10de:2335"),
            ("DRI_PRIME", "1"),
            ("NODEVICE_SELECT", ""),
        ] {
            assert!(!of_no_use(&[set]), "{set:?}");
        }
    }
}
