//! A module as the linker sees it: what it imports and the items that it declares.

use std::collections::HashSet;
use std::ops::Range;

use crate::error::LinkError;
use crate::names::{Declares, outer_names};
use crate::token::{Kind, Token, tokens};

/// A text and where it is from.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// The path that errors show.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// `import` of one item.
#[derive(Debug)]
pub(crate) struct Import {
    /// Its name in this module.
    pub(crate) alias: String,
    /// The module that it is from, `package::a::b`.
    pub(crate) module: String,
    /// Its name there.
    pub(crate) item: String,
    pub(crate) file: usize,
    /// Where in the file it is asked for, bytes.
    pub(crate) at: usize,
}

/// A declaration at the top level of a module.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) file: usize,
    /// The declaration in the text of the file, from its attributes to its end.
    pub(crate) span: Range<usize>,
    /// The words in it, its name among them, that name an item if there is one of that name.
    pub(crate) uses: Vec<Range<usize>>,
    /// An entry point: it is linked whether anything uses it or not, under its own name.
    pub(crate) is_entry: bool,
}

/// The files of a module, read.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) files: Vec<File>,
    pub(crate) imports: Vec<Import>,
    pub(crate) items: Vec<Item>,
    /// All words of its files: a new name must be none of them.
    pub(crate) words: HashSet<String>,
}

impl Module {
    pub(crate) fn read(files: Vec<File>) -> Result<Self, LinkError> {
        let mut module = Self::default();
        for (index, file) in files.iter().enumerate() {
            let unended = |at| LinkError::new(&file.name, &file.text, at, "a comment without end");
            let tokens = tokens(&file.text).map_err(unended)?;
            Reader { file, index, tokens: &tokens, at: 0 }.read(&mut module)?;
        }
        module.files = files;
        Ok(module)
    }

    /// An error at a place of one of its files.
    pub(crate) fn error(&self, file: usize, at: usize, message: String) -> LinkError {
        LinkError::new(&self.files[file].name, &self.files[file].text, at, message)
    }

    fn has(&self, name: &str) -> bool {
        self.items.iter().any(|item| item.name == name) || self.imports.iter().any(|import| import.alias == name)
    }
}

/// Goes over the tokens of one file.
struct Reader<'a> {
    file: &'a File,
    /// Its place among the files of the module.
    index: usize,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Reader<'a> {
    fn read(mut self, module: &mut Module) -> Result<(), LinkError> {
        for token in self.tokens {
            if token.kind == Kind::Word {
                module.words.insert(self.file.text[token.span.clone()].to_string());
            }
        }
        while self.at < self.tokens.len() {
            match self.word() {
                ";" => self.at += 1,
                "import" => self.imports(module)?,
                _ => {
                    let item = self.item()?;
                    if module.has(&item.name) {
                        return Err(self.error(item.span.start, format!("the module has another `{}`", item.name)));
                    }
                    module.items.push(item);
                }
            }
        }
        Ok(())
    }

    /// `import a::b::c;`, `import a::b::{c, d as e};`
    fn imports(&mut self, module: &mut Module) -> Result<(), LinkError> {
        self.at += 1;
        let mut path = vec![self.name()?];
        while self.word() == "::" {
            self.at += 1;
            if self.word() == "{" {
                break;
            }
            path.push(self.name()?);
        }
        if self.word() == "{" {
            self.at += 1;
            while self.word() != "}" {
                let item = self.name()?;
                self.import(module, &path, item)?;
                if self.word() != "}" {
                    self.expect(",")?;
                }
            }
            self.at += 1;
        } else {
            let item = path.pop().unwrap_or_default();
            self.import(module, &path, item)?;
        }
        self.expect(";")
    }

    /// One imported item, whose name has just been read, and the name that it gets.
    fn import(&mut self, module: &mut Module, path: &[&str], item: &str) -> Result<(), LinkError> {
        let at = self.tokens[self.at - 1].span.start;
        let mut alias = item;
        if self.word() == "as" {
            self.at += 1;
            alias = self.name()?;
        }
        let (alias, module_path, item) = (alias.to_string(), path.join("::"), item.to_string());
        let same = |other: &Import| other.alias == alias && other.module == module_path && other.item == item;
        if module.imports.iter().any(|other| other.file != self.index && same(other)) {
            return Ok(()); // another file of the module has it too
        }
        if module.has(&alias) {
            return Err(self.error(at, format!("the module has another `{alias}`")));
        }
        module.imports.push(Import { alias, module: module_path, item, file: self.index, at });
        Ok(())
    }

    /// A declaration with its attributes.
    fn item(&mut self) -> Result<Item, LinkError> {
        let first = self.at;
        let mut is_entry = false;
        while self.word() == "@" {
            self.at += 1;
            is_entry |= matches!(self.name()?, "compute" | "vertex" | "fragment");
            if self.word() == "(" {
                self.skip_brackets()?;
            }
        }
        let keyword = self.word();
        let declares = match keyword {
            "fn" => Declares::Function,
            "struct" => Declares::Struct,
            "alias" | "const" | "override" | "var" => Declares::Value,
            _ => return Err(self.unexpected("`import` or a declaration")),
        };
        self.at += 1;
        if keyword == "var" && self.word() == "<" {
            while !matches!(self.word(), ">" | "") {
                self.at += 1;
            }
            self.expect(">")?;
        }
        let name = self.name()?.to_string();
        let last = if declares == Declares::Value { ";" } else { "{" };
        while self.word() != last {
            match self.word() {
                "(" | "[" | "{" => self.skip_brackets()?,
                "" | "::" => return Err(self.unexpected(&format!("`{last}`"))),
                _ => self.at += 1,
            }
        }
        if last == ";" {
            self.at += 1;
        } else {
            self.skip_brackets()?;
        }
        let tokens = &self.tokens[first..self.at];
        let uses = outer_names(&self.file.text, tokens, declares);
        let span = tokens[0].span.start..self.tokens[self.at - 1].span.end;
        Ok(Item { name, file: self.index, span, uses, is_entry })
    }

    /// From a bracket to behind the one that closes it.
    fn skip_brackets(&mut self) -> Result<(), LinkError> {
        let opened = self.tokens[self.at].span.start;
        let mut depth = 0;
        loop {
            match self.word() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "" => return Err(self.error(opened, "a bracket that nothing closes")),
                "::" => return Err(self.unexpected("a name that an `import` brings in")),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// The text of this token, empty after the last.
    fn word(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| &self.file.text[token.span.clone()])
    }

    fn name(&mut self) -> Result<&'a str, LinkError> {
        let name = self.word();
        if self.tokens.get(self.at).is_none_or(|token| token.kind != Kind::Word) {
            return Err(self.unexpected("a name"));
        }
        self.at += 1;
        Ok(name)
    }

    fn expect(&mut self, sign: &str) -> Result<(), LinkError> {
        if self.word() != sign {
            return Err(self.unexpected(&format!("`{sign}`")));
        }
        self.at += 1;
        Ok(())
    }

    fn unexpected(&self, wanted: &str) -> LinkError {
        let found = match self.word() {
            "" => "the end of the file".into(),
            word => format!("`{word}`"),
        };
        let at = self.tokens.get(self.at).map_or(self.file.text.len(), |token| token.span.start);
        self.error(at, format!("expected {wanted}, found {found}"))
    }

    fn error(&self, at: usize, message: impl Into<String>) -> LinkError {
        LinkError::new(&self.file.name, &self.file.text, at, message)
    }
}
