//! A compiler that takes the liberties that WGSL leaves to drivers, so that tests on a software driver meet what a real
//! card does.
//!
//! No driver must round a product before it is added to something, divide exactly, or take an exact square root, and
//! any may simplify `(a + b) − a` to `b`. Mesa's lavapipe does none of it. [`rewrite`] does all of it, on naga's form
//! of the shader:
//!
//! | written | becomes |
//! | --- | --- |
//! | `a * b + c`, `c - a * b`, `a * b - c` | `fma(a, b, c)` and its like: one rounding instead of two |
//! | `a / b` | `a * (1 / b)`: off by up to 1.5 units in the last place (WGSL allows 2.5) |
//! | `a % b` | `a - b * trunc(a * (1 / b))`: a whole multiple of `b` may leave all of `b` |
//! | `sqrt(x)` | `1 / inverseSqrt(x)`, which is how WGSL defines its accuracy |
//! | `(a + b) - a`, `a - (a + b)`, `(a - b) - a` | `b`, `-b`, `-b`: sums reassociated |

use naga::{
    Arena, BinaryOperator, Block, Expression, Function, Handle, Literal, MathFunction, Module, Range, Span, Statement,
    TypeInner, UnaryOperator,
};

use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};

/// The shader as a compiler with all liberties sees it.
pub(super) fn rewrite(wgsl: &str) -> Result<Module, String> {
    let mut module = naga::front::wgsl::parse_str(wgsl).map_err(|e| e.emit_to_string(wgsl))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module).map_err(|e| e.emit_to_string(wgsl))?;
    let types = module.types.clone();
    let is_float = |info: &FunctionInfo, e: Handle<Expression>| match info[e].ty.inner_with(&types) {
        TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => scalar.kind == naga::ScalarKind::Float,
        _ => false,
    };
    let width = |info: &FunctionInfo, e: Handle<Expression>| match info[e].ty.inner_with(&types) {
        TypeInner::Vector { size, .. } => Some(*size),
        _ => None,
    };
    for (handle, function) in module.functions.iter_mut() {
        let info = &info[handle];
        Rewriter::new(function).run(&|e| is_float(info, e), &|e| width(info, e));
    }
    for (n, entry) in module.entry_points.iter_mut().enumerate() {
        let info = info.get_entry_point(n);
        Rewriter::new(&mut entry.function).run(&|e| is_float(info, e), &|e| width(info, e));
    }
    Ok(module)
}

type Place = Handle<Expression>;

/// Builds a function's expressions anew, in order, with more of them where one becomes several; each becomes at least
/// one, so that what is evaluated together stays so.
struct Rewriter<'f> {
    function: &'f mut Function,
    old: Arena<Expression>,
    new: Arena<Expression>,
    /// `true`, once it is there.
    yes: Option<Place>,
    /// First and last new expression of every old one: what it needs, and what it became.
    places: Vec<(Place, Place)>,
}

impl<'f> Rewriter<'f> {
    fn new(function: &'f mut Function) -> Self {
        let old = std::mem::take(&mut function.expressions);
        Self { function, old, new: Arena::new(), yes: None, places: Vec::new() }
    }

    fn run(mut self, is_float: &dyn Fn(Place) -> bool, width: &dyn Fn(Place) -> Option<naga::VectorSize>) {
        // Literals are not evaluated where they are used, so that this one can stand before all.
        let one = self.new.append(Expression::Literal(Literal::F32(1.0)), Span::UNDEFINED);
        self.yes = Some(self.new.append(Expression::Literal(Literal::Bool(true)), Span::UNDEFINED));
        let old = std::mem::take(&mut self.old);
        for (handle, expression) in old.iter() {
            let before = self.new.len();
            let last = if is_float(handle) { self.loosened(&old, handle, one, width) } else { None };
            let last = last.unwrap_or_else(|| {
                let mut copy = expression.clone();
                each_operand(&mut copy, &mut |e| *e = self.at(*e));
                self.push(copy)
            });
            let first = self.new.iter().nth(before).map_or(last, |(first, _)| first);
            self.places.push((first, last));
        }
        let mut body = std::mem::take(&mut self.function.body);
        self.block(&mut body);
        self.function.body = body;
        let named = std::mem::take(&mut self.function.named_expressions);
        // Two names may now stand for one expression.
        for (handle, name) in named {
            self.function.named_expressions.entry(self.at(handle)).or_insert(name);
        }
        for (_, variable) in self.function.local_variables.iter_mut() {
            variable.init = variable.init.map(|e| self.places[e.index()].1);
        }
        self.function.expressions = self.new;
    }

    fn at(&self, old: Place) -> Place {
        self.places[old.index()].1
    }

    fn push(&mut self, expression: Expression) -> Place {
        self.new.append(expression, Span::UNDEFINED)
    }

