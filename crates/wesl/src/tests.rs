//! Modules in memory, linked; at the end, files of a folder.

use std::path::Path;

use crate::linker;
use crate::module::{File, Module};

/// Links the first of the modules: pairs of a path and a text.
fn link(modules: &[(&str, &str)]) -> Result<String, String> {
    let files = |path: &str| {
        let module = modules.iter().find(|(name, _)| *name == path).ok_or(format!("no module `{path}`"))?;
        let name = format!("{}.wesl", path.replace("package::", "").replace("::", "/"));
        Ok(vec![File { name, text: module.1.into() }])
    };
    linker::link(modules[0].0, files).map_err(|e| e.to_string())
}

/// The declarations of what was linked, without the lines that say where they are from.
fn declarations(modules: &[(&str, &str)]) -> Vec<String> {
    let linked = link(modules).unwrap_or_else(|e| panic!("{e}"));
    let without_place = |text: &str| text.split_once('\n').map(|(_, text)| text.to_string()).unwrap_or_default();
    linked.trim_end().split("\n\n").map(without_place).collect()
}

const ENTRY: &str = "@compute @workgroup_size(1) fn main()";

/// `import`s, then an entry point with this body.
fn kernel(imports: &str, body: &str) -> String {
    format!("{imports}\n{ENTRY} {{ {body} }}")
}

#[test]
fn items_of_one_name_in_two_modules_stay_apart() {
    let root = kernel("import package::a::f; import package::b::f as g;", "f(); g(); h();") + "fn h() {}";
    let a = "fn f() { h(); } fn h() { let a = 1; }";
    let b = "fn f() { h(); } fn h() { let b = 1; }";
    let linked = declarations(&[("package::k", &root), ("package::a", a), ("package::b", b)]);
    assert_eq!(
        linked,
        [
            &format!("{ENTRY} {{ a_f(); b_f(); h(); }}"),
            "fn h() {}",
            "fn a_f() { a_h(); }",
            "fn a_h() { let a = 1; }",
            "fn b_f() { b_h(); }",
            "fn b_h() { let b = 1; }",
        ]
    );
}

#[test]
fn a_new_name_is_no_word_of_any_module() {
    let root = kernel("import package::a::f;", "let a_f = f();");
    let a = "fn f() -> u32 { let a_f_ = g; return a_f_; } const g = 1;";
    let linked = declarations(&[("package::k", &root), ("package::a", a)]);
    assert!(linked.contains(&format!("{ENTRY} {{ let a_f = a_f__(); }}")), "{linked:?}");
    assert!(linked.contains(&"fn a_f__() -> u32 { let a_f_ = a_g; return a_f_; }".to_string()), "{linked:?}");
    let both = [
        ("package::k", &*kernel("import package::a::b_c; import package::a::b::c;", "b_c(c);")),
        ("package::a", "fn b_c(x: u32) {}"),
        ("package::a::b", "const c = 1;"),
    ];
    let linked = declarations(&both);
    assert_eq!(linked[1..], ["fn a_b_c(x: u32) {}", "const a_b_c_ = 1;"]);
}

#[test]
fn locals_and_members_keep_their_names() {
    let root = kernel(
        "import package::a::{depth, Cell, N};",
        "var c: Cell; let depth = depth(c.depth); { let N = depth; c.N[N] = N; } c.depth = N;",
    );
    let a = "struct Cell { depth: f32, @align(N) N: array<f32, N> } fn depth(N: f32) -> f32 { return N; } const N = 4;";
    let linked = declarations(&[("package::k", &root), ("package::a", a)]);
    assert_eq!(
        linked,
        [
            &format!(
                "{ENTRY} {{ var c: a_Cell; let depth = a_depth(c.depth); \
                 {{ let N = depth; c.N[N] = N; }} c.depth = a_N; }}"
            ),
            "struct a_Cell { depth: f32, @align(a_N) N: array<f32, a_N> }",
            "fn a_depth(N: f32) -> f32 { return N; }",
            "const a_N = 4;",
        ]
    );
}

#[test]
fn what_no_entry_point_uses_is_left_out() {
    let root = format!(
        "import package::a::{{used, unused}}; var<private> gone: u32; {}",
        kernel("", "used(); let unused = 1;")
    );
    let a = "import package::b::far; fn used() -> u32 { return 1; } fn unused() { far(); }
        @compute @workgroup_size(1) fn entry_of_another_kernel() {}";
    let linked = declarations(&[("package::k", &root), ("package::a", a), ("package::b", "fn far() {}")]);
    assert_eq!(linked.len(), 2, "{linked:?}");
    assert_eq!(linked[1], "fn a_used() -> u32 { return 1; }");
}

