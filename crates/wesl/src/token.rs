//! Text into tokens. The linker moves whole declarations about and renames words in them; so a token is a word, a
//! number or a sign, and comments are what lies between tokens.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// A literal, whose letters (`1.0f`, `0xFFu`, `1e-3`) are no name.
    Number,
    /// One character, or `::`.
    Sign,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Where it is in the text, bytes.
    pub(crate) span: Range<usize>,
}

/// All tokens of a text; the error is the place of a comment without end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, usize> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, len) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += comment(rest).ok_or(at)?;
            continue;
        } else if first == '_' || first.is_alphabetic() {
            (Kind::Word, rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len()))
        } else if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            (Kind::Number, number(rest))
        } else if rest.starts_with("::") {
            (Kind::Sign, 2)
        } else {
            (Kind::Sign, first.len_utf8())
        };
        tokens.push(Token { kind, span: at..at + len });
        at += len;
    }
    Ok(tokens)
}

/// Length of the comment at the start of `text`; such comments nest.
fn comment(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['/', '*']) {
        at += found;
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    None
}

/// Length of the number at the start of `text`. A sign belongs to it only after the letter of an exponent.
fn number(text: &str) -> usize {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let exponent = |letter: char| if hex { matches!(letter, 'p' | 'P') } else { matches!(letter, 'e' | 'E') };
    let mut before = ' ';
    let ends = |c: char| {
        let goes_on = c.is_ascii_alphanumeric() || c == '.' || (matches!(c, '+' | '-') && exponent(before));
        before = c;
        !goes_on
    };
    text.find(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    fn read(text: &str) -> Vec<(Kind, &str)> {
        let found = tokens(text).unwrap_or_else(|at| panic!("comment without end at {at}"));
        found.into_iter().map(|token| (token.kind, &text[token.span])).collect()
    }

    fn texts(text: &str) -> Vec<&str> {
        read(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn letters_of_numbers_are_no_names() {
        for number in ["1", "1u", "0xFFu", "1.0f", "1.", ".5", "1e5", "1e-5f", "2.5E+3h", "0x1p-3f", "0x1.8P+4", "0xe"]
        {
            assert_eq!(read(number), [(Kind::Number, number)]);
        }
        assert_eq!(texts("0xe+f-x1"), ["0xe", "+", "f", "-", "x1"]);
        assert_eq!(texts("a.x+1.5-b"), ["a", ".", "x", "+", "1.5", "-", "b"]);
    }

    #[test]
    fn comments_lie_between_tokens() {
        assert_eq!(texts("a // b\nc /* d /* e */ f */ g /**/ h//"), ["a", "c", "g", "h"]);
        assert_eq!(texts("1/2*3"), ["1", "/", "2", "*", "3"]);
        assert_eq!(tokens("a /* b /* c */"), Err(2));
    }

    #[test]
    fn words_and_paths() {
        assert_eq!(texts("a::b_1 :: größe:T"), ["a", "::", "b_1", "::", "größe", ":", "T"]);
        assert_eq!(texts("array<vec2<f32>,N>"), ["array", "<", "vec2", "<", "f32", ">", ",", "N", ">"]);
    }
}
