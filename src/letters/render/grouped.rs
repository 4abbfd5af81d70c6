//! Grouping of a question's options by their first words, such as the name of the acting unit.

use crate::QuestionOption;

/// Options with the same first words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group<'o> {
    /// The common first words; "" for options without any.
    pub(super) lead: String,
    /// The remark that all of them share; "" for none.
    pub(super) note: &'o str,
    /// The options, each with its words after the lead.
    pub(super) options: Vec<(String, &'o QuestionOption)>,
}

/// The words of an option, with the option.
type Worded<'o> = (Vec<&'o str>, &'o QuestionOption);

/// Groups options by their first words, ordered by the first option of each group. Options without
/// common first words, and options that consist of several orders, are in groups without a lead.
pub(super) fn grouped(options: &[QuestionOption]) -> Vec<Group<'_>> {
    let all: Vec<Worded<'_>> = options.iter().map(|option| (option.words.split(' ').collect(), option)).collect();
    let mut groups = Vec::new();
    for members in by_word(all, 0) {
        match members.as_slice() {
            [_] => single(members, &mut groups),
            _ => split(members, 1, &mut groups),
        }
    }
    groups
}

/// Groups options by the word at an index, ordered by the first option of each group.
fn by_word(options: Vec<Worded<'_>>, at: usize) -> Vec<Vec<Worded<'_>>> {
    let mut found: Vec<Vec<Worded<'_>>> = Vec::new();
    for option in options {
        match found.iter_mut().find(|members| members[0].0[at] == option.0[at]) {
            Some(members) => members.push(option),
            None => found.push(vec![option]),
        }
    }
    found
}

/// Adds options without a lead, to the previous group if that has no lead either.
fn single<'o>(members: Vec<Worded<'o>>, groups: &mut Vec<Group<'o>>) {
    let options = members.into_iter().map(|(_, option)| (option.words.clone(), option));
    match groups.last_mut().filter(|last| last.lead.is_empty()) {
        Some(last) => last.options.extend(options),
        None => groups.push(Group { lead: String::new(), note: "", options: options.collect() }),
    }
}

/// Adds options that share their first `at` words: as one group, or as several if the options can
/// be divided into groups of at least two that share more words.
fn split<'o>(members: Vec<Worded<'o>>, mut at: usize, groups: &mut Vec<Group<'o>>) {
    while members.iter().all(|(words, _)| words.len() > at) {
        let parts = by_word(members.clone(), at);
        match parts.len() {
            1 if members.iter().all(|(words, _)| words.len() > at + 1) => at += 1,
            2.. if parts.iter().all(|part| part.len() > 1 && part.iter().all(|(words, _)| words.len() > at + 1)) => {
                return parts.into_iter().for_each(|part| split(part, at + 1, groups));
            }
            _ => break,
        }
    }
    // If one option is the beginning of all others, it must keep at least one word.
    let at = members.iter().map(|(words, _)| words.len() - 1).min().unwrap_or(0).min(at);
    if at == 0 || members.iter().any(|(words, _)| is_plan(words, at)) {
        return single(members, groups);
    }
    let lead = members[0].0[..at].join(" ");
    let first = members[0].1.note.as_str();
    let note = if members.iter().all(|(_, option)| option.note == first) { first } else { "" };
    let options = members.into_iter().map(|(words, option)| (words[at..].join(" "), option)).collect();
    groups.push(Group { lead, note, options });
}

/// Returns `true` if the words are a list of orders, such as `1 settler at g3, 1 settler at p4`,
/// and not one order with several targets: the lead of `at` words contains a comma, or its last
/// word recurs after one.
fn is_plan(words: &[&str], at: usize) -> bool {
    if words[..at].iter().any(|word| word.ends_with(',')) {
        return true;
    }
    let comma = words.iter().skip(at).position(|word| word.ends_with(','));
    comma.is_some_and(|comma| words[at + comma + 1..].contains(&words[at - 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups options written as "words | note"; returns lead, note and remaining words of each
    /// group.
    fn leads(options: &[&str]) -> Vec<(String, String, Vec<String>)> {
        let options: Vec<QuestionOption> = { options.iter() }
            .map(|option| {
                let (words, note) = option.split_once(" | ").unwrap_or((option, ""));
                QuestionOption { letter: String::new(), words: words.into(), note: note.into() }
            })
            .collect();
        let rests = |group: &Group<'_>| group.options.iter().map(|(rest, _)| rest.clone()).collect();
        let groups = grouped(&options);
        groups.iter().map(|group| (group.lead.clone(), group.note.to_owned(), rests(group))).collect()
    }

    fn group(lead: &str, note: &str, rests: &[&str]) -> (String, String, Vec<String>) {
        (lead.into(), note.into(), rests.iter().map(|&rest| rest.to_owned()).collect())
    }

    #[test]
    fn options_are_grouped_by_who_acts() {
        let options = [
            "crow raid town in utah",
            "teton sioux 1 raid mexico | 2 VPs",
            "teton sioux 1 raid town in utah | 1 VP",
            "teton sioux 2 raid mexico",
            "crow raid mexico",
            "teton sioux 2 moves to utah",
            "pass",
        ];
        let expected = [
            group("crow raid", "", &["town in utah", "mexico"]),
            group("teton sioux 1 raid", "", &["mexico", "town in utah"]),
            group("teton sioux 2", "", &["raid mexico", "moves to utah"]),
            group("", "", &["pass"]),
        ];
        assert_eq!(leads(&options), expected);
    }

    #[test]
    fn a_remark_of_all_is_said_once() {
        let options =
            ["play raid | a Raid", "discard raid | ends your Round", "play scouts", "discard scouts | ends your Round"];
        let expected =
            [group("play", "", &["raid", "scouts"]), group("discard", "ends your Round", &["raid", "scouts"])];
        assert_eq!(leads(&options), expected);
    }

    #[test]
    fn what_has_no_common_beginning_stays_whole() {
        assert_eq!(leads(&["0", "1", "stay"]), [group("", "", &["0", "1", "stay"])]);
        // Options that consist of several orders are plans, not targets of one unit.
        let plans = ["2 settlers at s4, 1 settler at k1", "2 settlers at s4, 1 settler at k2"];
        assert_eq!(leads(&plans), [group("", "", &plans)]);
        let ways = ["move all from u1 to m7, s1", "move all from u1 to m7"];
        assert_eq!(leads(&ways), [group("move all from u1 to", "", &["m7, s1", "m7"])]);
        // An option that is the beginning of another must keep a word.
        assert_eq!(leads(&["evade", "evade to utah"]), [group("", "", &["evade", "evade to utah"])]);
    }
}