    /// What another expression is, as one of its own.
    fn same(&mut self, old: Place) -> Option<Place> {
        let value = self.at(old);
        Some(self.push(Expression::Select { condition: self.yes?, accept: value, reject: value }))
    }

    fn negated(&mut self, old: Place) -> Place {
        let expr = self.at(old);
        self.push(Expression::Unary { op: UnaryOperator::Negate, expr })
    }

    fn function_of(&mut self, fun: MathFunction, arg: Place) -> Place {
        self.push(Expression::Math { fun, arg, arg1: None, arg2: None, arg3: None })
    }

    /// `1 / x`.
    fn inverse(&mut self, x: Place, one: Place, width: Option<naga::VectorSize>) -> Place {
        let ones = match width {
            Some(size) => self.push(Expression::Splat { size, value: one }),
            None => one,
        };
        self.push(Expression::Binary { op: BinaryOperator::Divide, left: ones, right: x })
    }

    fn fused(&mut self, a: Place, b: Place, c: Place) -> Place {
        let (arg1, arg2) = (Some(b), Some(c));
        self.push(Expression::Math { fun: MathFunction::Fma, arg: a, arg1, arg2, arg3: None })
    }

    /// What a compiler may make of a floating point expression; `None`: what it is.
    fn loosened(
        &mut self,
        old: &Arena<Expression>,
        handle: Place,
        one: Place,
        width: &dyn Fn(Place) -> Option<naga::VectorSize>,
    ) -> Option<Place> {
        let product = |e: Place| match old[e] {
            // Both factors as wide as the product: a scalar factor of a vector would not fit `fma`.
            Expression::Binary { op: BinaryOperator::Multiply, left, right }
                if width(left) == width(e) && width(right) == width(e) =>
            {
                Some((left, right))
            }
            _ => None,
        };
        match old[handle] {
            Expression::Binary { op: BinaryOperator::Add, left, right } => {
                let (term, (a, b)) = product(right).map(|p| (left, p)).or_else(|| product(left).map(|p| (right, p)))?;
                if width(term) != width(a) {
                    return None;
                }
                Some(self.fused(self.at(a), self.at(b), self.at(term)))
            }
            Expression::Binary { op: BinaryOperator::Subtract, left, right } => {
                // (a + b) − a, a − (a + b), (a − b) − a
                if let Expression::Binary { op: BinaryOperator::Add, left: a, right: b } = old[left] {
                    let rest = if a == right { Some(b) } else { Some(a).filter(|_| b == right) };
                    if let Some(rest) = rest.filter(|r| width(*r) == width(handle)) {
                        return self.same(rest);
                    }
                }
                if let Expression::Binary { op: BinaryOperator::Add, left: a, right: b } = old[right] {
                    let rest = if a == left { Some(b) } else { Some(a).filter(|_| b == left) };
                    if let Some(rest) = rest.filter(|r| width(*r) == width(handle)) {
                        return Some(self.negated(rest));
                    }
                }
                if let Expression::Binary { op: BinaryOperator::Subtract, left: a, right: b } = old[left]
                    && a == right
                    && width(b) == width(handle)
                {
                    return Some(self.negated(b));
                }
                if let Some((a, b)) = product(right).filter(|(a, _)| width(*a) == width(left)) {
                    let a = self.negated(a);
                    return Some(self.fused(a, self.at(b), self.at(left)));
                }
                let (a, b) = product(left).filter(|(a, _)| width(*a) == width(right))?;
                let c = self.negated(right);
                Some(self.fused(self.at(a), self.at(b), c))
            }
            Expression::Binary { op: BinaryOperator::Divide, left, right } => {
                let inverse = self.inverse(self.at(right), one, width(right));
                Some(self.push(Expression::Binary {
                    op: BinaryOperator::Multiply,
                    left: self.at(left),
                    right: inverse,
                }))
            }
            Expression::Binary { op: BinaryOperator::Modulo, left, right } => {
                let inverse = self.inverse(self.at(right), one, width(right));
                let (left, right) = (self.at(left), self.at(right));
                let quotient = self.push(Expression::Binary { op: BinaryOperator::Multiply, left, right: inverse });
                let whole = self.function_of(MathFunction::Trunc, quotient);
                let parts = self.push(Expression::Binary { op: BinaryOperator::Multiply, left: whole, right });
                Some(self.push(Expression::Binary { op: BinaryOperator::Subtract, left, right: parts }))
            }
            Expression::Math { fun: MathFunction::Sqrt, arg, .. } => {
                let root = self.function_of(MathFunction::InverseSqrt, self.at(arg));
                Some(self.inverse(root, one, width(arg)))
            }
            _ => None,
        }
    }

