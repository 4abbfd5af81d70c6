//! A page as HTML.

use super::Page;
use minijinja::{AutoEscape, Environment, context, syntax::SyntaxConfig, value::Serde};
use postrider_letters::LetterError;
use postrider_orders::visible;
use postrider_replay::ReplayFault;
use postrider_table::Rejected;
use thiserror::Error;

/// Why a page could not be made.
#[derive(Debug, Error)]
pub enum PageFault {
    /// The rules do not do again what they did.
    #[error(transparent)]
    Replay(#[from] ReplayFault),
    /// The rules broke down.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// What is asked could not be listed.
    #[error(transparent)]
    Letter(#[from] LetterError),
    /// The built-in template is at fault.
    #[error("the template of the page breaks down: {0}")]
    Template(#[from] minijinja::Error),
    /// What scripts are given could not be written.
    #[error("the page could not be written: {0}")]
    Json(#[from] serde_json::Error),
}

impl Page {
    /// The page as one HTML file, which asks for nothing from elsewhere.
    ///
    /// # Errors
    /// [`PageFault`] when the built-in template is at fault.
    pub fn html(&self) -> Result<String, PageFault> {
        let mut env = Environment::new();
        env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        env.set_auto_escape_callback(|_| AutoEscape::Html);
        env.add_filter("paragraphs", |text: &str| text.replace('`', ""));
        env.add_template("page.html", include_str!("page.html"))?;
        // Whatever could deceive its reader's eyes is spelt out, before it is written as HTML and as what scripts are given. As JSON
        // the numbers that dice are kept by are texts.
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

/// Spells out in every text what is not seen itself.
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

/// JSON that ends no script and begins no comment, whatever its texts are.
fn for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
