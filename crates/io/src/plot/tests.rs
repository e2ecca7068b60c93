use super::*;

fn chart() -> Chart {
    let wave = |phase: f64| (0..50).map(move |i| [f64::from(i), (f64::from(i) * 0.3 + phase).sin()]);
    Chart::new("Gauges & <others>")
        .axes("time (s)", "level (m)")
        .with(Series::new("left", wave(0.0)))
        .with(Series::new("right", wave(1.0)).mark(Mark::Dashed))
        .with(Series::new("measured", wave(0.1)).mark(Mark::Points))
}

/// Every opened element is closed in order, and nothing is unescaped.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('&') || text.contains(';'), "{text}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "in {svg}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
    }
    assert!(open.is_empty());
}

#[test]
fn a_chart_has_its_parts() {
    let svg = line_chart(&chart());
    assert_well_formed(&svg);
    for part in ["Gauges &amp; &lt;others&gt;", "time (s)", "level (m)", "measured", "dasharray", "<circle"] {
        assert!(svg.contains(part), "{part}");
    }
}

#[test]
fn any_numbers_give_a_chart() {
    let all =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 5e-324, 1.0];
    for scale in [Scale::Linear, Scale::Log] {
        for &a in &all {
            for &b in &all {
                let mut chart = Chart::new("")
                    .scales(scale, scale)
                    .with(Series::new("s", [[a, b], [b, a], [1.0, a]]).mark(Mark::LinePoints));
                assert_well_formed(&line_chart(&chart));
                chart.x_range = Some([a, b]);
                chart.width = 1;
                chart.height = 1;
                assert_well_formed(&line_chart(&chart));
            }
        }
    }
    let empty = line_chart(&Chart::default());
    assert_well_formed(&empty);
    assert!(empty.contains("no data"));
}

#[test]
fn a_gap_breaks_the_line() {
    let series = Series::new("", [[0.0, 1.0], [1.0, 2.0], [2.0, f64::NAN], [3.0, 1.0], [4.0, 0.0]]);
    let svg = line_chart(&Chart::new("").with(series));
    let path = svg.rsplit("d=\"").next().unwrap_or_default();
    assert_eq!(path.matches('M').count(), 2);
}

#[test]
fn log_axes_have_powers_of_ten() {
    let points = (0..9).map(|i| [10f64.powi(i), 10f64.powi(-i)]);
    let svg = line_chart(&Chart::new("").scales(Scale::Log, Scale::Log).with(Series::new("", points)));
    assert!(svg.contains("10⁻⁶") && svg.contains("10⁶"), "{svg}");
}

#[test]
fn long_series_stay_small_and_keep_their_peak() {
    let peak = |i: i32| if i == 54_321 { 40.0 } else { (f64::from(i) * 0.01).sin() };
    let points = (0..100_000).map(|i| [f64::from(i), peak(i)]);
    let svg = line_chart(&Chart::new("").with(Series::new("", points)));
    assert!(svg.len() < 250_000, "{}", svg.len());
    assert!(svg.contains(" 40 "), "the peak is in the read-out");
}
