//! URI templates: parsing and expanding always ends, with an ASCII URI or an error.
#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use patchbay_protocol::template;

fuzz_target!(|input: (&str, &str)| {
    let (text, value) = input;
    let Ok(names) = template::variables(text) else {
        return;
    };
    let values: HashMap<String, template::Value> = names
        .into_iter()
        .map(|name| (name, template::Value::from(value)))
        .collect();
    let uri = template::expand(text, &values);
    assert!(
        uri.is_ok_and(|uri| uri.bytes().all(|byte| byte.is_ascii_graphic())),
        "{text} was a template"
    );
});
