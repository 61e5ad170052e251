// Part of actor/record and actor/record_newer: the record, acknowledged at a time, becomes the present of its actor n.
SET n += row.props, n.logicalTime = time
REMOVE n:Placeholder, n:Individual, n:LegalEntity
FOREACH (_ IN CASE WHEN row.kind = 'INDIVIDUAL' THEN [1] ELSE [] END | SET n:Individual)
FOREACH (_ IN CASE WHEN row.kind = 'LEGAL_ENTITY' THEN [1] ELSE [] END | SET n:LegalEntity)
