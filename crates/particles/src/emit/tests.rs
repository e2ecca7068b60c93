use super::Source;
use super::plan::Sources;

fn jet(rate_of: f64) -> Source {
    Source { centre: [0.5, 1.0, 0.5], velocity: [0.3, -rate_of, 0.1], radius: 0.07, open: [0.2, 5.0] }
}

#[test]
fn the_number_is_that_of_the_volume_to_one_particle() {
    for (step, substeps) in [(0.008, 4), (0.0021, 16), (0.033, 1)] {
        let source = jet(1.3);
        let mut sources = Sources::new(&[source], 0.02).expect("a source");
        let (mut time, mut count) = (0.0, 0);
        while time < 3.0 {
            let births = sources.plan(time, step, substeps);
            assert_eq!(births.counts.iter().sum::<u32>() as usize * 2, births.born.len());
            count += births.born.len() / 2;
            time += step * f64::from(substeps);
            let volume = source.rate() * (time - 0.2).max(0.0) / 0.02f64.powi(3);
            assert!((count as f64 - volume).abs() <= 1.0, "{count} particles of {volume} at {time} s");
        }
        assert!(count > 5000);
    }
}

#[test]
fn a_jet_keeps_its_particles_apart() {
    let spacing = 0.02;
    let mut sources = Sources::new(&[jet(1.0)], spacing).expect("a source");
    let (step, substeps) = (0.004, 8);
    let mut places: Vec<[f64; 3]> = Vec::new();
    for frame in 0..12 {
        let births = sources.plan(f64::from(frame) * step * f64::from(substeps), step, substeps);
        let mut born = births.born.chunks(2);
        for count in births.counts {
            for place in &mut places {
                *place = [place[0] + 0.3 * step, place[1] - step, place[2] + 0.1 * step];
            }
            places
                .extend(born.by_ref().take(count as usize).map(|pair| [0, 1, 2].map(|axis| f64::from(pair[0][axis]))));
        }
    }
    let mut nearest = f64::INFINITY;
    for (n, a) in places.iter().enumerate() {
        for b in &places[..n] {
            nearest = nearest.min((0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt());
        }
    }
    assert!(places.len() > 300 && nearest > 0.7 * spacing, "{} particles, {nearest} m apart", places.len());
}

#[test]
fn a_source_without_speed_is_refused() {
    let still = Source { velocity: [0.0; 3], ..jet(1.0) };
    assert!(Sources::new(&[still], 0.02).is_err());
}
