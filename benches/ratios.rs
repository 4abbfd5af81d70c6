//! Speed, as rates and ratios within one run: `cargo bench`.
fn main() {}
