//! Which words of a declaration may name an item of its module: all but members, attributes, enumerants and what is
//! local there.

use std::ops::Range;

use crate::token::{Kind, Token};

/// What is declared, as far as its names have rules of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Declares {
    Function,
    Struct,
    /// A constant, variable or alias.
    Value,
}

/// Attributes whose arguments are words of the language.
const ENUMERATED: [&str; 3] = ["builtin", "diagnostic", "interpolate"];

/// Places of the words in `tokens`, one declaration, that name an item if the module has one of that name. Its own name
/// is one of them.
///
/// A local name hides an item from the end of its statement to the end of the block, as in WGSL.
pub(crate) fn outer_names(text: &str, tokens: &[Token], declares: Declares) -> Vec<Range<usize>> {
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.clone()]);
    let mut found = Vec::new();
    let mut locals: Vec<&str> = Vec::new(); // those in sight, the innermost last
    let mut pending: Vec<&str> = Vec::new(); // those whose statement, or list of parameters, is not over
    let mut blocks: Vec<usize> = Vec::new(); // for every open block, how many locals it leaves in sight when it ends
    let mut before_header = None; // that number for the block of a `for` whose header has begun: it owns the header's variable
    let mut at = 0;
    while at < tokens.len() {
        match word(at) {
            "." => at += 1, // a member
            "@" => {
                at += 1;
                if ENUMERATED.contains(&word(at)) {
                    at = end_of(")", at, &word, tokens.len());
                }
            }
            "for" => before_header = Some(locals.len()),
            "{" => {
                blocks.push(before_header.take().unwrap_or(locals.len()));
                locals.append(&mut pending);
            }
            "}" => locals.truncate(blocks.pop().unwrap_or(0)),
            ";" => locals.append(&mut pending),
            keyword @ ("var" | "let" | "const") => {
                if keyword == "var" && word(at + 1) == "<" {
                    at = end_of(">", at, &word, tokens.len()); // address space and access
                }
                if declares == Declares::Function {
                    at += 1;
                    pending.push(word(at));
                }
            }
            name if tokens[at].kind == Kind::Word => {
                let typed = word(at + 1) == ":";
                match declares {
                    Declares::Struct if typed => {}                                         // a member
                    Declares::Function if typed && blocks.is_empty() => pending.push(name), // a parameter
                    _ if locals.contains(&name) => {}
                    _ => found.push(tokens[at].span.clone()),
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The next `sign` from `at` on.
fn end_of<'a>(sign: &str, at: usize, word: &impl Fn(usize) -> &'a str, end: usize) -> usize {
    (at..end).find(|&at| word(at) == sign).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::{Declares, outer_names};
    use crate::token::tokens;

    /// The names out of `asked` that the declaration uses, in order.
    fn used<'a>(text: &'a str, declares: Declares, asked: &[&str]) -> Vec<&'a str> {
        let tokens = tokens(text).unwrap_or_else(|at| panic!("comment without end at {at}"));
        let names = outer_names(text, &tokens, declares).into_iter().map(|span| &text[span]);
        names.filter(|name| asked.contains(name)).collect()
    }

    fn in_function<'a>(text: &'a str, asked: &[&str]) -> Vec<&'a str> {
        used(text, Declares::Function, asked)
    }

    #[test]
    fn locals_hide_items_from_the_next_statement_on() {
        assert_eq!(in_function("fn f() { let a = a(1); use_(a); }", &["a"]), ["a"]);
        assert_eq!(in_function("fn f() { { var a = 1; b(a); } a(); }", &["a", "b"]), ["b", "a"]);
        assert_eq!(in_function("fn f() { if x { const a = 1; } else { a(); } }", &["a"]), ["a"]);
        assert_eq!(in_function("fn f() { a(); let b = 1; let a = b; return a; }", &["a", "b"]), ["a"]);
        assert_eq!(in_function("fn f() { var<function> a: T = a; a += N; }", &["a", "T", "N"]), ["T", "a", "N"]);
    }

    #[test]
    fn parameters_are_local_and_their_types_are_not() {
        let text = "fn a(a: T, @builtin(position) b: array<U, N>) -> a { return a + b; }";
        assert_eq!(in_function(text, &["a", "b", "T", "U", "N", "position", "builtin"]), ["a", "T", "U", "N", "a"]);
    }

    #[test]
    fn the_variable_of_a_loop_ends_with_it() {
        let text = "fn f() { for (var i = i0(i); i < n; i++) { let n = i; g(n, i); } i(n); }";
        assert_eq!(in_function(text, &["i", "n", "g", "i0"]), ["i0", "i", "n", "g", "i", "n"]);
        assert_eq!(in_function("fn f() { for (; i < 3; ) { let i = 1; } i(); }", &["i"]), ["i", "i"]);
    }

    #[test]
    fn members_and_attributes_name_no_item() {
        let text = "struct S { @align(N) a: a, @builtin(b) b: array<c, N>, @location(c) @interpolate(flat) d: u32 }";
        assert_eq!(
            used(text, Declares::Struct, &["a", "b", "c", "d", "N", "flat", "align", "S"]),
            ["S", "N", "a", "c", "N", "c"]
        );
        assert_eq!(in_function("fn f(s: S) { s.a = a.b.c[d].e; }", &["a", "b", "c", "d", "e"]), ["a", "d"]);
        assert_eq!(in_function("@compute @workgroup_size(N, compute) fn f() {}", &["N", "compute"]), ["N", "compute"]);
    }

    #[test]
    fn enumerants_of_a_variable_name_no_item() {
        let text = "@group(G) @binding(0) var<storage, read> read: array<storage, N>;";
        assert_eq!(used(text, Declares::Value, &["storage", "read", "G", "N"]), ["G", "read", "storage", "N"]);
    }

    #[test]
    fn labels_of_a_switch_are_uses() {
        let text = "fn f() { switch x { case A, B: { let A = 1; } case C { } default: { A(); } } }";
        assert_eq!(in_function(text, &["A", "B", "C"]), ["A", "B", "C", "A"]);
    }
}