#[test]
fn all_kinds_of_declarations_are_linked_in_the_order_of_their_file() {
    let root = "
        import package::a::b::{ // as many as
            T, // this: /* nested */
            W as V,
        };
        @group(0) @binding(V) var<storage, read_write> x: array<vec2<T>, V>;
        override o: T = 1u;
        var<workgroup> shared_: array<atomic<u32>, 2 * V>;;
        @compute @workgroup_size(V, 1) fn two(@builtin(position) V: vec3<T>) { x[V.x].V = vec2(o); shared_[0]; }
        @compute @workgroup_size(V) fn one() {}
    ";
    let linked = declarations(&[("package::k", root), ("package::a::b", "alias T = u32; const W: T = T(1);")]);
    assert_eq!(
        linked,
        [
            "@group(0) @binding(a_b_W) var<storage, read_write> x: array<vec2<a_b_T>, a_b_W>;",
            "override o: a_b_T = 1u;",
            "var<workgroup> shared_: array<atomic<u32>, 2 * a_b_W>;",
            "@compute @workgroup_size(a_b_W, 1) fn two(@builtin(position) V: vec3<a_b_T>) { x[V.x].V = vec2(o); shared_[0]; }",
            "@compute @workgroup_size(a_b_W) fn one() {}",
            "alias a_b_T = u32;",
            "const a_b_W: a_b_T = a_b_T(1);",
        ]
    );
}

#[test]
fn declarations_are_copied_to_the_letter_below_their_place() {
    let root = format!(
        "// A kernel.\nimport package::a::f;\n\n// Main.\n{ENTRY} {{\n    f(); // calls f\n    /* f /* f */ */\n}}"
    );
    let linked = link(&[("package::k", &root), ("package::a", "\n// A twin.\nfn f() {}")]);
    let expected = format!(
        "// k.wesl:5\n{ENTRY} {{\n    a_f(); // calls f\n    /* f /* f */ */\n}}\n\n// a.wesl:3\nfn a_f() {{}}\n"
    );
    assert_eq!(linked.as_deref(), Ok(&*expected));
}

#[test]
fn modules_may_import_each_other_and_the_root() {
    let root = kernel("import package::a::f;", "f(N);") + "const N = 3;";
    let a = "import package::b::g; fn f(x: u32) { g(x, M); } const M = 1;";
    let b = "import package::a::M; import package::k::N; fn g(x: u32, y: u32) { let z = M + N; }";
    let linked = declarations(&[("package::k", &root), ("package::a", a), ("package::b", b)]);
    assert_eq!(linked[2..4], ["fn a_f(x: u32) { b_g(x, a_M); }", "const a_M = 1;"]);
    assert_eq!(linked[4], "fn b_g(x: u32, y: u32) { let z = a_M + N; }");
}

/// Both would be valid WGSL with another meaning.
#[test]
fn no_item_takes_the_place_of_a_function_of_the_language() {
    let uses_max = "fn f(x: u32) -> u32 { return max(x, 1u); }";
    let imported = kernel("import package::a::f; import package::b::max;", "f(max(1));");
    let linked =
        declarations(&[("package::k", &imported), ("package::a", uses_max), ("package::b", "fn max(x: u32) {}")]);
    assert_eq!(linked[1], "fn a_f(x: u32) -> u32 { return max(x, 1u); }");
    assert_eq!(linked[2], "fn b_max(x: u32) {}");
    let own = kernel("import package::a::f;", "f(max(1));") + "fn max(x: u32) {}";
    let error = link(&[("package::k", &own), ("package::a", uses_max)]).unwrap_err();
    assert_eq!(error, "a.wesl:1: `max` is WGSL's own, but `package::k` has an item of that name: rename it");
}

