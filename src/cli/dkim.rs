//! `postrider dkim`: prints the DNS record for the signatures of letters.

use super::{CliError, Output};
use postrider_disk as disk;
use postrider_mail::DkimKey;
use postrider_store::Host;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Dkim {
    /// Create an Ed25519 key if the file named in the settings does not exist
    #[arg(long)]
    new_key: bool,
}

/// Maximum length of the strings of a record, below the limit of 255 bytes (RFC 1035, section 3.3).
const LONGEST_STRING: usize = 250;

/// Runs the command.
pub fn run(args: &Dkim, root: &Path) -> Result<Output, CliError> {
    let host = Host::open(root)?;
    let Some(file) = host.dkim_file() else {
        let what =
            "no signing key is set: add a table [mail_out.smtp.dkim] with `selector` and `key_file` to postrider.toml";
        return Err(CliError::Usage(what.to_owned()));
    };
    let mut said = String::new();
    if args.new_key && !file.try_exists()? {
        let pem = DkimKey::new_pem().map_err(|why| CliError::Broken(why.to_string()))?;
        // `put` makes the file accessible only to its owner.
        disk::put(&file, pem.as_bytes())?;
        said += &format!("; a new key was created: {}\n", file.display());
    }
    let Some(key) = host.dkim()? else { return Ok(Output::default()) };
    let strings: Vec<String> = key.record().as_bytes().chunks(LONGEST_STRING).map(quoted).collect();
    said += &format!("{}. IN TXT ( {} )\n", key.name(), strings.join(" "));
    Ok(said.into())
}

fn quoted(part: &[u8]) -> String {
    format!("\"{}\"", String::from_utf8_lossy(part))
}
