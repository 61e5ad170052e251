use super::*;
use crate::stamps::note::Names;

const IDLE: Duration = Duration::ZERO;

fn change(area: &str) -> Arc<Change> {
    Arc::new(Change { names: Arc::new(Names { is_anything: false, areas: vec![area.to_owned()] }), stripes: None })
}

fn areas(taken: &Taken) -> Vec<&str> {
    taken.note.whole.iter().map(String::as_str).collect()
}

#[test]
fn a_write_is_taken_as_long_as_it_is_under_way_and_once_more() {
    let journal = Journal::default();
    let (one, other) = (journal.begin(&change("A")), journal.begin(&change("B")));
    let taken = journal.take();
    assert_eq!((areas(&taken), taken.up_to), (vec!["A", "B"], 0));
    journal.end(one);
    let taken = journal.take();
    assert_eq!((areas(&taken), taken.up_to), (vec!["A", "B"], 1));
    let taken = journal.take();
    assert_eq!((areas(&taken), taken.up_to), (vec!["B"], 1));
    journal.put_back(taken.note);
    journal.end(other);
    let taken = journal.take();
    assert_eq!((areas(&taken), taken.up_to), (vec!["B"], 2));
    assert!(journal.take().note.is_empty());
}

#[test]
fn it_is_not_closed_while_there_is_something_to_tell() {
    let journal = Arc::new(Journal::default());
    journal.open(Instant::now());
    let pass = journal.pass_at_once().expect("it is open");
    assert!(!journal.close(IDLE), "somebody is about to write");
    let write = journal.begin(&change("A"));
    drop(pass);
    assert!(!journal.close(IDLE), "something is under way");
    journal.end(write);
    assert!(!journal.close(IDLE), "nobody was told");
    let taken = journal.take();
    journal.put_back(taken.note);
    assert!(!journal.close(IDLE), "that was not told");
    drop(journal.take());
    assert!(!journal.close(Duration::from_secs(60)), "it is not long ago");
    assert!(journal.close(IDLE));
    assert!(journal.pass_at_once().is_none());
}

/// Nobody may come again before it is known that writes are taken.
#[tokio::test]
async fn others_are_told_for_a_writer_who_has_given_up() {
    let journal = Journal::default();
    // While others know of the process, and where it was quiet.
    journal.open(Instant::now());
    journal.refuse();
    assert!(!journal.gives_passes() && !journal.close(IDLE), "it is not quiet before it has told others");
    journal.renewed(Instant::now());
    assert!(journal.gives_passes() && !journal.is_wanted() && journal.close(IDLE));
    journal.refuse();
    assert!(!journal.gives_passes());
    journal.wanted().await;
    journal.open(Instant::now());
    assert!(journal.gives_passes() && !journal.is_wanted());
}

#[tokio::test]
async fn writers_wait_until_others_know_of_them() {
    let journal = Arc::new(Journal::default());
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let journal = Arc::clone(&journal);
            tokio::spawn(async move { journal.pass().await.is_some() })
        })
        .collect();
    journal.wanted().await;
    let long_ago = Instant::now().checked_sub(LONGEST_SILENCE);
    journal.open(long_ago.expect("the machine runs for longer"));
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(journal.is_wanted() && !journal.gives_passes(), "others know nothing of the last ten seconds");
    journal.renewed(Instant::now());
    assert!(journal.gives_passes());
    for waiting in waiting {
        assert!(waiting.await.expect("it ends"));
    }
    assert!(!journal.is_wanted() && journal.pass().await.is_some());
    journal.forgotten();
    assert!(journal.pass_at_once().is_none() && !journal.gives_passes(), "others have taken the process for gone");
    journal.renewed(Instant::now());
    assert!(journal.pass_at_once().is_some());
}
