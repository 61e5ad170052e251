// Where the money of accounts went, by the roll-up: any order, any page.
// $ids; $sort: TOTAL, COUNT, FIRST or LAST; $sign: 1 ascending, -1 descending; $afterKey (times $sign), $afterId, $afterCurrency: where the page begins, or null; $limit
// $currency: text or null; $minTotal: number or null
// returns: id, rows: as account/transferred_to, the sort key times $sign behind
UNWIND $ids AS id
MATCH (a:Account {id: id})
CALL {
  WITH a
  MATCH (a)-[t:TRANSFERRED_TO]->(b:Account)
  WHERE t.count > 0 AND ($currency IS NULL OR t.currency = $currency) AND ($minTotal IS NULL OR t.total >= $minTotal)
  WITH b, t, $sign * CASE $sort WHEN 'COUNT' THEN t.count WHEN 'FIRST' THEN t.first WHEN 'LAST' THEN t.last ELSE t.total END AS key
  WHERE $afterKey IS NULL OR key > $afterKey OR (key = $afterKey AND
    (($sign < 0 AND (b.id > $afterId OR (b.id = $afterId AND t.currency > $afterCurrency)))
      OR ($sign > 0 AND (b.id < $afterId OR (b.id = $afterId AND t.currency < $afterCurrency)))))
  WITH b, t, key
  ORDER BY key, CASE WHEN $sign < 0 THEN b.id END, CASE WHEN $sign < 0 THEN t.currency END,
    CASE WHEN $sign > 0 THEN b.id END DESC, CASE WHEN $sign > 0 THEN t.currency END DESC
  LIMIT $limit
  RETURN collect([b.id, b.name, t.currency, t.count, t.totalUnits, t.totalNanos, t.first, t.last, key]) AS rows
}
RETURN id, rows
