// Where the money of accounts came from, by the roll-up: any order, any page.
// $ids; $sort: TOTAL, COUNT, FIRST or LAST; $sign: 1 ascending, -1 descending; $afterKey (times $sign), $afterId (account and currency); $limit
// $currency: text or null; $minTotal: number or null
// returns: id, rows: as account/received_from, the sort key times $sign behind
UNWIND $ids AS id
MATCH (a:Account {id: id})
CALL {
  WITH a
  MATCH (a)<-[t:TRANSFERRED_TO]-(b:Account)
  WHERE ($currency IS NULL OR t.currency = $currency) AND ($minTotal IS NULL OR t.total >= $minTotal)
  WITH b, t, b.id + ' ' + t.currency AS tie, $sign * CASE $sort WHEN 'COUNT' THEN t.count WHEN 'FIRST' THEN t.first WHEN 'LAST' THEN t.last ELSE t.total END AS key
  WHERE $afterKey IS NULL OR key > $afterKey OR (key = $afterKey AND (($sign > 0 AND tie < $afterId) OR ($sign < 0 AND tie > $afterId)))
  WITH b, t, key, tie
  ORDER BY key, CASE WHEN $sign < 0 THEN tie END, CASE WHEN $sign > 0 THEN tie END DESC
  LIMIT $limit
  RETURN collect([b.id, b.name, t.currency, t.count, t.totalUnits, t.totalNanos, t.first, t.last, t.total, key]) AS rows
}
RETURN id, rows
