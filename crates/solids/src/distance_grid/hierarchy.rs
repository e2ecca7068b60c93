//! A hierarchy of boxes around triangles: the nearest one to a point after a look at a few of them. Those of Rapier,
//! for contacts, are in single precision.

use super::triangle::{Point, Triangle, bounds, squared_distance};

/// Triangles of a box that is not divided.
const FEW: usize = 4;

/// Boxes that wait while others are looked at: one per level, and levels halve.
const MOST_WAITING: usize = 64;

/// Boxes around triangles, each divided in two.
pub(super) struct Hierarchy<'a> {
    triangles: &'a [Triangle],
    /// Numbers of triangles, those of a box one after the other.
    order: Vec<u32>,
    boxes: Vec<Around>,
}

/// A box and what is in it.
struct Around {
    low: Point,
    high: Point,
    inside: Inside,
}

#[derive(Clone, Copy)]
enum Inside {
    /// The next box, and that with this number.
    Two(usize),
    /// A part of the order.
    Triangles(usize, usize),
}

impl Around {
    fn squared_distance(&self, p: Point) -> f64 {
        (0..3).map(|axis| (self.low[axis] - p[axis]).max(p[axis] - self.high[axis]).max(0.0).powi(2)).sum()
    }
}

impl<'a> Hierarchy<'a> {
    pub(super) fn around(triangles: &'a [Triangle]) -> Self {
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut boxes = Vec::with_capacity(triangles.len());
        divide(triangles, &mut order, 0, &mut boxes);
        Self { triangles, order, boxes }
    }

    pub(super) fn triangles(&self) -> &'a [Triangle] {
        self.triangles
    }

    /// Square of the distance of a point to the nearest triangle, which is known to be no more than `most`.
    pub(super) fn squared_distance(&self, p: Point, most: f64) -> f64 {
        let mut nearest = most;
        let mut waiting = [(0, 0.0); MOST_WAITING];
        let mut count = 1; // the box around all
        while count > 0 {
            count -= 1;
            let (mut at, least) = waiting[count];
            if least > nearest {
                continue;
            }
            // Down the nearer way; the other one waits.
            loop {
                match self.boxes[at].inside {
                    Inside::Two(second) => {
                        let [a, b] = [at + 1, second].map(|at| (at, self.boxes[at].squared_distance(p)));
                        let (near, far) = if a.1 <= b.1 { (a, b) } else { (b, a) };
                        if far.1 <= nearest {
                            waiting[count] = far;
                            count += 1;
                        }
                        if near.1 > nearest {
                            break;
                        }
                        at = near.0;
                    }
                    Inside::Triangles(first, end) => {
                        for n in &self.order[first..end] {
                            nearest = nearest.min(squared_distance(p, &self.triangles[*n as usize]));
                        }
                        break;
                    }
                }
            }
        }
        nearest
    }
}

/// Adds the box around some triangles, which begin at `first` in the order, and all boxes in it.
fn divide(triangles: &[Triangle], order: &mut [u32], first: usize, boxes: &mut Vec<Around>) {
    let of = |n: &u32| bounds(std::slice::from_ref(&triangles[*n as usize]));
    let start = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    let join = |[low, high]: [Point; 2], [least, most]: [Point; 2]| {
        [std::array::from_fn(|a| low[a].min(least[a])), std::array::from_fn(|a| high[a].max(most[a]))]
    };
    let [low, high] = order.iter().map(of).fold(start, join);
    let at = boxes.len();
    boxes.push(Around { low, high, inside: Inside::Triangles(first, first + order.len()) });
    if order.len() <= FEW {
        return;
    }
    let middle = |n: &u32, axis: usize| triangles[*n as usize].iter().map(|p| p[axis]).sum::<f64>();
    let widths: Point = std::array::from_fn(|axis| high[axis] - low[axis]);
    let axis = (0..3).fold(0, |widest, axis| if widths[axis] > widths[widest] { axis } else { widest });
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |a, b| middle(a, axis).total_cmp(&middle(b, axis)).then(a.cmp(b)));
    let (lower, upper) = order.split_at_mut(half);
    divide(triangles, lower, first, boxes);
    boxes[at].inside = Inside::Two(boxes.len());
    divide(triangles, upper, first + half, boxes);
}
