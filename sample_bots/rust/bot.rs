//! A Zole bot in Rust without any crate: it reads requests, one line each, and answers them.
use std::io::{self, BufRead, Write};

// ---- JSON: no tree is built; these functions cut values out of the text of a line. ----

/// Where the value (or key) that `text` begins with ends: at the comma, colon or bracket behind it.
fn value_end(text: &str) -> usize {
    let (mut depth, mut in_text, mut escaped) = (0, false, false);
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false, // an escaped quote does not end a text
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {} // brackets in a text are only letters
            ',' | ':' | ']' | '}' if depth == 0 => return i,
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The values of a list; of an object, its keys and values by turns.
fn items(list: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = list.get(1..).unwrap_or("").trim_start();
    while !rest.is_empty() && !rest.starts_with([']', '}']) {
        let (value, after) = rest.split_at(value_end(rest));
        found.push(value.trim_end());
        rest = after.trim_start_matches([',', ':']).trim_start();
    }
    found
}

/// A field of an object, or an empty text if it has no such field. Texts keep their quotes.
fn field<'a>(object: &'a str, name: &str) -> &'a str {
    let quoted = format!("\"{name}\"");
    let parts = items(object);
    parts.chunks_exact(2).find(|pair| pair[0] == quoted).map_or("", |pair| pair[1])
}

/// A field that is a name, without its quotes. No name of the protocol has escapes.
fn name<'a>(object: &'a str, key: &str) -> &'a str {
    field(object, key).trim_matches('"')
}

/// `None` stands for `null`, and for `"talon"` where the talon plays.
fn seat(object: &str, key: &str) -> Option<u32> {
    field(object, key).parse().ok()
}

// ---- Cards are numbers: their places in this deck, the strongest of each suit first. ----

type Card = usize;
const NAMES: [&str; 26] = [
    "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D", //
    "AC", "TC", "KC", "9C", "AS", "TS", "KS", "9S", "AH", "TH", "KH", "9H",
];
const POINTS: [i32; 26] =
    [3, 3, 3, 3, 2, 2, 2, 2, 11, 10, 4, 0, 0, 0, 11, 10, 4, 0, 11, 10, 4, 0, 11, 10, 4, 0];
const QUEENS: Card = 4; // cards below this number are queens,
const COURTS: Card = 8; // below this one queens or jacks,
const TRUMPS: Card = 14; // below this one trumps

fn suit(c: Card) -> usize {
    if c < TRUMPS { 0 } else { 1 + (c - TRUMPS) / 4 }
}

fn beats(a: Card, b: Card) -> bool {
    if suit(a) == suit(b) { a < b } else { a < TRUMPS }
}

fn read_card(text: &str) -> Option<Card> {
    NAMES.iter().position(|card| *card == text.trim_matches('"'))
}

fn read_cards(list: &str) -> Vec<Card> {
    items(list).into_iter().filter_map(read_card).collect()
}

/// The card with the highest score, if there is any. A score ends with `+ c` so that of equals
/// the weakest goes.
fn best(cards: &[Card], score: impl Fn(Card) -> i32) -> Option<Card> {
    cards.iter().copied().max_by_key(|&c| score(c))
}

fn cheap(c: Card) -> i32 {
    // Few points, and no trump that may be of use.
    let power = if c < QUEENS { 5 } else if c < COURTS { 3 } else if c < TRUMPS { 1 } else { 0 };
    c as i32 - 26 * (POINTS[c] + power)
}

fn rich(c: Card) -> i32 {
    c as i32 + 26 * if c < COURTS { -1 } else { POINTS[c] }
}

// ---- Decisions: the place for your own ideas. ----

const ORDINARY: i32 = 18; // what a hand must be worth for a bid
const SOLO: i32 = 24;
const WORTH: [i32; 26] =
    [4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 3, 1, 0, 0, 3, 1, 0, 0, 3, 1, 0, 0];

fn worth(hand: &[Card]) -> i32 {
    hand.iter().map(|&c| WORTH[c]).sum()
}

/// Lay aside points and the last card of a suit, but no trump.
fn discard(mut hand: Vec<Card>) -> Option<(Card, Card)> {
    let spare = |hand: &[Card]| {
        best(hand, |c| {
            let alone = hand.iter().filter(|&&d| suit(d) == suit(c)).count() == 1;
            let ace = if POINTS[c] == 11 { 6 } else { 0 }; // may well win a trick by itself
            let plain = POINTS[c] - ace + if alone { 8 } else { 0 };
            c as i32 + 26 * if c < TRUMPS { -20 } else { plain }
        })
    };
    let first = spare(&hand)?;
    hand.retain(|&c| c != first); // without it another may be the last of its suit
    Some((first, spare(&hand)?))
}

/// What the bot remembers of a deal.
#[derive(Default)]
struct Bot {
    declarer: Option<u32>, // nobody at the table
    avoid_tricks: bool,    // at the table and in a small solo tricks are bad
    seen: [bool; 26],      // played by anybody, or once in our hand
}

impl Bot {
    fn remember(&mut self, message: &str) {
        for event in items(field(message, "events")) {
            match name(event, "event") {
                "deal" => *self = Bot::default(),
                "contract" => {
                    self.declarer = seat(event, "declarer");
                    self.avoid_tricks = self.declarer.is_none() || name(event, "contract") == "small_solo";
                }
                "card" => read_card(field(event, "card")).into_iter().for_each(|c| self.seen[c] = true),
                _ => {}
            }
        }
        read_cards(field(message, "hand")).into_iter().for_each(|c| self.seen[c] = true);
    }

