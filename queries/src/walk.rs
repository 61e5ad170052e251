//! Walks out of entries, and entries out of walks.
//!
//! A walk is looked up from its first node on, link by link. Where something of a node is missing, that is a [`Piece`]: a smaller walk from that node,
//! along the links that are missing and all that is behind them. Pieces of the same kind are one statement, however many nodes they begin at, and all of
//! a walk are asked for at the same time. What they bring is put into its place ([`Assembly::put_together`]). Kinds are few: of the links of a node that
//! may be kept, one is missing or all count as missing, and a walk with pieces of too many kinds is asked as a whole.
//!
//! An answer is from one moment: all entries that are used are looked at again once they are found, and again with what the pieces depend on once these
//! have come. Where something was written meanwhile, the whole walk is asked.
//!
//! A page has its nodes with what is shown of them, so that a walk takes one look-up for each page and not for each node.

use std::sync::Arc;

use cypher::Moment;
use cypher::graph::{Found, FoundLink, FoundRow, Step, Visit, Walk};

use crate::ReadCache;
use crate::cache::{Entry, Kept, Tally};
use crate::question::{Asked, Question, StepQuestions, VisitQuestions};

/// The most kinds of pieces that a walk is put together of: each is a statement, and the loader has few under way at once.
const MOST_KINDS: usize = 4;

/// Part of a walk that has to be read.
pub struct Piece {
    pub walk: Arc<Walk>,
    /// Where it begins.
    pub id: Arc<str>,
}

/// A walk as far as the cache has it.
pub struct Assembly<'w> {
    cache: &'w ReadCache,
    first: Part<'w>,
    pieces: Vec<Piece>,
    used: Vec<Used>,
    /// Before anything was looked up, and so before any piece is asked for.
    since: Moment,
}

/// An entry that is part of the answer, and the question that it answers.
struct Used {
    question: Question,
    entry: Arc<Entry>,
}

/// A node of a walk.
struct Part<'w> {
    visit: &'w Visit,
    /// Without links; missing at the first node alone.
    node: Option<Arc<Found>>,
    /// One for each step; nothing where it is missing.
    links: Vec<Option<LinkPart<'w>>>,
    /// The number of the piece that brings what is missing.
    piece: Option<usize>,
}

struct LinkPart<'w> {
    rows: Arc<[FoundRow]>,
    /// One for each row, where links lead on from there.
    parts: Vec<Part<'w>>,
    total: Option<i64>,
}

/// A kind of pieces: the same visit, of which the same is missing.
struct PieceKind {
    visit: *const Visit,
    has_node: bool,
    missing: Vec<usize>,
    walk: Arc<Walk>,
}

struct LookUp<'a> {
    cache: &'a ReadCache,
    whole: &'a Arc<Walk>,
    tally: Tally,
    kinds: Vec<PieceKind>,
    pieces: Vec<Piece>,
    used: Vec<Used>,
}

impl ReadCache {
    /// What there is of a walk from a node.
    pub fn look_up<'w>(&'w self, walk: &'w Arc<Walk>, id: &str) -> Assembly<'w> {
        let (since, visit) = (self.now(), walk.visit());
        let questions = self.questions().of_walk(walk);
        let mut look_up = LookUp { cache: self, whole: walk, tally: Tally::default(), kinds: Vec::new(), pieces: Vec::new(), used: Vec::new() };
        let id = Arc::from(id);
        let node = look_up.node(&questions, &id);
        let first = look_up.part(visit, &questions, &id, node);
        let LookUp { kinds, pieces, used, .. } = look_up;
        let assembly = Assembly { cache: self, first, pieces, used, since };
        if kinds.len() > MOST_KINDS {
            return assembly.begun_anew(walk, id);
        }
        let is_from_one_moment = assembly.used.len() < 2 || assembly.are_entries_good();
        if is_from_one_moment && assembly.can_be_checked() { assembly } else { assembly.begun_anew(walk, id) }
    }

    /// Keeps what a walk from a node has found, which was read from a moment on.
    pub fn keep_walk(&self, walk: &Walk, found: &Arc<Found>, since: Moment) {
        let (visit, questions) = (walk.visit(), self.questions().of_walk(walk));
        if let Some(question) = &questions.node {
            self.keep(question, (&found.id, None), since, || Kept::Node(without_links(found)));
        }
        self.keep_links(visit, &questions, found, since);
    }

