use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use resolvers::testing::files::macros::{ENTRY, MacroSearch};

/// An archive's entry, as Office writes it or stored as it is.
fn entry(name: &str, content: &[u8], compressed: bool) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).expect("room");
    let content = if compressed { encoder.finish().expect("room") } else { content.to_vec() };
    let length = u32::try_from(content.len()).expect("short").to_le_bytes();
    let mut head = [ENTRY, &[20, 0, 0, 0], if compressed { &[8, 0] } else { &[0, 0] }, &[0; 8], &length, &length].concat();
    head.extend_from_slice(&u16::try_from(name.len()).expect("short").to_le_bytes());
    head.extend_from_slice(&[3, 0]);
    [&head, name.as_bytes(), b"xtr", &content].concat()
}

fn types(main: &str) -> Vec<u8> {
    let filler: String = (0..500).map(|number| format!("<Override PartName=\"/xl/sheet{number}.xml\" ContentType=\"sheet\"/>")).collect();
    format!("<Types>{filler}<Override PartName=\"/xl/workbook.xml\" ContentType=\"{main}\"/></Types>").into_bytes()
}

fn has_macros(content: &[u8], at_once: usize) -> bool {
    let mut search = MacroSearch::default();
    content.chunks(at_once).for_each(|part| search.take(part));
    search.end()
}

#[test]
fn macros_are_found_by_names_and_by_types() {
    let plain = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
    let enabled = "application/vnd.ms-excel.sheet.macroEnabled.main+xml";
    let workbook = entry("xl/workbook.xml", b"<workbook/>", true);
    for compressed in [true, false] {
        let list = |main: &str| entry("[Content_Types].xml", &types(main), compressed);
        let without = [
            [list(plain), workbook.clone()].concat(),
            [workbook.clone(), list(plain), workbook.clone()].concat(),
            // Words in the text of a document say nothing.
            [list(plain), entry("xl/sharedStrings.xml", b"macroEnabled vbaProject", compressed)].concat(),
        ];
        let with = [
            [list(enabled), workbook.clone()].concat(),
            [workbook.clone(), list(enabled)].concat(),
            [list(plain), workbook.clone(), entry("xl/vbaProject.bin", b"...", true)].concat(),
            [list(plain), workbook.clone(), entry("XL/VBAPROJECT.BIN", b"...", true)].concat(),
            [list(plain), workbook.clone(), entry("xl/macrosheets/sheet1.xml", b"...", true)].concat(),
            [workbook.clone(), entry("[content_types].xml", &types("application/vnd.ms-office.vbaProject"), compressed)].concat(),
        ];
        for at_once in [1, 7, 64, 1000, 1 << 20] {
            assert!(without.iter().all(|content| !has_macros(content, at_once)), "{compressed} {at_once}");
            for (number, content) in with.iter().enumerate() {
                assert!(has_macros(content, at_once), "{number} {compressed} {at_once}");
            }
        }
    }
}