#[test]
fn errors_name_file_and_line() {
    let error = |root: &str, other: &str| {
        let result = link(&[("package::k", root), ("package::a", other)]);
        result.expect_err("it should not link")
    };
    assert_eq!(error("\nimport package::b::f;", ""), "k.wesl:2: no module `package::b`");
    assert_eq!(error("\nimport\n package::a::{\nf};", "fn g() {}"), "k.wesl:4: `package::a` has no item `f`");
    assert_eq!(
        error("import package::a::f;", "\n\nimport package::a::g; fn f() {}"),
        "a.wesl:3: `package::a` has no item `g`"
    );
    assert_eq!(error("import package::a::f\nfn g() {}", ""), "k.wesl:2: expected `;`, found `fn`");
    assert_eq!(error("import package::a::{f g};", ""), "k.wesl:1: expected `,`, found `g`");
    assert_eq!(error("import package::a::{f", ""), "k.wesl:1: expected `,`, found the end of the file");
    assert_eq!(error("import package::a::f;\nfn f() {}", ""), "k.wesl:2: the module has another `f`");
    assert_eq!(error("fn f() {}\nimport package::a::g as f;", ""), "k.wesl:2: the module has another `f`");
    assert_eq!(error("fn f() {}\n\nfn f() {}", ""), "k.wesl:3: the module has another `f`");
    assert_eq!(error("fn f() {\n  g(a;\n}", ""), "k.wesl:1: a bracket that nothing closes");
    assert_eq!(error("fn f() {}\n}", ""), "k.wesl:2: expected `import` or a declaration, found `}`");
    assert_eq!(error("\nconst a = 1", ""), "k.wesl:2: expected `;`, found the end of the file");
    assert_eq!(error("\nvar<storage", ""), "k.wesl:2: expected `>`, found the end of the file");
    assert_eq!(error("fn 1() {}", ""), "k.wesl:1: expected a name, found `1`");
    assert_eq!(
        error("fn f() {\npackage::a::g(); }", ""),
        "k.wesl:2: expected a name that an `import` brings in, found `::`"
    );
    assert_eq!(error("\n /* /* */", ""), "k.wesl:2: a comment without end");
}

/// The files of `tests/kernels`: a module of two files and a fragment, which imports a module and a shared one.
#[test]
fn parts_and_fragments_belong_to_their_module() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    let kernels: Vec<_> =
        super::wesl_files(&source).into_iter().map(|path| path.strip_prefix(&source).unwrap().to_owned()).collect();
    assert_eq!(kernels, [Path::new("broken.wesl"), Path::new("rows/rows.wesl"), Path::new("rules.wesl")]);
    let linked = super::link(&source, &source.join("rows/rows.wesl"), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(linked, include_str!("../tests/kernels/rows.linked.wgsl"));
    let error = super::link(&source, &source.join("broken.wesl"), &[]).expect_err("its import is missing").to_string();
    assert!(error.starts_with("src/broken.wesl:3: no module `package::rows::gone`: "), "{error}");
}

/// Rewrapped comments may not hide what a kernel takes in.
#[test]
fn a_fragment_has_a_line_of_its_own() {
    let names = |text: &str| {
        let file = super::File { name: "src/a.wesl".into(), text: text.into() };
        super::fragment_names(&file).map(|names| names.join(" ")).map_err(|e| e.to_string())
    };
    assert_eq!(names("// One each.\n// fragment: a.wesl\n// fragment: b::c.wesl\n").as_deref(), Ok("a.wesl b::c.wesl"));
    let hidden = names("// One each.\n// Nobody waits. fragment: a.wesl\n");
    assert_eq!(hidden.unwrap_err(), "src/a.wesl:2: `fragment:` needs a comment line of its own");
}

#[test]
fn package_is_the_crate_that_a_module_is_from() {
    let root = kernel("import columns::grid::f; import package::grid::g;", "f(); g();");
    let modules = [
        ("package::k", &*root),
        ("columns::grid", "import package::lines::f as line; fn f() { line(); }"),
        ("columns::lines", "fn f() {}"),
        ("package::grid", "fn g() {}"),
    ];
    let linked = declarations(&modules);
    assert_eq!(
        linked,
        [
            &format!("{ENTRY} {{ columns_grid_f(); grid_g(); }}"),
            "fn columns_grid_f() { columns_lines_f(); }",
            "fn grid_g() {}",
            "fn columns_lines_f() {}",
        ]
    );
}

#[test]
fn a_crate_may_call_itself_by_its_name() {
    let within = super::within_package;
    assert_eq!(within("ledger::word", Some("ledger")), "package::word");
    assert_eq!(within("columns::grid", Some("ledger")), "columns::grid");
    assert_eq!(within("package::word", None), "package::word");
}

#[test]
fn files_of_a_module_may_import_the_same_item() {
    let module = |other: &str| {
        let texts = ["import package::a::N; fn f() { N; }", other];
        Module::read(texts.map(|text| File { name: "k.wesl".into(), text: text.into() }).into())
    };
    assert_eq!(module("import package::a::N; fn g() { N; }").map(|m| m.imports.len()), Ok(1));
    for other in ["import package::b::N;", "import package::a::M as N;", "import package::c::{N, M as N};"] {
        assert_eq!(module(other).unwrap_err().message, "the module has another `N`");
    }
}
