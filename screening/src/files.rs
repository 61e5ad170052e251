//! Files in, files out: what `amlgraph screening score` and `search` do with what they read.

use std::io::{self, Write};

use csv::{ByteRecord, ReaderBuilder, StringRecord, Writer};

use crate::index::Index;
use crate::list::{Problem, Problems, Query};
use crate::name::{Kind, Name};
use crate::placeholder::is_placeholder;
use crate::scoring::Scoring;

/// Why a file was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Problems(#[from] Problems),
    #[error("writing: {0}")]
    Output(#[from] csv::Error),
    #[error("writing: {0}")]
    Flush(#[from] io::Error),
}

/// Pairs of names as a file has them: its own columns are kept.
pub struct Pairs {
    header: StringRecord,
    rows: Vec<StringRecord>,
    first: usize,
    second: usize,
    schema: Option<usize>,
}

/// Reads pairs: columns `name1`, `name2` and, if there, `schema`; other columns are kept as they are.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read_pairs(input: impl io::Read) -> Result<Pairs, Problems> {
    let mut reader = ReaderBuilder::new().flexible(true).has_headers(false).from_reader(input);
    let (mut problems, mut rows) = (Vec::new(), Vec::new());
    let mut header: Option<StringRecord> = None;
    let mut record = ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                return Err(Problems(vec![Problem { line, column: String::new(), what: format!("cannot be read: {error}") }]));
            }
        }
        let line = record.position().map_or(0, csv::Position::line);
        let text = StringRecord::from_byte_record(record.clone());
        match (text, &header) {
            (Ok(text), None) => header = Some(text),
            (Ok(text), Some(header)) if text.len() == header.len() => rows.push(text),
            (Ok(text), Some(header)) => {
                let what = format!("{} fields where the header has {}", text.len(), header.len());
                problems.push(Problem { line, column: String::new(), what });
            }
            (Err(error), header) => {
                let at = error.utf8_error().field();
                let column = header.as_ref().and_then(|header| header.get(at)).map_or_else(|| (at + 1).to_string(), str::to_owned);
                problems.push(Problem { line, column, what: "is not UTF-8".into() });
            }
        }
    }
    let header = header.unwrap_or_default();
    let place = |column: &str| header.iter().position(|name| name.trim_start_matches('\u{feff}').trim().eq_ignore_ascii_case(column));
    for column in ["name1", "name2"].into_iter().filter(|column| place(column).is_none()) {
        problems.push(Problem { line: 1, column: column.into(), what: "is missing in the header".into() });
    }
    match (place("name1"), place("name2")) {
        (Some(first), Some(second)) if problems.is_empty() => Ok(Pairs { schema: place("schema"), header, rows, first, second }),
        _ => Err(Problems::new(problems)),
    }
}

/// Writes the rows of pairs in their order with `score` and `match` behind. A placeholder is nobody's name.
///
/// # Errors
/// The output cannot be written.
pub fn score_pairs(pairs: &Pairs, scoring: Scoring, output: impl Write) -> Result<(), Failure> {
    let mut writer = Writer::from_writer(output);
    let mut header = pairs.header.clone();
    header.push_field("score");
    header.push_field("match");
    writer.write_record(&header)?;
    for row in &pairs.rows {
        let kind = pairs.schema.map_or(Kind::Unknown, |at| Kind::of_schema(&row[at]));
        let (first, second) = (&row[pairs.first], &row[pairs.second]);
        let nobody = is_placeholder(first) || is_placeholder(second);
        let score = if nobody { 0.0 } else { scoring.score(&Name::new(first, kind), &Name::new(second, kind)) };
        let mut row = row.clone();
        row.push_field(&shown(score));
        row.push_field(truth(score >= scoring.threshold()));
        writer.write_record(&row)?;
    }
    Ok(writer.flush()?)
}

/// Writes `query,rank,id,name,score,match`: for each query, in their order, the entries that are nearest, the best first.
///
/// # Errors
/// The output cannot be written.
pub fn search_queries(index: &Index, queries: &[Query], top: usize, output: impl Write) -> Result<(), Failure> {
    let mut writer = Writer::from_writer(output);
    writer.write_record(["query", "rank", "id", "name", "score", "match"])?;
    let mut searcher = index.searcher();
    for query in queries {
        for (rank, hit) in (1..).zip(searcher.search(query, top)) {
            writer.write_record([&query.id, &format!("{rank}"), hit.id, hit.name, &shown(hit.score), truth(hit.is_match)])?;
        }
    }
    Ok(writer.flush()?)
}

fn shown(score: f32) -> String {
    format!("{score:.4}")
}

fn truth(is_match: bool) -> &'static str {
    if is_match { "true" } else { "false" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::{read_queries, read_simple};

    #[test]
    fn pairs_come_out_in_their_order_with_score_and_match() {
        let text = "name1,name2,schema,note\nVladimir Putin,\"Putin, Vladimir\",Person,a\nVladimir Putin,Vladimir Putin,Person,b\nN/A,N/A,Person,c\nPol Pot,Paul Murphy,,d\n";
        let mut out = Vec::new();
        score_pairs(&read_pairs(text.as_bytes()).expect("pairs"), Scoring::Standard, &mut out).expect("written");
        let lines: Vec<String> = String::from_utf8(out).expect("text").lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], "name1,name2,schema,note,score,match");
        assert!(lines[1].starts_with("Vladimir Putin,\"Putin, Vladimir\",Person,a,0.9") && lines[1].ends_with(",true"), "{}", lines[1]);
        assert_eq!(lines[2], "Vladimir Putin,Vladimir Putin,Person,b,1.0000,true");
        assert_eq!(lines[3], "N/A,N/A,Person,c,0.0000,false");
        assert!(lines[4].ends_with(",false"), "{}", lines[4]);
    }

    #[test]
    fn all_that_is_wrong_in_pairs_is_told_at_once() {
        let problems = read_pairs("name1,name\nA\nB,C,D\n".as_bytes()).err().expect("three are wrong");
        let told: Vec<_> = problems.0.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 1, column `name2`: is missing in the header",
                "line 2: 1 fields where the header has 2",
                "line 3: 3 fields where the header has 2"
            ]
        );
    }

    #[test]
    fn queries_find_the_nearest_entries() {
        let list = "id,schema,name,aliases,birth_date,countries\nQ1,Person,Vladimir Putin,Владимир Путин,1952-10-07,ru\nQ2,Person,Vladimir Petrov,,1980,ru\nQ3,Vessel,Putin,,,\n";
        let index = Index::new(read_simple(list.as_bytes()).expect("a list").items);
        let queries = read_queries("id,name,schema,birth_date,countries\nb,Wladimir Putin,Person,1952-10-07,\na,unknown,Person,,\n".as_bytes())
            .expect("queries")
            .items;
        let mut out = Vec::new();
        search_queries(&index, &queries, 5, &mut out).expect("written");
        let text = String::from_utf8(out).expect("text");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "query,rank,id,name,score,match");
        assert!(lines[1].starts_with("b,1,Q1,Vladimir Putin,") && lines[1].ends_with(",true"), "{text}");
        assert!(lines.iter().all(|line| !line.starts_with("a,") && !line.contains("Q3")), "{text}");
    }
}
