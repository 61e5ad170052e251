//! Chinese surnames: those of two characters, those that are read otherwise as a surname, and how emigrants write them.

/// Surnames of two characters.
pub fn is_long_surname(written: &str) -> bool {
    matches!(
        written,
        "欧阳"
            | "歐陽"
            | "司马"
            | "司馬"
            | "上官"
            | "诸葛"
            | "諸葛"
            | "东方"
            | "東方"
            | "皇甫"
            | "尉迟"
            | "尉遲"
            | "公孙"
            | "公孫"
            | "令狐"
            | "慕容"
            | "司徒"
            | "夏侯"
            | "端木"
            | "南宫"
            | "南宮"
            | "长孙"
            | "長孫"
            | "宇文"
            | "轩辕"
            | "軒轅"
    )
}

/// How a surname is also read or written, besides the usual reading of its character.
pub fn surnames(written: &str) -> &'static [&'static str] {
    match written {
        "单" | "單" => &["shan"],
        "仇" => &["qiu"],
        "曾" => &["zeng", "tsang"],
        "解" => &["xie"],
        "查" => &["zha"],
        "区" | "區" => &["ou", "au"],
        "盖" | "蓋" => &["ge"],
        "任" => &["ren", "yam"],
        "朴" => &["piao", "park", "pak"],
        "覃" => &["qin", "tan"],
        "陈" | "陳" => &["chan", "tan"],
        "李" => &["lee", "ri"],
        "王" => &["wong", "ong"],
        "黄" | "黃" => &["wong", "ng", "ooi"],
        "林" => &["lam", "lim"],
        "张" | "張" => &["cheung", "chang", "teo"],
        "周" => &["chow", "chou", "chew"],
        "吴" | "吳" => &["ng", "goh"],
        "刘" | "劉" => &["lau", "low"],
        "郑" | "鄭" => &["cheng", "tay"],
        "杨" | "楊" => &["yeung", "young"],
        "赵" | "趙" => &["chiu", "chao"],
        "蔡" => &["choi", "tsai", "chua"],
        "何" => &["ho"],
        "许" | "許" => &["hui", "hsu", "koh"],
        "谢" | "謝" => &["tse", "hsieh", "chia"],
        "徐" => &["tsui", "hsu", "chee"],
        "朱" => &["chu", "choo"],
        "梁" => &["leung", "neo"],
        "叶" | "葉" => &["yip", "yeh", "yap"],
        "郭" => &["kwok", "kuo", "quek"],
        "邓" | "鄧" => &["tang", "teng"],
        "金" => &["kim"],
        "崔" => &["choi", "choe", "tsui"],
        _ => &[],
    }
}
