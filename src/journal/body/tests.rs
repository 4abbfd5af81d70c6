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

/// Serde would read a list as an object.
#[test]
fn a_list_is_no_object() {
    let zeros = Hash::ZERO;
    let opened = |ruleset: &str| {
        format!(
            r#"{{"chains":{{}},"clock":{{}},"format":1,"game":"abc","key":"{zeros}","operator_seats":[],"options":{{}},"ruleset":{ruleset},"scenario":"s","seats":["a"]}}"#
        )
    };
    assert!(Body::read("opened", &opened(&format!(r#"{{"components":"{zeros}","name":"x","version":1}}"#))).is_ok());
    assert!(matches!(Body::read("opened", &opened(&format!(r#"["x",1,"{zeros}"]"#))), Err(BodyFault::Members(_))));
    let motion = |what: &str| Body::read("motion", &format!(r#"{{"by":"a","via":"cli","what":{what}}}"#)).map(drop);
    assert!(motion(r#"{"back":{"to":5}}"#).is_ok());
    for what in [r#"{"concede":[]}"#, r#"{"back":[5]}"#, r#""concede""#] {
        assert!(matches!(motion(what), Err(BodyFault::Members(_))), "{what}");
    }
}
