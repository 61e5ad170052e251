// Part of transaction/record, transaction/record_by_number, transaction/record_one_sided and actor/record_newer: their end. What was written is a set of
// changes, which gets its position in the change feed after the commit. Its ids are one text, as trail/append says. (The list is in a map while the
// text is made of it: the embedded engine would copy it for each id.)
WITH {ids: written} AS recorded
WITH recorded.ids AS written, reduce(ids = '', id IN recorded.ids | ids + ' ' + id) AS entries
FOREACH (_ IN CASE WHEN size(written) = 0 THEN [] ELSE [1] END |
  CREATE (c:ChangeSet:Unsequenced {id: $batch.changeSet.id, name: 'Change set', stamp: $batch.changeSet.stamp,
    createdAt: $batch.changeSet.createdAt, entries: entries, events: '', position: null}))
RETURN written
