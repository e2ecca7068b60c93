//! `info`: what this machine offers.

use crate::args::InfoArgs;
use crate::failure::Outcome;
use crate::text;

pub(crate) fn info(args: &InfoArgs) -> Outcome {
    let adapters = thalweg::compute::adapters();
    let threads = rayon::current_num_threads();
    if args.json {
        let list: Vec<_> = adapters
            .iter()
            .map(|a| {
                serde_json::json!({
                    "name": a.name, "api": a.api, "kind": a.kind, "driver": a.driver, "software": a.software,
                    "max_binding_bytes": a.max_binding_bytes, "timestamps": a.timestamps,
                })
            })
            .collect();
        let object = serde_json::json!({"version": env!("CARGO_PKG_VERSION"), "threads": threads, "adapters": list});
        text::print(&object.to_string());
        return Ok(());
    }
    text::print(&format!("thalweg {}", env!("CARGO_PKG_VERSION")));
    text::print(&format!("cpu      {threads} threads"));
    if adapters.is_empty() {
        text::print("gpu      none: install a Vulkan, Metal or DX12 driver, or run on the CPU");
    }
    for a in adapters {
        let software = if a.software { ", software: right but slow, used only with --backend gpu" } else { "" };
        text::print(&format!("gpu      {} ({}, {}{software})", a.name, a.api, a.driver));
        let timing = if a.timestamps { "stages can be timed" } else { "stages cannot be timed" };
        text::print(&format!("         buffers up to {}, {timing}", text::bytes(a.max_binding_bytes)));
    }
    Ok(())
}
