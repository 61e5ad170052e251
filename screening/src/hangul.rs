//! Hangul in Latin letters, syllable by syllable, and the ways in which Korean surnames are written.

const INITIALS: [&str; 19] = ["g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h"];
const VOWELS: [&str; 21] =
    ["a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu", "ui", "i"];
const FINALS: [&str; 28] =
    ["", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t", "ng", "t", "t", "k", "t", "p", "t"];

/// A syllable in the revised romanisation, without assimilation to the next one; none for what is no syllable.
pub fn in_latin(letter: char) -> Option<String> {
    let at = u32::from(letter).checked_sub(0xac00).filter(|at| *at < 11_172)? as usize;
    Some([INITIALS[at / 588], VOWELS[at % 588 / 28], FINALS[at % 28]].concat())
}

/// Other ways in which a given name is written: as in the North with voiceless and with voiced letters, and as many people write theirs.
pub fn also(written: &str) -> Vec<String> {
    const VOICELESS: [&str; 19] = ["k", "kk", "n", "t", "tt", "r", "m", "p", "pp", "s", "ss", "", "ch", "tch", "ch", "k", "t", "p", "h"];
    const PLAIN: [&str; 21] =
        ["a", "ae", "ya", "yae", "o", "e", "yo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "u", "ui", "i"];
    const COMMON: [&str; 21] =
        ["a", "ae", "ya", "yae", "u", "e", "you", "ye", "o", "wa", "wae", "oe", "yo", "oo", "wo", "we", "wi", "yu", "eu", "ui", "i"];
    let way = |initials: &[&str; 19], vowels: &[&str; 21]| {
        let syllable = |letter: char| {
            let at = u32::from(letter).checked_sub(0xac00).filter(|at| *at < 11_172)? as usize;
            Some([initials[at / 588], vowels[at % 588 / 28], FINALS[at % 28]].concat())
        };
        written.chars().map(syllable).collect::<Option<String>>()
    };
    [way(&VOICELESS, &PLAIN), way(&INITIALS, &PLAIN), way(&INITIALS, &COMMON)].into_iter().flatten().collect()
}

/// How a Korean surname is also written. The first is the revised romanisation.
pub fn surnames(written: &str) -> &'static [&'static str] {
    match written {
        "김" => &["gim", "kim"],
        "이" | "리" => &["i", "lee", "ri", "yi", "rhee", "li"],
        "박" => &["bak", "park", "pak"],
        "최" => &["choe", "choi", "che"],
        "정" => &["jeong", "jung", "chung", "jong", "chong"],
        "강" => &["gang", "kang"],
        "조" => &["jo", "cho"],
        "윤" => &["yun", "yoon"],
        "장" => &["jang", "chang"],
        "임" | "림" => &["im", "lim", "rim", "yim"],
        "한" => &["han"],
        "오" => &["o", "oh"],
        "서" => &["seo", "suh", "so"],
        "신" => &["sin", "shin"],
        "권" => &["gwon", "kwon"],
        "황" => &["hwang"],
        "안" => &["an", "ahn"],
        "송" => &["song"],
        "전" => &["jeon", "chun", "jun", "chon"],
        "홍" => &["hong"],
        "유" | "류" => &["yu", "ryu", "yoo", "you", "lyu"],
        "고" => &["go", "ko", "koh"],
        "문" => &["mun", "moon"],
        "양" | "량" => &["yang", "ryang"],
        "손" => &["son", "sohn"],
        "배" => &["bae", "pae"],
        "백" => &["baek", "paek", "paik"],
        "허" => &["heo", "hur", "huh", "ho"],
        "노" | "로" => &["no", "roh", "noh", "ro"],
        "심" => &["sim", "shim"],
        "하" => &["ha"],
        "곽" => &["gwak", "kwak"],
        "성" => &["seong", "sung", "song"],
        "차" => &["cha"],
        "주" => &["ju", "joo", "chu"],
        "우" => &["u", "woo", "wu"],
        "구" => &["gu", "koo", "ku"],
        "민" => &["min"],
        "나" | "라" => &["na", "ra"],
        "진" => &["jin", "chin"],
        "지" => &["ji", "chi"],
        "엄" => &["eom", "um", "om"],
        "변" => &["byeon", "byun", "pyon"],
        "현" => &["hyeon", "hyun", "hyon"],
        "여" | "려" => &["yeo", "ryo", "yuh"],
        "추" => &["chu", "choo"],
        "도" => &["do", "to"],
        "석" => &["seok", "suk", "sok"],
        "남" => &["nam"],
        "남궁" => &["namgung", "namkung"],
        "황보" => &["hwangbo"],
        "제갈" => &["jegal"],
        "선우" => &["seonu", "sunwoo"],
        "독고" => &["dokgo"],
        "사공" => &["sagong"],
        _ => &[],
    }
}

/// Surnames of two syllables.
pub fn is_long_surname(written: &str) -> bool {
    matches!(written, "남궁" | "황보" | "제갈" | "선우" | "독고" | "사공")
}
