//! The rendering of a page as HTML.

use super::Page;
use data_encoding::BASE64;
use flate2::{Compression, write::ZlibEncoder};
use minijinja::{AutoEscape, Environment, context, syntax::SyntaxConfig, value::Serde};
use postrider_dice::sha256;
use postrider_letters::LetterError;
use postrider_orders::visible;
use postrider_replay::ReplayFault;
use postrider_table::Rejected;
use std::{
    io::{self, Write as _},
    sync::LazyLock,
};
use thiserror::Error;

/// The reason why a page cannot be made.
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
    #[error("the template of the page fails: {0}")]
    Template(#[from] minijinja::Error),
    /// The data for the scripts could not be packed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The data for the scripts could not be serialized.
    #[error("the page could not be written: {0}")]
    Json(#[from] serde_json::Error),
}

/// The members of a page that its script uses.
const FOR_SCRIPT: [&str; 4] = ["game", "luck", "dice", "answer"];

/// The members that only its script uses. They are packed, because they are by far the largest and
/// repeat themselves.
const PACKED: [&str; 2] = ["moments", "pieces"];

/// The script of a page.
const SCRIPT: &str = include_str!("page.js");

/// Returns the source that a content security policy must allow for the script of a page: its hash,
/// so that no text of a game can ever be run.
#[must_use]
pub fn script_source() -> &'static str {
    static SOURCE: LazyLock<String> =
        LazyLock::new(|| format!("'sha256-{}'", BASE64.encode(&sha256(SCRIPT.as_bytes()).0)));
    &SOURCE
}

impl Page {
    /// Returns the page as one HTML file, which loads nothing from elsewhere.
    ///
    /// # Errors
    /// Returns a [`PageFault`] if the built-in template is faulty.
    pub fn html(&self) -> Result<String, PageFault> {
        self.rendered(false)
    }

    /// Returns the page as a web server sends it: it reads the stream `events` next to it, and
    /// renews itself when the game goes on.
    ///
    /// # Errors
    /// Returns a [`PageFault`] if the built-in template is faulty.
    pub fn live_html(&self) -> Result<String, PageFault> {
        self.rendered(true)
    }

    fn rendered(&self, live: bool) -> Result<String, PageFault> {
        let mut env = environment()?;
        env.add_template("page.html", include_str!("page.html"))?;
        // Invisible and misleading characters are spelt out first, so that both the HTML and the
        // data for the scripts are safe. In JSON, the numeric keys of the dice become strings.
        let mut page = serde_json::to_value(self)?;
        seen(&mut page);
        let members = |page: &mut serde_json::Value, names: &[&str]| -> serde_json::Map<_, _> {
            names.iter().map(|&name| (name.to_owned(), page[name].take())).collect()
        };
        let packed = packed(&serde_json::to_string(&members(&mut page, &PACKED))?)?;
        let mut data = members(&mut page.clone(), &FOR_SCRIPT);
        data.insert("packed".to_owned(), packed.into());
        data.insert("complete".to_owned(), self.questions.iter().all(|question| question.complete).into());
        data.insert("head".to_owned(), self.head.into());
        let data = for_script(&serde_json::to_string(&data)?);
        let page = minijinja::Value::from(Serde(page));
        let values = context! {
            page,
            live,
            score => &self.score,
            position => &self.position,
            map => &self.map,
            data,
            style => include_str!("page.css"),
            script => SCRIPT,
            source => script_source(),
        };
        Ok(env.get_template("page.html")?.render(values)?)
    }
}

/// Creates the environment of templates, in which every text is escaped for HTML and XML.
pub(super) fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut env = Environment::new();
    env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    env.set_auto_escape_callback(|_| AutoEscape::Html);
    env.add_template("waits.html", include_str!("waits.html"))?;
    env.add_filter("paragraphs", |text: &str| text.replace('`', ""));
    Ok(env)
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

/// Packs a text: deflated (zlib, RFC 1950), in base64.
fn packed(text: &str) -> Result<String, PageFault> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text.as_bytes())?;
    Ok(BASE64.encode(&packer.finish()?))
}

/// Escapes JSON so that no string in it can end the script element or begin a comment.
fn for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
