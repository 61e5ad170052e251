use bytes::Bytes;
use resolvers::testing::files::kind::{FileKind, Inspection, KINDS, OLE, ZIP};

async fn is(extension: &str, content: &[u8]) -> bool {
    let mut inspection = Inspection::of(FileKind::of(extension).unwrap());
    // In pieces that cut letters and words.
    for part in content.chunks(3) {
        if inspection.take(&Bytes::copy_from_slice(part)).await.is_err() {
            return false;
        }
    }
    inspection.end().await.is_ok()
}

fn archive(name: &str) -> Vec<u8> {
    [ZIP, &[0; 26], name.as_bytes(), b"...", b"PK\x01\x02", name.as_bytes()].concat()
}

#[tokio::test]
async fn content_decides() {
    let contents: [(&[&str], Vec<u8>); 10] = [
        (&["jpg", "jpeg"], b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec()),
        (&["png"], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        (&["gif"], b"GIF89a\x01\0\x01\0".to_vec()),
        (&["pdf"], b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec()),
        (&["doc", "xls"], [OLE.as_slice(), &[0; 64]].concat()),
        (&["docx"], archive("word/document.xml")),
        (&["xlsx"], archive("xl/workbook.xml")),
        (&["json", "txt", "csv"], r#" {"größe": [1e5, "€"]} "#.as_bytes().to_vec()),
        (&["txt", "csv"], "a;b\r\nü\t€\n".as_bytes().to_vec()),
        (&[], archive("other.xml")),
    ];
    for (right, content) in &contents {
        for (extension, _) in KINDS {
            assert_eq!(is(extension, content).await, right.contains(&extension), "{extension} of {right:?}");
        }
    }
    for right in [&b"\xFF\xFEa\0"[..], b"\xFE\xFF\0a", b"M\xFCller", b"\xEF\xBB\xBFa"] {
        assert!(is("txt", right).await && is("csv", right).await && !is("json", right).await, "{right:?}");
    }
    for wrong in [&b"a\0b"[..], b"\x1b[2J", b"\x81"] {
        assert!(!is("txt", wrong).await && !is("csv", wrong).await, "{wrong:?}");
    }
    assert!(is("json", b"\xEF\xBB\xBF{}").await && !is("json", "{}\u{feff}".as_bytes()).await && !is("json", b"{\"a\": \"\xFC\"}").await);
    for (extension, document, program) in [("docx", "word/document.xml", "word/vbaProject.bin"), ("xlsx", "xl/workbook.xml", "xl/vbaProject.bin")] {
        assert!(!is(extension, &[archive(document), archive(program)].concat()).await, "{extension}");
    }
    for wrong in ["", "{", "{} {}", "nothing"] {
        assert!(!is("json", wrong.as_bytes()).await, "{wrong}");
    }
    for unknown in ["exe", "html", "svg", "pptx", ""] {
        assert!(FileKind::of(unknown).is_err(), "{unknown}");
    }
}

#[tokio::test]
async fn large_json_is_read_as_it_comes() {
    let mut inspection = Inspection::of(FileKind::Json);
    inspection.take(&Bytes::from_static(b"[0")).await.unwrap();
    for _ in 0..100 {
        inspection.take(&Bytes::from(",1".repeat(10_000))).await.unwrap();
    }
    inspection.take(&Bytes::from_static(b"]")).await.unwrap();
    assert_eq!(inspection.end().await, Ok(()));
}