    fn keep_links(&self, visit: &Visit, questions: &VisitQuestions, found: &Found, since: Moment) {
        let of = (&found.id, found.numbers.as_deref());
        for ((step, asked), link) in visit.steps.iter().zip(&questions.steps).zip(&found.links) {
            if let (Some(question), Some(total)) = (&asked.count, link.total) {
                self.keep(question, of, since, || Kept::Count(total));
            }
            if let Some(question) = &asked.page {
                let alone = |row: &FoundRow| row.leading_to(without_links(&row.node));
                self.keep(question, of, since, || Kept::Page(link.rows.iter().map(alone).collect()));
            }
            if !step.then.steps.is_empty() {
                link.rows.iter().for_each(|row| self.keep_links(&step.then, &asked.then, &row.node, since));
            }
        }
    }

    /// Whether what a walk has found is so until now.
    fn is_walk_unchanged(&self, walk: &Walk, found: &Found, since: Moment) -> bool {
        let questions = self.questions().of_walk(walk);
        self.is_unchanged(&questions.node, (&found.id, None), &[], since) && self.are_links_unchanged(walk.visit(), &questions, found, since)
    }

    fn are_links_unchanged(&self, visit: &Visit, questions: &VisitQuestions, found: &Found, since: Moment) -> bool {
        let of = (&found.id, found.numbers.as_deref());
        visit.steps.iter().zip(&questions.steps).zip(&found.links).all(|((step, asked), link)| {
            (!step.counted || self.is_unchanged(&asked.count, of, &[], since))
                && (step.slice.is_none() || self.is_unchanged(&asked.page, of, &link.rows, since))
                && link.rows.iter().all(|row| self.are_links_unchanged(&step.then, &asked.then, &row.node, since))
        })
    }
}

fn without_links(found: &Arc<Found>) -> Arc<Found> {
    if found.links.is_empty() && found.numbers.is_none() { Arc::clone(found) } else { Arc::new(found.alone()) }
}

impl LookUp<'_> {
    fn find(&mut self, asked: &Asked, id: &Arc<str>) -> Option<Arc<Entry>> {
        let question = asked.as_ref()?;
        let entry = self.cache.find(question, id, &mut self.tally)?;
        self.used.push(Used { question: question.clone(), entry: Arc::clone(&entry) });
        Some(entry)
    }

    fn node(&mut self, questions: &VisitQuestions, id: &Arc<str>) -> Option<Arc<Found>> {
        match &self.find(&questions.node, id)?.kept {
            Kept::Node(found) => Some(Arc::clone(found)),
            Kept::Page(_) | Kept::Count(_) => None,
        }
    }

    fn part<'w>(&mut self, visit: &'w Visit, questions: &VisitQuestions, id: &Arc<str>, node: Option<Arc<Found>>) -> Part<'w> {
        let (kinds, pieces, used) = (self.kinds.len(), self.pieces.len(), self.used.len());
        let steps = || visit.steps.iter().zip(&questions.steps);
        let mut links: Vec<Option<LinkPart<'w>>> = steps().map(|(step, questions)| self.link(step, questions, id)).collect();
        let lost = steps().zip(&links).filter(|((step, questions), link)| link.is_none() && questions.is_known(step)).count();
        if lost > 1 {
            // Else there might be a statement for each subset of the links. All that is behind them comes again with the piece.
            self.kinds.truncate(kinds);
            self.pieces.truncate(pieces);
            self.used.truncate(used);
            links.iter_mut().for_each(|link| *link = None);
        }
        let missing: Vec<usize> = links.iter().enumerate().filter(|(_, link)| link.is_none()).map(|(at, _)| at).collect();
        let piece = (node.is_none() || !missing.is_empty()).then(|| self.piece(visit, node.is_some(), missing, id));
        Part { visit, node, links, piece }
    }

    fn link<'w>(&mut self, step: &'w Step, questions: &StepQuestions, id: &Arc<str>) -> Option<LinkPart<'w>> {
        let total = if step.counted { Some(self.count(questions, id)?) } else { None };
        let rows: Arc<[FoundRow]> = if step.slice.is_some() { self.page(questions, id)? } else { Arc::default() };
        let parts = match &step.then.steps[..] {
            [] => Vec::new(),
            _ => rows.iter().map(|row| self.part(&step.then, &questions.then, &row.node.id, Some(Arc::clone(&row.node)))).collect(),
        };
        Some(LinkPart { rows, parts, total })
    }

    fn count(&mut self, questions: &StepQuestions, id: &Arc<str>) -> Option<i64> {
        match self.find(&questions.count, id)?.kept {
            Kept::Count(total) => Some(total),
            Kept::Node(_) | Kept::Page(_) => None,
        }
    }

    fn page(&mut self, questions: &StepQuestions, id: &Arc<str>) -> Option<Arc<[FoundRow]>> {
        match &self.find(&questions.page, id)?.kept {
            Kept::Page(rows) => Some(Arc::clone(rows)),
            Kept::Node(_) | Kept::Count(_) => None,
        }
    }

    /// Notes what is missing of a node; gives its number.
    fn piece(&mut self, visit: &Visit, has_node: bool, missing: Vec<usize>, id: &Arc<str>) -> usize {
        let is_same = |kind: &&PieceKind| std::ptr::eq(kind.visit, visit) && kind.has_node == has_node && kind.missing == missing;
        let known = self.kinds.iter().find(is_same).map(|kind| Arc::clone(&kind.walk));
        let walk = known.unwrap_or_else(|| {
            let walk = self.walk(visit, has_node, &missing);
            self.kinds.push(PieceKind { visit, has_node, missing, walk: Arc::clone(&walk) });
            walk
        });
        self.pieces.push(Piece { walk, id: Arc::clone(id) });
        self.pieces.len() - 1
    }

    fn walk(&self, visit: &Visit, has_node: bool, missing: &[usize]) -> Arc<Walk> {
        if !has_node && missing.len() == visit.steps.len() {
            return Arc::clone(self.whole);
        }
        let steps = missing.iter().map(|at| visit.steps[*at].clone()).collect();
        let (summary, record) = (visit.summary && !has_node, visit.record && !has_node);
        Arc::new(Walk::of(Arc::new(Visit { summary, record, numbers: visit.numbers, steps, ..Visit::of(visit.node) })))
    }
}

