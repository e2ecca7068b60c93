//! What a scene may ask for and hardly means: warnings, each with what to do. Nothing here refuses a scene.

mod ground;
mod meshes;
mod solids;
mod waves;

use crate::context::Context;
use crate::format::SceneFile;
use crate::scene::Scene;
use ground::Ground;

/// Looks at a scene whose sections are good each by itself.
pub(crate) fn look(scene: &Scene, file: &SceneFile, context: &mut Context<'_>) {
    meshes::look(scene, file, context);
    // What is wrong with the ground itself is an error, which comes when all of it is looked at.
    let Some(ground) = Ground::of(scene) else { return };
    ground.look(scene, context);
    waves::look(scene, file, &ground, context);
    solids::look(scene, &ground, context);
}

/// Numbers of some of `count` cells along an axis, the first and the last among them; all if there are at most `most`.
fn some_of(count: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let inner = (0..count - 1).step_by(count.div_ceil(most) as usize);
    inner.chain(std::iter::once(count - 1))
}
