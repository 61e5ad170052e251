//! Names in other scripts are found by how they sound, and names that are not the same are not.

use screening::list::{Entry, Query};
use screening::{Index, Kind, Name, THRESHOLD, score};

/// A name in Latin letters, and the same in other scripts.
const SAME: &[(&str, &[&str])] = &[
    (
        "Vladimir Putin",
        &[
            "Владимир Путин",
            "Βλαντίμιρ Πούτιν",
            "فلاديمير بوتين",
            "ולדימיר פוטין",
            "弗拉基米尔·普京",
            "블라디미르 푸틴",
            "ვლადიმირ პუტინი",
            "Վլադիմիր Պուտին",
            "ウラジーミル・プーチン",
        ],
    ),
    (
        "Barack Obama",
        &[
            "Барак Обама",
            "Μπαράκ Ομπάμα",
            "باراك أوباما",
            "ברק אובמה",
            "贝拉克·奥巴马",
            "버락 오바마",
            "ბარაკ ობამა",
            "Բարակ Օբամա",
            "バラク・オバマ",
        ],
    ),
    ("Xi Jinping", &["习近平", "習近平", "Си Цзиньпин"]),
    ("Kim Jong Un", &["김정은", "김 정은"]),
    ("Benjamin Netanyahu", &["בנימין נתניהו", "Беньямин Нетаньяху", "بنيامين نتنياهو"]),
    ("Bashar al-Assad", &["بشار الأسد", "Башар аль-Асад", "Μπασάρ αλ Άσαντ"]),
    ("Sergey Lavrov", &["Сергей Лавров", "سيرغي لافروف", "Σεργκέι Λαβρόφ", "სერგეი ლავროვი", "Սերգեյ Լավրով"]),
    ("Muhammad bin Salman", &["محمد بن سلمان", "Мухаммед бин Салман"]),
    ("Ali Khamenei", &["علی خامنه‌ای", "علي خامنئي", "Али Хаменеи"]),
    ("Alexis Tsipras", &["Αλέξης Τσίπρας", "Алексис Ципрас"]),
    ("Mikheil Saakashvili", &["მიხეილ სააკაშვილი", "Михаил Саакашвили"]),
    ("Nikol Pashinyan", &["Նիկոլ Փաշինյան", "Никол Пашинян"]),
    ("Moon Jae-in", &["문재인"]),
    ("Lee Myung-bak", &["이명박"]),
    ("Hassan Rouhani", &["حسن روحانی", "Хасан Рухани"]),
    ("Ariel Sharon", &["אריאל שרון"]),
    ("Zhou Enlai", &["周恩来", "周恩來"]),
    ("Ma Yun", &["马云"]),
    ("Petro Poroshenko", &["Петро Порошенко"]),
    ("Kyriakos Mitsotakis", &["Κυριάκος Μητσοτάκης"]),
];

/// A name in Latin letters, and others' in other scripts.
const OTHERS: &[(&str, &str)] = &[
    ("Vladimir Putin", "Владимир Зеленский"),
    ("Xi Jinping", "李克强"),
    ("Kim Jong Un", "문재인"),
    ("Barack Obama", "بشار الأسد"),
    ("Benjamin Netanyahu", "אריאל שרון"),
    ("Sergey Lavrov", "Σεργκέι Σόιγκου"),
    ("Nikol Pashinyan", "ნიკოლოზ ბარათაშვილი"),
];

#[test]
fn a_name_in_another_script_is_the_same_name() {
    let mut missed = Vec::new();
    for (latin, written) in SAME.iter().flat_map(|(latin, all)| all.iter().map(move |written| (latin, written))) {
        let score = score(&Name::new(latin, Kind::Person), &Name::new(written, Kind::Person));
        if score < THRESHOLD {
            missed.push(format!("{latin} | {written}: {score}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn another_name_in_another_script_is_not() {
    for (latin, written) in OTHERS {
        let score = score(&Name::new(latin, Kind::Person), &Name::new(written, Kind::Person));
        assert!(score < THRESHOLD, "{latin} | {written}: {score}");
    }
}

#[test]
fn an_index_finds_either_by_the_other() {
    let entry = |id: &str, name: &str| Entry { id: id.into(), schema: "Person".into(), names: vec![name.into()], facts: Default::default() };
    let latin = Index::new(SAME.iter().map(|(latin, _)| entry(latin, latin)));
    let mut missed = Vec::new();
    for (name, written) in SAME.iter().flat_map(|(latin, all)| all.iter().map(move |written| (*latin, *written))) {
        let query = |name: &str| Query { id: String::new(), name: name.into(), kind: Kind::Person, facts: Default::default() };
        let found = latin.searcher().search(&query(written), 5);
        if !found.first().is_some_and(|hit| hit.id == name && hit.is_match) {
            missed.push(format!("{written} in Latin: {found:?}"));
        }
        let other = Index::new([entry("it", written), entry("another", "Ingeborg Abrahamsen")]);
        let found = other.searcher().search(&query(name), 5);
        if !found.first().is_some_and(|hit| hit.id == "it" && hit.is_match) {
            missed.push(format!("{name} in {written}: {found:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
