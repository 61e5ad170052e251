// Counts of cases: by type, state, status and workflow, and by assignee or the day on which they were made, or closed. Cases that are there wait to be counted.
CREATE CONSTRAINT case_counting_id IF NOT EXISTS FOR (n:CaseCounting) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT case_count_id IF NOT EXISTS FOR (n:CaseCount) REQUIRE n.id IS UNIQUE;
CREATE INDEX case_count_grain IF NOT EXISTS FOR (n:CaseCount) ON (n.grain);
CREATE INDEX case_count_grain_day IF NOT EXISTS FOR (n:CaseCount) ON (n.grain, n.day);
MATCH (c:`Case`)
WHERE c.id > $after
WITH c ORDER BY c.id LIMIT 10000
SET c:UncountedCase
RETURN max(c.id) AS last;
