use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn set(members: &BTreeSet<Seq>) -> SeqSet {
    let mut set = SeqSet::default();
    for seq in members {
        assert!(set.insert(*seq));
    }
    set
}

fn members(set: &SeqSet) -> BTreeSet<Seq> {
    let members: Vec<Seq> = set.iter_from(0).collect();
    assert!(members.is_sorted());
    assert_eq!(set.len(), members.len() as u64);
    members.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_as_an_ordered_set(
        a in prop::collection::btree_set(0u64..20_000, 0..200),
        b in prop::collection::btree_set(0u64..20_000, 0..200),
        from in 0u64..20_100,
    ) {
        let left = set(&a);
        let right = set(&b);
        prop_assert_eq!(members(&left), a.clone());
        for (n, seq) in a.iter().enumerate() {
            prop_assert_eq!(left.select(n as u64), Some(*seq));
            prop_assert_eq!(left.rank(*seq), n as u64);
            prop_assert!(left.contains(*seq));
        }
        prop_assert_eq!(left.select(a.len() as u64), None);
        prop_assert_eq!(left.rank(from), a.range(..from).count() as u64);
        prop_assert_eq!(left.iter_from(from).collect::<Vec<_>>(), a.range(from..).copied().collect::<Vec<_>>());
        prop_assert_eq!(members(&left.tail_from(from)), a.range(from..).copied().collect());

        let mut union = left.clone();
        union.union(&right);
        prop_assert_eq!(members(&union), &a | &b);
        let mut both = left.clone();
        both.intersect(&right);
        prop_assert_eq!(members(&both), &a & &b);
        let mut only = left.clone();
        only.subtract(&right);
        prop_assert_eq!(members(&only), &a - &b);

        let mut rest = left;
        for seq in &b {
            prop_assert_eq!(rest.remove(*seq), a.contains(seq));
        }
        prop_assert_eq!(members(&rest), &a - &b);
    }
}
