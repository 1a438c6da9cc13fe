//! URI templates: reading and expanding them ends, with an answer or with a reason.
#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use patchbay_protocol::template;

fuzz_target!(|input: (&str, &str)| {
    let (text, value) = input;
    let Ok(names) = template::variables(text) else {
        return;
    };
    let values: HashMap<String, String> = names.into_iter().map(|name| (name, value.to_owned())).collect();
    let _ = template::expand(text, &values);
});
