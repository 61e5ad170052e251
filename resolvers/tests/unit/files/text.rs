use proptest::prelude::*;
use resolvers::testing::files::text::{BIG_MARK, Encodings, LITTLE_MARK, TextReader, UTF_8_MARK};

fn is(taken: Encodings, content: &[u8], at_once: usize) -> bool {
    let mut text = TextReader::of(taken);
    content.chunks(at_once).all(|part| text.take(part).is_ok()) && text.end().is_ok()
}

fn units(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn texts_are_told_from_what_is_none() {
    let euro = "a;b\r\nü\t€ 😀\n";
    let with = |mark: &[u8], text: Vec<u8>| [mark, &text].concat();
    let both = [b"".to_vec(), b"a".to_vec(), euro.as_bytes().to_vec(), with(UTF_8_MARK, euro.into()), UTF_8_MARK.to_vec()];
    let any = [
        with(LITTLE_MARK, units(euro, u16::to_le_bytes)),
        with(BIG_MARK, units(euro, u16::to_be_bytes)),
        units(euro, u16::to_le_bytes),
        units(euro, u16::to_be_bytes),
        with(LITTLE_MARK, units("収入", u16::to_le_bytes)),
        LITTLE_MARK.to_vec(),
        b"M\xFCller;\x80 5,00\r\n".to_vec(),
        b"\xC3".to_vec(),
        b"\xFF".to_vec(),
        // As UTF-8 it would end too early.
        b"caf\xE9".to_vec(),
        // Words that begin as files of other types do.
        b"BMW M\xFCnchen;5\r\n".to_vec(),
        b"MZ;M\xFCller".to_vec(),
        b"ID3;M\xFCller".to_vec(),
        b"GIF;\xA35".to_vec(),
        // Without a mark, and with a first character of another script.
        units("€ 5,00;a\r\n", u16::to_le_bytes),
        units("€ 5,00;a\r\n", u16::to_be_bytes),
        units("Дата;Сумма\r\n01.02.2024;5\r\n", u16::to_le_bytes),
        units("Дата;Сумма\r\n01.02.2024;5\r\n", u16::to_be_bytes),
        units("Ādaži 5\r\n", u16::to_le_bytes),
        units("Ādaži 5\r\n", u16::to_be_bytes),
        units(&format!("{}\n", "а".repeat(30)), u16::to_le_bytes),
    ];
    let none = [
        b"a\0b".to_vec(),
        b"ab\0cd".to_vec(),
        b"\x1b[2J".to_vec(),
        b"\x7f".to_vec(),
        b"\x81".to_vec(),
        b"\xC2\x85".to_vec(),
        b"a\x9D".to_vec(),
        [0; 8].to_vec(),
        with(LITTLE_MARK, vec![0x41]),
        with(LITTLE_MARK, vec![0, 0xD8, 0x41, 0]),
        with(BIG_MARK, vec![0xDC, 0]),
        with(LITTLE_MARK, vec![0, 0xD8]),
        with(LITTLE_MARK, units("a\u{1b}", u16::to_le_bytes)),
        // A text but for its beginning.
        b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec(),
        b"{\\rtf1\\ansi M\xFCller}".to_vec(),
        b"%!PS-Adobe-3.0 \xFC".to_vec(),
        b"\xFF\xD8\xFF\xE0".to_vec(),
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xFF\xFF\0\0".to_vec(),
    ];
    for at_once in [1, 2, 3, 7, 1000] {
        assert!(both.iter().all(|text| is(Encodings::Utf8, text, at_once) && is(Encodings::Any, text, at_once)), "{at_once}");
        for text in &any {
            assert!(is(Encodings::Any, text, at_once) && !is(Encodings::Utf8, text, at_once), "{at_once}: {text:?}");
        }
        for text in &none {
            assert!(!is(Encodings::Any, text, at_once) && !is(Encodings::Utf8, text, at_once), "{at_once}: {text:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_one_in_every_encoding(text in "[^\\p{Cc}]{1,60}", at_once in 1_usize..9) {
        prop_assert!(is(Encodings::Utf8, text.as_bytes(), at_once));
        prop_assert!(is(Encodings::Any, text.as_bytes(), at_once));
        prop_assert!(is(Encodings::Any, &[LITTLE_MARK, &units(&text, u16::to_le_bytes)].concat(), at_once));
        prop_assert!(is(Encodings::Any, &[BIG_MARK, &units(&text, u16::to_be_bytes)].concat(), at_once));
    }
}
