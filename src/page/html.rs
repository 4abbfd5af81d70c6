//! The rendering of a page as HTML.

use super::Page;
use minijinja::{AutoEscape, Environment, context, syntax::SyntaxConfig, value::Serde};
use postrider_letters::LetterError;
use postrider_orders::visible;
use postrider_replay::ReplayFault;
use postrider_table::Rejected;
use thiserror::Error;

/// An error that prevents a page.
#[derive(Debug, Error)]
pub enum PageFault {
    /// The game cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayFault),
    /// The rules failed.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The open questions could not be listed.
    #[error(transparent)]
    Letter(#[from] LetterError),
    /// The built-in template is faulty.
    #[error("the template of the page breaks down: {0}")]
    Template(#[from] minijinja::Error),
    /// The data for the scripts could not be serialized.
    #[error("the page could not be written: {0}")]
    Json(#[from] serde_json::Error),
}

impl Page {
    /// Returns the page as one HTML file, which loads nothing from elsewhere.
    ///
    /// # Errors
    /// Returns a [`PageFault`] if the built-in template is faulty.
    pub fn html(&self) -> Result<String, PageFault> {
        let mut env = Environment::new();
        env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        env.set_auto_escape_callback(|_| AutoEscape::Html);
        env.add_filter("paragraphs", |text: &str| text.replace('`', ""));
        env.add_template("page.html", include_str!("page.html"))?;
        // Invisible and misleading characters are spelt out first, so that both the HTML and the
        // data for the scripts are safe. In JSON, the numeric keys of the dice become strings.
        let mut page = serde_json::to_value(self)?;
        seen(&mut page);
        let data = for_script(&serde_json::to_string(&page)?);
        let page = minijinja::Value::from(Serde(page));
        let values = context! {
            page,
            map => &self.map,
            data,
            style => include_str!("page.css"),
            script => include_str!("page.js"),
        };
        Ok(env.get_template("page.html")?.render(values)?)
    }
}

/// Spells out invisible characters in every string of `value`.
fn seen(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => {
            if let std::borrow::Cow::Owned(spelt) = visible(text) {
                *text = spelt;
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(seen),
        serde_json::Value::Object(members) => members.values_mut().for_each(seen),
        _ => {}
    }
}

/// Escapes JSON so that no string in it can end the script element or begin a comment.
fn for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
