//! The name that somebody probably meant.

/// The known name nearest to `name`, where one is near enough to be a slip of the keyboard.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // The distance is quadratic in the lengths; no key of ours is long.
    if name.len() > 64 {
        return None;
    }
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().max(lower.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["depth", "duration", "boxes"];
        assert_eq!(nearest("dept", known), Some("depth"));
        assert_eq!(nearest("Duraton", known), Some("duration"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest(&"x".repeat(1000), known), None);
    }
}
