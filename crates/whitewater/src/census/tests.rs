use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity};

use super::{Census, CensusParams};
use crate::testing::random_swarm;

#[test]
fn census_parity() {
    assert_parity(3, |exec, rng, out| {
        let (places, _) = random_swarm(rng, 1000);
        let kind = |n: f32| places.iter().filter(|p| p[3] > 0.0 && p[3].floor() == n).count() as u32;
        let wanted = [kind(0.0), kind(1.0), kind(2.0)];
        let (places, counts) = (exec.buffer_from("places", &places)?, exec.buffer("counts", 3)?);
        let mut rec = exec.record();
        let kernel = Census { places: &places, counts: &counts };
        rec.run(&kernel, &CensusParams { capacity: 1000 }, Dispatch::Elements(1000))?;
        rec.submit()?;
        let counts = exec.read(&counts)?;
        assert_eq!(counts, wanted);
        out.u32("counts", counts);
        Ok(())
    });
}
