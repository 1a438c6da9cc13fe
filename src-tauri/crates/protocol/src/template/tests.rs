use proptest::prelude::*;

use super::*;

fn expanded(template: &str, values: &[(&str, &str)]) -> String {
    let values = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Value::from(*value)))
        .collect();
    expand(template, &values).expect("a template")
}

#[test]
fn examples_of_the_rfc() {
    let values = [
        ("var", "value"),
        ("hello", "Hello World!"),
        ("path", "/foo/bar"),
        ("x", "1024"),
        ("y", "768"),
        ("empty", ""),
    ];
    for (template, uri) in [
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{+hello}", "Hello%20World!"),
        ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"),
        ("X{#var}", "X#value"),
        ("map?{x,y}", "map?1024,768"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,undef}", "?x=1024"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&x,y,empty}", "&x=1024&y=768&empty="),
        ("X{.var}", "X.value"),
        ("X{.x,y}", "X.1024.768"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("{var*}", "value"),
        ("{?var:3,x*}", "?var=val&x=1024"),
        ("{+path:6}here", "/foo/bhere"),
        ("{#path:6}here", "#/foo/bhere"),
        ("{;undef}", ""),
        ("{var:3}", "val"),
        ("{var:9999}", "value"),
        ("O{undef}X", "OX"),
        ("file:///{path}", "file:///%2Ffoo%2Fbar"),
    ] {
        assert_eq!(expanded(template, &values), uri, "{template}");
    }
    assert_eq!(expanded("demo://{name}", &[("name", "ä b")]), "demo://%C3%A4%20b");
}

/// RFC 6570 §3.2.2 to §3.2.9, with its values.
#[test]
fn lists_and_associative_arrays() {
    let texts = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect::<Vec<_>>();
    let keys = [("semi", ";"), ("dot", "."), ("comma", ",")];
    let keys = keys.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let values = HashMap::from([
        ("list".to_owned(), Value::List(texts(&["red", "green", "blue"]))),
        ("keys".to_owned(), Value::Pairs(keys.to_vec())),
        ("none".to_owned(), Value::List(Vec::new())),
        ("void".to_owned(), Value::Pairs(Vec::new())),
    ]);
    for (template, uri) in [
        ("{list}", "red,green,blue"),
        ("{list*}", "red,green,blue"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ("{+keys}", "semi,;,dot,.,comma,,"),
        ("{+keys*}", "semi=;,dot=.,comma=,"),
        ("{#list*}", "#red,green,blue"),
        ("{#keys*}", "#semi=;,dot=.,comma=,"),
        ("X{.list}", "X.red,green,blue"),
        ("X{.list*}", "X.red.green.blue"),
        ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
        ("{/list}", "/red,green,blue"),
        ("{/list*}", "/red/green/blue"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
        ("{;list}", ";list=red,green,blue"),
        ("{;list*}", ";list=red;list=green;list=blue"),
        ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
        ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
        ("{?list}", "?list=red,green,blue"),
        ("{?list*}", "?list=red&list=green&list=blue"),
        ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
        ("{&list*}", "&list=red&list=green&list=blue"),
        ("a{none}{?void*}{/none*}b", "ab"),
    ] {
        assert_eq!(expand(template, &values).expect("a template"), uri, "{template}");
    }
}

/// iri-string 0.7.14 panics on the first two and loses characters of the third; found by fuzzing.
#[test]
fn reserved_expansion_of_arbitrary_values() {
    for (template, value, uri) in [
        ("{+v}", "ä/b", "%C3%A4/b"),
        ("{#v}_===w", "Ъ__", "#%D0%AA___===w"),
        ("{+v}", "%D0abcdef", "%D0abcdef"),
        ("{+v}", "100%/%é%4", "100%25/%25%C3%A9%254"),
        ("{+v:3}", "a%C3äb", "a%C3%C3%A4"),
        ("%7e{v:1}", "äb", "%7e%C3%A4"),
    ] {
        assert_eq!(expanded(template, &[("v", value)]), uri, "{template} of {value}");
    }
}

#[test]
fn variables_are_listed_once_in_order() {
    assert_eq!(variables("x://{b}/{a}{?b,c*}").unwrap(), ["b", "a", "c"]);
    assert_eq!(variables("x://plain").unwrap(), Vec::<String>::new());
    // The last ones make iri-string 0.7.14 panic.
    for broken in [
        "x://{",
        "x://{a",
        "}",
        "{a b}",
        "{!a}",
        "{a:0}",
        "{a:}",
        "%4",
        "%೦",
        "{a:71000}",
        "{?b,a:10000}",
    ] {
        assert!(variables(broken).is_err(), "{broken}");
        assert!(expand(broken, &HashMap::new()).is_err(), "{broken}");
    }
}

proptest! {
    #[test]
    fn both_parsers_accept_the_same_templates(template in any::<String>()) {
        prop_assert_eq!(variables(&template).is_ok(), expand(&template, &HashMap::new()).is_ok());
    }

    /// The output is ASCII for any template and values.
    #[test]
    fn expansion_yields_ascii(operator in "[+#./;?&]?", most in 0_u16..9, value in any::<String>()) {
        for modifier in [String::new(), "*".to_owned(), format!(":{}", most + 1)] {
            let uri = expanded(&format!("x:{{{operator}v{modifier}}}"), &[("v", &value)]);
            prop_assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{}", uri);
        }
    }

    #[test]
    fn percent_encoding_round_trips(value in any::<String>()) {
        let uri = expanded("{v}", &[("v", &value)]);
        prop_assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
        let mut bytes = Vec::new();
        let mut rest = uri.bytes();
        while let Some(byte) = rest.next() {
            if byte == b'%' {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                bytes.push(u8::from_str_radix(&digits, 16).expect("two digits"));
            } else {
                bytes.push(byte);
            }
        }
        prop_assert_eq!(String::from_utf8(bytes).expect("UTF-8"), value);
    }
}

#[test]
fn a_template_has_a_limited_number_of_variables() {
    let with = |count: usize| {
        (0..count)
            .map(|at| format!("{{v{at}}}{{v{at}}}"))
            .collect::<String>()
    };
    assert_eq!(variables(&with(1000)).map(|names| names.len()), Ok(1000));
    let error = variables(&with(200_000)).map(|names| names.len());
    assert_eq!(
        error.map_err(|error| error.to_string()),
        Err("not a valid URI template: more than 1000 variables".to_owned())
    );
}
