use std::borrow::Cow;

use super::*;
use postrider_dice::Hash;

#[test]
fn text_and_json_are_borrowed_from_the_line() {
    let body = r#"{"ask":"x","order":{"a":[1]},"prompt":3,"seat":"red","via":"cli"}"#;
    let Body::Decision(decision) = Body::read("decision", body).unwrap() else { panic!() };
    assert!(matches!(decision.seat.0, Cow::Borrowed("red")));
    assert!(matches!(decision.order.0, Cow::Borrowed(_)));
    assert_eq!(decision.order.get(), r#"{"a":[1]}"#);
    assert_eq!(Body::Decision(decision).to_text().unwrap(), body);
    let Body::Ruling(ruling) = Body::read("ruling", r#"{"by":"a\nb","effect":{},"text":""}"#).unwrap() else {
        panic!()
    };
    assert_eq!(ruling.by, "a\nb");
}

#[test]
fn broken_rules_of_section_4_are_named() {
    let zeros = Hash::ZERO;
    let opened = |seats: &str, operator: &str, label: &str| {
        format!(
            r#"{{"chains":{{"{label}":"{zeros}"}},"clock":{{}},"format":1,"game":"abc","key":"{zeros}","operator_seats":{operator},"options":{{}},"ruleset":{{"components":"{zeros}","name":"x","version":1}},"scenario":"s","seats":{seats}}}"#
        )
    };
    assert!(Body::read("opened", &opened(r#"["a","b"]"#, r#"["b"]"#, "deck:x")).is_ok());
    let fork = |game: &str| {
        let parent = format!(r#""parent":{{"game":"{game}","hash":"{zeros}","n":7}},"ruleset""#);
        opened(r#"["a"]"#, "[]", "dice").replace(r#""ruleset""#, &parent)
    };
    let forked = fork("abc");
    let read = Body::read("opened", &forked).unwrap();
    assert!(matches!(&read, Body::Opened(Opened { parent: Some(parent), .. }) if parent.n == 7));
    assert_eq!(read.to_text().unwrap(), forked);
    let rolled = |low: i64, high: i64, got: &str| format!(r#"{{"rolls":[["",{low},{high}{got}]],"secret":"{zeros}"}}"#);
    assert!(Body::read("rolled", &rolled(0, 9, ",1")).is_ok());
    let cases = [
        ("opened", opened("[]", "[]", "dice"), ShapeFault::Empty("seats")),
        ("opened", opened(r#"["a","a"]"#, "[]", "dice"), ShapeFault::Twice("seats")),
        ("opened", opened(r#"["a"]"#, r#"["b"]"#, "dice"), ShapeFault::OperatorSeat),
        ("opened", opened(r#"["a\n"]"#, "[]", "dice"), ShapeFault::Name("a seat")),
        ("opened", opened(r#"["a"]"#, "[]", "deck:"), ShapeFault::Label),
        ("opened", fork("A"), ShapeFault::Game("parent.game")),
        ("opened", opened(r#"["a"]"#, "[]", "dice").replace("abc", "A"), ShapeFault::Game("game")),
        ("opened", opened(r#"["a"]"#, "[]", "dice").replace(r#""format":1"#, r#""format":2"#), ShapeFault::Format(2)),
        ("rolled", rolled(1, 0, ",1"), ShapeFault::Die),
        ("rolled", rolled(0, 9, ""), ShapeFault::Empty("got")),
        ("rolled", format!(r#"{{"rolls":[],"secret":"{zeros}"}}"#), ShapeFault::Empty("rolls")),
        ("decision", r#"{"ask":"x","order":{},"prompt":3,"seat":"red"}"#.into(), ShapeFault::Words),
        ("joined", format!(r#"{{"address":"{zeros}","luck":"","seat":"red"}}"#), ShapeFault::Joined),
        ("joined", format!(r#"{{"address":"{zeros}","luck":"","seat":"red","via":"standing"}}"#), ShapeFault::Joined),
        (
            "decision",
            r#"{"ask":"x","order":3,"prompt":3,"seat":"red","via":"cli"}"#.into(),
            ShapeFault::Object("order"),
        ),
        ("dealt", r#"{"count":0,"deck":"d","epoch":0,"from":0,"seat":""}"#.into(), ShapeFault::Empty("count")),
        ("shuffled", r#"{"cards":[],"deck":"d","epoch":0,"list":["a"]}"#.into(), ShapeFault::Cards),
    ];
    for (kind, body, wanted) in cases {
        match Body::read(kind, &body) {
            Err(BodyFault::Shape(fault)) => assert_eq!(fault, wanted, "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
    assert!(matches!(Body::read("started", "{}"), Err(BodyFault::Members(_))));
    for rolls in [r#"["",0]"#, r#"["",0,9,"1"]"#, r#"{"label":""}"#, "[]"] {
        let body = format!(r#"{{"rolls":[{rolls}],"secret":"{zeros}"}}"#);
        assert!(matches!(Body::read("rolled", &body), Err(BodyFault::Members(_))), "{body}");
    }
    let mailed = r#"{"ask":"x","order":{},"prompt":3,"seat":"red","via":"mail"}"#;
    assert!(matches!(Body::read("decision", mailed), Err(BodyFault::Members(_))));
    let ruleset = format!(r#"{{"components":"{zeros}","name":"x","version":1}}"#);
    let listed = opened(r#"["a"]"#, "[]", "dice").replace(&ruleset, &format!(r#"["x",1,"{zeros}"]"#));
    assert!(matches!(Body::read("opened", &listed), Err(BodyFault::Members(_))));
    let motion = |what: &str| format!(r#"{{"by":"a","via":"cli","what":{what}}}"#);
    assert!(Body::read("motion", &motion(r#"{"back":{"to":5}}"#)).is_ok());
    for what in [r#"{"concede":[]}"#, r#"{"back":[5]}"#, r#""concede""#] {
        assert!(matches!(Body::read("motion", &motion(what)), Err(BodyFault::Members(_))), "{what}");
    }
}
