// src/rows/rows.wesl:6
@group(0) @binding(0) var<storage, read_write> cells: array<f32>;

// src/rows/rows.wesl:8
@compute @workgroup_size(index_WORKGROUP)
fn rows(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {
    let at = index_linear_index(group, groups, local);
    if at < arrayLength(&cells) { sweep(at); }
}

// src/rows/map.fragment.wesl:3
fn next(at: u32) -> u32 { return min(at + 1u, arrayLength(&cells) - 1u); }

// src/rows/rows.sweeps.wesl:3
fn sweep(at: u32) { cells[at] = rules_mean(cells[at], cells[next(at)]); }

// thalweg/index.wesl:4
const index_WORKGROUP: u32 = 256u;

// thalweg/index.wesl:7
fn index_linear_group(group: vec3u, groups: vec3u) -> u32 {
    return group.x + group.y * groups.x;
}

// thalweg/index.wesl:12
fn index_linear_index(group: vec3u, groups: vec3u, local: u32) -> u32 {
    return index_linear_group(group, groups) * index_WORKGROUP + local;
}

// src/rules.wesl:2
const rules_HALF: f32 = 0.5;

// src/rules.wesl:4
fn rules_mean(a: f32, b: f32) -> f32 { return rules_HALF * (a + b); }
