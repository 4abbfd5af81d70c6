//! Text that the players of a demonstration write in addition to orders.

/// Text that players write in addition to orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manners {
    /// Nothing.
    #[default]
    Plain,
    /// A greeting, a closing and the player's name, in another language each time.
    Courteous,
    /// A signature, motto or company banner, the same each time, that is in no list of courtesies.
    Signed,
}

/// Greetings and closings in ten languages.
const COURTESIES: [(&str, &str); 10] = [
    ("Hi all,", "Best wishes"),
    ("Hallo zusammen,", "Viele Grüße"),
    ("Bonjour,", "Cordialement"),
    ("Hola a todos,", "Un saludo"),
    ("Ciao a tutti,", "Cordiali saluti"),
    ("Olá,", "Obrigado e um abraço"),
    ("Hoi allemaal,", "Met vriendelijke groet"),
    ("Hej,", "Med vänliga hälsningar"),
    ("Cześć,", "Pozdrawiam"),
    ("Добрый день,", "С уважением"),
];

/// Lines above and below the orders.
const SIGNED: [(&str, &str); 6] = [
    ("", "Per aspera ad astra et retro"),
    ("[EXTERN] Deze e-mail is afkomstig van buiten onze organisatie.", ""),
    ("", "Ride hard & carry oats | tel. 0303 / 12 34 56"),
    ("", "This message may contain privileged information of Dray, Mule & Partners Ltd."),
    ("CAUTION: outside sender. Think before you click.", "xx"),
    ("", "Frieda Sattler, Wagner, Posthalterei am Tor"),
];

impl Manners {
    /// Returns the lines of a mail with the additional text of its writer, given by seat and name;
    /// `written` is the number of that player's mail.
    pub(super) fn around(self, lines: Vec<String>, (seat, written): (usize, usize), name: &str) -> Vec<String> {
        let (above, below) = match self {
            Manners::Plain => return lines,
            Manners::Courteous => COURTESIES[(seat + written) % COURTESIES.len()],
            Manners::Signed => SIGNED[seat % SIGNED.len()],
        };
        let name = if self == Manners::Courteous { name } else { "" };
        let above = [above.to_owned(), String::new()];
        let below = [String::new(), below.to_owned(), name.to_owned()];
        above.into_iter().chain(lines).chain(below).collect()
    }
}
