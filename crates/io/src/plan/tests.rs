use super::*;
use crate::colour::{Encoder, NOT_FINITE};

/// An island in a basin: ground rises towards the middle.
struct Scene {
    nx: usize,
    nz: usize,
    bed: Vec<f32>,
    depth: Vec<f32>,
}

impl Scene {
    fn island(nx: usize, nz: usize) -> Self {
        let at = |i: usize| {
            let (x, z) = (i % nx, i / nx);
            let u = (x as f32 + 0.5) / nx as f32 - 0.5;
            let v = (z as f32 + 0.5) / nz as f32 - 0.5;
            2.0 - 8.0 * (u * u + v * v).sqrt()
        };
        let bed: Vec<f32> = (0..nx * nz).map(at).collect();
        let depth = bed.iter().map(|b| (-b).max(0.0)).collect();
        Self { nx, nz, bed, depth }
    }

    fn view(&self, width: usize) -> PlanView<'_> {
        PlanView {
            nx: self.nx,
            nz: self.nz,
            cell: 0.5,
            origin: [0.0, 0.0],
            bed: &self.bed,
            depth: &self.depth,
            field: FieldKind::Depth,
            values: &self.depth,
            range: [0.0, 3.0],
            dry_depth: 1e-3,
            title: "Island",
            time: 1.25,
            width,
        }
    }
}

/// The map's rectangle on the page.
fn map_of(view: &PlanView<'_>) -> crate::canvas::Rect {
    let [x, z] = view.extent();
    let (x, z) = (Axis::along("x", 0.0, x), Axis::along("z", 0.0, z));
    layout::map_page(&Style::for_width(view.width), &x, &z, view.range).map
}

/// The pixel in the middle of cell (i, k).
fn at_cell(image: &Image, view: &PlanView<'_>, i: usize, k: usize) -> [u8; 3] {
    let map = map_of(view);
    let x = map.x as f64 + (i as f64 + 0.5) / view.nx as f64 * f64::from(map.w);
    let y = map.y as f64 + (view.nz as f64 - k as f64 - 0.5) / view.nz as f64 * f64::from(map.h);
    image.pixel(x as usize, y as usize).expect("inside the picture")
}

fn count(image: &Image, colour: [u8; 3]) -> usize {
    image.rgb.as_chunks::<3>().0.iter().filter(|&&p| p == colour).count()
}

#[test]
fn land_is_earthy_and_water_is_blue() {
    let scene = Scene::island(60, 40);
    let view = scene.view(960);
    let image = draw(&view);
    assert_eq!(image.rgb.len(), image.width * image.height * 3);
    assert_eq!((image.width, image.height % 2), (960, 0));
    let [r, _, b] = at_cell(&image, &view, 30, 20);
    assert!(r > b, "the island is brown");
    let [r, _, b] = at_cell(&image, &view, 2, 2);
    assert!(b > r, "the sea is blue");
    assert_eq!(count(&image, NOT_FINITE), 0);
}

#[test]
fn north_is_up() {
    let mut scene = Scene::island(20, 20);
    scene.depth.fill(0.0);
    scene.depth[19 * 20 + 10] = 1.0; // top row
    let view = scene.view(640);
    let image = draw(&view);
    let [r, _, b] = at_cell(&image, &view, 10, 19);
    assert!(b > r);
    let [r, _, b] = at_cell(&image, &view, 10, 0);
    assert!(r > b);
}

#[test]
fn the_colour_bar_shows_both_ends() {
    let scene = Scene::island(60, 40);
    for field in [FieldKind::Depth, FieldKind::Speed, FieldKind::Surface, FieldKind::Arrival] {
        let view = PlanView { field, ..scene.view(960) };
        let image = draw(&view);
        let map = map_of(&view);
        let encoder = Encoder::new();
        for (end, y) in [(0.0, map.bottom() - 1), (1.0, map.y)] {
            let want = encoder.srgb(field.colours().at(end));
            let column = (map.right() as usize + 5)..image.width;
            let close = |p: [u8; 3]| p.iter().zip(want).all(|(a, b)| a.abs_diff(b) < 4);
            assert!(column.into_iter().filter_map(|x| image.pixel(x, y as usize)).any(close), "{field:?} at {end}");
        }
    }
}