impl<'w> Assembly<'w> {
    /// What has to be read; nothing where all is there.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The walk, with what each of the pieces has found. Nothing where one has found no such node, or where something was written meanwhile that would be in
    /// one part of the answer and not in another: then the whole walk has to be read.
    pub fn put_together(&self, found: &[Option<Arc<Found>>]) -> Option<Arc<Found>> {
        let is_from_one_moment = self.pieces.is_empty() || (self.are_entries_good() && self.do_pieces_agree(found));
        if is_from_one_moment { self.first.put_together(found) } else { None }
    }

    fn are_entries_good(&self) -> bool {
        self.used.iter().all(|used| self.cache.is_good(&used.question, &used.entry))
    }

    /// Whether all pieces, which were read one after the other, are from one moment: all but one have not changed since they were asked for, and so are as
    /// they were when that one was read.
    fn do_pieces_agree(&self, found: &[Option<Arc<Found>>]) -> bool {
        let changed = self.pieces.iter().zip(found).filter(|(piece, found)| self.may_have_changed(piece, found.as_deref()));
        self.pieces.len() < 2 || changed.take(2).count() < 2
    }

    fn may_have_changed(&self, piece: &Piece, found: Option<&Found>) -> bool {
        !found.is_some_and(|found| self.cache.is_walk_unchanged(&piece.walk, found, self.since))
    }

    /// Whether it can be told of all pieces but one whether they have changed.
    fn can_be_checked(&self) -> bool {
        let is_unknown = |piece: &&Piece| !self.cache.questions().of_walk(&piece.walk).are_known(piece.walk.visit());
        self.pieces.len() < 2 || self.pieces.iter().filter(is_unknown).take(2).count() < 2
    }

    /// The same walk, of which nothing is there.
    fn begun_anew(self, walk: &'w Arc<Walk>, id: Arc<str>) -> Self {
        let links = walk.visit().steps.iter().map(|_| None).collect();
        let first = Part { visit: walk.visit(), node: None, links, piece: Some(0) };
        Self { first, pieces: vec![Piece { walk: Arc::clone(walk), id }], used: Vec::new(), ..self }
    }
}

impl Part<'_> {
    fn put_together(&self, found: &[Option<Arc<Found>>]) -> Option<Arc<Found>> {
        let brought = match self.piece {
            Some(number) => Some(found.get(number)?.as_ref()?),
            None => None,
        };
        let node = self.node.as_ref().or(brought)?;
        if self.visit.steps.is_empty() {
            return Some(Arc::clone(node));
        }
        let mut brought = brought.into_iter().flat_map(|found| &found.links);
        let link = |link: &Option<LinkPart<'_>>| match link {
            Some(link) => link.put_together(found),
            None => brought.next().cloned(),
        };
        Some(Arc::new(node.with_links(self.links.iter().map(link).collect::<Option<_>>()?)))
    }
}

impl LinkPart<'_> {
    fn put_together(&self, found: &[Option<Arc<Found>>]) -> Option<FoundLink> {
        let rows = match &self.parts[..] {
            [] => self.rows.to_vec(),
            parts => {
                let row = |(row, part): (&FoundRow, &Part<'_>)| Some(row.leading_to(part.put_together(found)?));
                self.rows.iter().zip(parts).map(row).collect::<Option<_>>()?
            }
        };
        Some(FoundLink { rows, total: self.total })
    }
}
