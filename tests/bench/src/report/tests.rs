use super::*;

#[test]
fn the_median_is_a_value_that_was_measured() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.0);
    assert_eq!(median(&[7.0]), 7.0);
    assert!(median(&[]).is_nan());
}
