#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| thalweg_fuzz_readers::terrain_tiff::run(bytes));
