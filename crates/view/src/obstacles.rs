//! Obstacles that the mouse puts down or picks up.

use thalweg_scene::{Obstacle, Solid};

use crate::command::{Tool, Touch};

/// The obstacle that a tool puts at a point, m: half of a ball or box is above it.
pub(crate) fn placed(touch: &Touch, point: [f64; 3]) -> Option<Obstacle> {
    let Touch { tool, radius, .. } = *touch;
    let shape = match tool {
        Tool::Ball => Solid::Sphere { center: point, radius },
        Tool::Block => Solid::Box { min: point.map(|x| x - radius), max: point.map(|x| x + radius) },
        _ => return None,
    };
    Some(Obstacle::at_rest(shape))
}

/// The number of the resting obstacle at a point, at most `slack` m away from it.
pub(crate) fn at(obstacles: &[Obstacle], point: [f64; 3], slack: f64) -> Option<usize> {
    let away = |obstacle: &Obstacle| {
        let [low, high] = obstacle.bounds();
        let outside = |axis: usize| (low[axis] - point[axis]).max(point[axis] - high[axis]).max(0.0);
        (0..3).map(|axis| outside(axis).powi(2)).sum::<f64>().sqrt()
    };
    let resting = obstacles.iter().enumerate().filter(|(_, obstacle)| obstacle.motion.is_none());
    let near = resting.map(|(number, obstacle)| (number, away(obstacle))).filter(|(_, away)| *away <= slack);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_down_can_be_picked_up() {
        let touch = |tool| Touch { tool, place: [0.5; 2], radius: 0.5 };
        let ball = placed(&touch(Tool::Ball), [0.0, 1.0, 0.0]).expect("a ball");
        let block = placed(&touch(Tool::Block), [3.0, 1.0, 0.0]).expect("a box");
        assert_eq!(block.bounds(), [[2.5, 0.5, -0.5], [3.5, 1.5, 0.5]]);
        assert_eq!(placed(&touch(Tool::Pour), [0.0; 3]), None);
        let both = [ball, block];
        assert_eq!(at(&both, [0.0, 1.5, 0.0], 0.1), Some(0));
        assert_eq!(at(&both, [2.45, 1.0, 0.0], 0.1), Some(1));
        assert_eq!(at(&both, [1.5, 1.0, 0.0], 0.1), None);
    }
}
