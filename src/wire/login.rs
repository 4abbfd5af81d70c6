//! Logins to mail servers, by a password or by an OAuth 2 access token that a program of the host
//! fetches.

use data_encoding::{BASE64, HEXLOWER};
use std::{
    fmt,
    io::{self, Read as _},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Timeout for the program that fetches a token.
const PATIENCE: Duration = Duration::from_secs(30);

/// Interval at which the program is polled.
const LOOK: Duration = Duration::from_millis(20);

/// A password or the source of a token. `Debug` shows neither.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// A password.
    Password(String),
    /// A program and its arguments. The first line that it prints is an access token (RFC 6749
    /// section 1.4), which is sent to the server with the SASL mechanism XOAUTH2. The program runs
    /// at each login, because a token usually expires within an hour or so.
    Token(Vec<String>),
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Login::Password(_) => "Password",
            Login::Token(_) => "Token",
        })
    }
}

/// The reason no token is available.
#[derive(Debug, thiserror::Error)]
pub enum LoginFault {
    /// The command is empty.
    #[error("token_command names no program")]
    NoProgram,
    /// The program cannot be run.
    #[error("the program {program} of token_command cannot be run: {why}")]
    NotRun {
        /// The program.
        program: String,
        /// The system's error.
        why: io::Error,
    },
    /// The program failed or printed nothing.
    #[error("the program {program} of token_command gives no token ({status})")]
    NoToken {
        /// The program.
        program: String,
        /// Its exit status.
        status: String,
    },
    /// The program did not end in time.
    #[error("the program {program} of token_command took more than {} seconds", PATIENCE.as_secs())]
    TooLong {
        /// The program.
        program: String,
    },
}

impl Login {
    /// Returns the password, or runs the program and returns its token.
    ///
    /// # Errors
    /// [`LoginFault`] if there is no token. The error does not contain the program's output.
    pub fn secret(&self) -> Result<String, LoginFault> {
        let command = match self {
            Login::Password(password) => return Ok(password.clone()),
            Login::Token(command) => command,
        };
        let (program, arguments) = command.split_first().ok_or(LoginFault::NoProgram)?;
        let not_run = |why| LoginFault::NotRun { program: program.clone(), why };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(not_run)?;
        let began = Instant::now();
        let status = loop {
            match child.try_wait().map_err(not_run)? {
                Some(status) => break status,
                None if began.elapsed() > PATIENCE => {
                    // The program may have ended in the meantime.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(LoginFault::TooLong { program: program.clone() });
                }
                None => thread::sleep(LOOK),
            }
        };
        let mut printed = String::new();
        if let Some(out) = child.stdout.take() {
            out.take(MOST).read_to_string(&mut printed).map_err(not_run)?;
        }
        let token = printed.lines().next().unwrap_or_default().trim();
        match status.success() && !token.is_empty() {
            true => Ok(token.to_owned()),
            false => Err(LoginFault::NoToken { program: program.clone(), status: status.to_string() }),
        }
    }

    /// Returns `true` if the login is by token.
    #[must_use]
    pub fn is_token(&self) -> bool {
        matches!(self, Login::Token(_))
    }
}

/// Maximum number of bytes read from the program's output.
const MOST: u64 = 16_384;

/// Returns the initial response of the mechanism XOAUTH2, before Base64 encoding.
#[must_use]
pub fn xoauth2(user: &str, token: &str) -> String {
    format!("user={user}\u{1}auth=Bearer {token}\u{1}\u{1}")
}

/// Replacement for server messages that repeat a login.
const HIDDEN: &str = "(the server's words repeat the login and are left out)";

/// Number of consecutive letters and digits by which a part of a secret is recognized.
const PART: usize = 6;

/// Returns a server's message for the log, or a fixed text if the message repeats a part of the
/// password or token, as it is, in Base64 or in hexadecimal.
#[must_use]
pub fn without_login(words: String, secret: &str) -> String {
    let squeeze = |text: &str| text.to_ascii_lowercase().bytes().filter(u8::is_ascii_alphanumeric).collect::<Vec<_>>();
    let said = squeeze(&words);
    // In Base64 after any other bytes: without the characters that those determine, too.
    let base64 = |before: usize| {
        let bytes = [&[0; 2][..before], secret.as_bytes()].concat();
        let (first, end) = ((before * 4).div_ceil(3), bytes.len() * 4 / 3);
        BASE64.encode(&bytes)[first.min(end)..end].to_owned()
    };
    let forms = [secret.to_owned(), HEXLOWER.encode(secret.as_bytes()), base64(0), base64(1), base64(2)];
    let repeats = !secret.is_empty()
        && (words.contains(secret)
            || forms.iter().map(|form| squeeze(form)).any(|form| {
                let part = form.len().clamp(1, PART);
                form.windows(part).any(|window| said.windows(part).any(|words| words == window))
            }));
    if repeats { HIDDEN.to_owned() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(script: &str) -> Login {
        Login::Token(["sh", "-c", script].map(str::to_owned).to_vec())
    }

    #[test]
    fn a_server_that_repeats_a_login_is_not_quoted() {
        let hidden = |words: &str| without_login(words.to_owned(), "correct horse 7") == HIDDEN;
        for words in [
            "A1 NO LOGIN post@example.net \"correct horse 7\" failed",
            "535 CORRECT-HORSE-7 is wrong",
            "535 bad: Y29ycmVjdCBob3JzZSA3",
            "535 bad: 63 6F 72 72 65 63 74",
            "535 bad: AHBvc3RAZXhhbXBsZS5uZXQAY29ycmVj",
            "535 bad: Y2hlY2s6Y29ycmVjdCBob3JzZSA3",
            "535 bad: Y2hlY2sgY29ycmVjdCBob3JzZSA3IQ==",
            "535 bad: PGNvcnJlY3QgaG9yc2UgNz4=",
            "NO not dXNlcj1wb3N0QGV4YW1wbGUubmV0AWF1dGg9QmVhcmVyIGNvcnJlY3QgaG9yc2UgNwEB",
        ] {
            assert!(hidden(words), "{words}");
        }
        for words in ["535 5.7.8 wrong user or password", "NO [AUTHENTICATIONFAILED] post@example.net", ""] {
            assert!(!hidden(words), "{words}");
        }
        assert_eq!(without_login("anything".to_owned(), ""), "anything");
    }

    #[test]
    fn a_token_is_the_first_line_that_the_program_prints() {
        assert_eq!(program("echo ya29.token; echo more").secret().unwrap(), "ya29.token");
        assert_eq!(Login::Password("secret".into()).secret().unwrap(), "secret");
        for (script, why) in [("exit 3", "exit status: 3"), ("true", "gives no token")] {
            let told = program(script).secret().unwrap_err().to_string();
            assert!(told.contains(why), "{told}");
        }
        let told = Login::Token(vec!["/no/such/program".into()]).secret().unwrap_err().to_string();
        assert!(told.contains("/no/such/program"), "{told}");
        assert!(Login::Token(Vec::new()).secret().is_err());
        assert_eq!(format!("{:?}", Login::Password("secret".into())), "Password");
    }
}
