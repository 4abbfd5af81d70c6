//! The feed of a game (Atom, RFC 4287): its story, the newest first.

use super::{Page, PageFault, html::environment};
use minijinja::{HtmlEscape, Value, context, value::Serde};
use postrider_orders::visible;
use serde::Serialize;

/// Maximum number of entries in a feed.
const MOST: usize = 40;

/// An entry of the journal in the form of the feed.
#[derive(Serialize)]
struct Item<'p> {
    n: u64,
    title: String,
    at: &'p str,
    /// The text, as HTML.
    content: String,
}

/// Returns a text without characters that XML forbids.
fn in_xml(text: &str) -> String {
    visible(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

impl Page {
    /// Returns the feed of the game. `domain` is that of the service, for the ids of the entries.
    ///
    /// # Errors
    /// Returns a [`PageFault`] if the built-in template is faulty.
    pub fn feed(&self, domain: &str) -> Result<String, PageFault> {
        let mut items: Vec<Item<'_>> = Vec::new();
        for chapter in self.story.iter().flat_map(|turn| &turn.chapters) {
            for entry in &chapter.entries {
                let content: String =
                    entry.lines.iter().map(|line| format!("<p>{}</p>", HtmlEscape(&in_xml(line)))).collect();
                let title: Vec<&str> = [Some(&chapter.under), entry.lines.first()]
                    .into_iter()
                    .flatten()
                    .map(String::as_str)
                    .filter(|words| !words.is_empty())
                    .collect();
                let item = Item { n: entry.n, title: in_xml(&title.join(": ")), at: &entry.at, content };
                match items.last_mut() {
                    // The text of one entry may continue under the next heading, which comes first.
                    Some(later) if later.n == item.n => {
                        *later = Item { content: item.content.clone() + &later.content, ..item };
                    }
                    _ => items.push(item),
                }
            }
        }
        items.truncate(MOST);
        let mut env = environment()?;
        env.add_template("feed.xml", include_str!("feed.xml"))?;
        Ok(env.get_template("feed.xml")?.render(context! {
            title => &self.title,
            game => &self.game,
            domain,
            updated => items.first().map_or("1970-01-01T00:00:00Z", |item| item.at),
            items => Value::from(Serde(serde_json::to_value(&items)?)),
        })?)
    }
}
