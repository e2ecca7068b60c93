//! What the page holds, and what it must not hold.

use super::*;
use crate::Image;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn report() -> Report {
    Report::new("A <b>title</b>")
        .describe("\"quoted\" & <script>alert(1)</script>")
        .summarise("k<", "w>")
        .shares("B<", "m<s", [("x<y".to_owned(), 1.0), ("nan".to_owned(), f64::NAN)])
        .table("T<", ["a<".to_owned()], [vec!["</td>".to_owned()]])
        .text("X<", "</pre><script>")
}

#[test]
fn all_text_is_escaped() {
    let html = report().to_html(".");
    let ours = html.matches("<script").count();
    assert_eq!(ours, 1, "only the page's own script");
    for leak in ["<b>title", "k<<", "w></d", "x<y", "m<s", "</pre><script>", "</td></td>"] {
        assert!(!html.contains(leak), "{leak}");
    }
    assert!(html.contains("A &lt;b&gt;title"));
}

#[test]
fn nothing_comes_from_the_network() {
    let html = report().charts("C", [Chart::new("c")]).to_html(".");
    let foreign = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!foreign.contains("http:") && !foreign.contains("https:"));
}

#[test]
fn pictures_are_embedded_until_the_limit_then_linked() -> Outcome {
    let folder = tempfile::tempdir()?;
    let frames = folder.path().join("frames dir");
    let paths: Vec<_> = (0..30).map(|i| frames.join(format!("{i}.png"))).collect();
    for path in &paths {
        Image::filled(40, 30, [9, 99, 199]).write_png(path)?;
    }
    let mut report = Report::new("r").frames("Frames", paths);
    let page = folder.path().join("report.html");
    report.write(&page)?;
    let html = std::fs::read_to_string(&page)?;
    assert_eq!(html.matches("src=\"data:image/png;base64,iVBOR").count(), MOST_FRAMES);
    assert!(html.contains("12 of 30"));

    report.embed_limit = 0;
    let html = report.to_html(folder.path());
    assert!(!html.contains("src=\"data:"));
    assert!(html.contains("src=\"frames%20dir/0.png\""), "{html}");
    assert!(html.contains("linked"), "the page says so");
    Ok(())
}

#[test]
fn a_missing_picture_is_a_note() {
    let html = Report::new("r").frames("A", [PathBuf::from("nowhere/a.png")]).to_html(".");
    assert!(html.contains("a.png") && html.contains("missing"));
    let video = Video { path: Some("nowhere/a.mp4".into()), poster: None, caption: String::new() };
    let html = Report::new("r").video(video).to_html(".");
    assert!(html.contains("a.mp4") && html.contains("missing") && !html.contains("<video"));
}

#[test]
fn a_video_is_embedded_with_its_poster_or_linked() -> Outcome {
    let folder = tempfile::tempdir()?;
    let [path, poster] = ["waves & wind.mp4", "poster.png"].map(|name| folder.path().join(name));
    std::fs::write(&path, [7; 3000])?;
    Image::filled(40, 30, [9, 99, 199]).write_png(&poster)?;
    let video = Video { path: Some(path), poster: Some(poster), caption: "slow < fast".to_owned() };
    let mut report = Report::new("r").video(video);
    let html = report.to_html(folder.path());
    assert!(html.contains("src=\"data:video/mp4;base64,BwcH") && html.contains("poster=\"data:image/png;base64,iVBOR"));
    assert!(html.contains("<video controls loop muted playsinline") && html.contains("slow &lt; fast"));

    report.video_limit = 2999;
    let html = report.to_html(folder.path());
    assert!(html.contains("src=\"waves%20%26%20wind.mp4\"") && html.contains("linked"), "{html}");
    assert!(html.contains("poster=\"data:image/png"), "the picture is still in the page");

    let Some(video) = &mut report.video else { return Err("it was set".into()) };
    video.path = None;
    let html = report.to_html(folder.path());
    assert!(!html.contains("<video") && html.contains("src=\"data:image/png"), "the poster alone");
    Ok(())
}

#[test]
fn shares_are_of_the_sum_and_nonsense_counts_nothing() {
    let parts = [("flux", 3.0), ("pour", 1.0), ("never", 0.0), ("bad", f64::NAN)].map(|(n, v)| (n.to_owned(), v));
    let html = Report::new("r").shares("Stages", "ms", parts).to_html(".");
    for text in ["flux 3 ms, 75 %", "pour 1 ms, 25 %"] {
        assert!(html.contains(&format!("<title>{text}</title>")), "{text}");
    }
    assert!(html.contains("<td>4 ms</td>"), "the sum");
    assert_eq!(html.matches("<rect class=\"share\"").count(), 2);
    assert!(!html.contains("NaN"));
    assert!(!Report::new("r").shares("Stages", "ms", []).to_html(".").contains("NaN"));
}

#[test]
fn markup_comes_through_as_it_is() {
    let html = Report::new("r").html("Player <3", "<canvas id=\"player\"></canvas>").to_html(".");
    assert!(html.contains("<h2>Player &lt;3</h2>\n<canvas id=\"player\"></canvas></section>"));
}

#[test]
fn columns_become_charts() {
    let columns = Columns {
        names: ["time", "volume", "void"].map(str::to_owned).to_vec(),
        values: vec![vec![0.0, 1.0], vec![2.0, 3.0], vec![f64::NAN; 2]],
    };
    let report = Report::new("r").columns("Statistics", &columns);
    let [Section::Charts { charts, .. }] = &report.sections[..] else {
        panic!("one section of charts");
    };
    assert_eq!(charts.len(), 1);
    assert_eq!(charts[0].title, "volume");
    assert!(Report::new("r").columns("S", &Columns::default()).sections.is_empty());
}