#[test]
fn bad_numbers_are_magenta_and_nothing_else_is() {
    let scene = Scene::island(30, 20);
    for broken in 0..3 {
        let (mut bed, mut depth) = (scene.bed.clone(), scene.depth.clone());
        let mut values = scene.depth.clone();
        match broken {
            0 => bed[33] = f32::NAN,
            1 => depth[33] = f32::INFINITY,
            _ => values[33] = f32::NAN,
        }
        let view = PlanView { bed: &bed, depth: &depth, values: &values, ..scene.view(960) };
        let image = draw(&view);
        assert_eq!(at_cell(&image, &view, 3, 1), NOT_FINITE, "array {broken}");
        let map = map_of(&view);
        let cell = map.w as usize * map.h as usize / 600;
        let magenta = count(&image, NOT_FINITE);
        assert!(magenta > cell / 2 && magenta < cell * 2, "{magenta} pixels of {cell}");
    }
}

#[test]
fn one_bad_cell_among_very_many_is_seen() {
    let mut scene = Scene::island(2000, 1500);
    scene.bed[1_234_567] = f32::NAN;
    let view = scene.view(480);
    assert!((1..=4).contains(&count(&draw(&view), NOT_FINITE)));
}

#[test]
fn values_of_dry_cells_do_not_matter() {
    let scene = Scene::island(30, 20);
    let mut values = scene.depth.clone();
    for (value, &depth) in values.iter_mut().zip(&scene.depth) {
        if depth == 0.0 {
            *value = f32::NAN;
        }
    }
    let image = draw(&PlanView { values: &values, ..scene.view(640) });
    assert_eq!(count(&image, NOT_FINITE), 0);
}

#[test]
fn any_shape_gives_a_picture() {
    let sizes = [0, 1, 2, 3, 7, 300];
    for nx in sizes {
        for nz in sizes {
            let scene = Scene::island(nx, nz);
            for width in [0, 160, 333, 960] {
                let image = draw(&scene.view(width));
                assert_eq!(image.width, width.max(160));
                assert!(image.height < 2 * image.width, "{nx}×{nz}: {}", image.height);
                assert_eq!(image.rgb.len(), image.width * image.height * 3);
            }
        }
    }
}

#[test]
fn any_numbers_give_a_picture() {
    let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-30, 1e30, f64::MAX];
    for (nx, nz) in [(5, 4), (9, 1), (1, 9)] {
        let scene = Scene::island(nx, nz);
        for a in odd {
            for b in odd {
                let view = PlanView {
                    cell: a,
                    origin: [b, a],
                    range: [a as f32, b as f32],
                    dry_depth: b as f32,
                    time: b,
                    ..scene.view(200)
                };
                assert_eq!(draw(&view).width, 200);
                let huge: Vec<f32> = scene.bed.iter().map(|x| x * b as f32).collect();
                let _ = draw(&PlanView { bed: &huge, depth: &huge, values: &huge, ..view });
            }
        }
        let all_bad = vec![f32::NAN; nx * nz];
        let _ = draw(&PlanView { bed: &all_bad, depth: &[], values: &[], ..scene.view(200) });
    }
}

#[test]
fn a_slice_is_drawn_from_the_side() {
    let n = 120;
    let bed: Vec<f32> = (0..n).map(|i| i as f32 * 0.02).collect();
    let depth: Vec<f32> = bed.iter().map(|b| (1.0 - b).max(0.0)).collect();
    let scene = Scene { nx: n, nz: 1, bed, depth };
    let view = scene.view(960);
    let image = draw(&view);
    // In the left quarter, from the top: air, water, ground.
    let column: Vec<_> = (60..image.height - 80).filter_map(|y| image.pixel(230, y)).collect();
    let kind = |[r, g, b]: [u8; 3]| match () {
        () if r > 225 && g > 225 && b > 225 => 'a',
        () if b > r => 'w',
        () => 'g',
    };
    let mut kinds: Vec<_> = column.into_iter().map(kind).collect();
    kinds.dedup();
    let order: String = kinds.into_iter().filter(|k| *k != 'a').collect();
    assert!(order.starts_with('w') && order.ends_with('g'), "{order}");

    // The same along z.
    let turned = PlanView { nx: 1, nz: n, ..view };
    assert_eq!(draw(&turned).height, image.height);
}

#[test]
fn a_side_view_shows_bad_numbers_too() {
    let scene = Scene { nx: 50, nz: 1, bed: vec![0.0; 50], depth: vec![1.0; 50] };
    let mut values = scene.depth.clone();
    values[10] = f32::NAN;
    let image = draw(&PlanView { values: &values, ..scene.view(800) });
    assert!(count(&image, NOT_FINITE) > 1000);
}