    fn block(&mut self, block: &mut Block) {
        for statement in block.iter_mut() {
            match statement {
                Statement::Emit(range) => {
                    if let Some((first, last)) = range.first_and_last() {
                        let (first, last) = (self.places[first.index()].0, self.places[last.index()].1);
                        *range = Range::new_from_bounds(first, last);
                    }
                }
                Statement::Block(inner) => self.block(inner),
                Statement::If { condition, accept, reject } => {
                    *condition = self.at(*condition);
                    self.block(accept);
                    self.block(reject);
                }
                Statement::Switch { selector, cases } => {
                    *selector = self.at(*selector);
                    cases.iter_mut().for_each(|case| self.block(&mut case.body));
                }
                Statement::Loop { body, continuing, break_if } => {
                    self.block(body);
                    self.block(continuing);
                    *break_if = break_if.map(|e| self.at(e));
                }
                Statement::Return { value } => *value = value.map(|e| self.at(e)),
                Statement::Store { pointer, value } => (*pointer, *value) = (self.at(*pointer), self.at(*value)),
                Statement::Atomic { pointer, fun, value, result } => {
                    (*pointer, *value) = (self.at(*pointer), self.at(*value));
                    *result = result.map(|e| self.at(e));
                    if let naga::AtomicFunction::Exchange { compare: Some(compare) } = fun {
                        *compare = self.at(*compare);
                    }
                }
                Statement::WorkGroupUniformLoad { pointer, result } => {
                    (*pointer, *result) = (self.at(*pointer), self.at(*result));
                }
                Statement::Call { arguments, result, .. } => {
                    arguments.iter_mut().for_each(|e| *e = self.at(*e));
                    *result = result.map(|e| self.at(e));
                }
                Statement::Break
                | Statement::Continue
                | Statement::Kill
                | Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_) => {}
                other => unreachable!("no kernel has {other:?}"),
            }
        }
    }
}

/// Visits the expressions that an expression is made of.
fn each_operand(expression: &mut Expression, visit: &mut dyn FnMut(&mut Place)) {
    match expression {
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. } => {}
        Expression::Compose { components, .. } => components.iter_mut().for_each(visit),
        Expression::Access { base, index } => {
            visit(base);
            visit(index);
        }
        Expression::AccessIndex { base, .. } => visit(base),
        Expression::Splat { value, .. } => visit(value),
        Expression::Swizzle { vector, .. } => visit(vector),
        Expression::Load { pointer } => visit(pointer),
        Expression::Unary { expr, .. } | Expression::As { expr, .. } => visit(expr),
        Expression::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        Expression::Select { condition, accept, reject } => {
            visit(condition);
            visit(accept);
            visit(reject);
        }
        Expression::Relational { argument, .. } => visit(argument),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            visit(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        Expression::ArrayLength(array) => visit(array),
        other => unreachable!("no kernel has {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHADER: &str = "
        @group(0) @binding(0) var<storage, read_write> x: array<vec4f>;
        fn two_sum(a: f32, b: f32) -> f32 { let sum = a + b; return (a - sum) + b; }
        @compute @workgroup_size(1)
        fn main() {
            var kept = x[0];
            for (var n = 0u; n < 3u; n++) {
                if x[n].x > 0.5 { kept = x[n] * kept + x[1]; }
                kept.y = two_sum(kept.x, kept.y) - x[n].x * kept.w;
            }
            x[2] = sqrt(kept) / x[3] + 2.0 * kept;
            x[4].x = x[4].y % kept.z - f32(7u % u32(kept.x));
        }";

    #[test]
    fn liberties_are_taken_and_the_shader_stays_valid() {
        let module = rewrite(SHADER).unwrap();
        Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).unwrap();
        let all = |function: &Function| function.expressions.iter().map(|(_, e)| e.clone()).collect::<Vec<_>>();
        let mut found: Vec<Expression> = module.functions.iter().flat_map(|(_, f)| all(f)).collect();
        found.extend(module.entry_points.iter().flat_map(|entry| all(&entry.function)));
        let count = |matches: &dyn Fn(&Expression) -> bool| found.iter().filter(|e| matches(e)).count();
        let math = |wanted| count(&|e| matches!(e, Expression::Math { fun, .. } if *fun == wanted));
        let binary = |wanted| count(&|e| matches!(e, Expression::Binary { op, .. } if *op == wanted));
        // The vector times a vector and the product that is taken away; a scalar factor of a vector stays a product.
        assert_eq!(math(MathFunction::Fma), 2);
        assert_eq!((math(MathFunction::Sqrt), math(MathFunction::InverseSqrt), math(MathFunction::Trunc)), (0, 1, 1));
        assert_eq!(binary(BinaryOperator::Modulo), 1, "whole numbers have one remainder");
        // `a - (a + b)` is `-b`.
        assert_eq!(count(&|e| matches!(e, Expression::Unary { op: UnaryOperator::Negate, .. })), 2);
    }

    #[test]
    fn broken_shaders_are_refused() {
        assert!(rewrite("fn main( {").is_err());
        assert!(rewrite("fn f() -> f32 { return 1u; }").is_err());
    }
}
