// Keeps a detection run as what it is: the same day, line of business and type is the same run, whoever asks for it again. What is asked for later than what is
// kept takes its place.
// $rows: [{id, made: {…} (what it has where it was not there), props: {…}, requestedAt (null for what its job notes)}]
// returns: nothing
UNWIND $rows AS row
MERGE (d:DetectionRun {id: row.id})
ON CREATE SET d += row.made
WITH d, row, row.requestedAt IS NULL OR d.requestedAt IS NULL OR d.requestedAt <= row.requestedAt AS isLater
FOREACH (_ IN CASE WHEN isLater THEN [1] ELSE [] END | SET d += row.props)