    /// How many cards out of our sight would beat this one in its suit? If none, it is a master.
    fn threats(&self, card: Card) -> usize {
        (0..card).filter(|&c| !self.seen[c] && suit(c) == suit(card)).count()
    }

    fn harmless(&self, c: Card) -> i32 {
        (c + 26 * self.threats(c)) as i32
    }

    fn lead(&self, legal: &[Card], declaring: bool) -> Option<Card> {
        if self.avoid_tricks {
            return best(legal, |c| self.harmless(c));
        }
        let is_master = |c: &Card| self.threats(*c) == 0;
        let (trumps, plain): (Vec<_>, Vec<_>) = legal.iter().copied().filter(is_master).partition(|&c| c < TRUMPS);
        if declaring && !trumps.is_empty() && self.threats(TRUMPS - 1) > 0 {
            return Some(trumps[0]); // draw trumps while any are out
        }
        best(&plain, rich).or(best(legal, cheap))
    }

    fn follow(&self, legal: &[Card], trick: &[&str], declaring: bool) -> Option<Card> {
        let laid = |played: &&str| Some((read_card(field(played, "card"))?, seat(played, "seat")));
        let laid: Vec<_> = trick.iter().filter_map(laid).collect();
        let (top, winner) = laid.iter().copied().reduce(|a, b| if beats(b.0, a.0) { b } else { a })?;
        let points: i32 = laid.iter().map(|(c, _)| POINTS[*c]).sum();
        let last_player = laid.iter().filter(|(_, seat)| seat.is_some()).count() == 2;
        let declarer_played = laid.iter().any(|(_, seat)| *seat == self.declarer);
        let last = last_player || (!declaring && declarer_played); // no opponent comes after us
        let (winners, losers): (Vec<_>, Vec<_>) = legal.iter().partition(|&&c| beats(c, top));
        if self.avoid_tricks {
            let sign = if last_player { -1 } else { 1 };
            return best(&losers, |c| -self.harmless(c)).or(best(legal, |c| sign * self.harmless(c)));
        }
        if !declaring && winner != self.declarer {
            // Our partner's trick: add points if it is safe.
            let safe = last || (top < TRUMPS && self.threats(top) == 0);
            return best(legal, if safe { rich } else { cheap });
        }
        let sure: Vec<_> = winners.iter().copied().filter(|&c| last || self.threats(c) == 0).collect();
        // No queen or jack for an empty trick, but a try for a full one.
        let take = best(&sure, rich).filter(|&c| c >= COURTS || points >= 4);
        let try_it = best(&winners, cheap).filter(|_| points >= 10);
        take.or(try_it).or(best(legal, cheap))
    }

    /// What to say to a request; plainly, if a better answer was refused. `None`: not a request.
    fn answer(&self, m: &str, plain: bool) -> Option<String> {
        let (hand, legal) = (read_cards(field(m, "hand")), read_cards(field(m, "legal")));
        let strong = |limit, bid| !plain && worth(&hand) >= limit && items(field(m, "legal")).contains(&bid);
        Some(match name(m, "type") {
            "blind" => r#""blind":false"#.to_string(),
            "bid" if strong(SOLO, r#""solo""#) => r#""bid":"solo""#.to_string(),
            "bid" if strong(ORDINARY, r#""ordinary""#) => r#""bid":"ordinary""#.to_string(),
            "bid" => r#""bid":"pass""#.to_string(),
            "talon" if strong(SOLO, r#""give""#) => r#""choice":"give""#.to_string(),
            "talon" => r#""choice":"take""#.to_string(),
            "discard" => {
                let (a, b) = discard(hand)?;
                format!(r#""cards":["{}","{}"]"#, NAMES[a], NAMES[b])
            }
            "surrender" => r#""surrender":false"#.to_string(),
            // A sure win is good, unless this hand may reach 91.
            "offer" => format!(r#""accept":{}"#, worth(&hand) < SOLO),
            "play" => {
                let (trick, declaring) = (items(field(m, "trick")), seat(m, "seat") == self.declarer);
                let lead = trick.is_empty();
                let card = if lead { self.lead(&legal, declaring) } else { self.follow(&legal, &trick, declaring) };
                let first = *legal.first()?;
                format!(r#""card":"{}""#, NAMES[if plain { first } else { card.unwrap_or(first) }])
            }
            _ => return None,
        })
    }
}

fn main() -> io::Result<()> {
    let mut bot = Bot::default();
    let mut request = String::new(); // the last line that wanted an answer
    for line in io::stdin().lock().lines() {
        let line = line?;
        bot.remember(&line);
        let refused = name(&line, "type") == "error";
        if !refused && !field(&line, "id").is_empty() {
            request.clone_from(&line);
        }
        if name(&line, "type") == "hello" {
            println!(r#"{{"type":"ready","protocol":1,"asks":["surrender","offer"]}}"#);
        } else if refused || !field(&line, "id").is_empty() {
            if let Some(answer) = bot.answer(&request, refused) {
                println!(r#"{{"type":{},"id":{},{answer}}}"#, field(&request, "type"), field(&request, "id"));
            }
        }
        io::stdout().flush()?; // the output is a pipe: unflushed, the answer might stay here
    }
    Ok(())
}
