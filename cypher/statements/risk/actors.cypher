// What risk rules look at, of actors. Exclusions, memberships, owners and assessments are those that were known at a moment; what records, roles on accounts and
// roll-ups say is as of now. Of whom an actor pays, and is paid by, the largest 200 each are told with their holders.
// The largest come first, as each row that they are sorted by has all that was found before it.
// $ids; $knownUpTo: epoch milliseconds; $asOf: the last date of assessments; $begin (included), $behind (not included): the time of findings, epoch milliseconds
// returns: id, recorded (false for a placeholder), type, status, customerSince, nationality, domicile, taxResidency, subTypes, legalForm, customData,
//   record (of a legal entity, else null), exclusion (or null), groups: [name], assessments: [[kind, value, date]], accounts: [[accountType, productType]],
//   findings: [id], owners: [[id, domicile, ratio]], owned: [[id, ratio]], sent: [units], received: [units], paid: [[units, holders: [[id, domicile]],
//   countries]], paidBy (the same), shared: [[ids of the actors that have an identity]]
UNWIND $ids AS id
MATCH (a:Actor {id: id})
CALL {
  WITH a
  MATCH (a)-[:HAS_ROLE]->(k:Account)
  WITH DISTINCT k
  MATCH (k)-[r:TRANSFERRED_TO]->(s:Account)
  WITH k, s, CASE WHEN r.sentStandardUnits > r.receivedStandardUnits THEN r.sentStandardUnits ELSE r.receivedStandardUnits END AS units
  ORDER BY units DESC, s.id, k.id LIMIT 200
  CALL {
    WITH s
    MATCH (s)<-[:HAS_ROLE]-(q:Actor)
    WITH DISTINCT q.id AS key, q.domicile AS country ORDER BY key LIMIT 20
    RETURN collect([key, country]) AS holders
  }
  CALL {
    WITH s
    MATCH (s)-[:IDENTIFIED_BY]->(n:AccountIdentifier)
    WHERE n.id STARTS WITH 'iban:'
    RETURN collect(substring(n.id, 5, 2)) AS countries
  }
  RETURN collect([units, holders, countries]) AS paid
}
CALL {
  WITH a
  MATCH (a)-[:HAS_ROLE]->(k:Account)
  WITH DISTINCT k
  MATCH (k)<-[r:TRANSFERRED_TO]-(s:Account)
  WITH k, s, CASE WHEN r.sentStandardUnits > r.receivedStandardUnits THEN r.sentStandardUnits ELSE r.receivedStandardUnits END AS units
  ORDER BY units DESC, s.id, k.id LIMIT 200
  CALL {
    WITH s
    MATCH (s)<-[:HAS_ROLE]-(q:Actor)
    WITH DISTINCT q.id AS key, q.domicile AS country ORDER BY key LIMIT 20
    RETURN collect([key, country]) AS holders
  }
  CALL {
    WITH s
    MATCH (s)-[:IDENTIFIED_BY]->(n:AccountIdentifier)
    WHERE n.id STARTS WITH 'iban:'
    RETURN collect(substring(n.id, 5, 2)) AS countries
  }
  RETURN collect([units, holders, countries]) AS paidBy
}
CALL {
  WITH a
  MATCH (a)-[:HAS_EXCLUSION]->(x:ActorExclusion)
  WHERE x.recordedAt <= $knownUpTo
  WITH x ORDER BY x.storedAt DESC, x.recordedAt DESC, x.id DESC
  RETURN collect(x.exclusionType) AS exclusions
}
CALL {
  WITH a
  MATCH (a)-[m:MEMBER_OF|WAS_MEMBER_OF]->(g:SegmentationGroup)
  WITH g, m.since AS since, m.until AS until
  WHERE since <= $knownUpTo AND (until IS NULL OR until > $knownUpTo)
  WITH DISTINCT g.id AS key, g.name AS name ORDER BY key
  RETURN collect(name) AS groups
}
CALL {
  WITH a
  MATCH (a)-[:HAS_RISK_ASSESSMENT]->(x:RiskAssessment)
  WITH CASE WHEN x.value IS NULL THEN null ELSE x.type END AS kind, x.value AS value, x.asOfDate AS date, x.recordedAt AS recordedAt
  WHERE kind IS NOT NULL AND recordedAt <= $knownUpTo AND date <= $asOf
  WITH kind, value, date ORDER BY kind, date DESC, value
  RETURN collect([kind, value, date]) AS assessments
}
CALL {
  WITH a
  MATCH (a)-[:HAS_ROLE]->(k:Account)
  WITH DISTINCT k
  RETURN collect([k.accountType, k.productType]) AS accounts
}
CALL {
  WITH a
  MATCH (o:Observation)-[r:ABOUT]->(a)
  WITH o, r.primary AS primary, o.dataSource AS source, coalesce(o.btlFlag, false) AS below, o.observedAt AS at
  WHERE primary = true AND source = 'Service - Detection' AND below = false AND at >= $begin AND at < $behind
  CALL {
    WITH o
    MATCH (o)<-[w:RAISED_FROM]-(:`Case`)
    RETURN collect(w.feedback) AS said
  }
  WITH o.id AS key, said
  WHERE NOT 'FALSE_POSITIVE' IN said
  WITH key ORDER BY key LIMIT 1000
  RETURN collect(key) AS findings
}
CALL {
  WITH a
  MATCH (a)<-[r:ASSOCIATED_WITH|WAS_ASSOCIATED_WITH]-(u:Actor)
  WITH u, r.type AS kind, r.ratio AS ratio, r.since AS since, r.until AS until
  WHERE (since IS NULL OR since <= $knownUpTo) AND (until IS NULL OR until > $knownUpTo)
    AND (coalesce(ratio, 0.0) > 0.0 OR kind IN ['INVESTOR', 'OWNER', 'SHAREHOLDER', 'PARENT', 'UBO', 'BENEFICIAL_OWNER'])
  WITH u.id AS key, u.domicile AS country, ratio ORDER BY key, ratio LIMIT 1000
  RETURN collect([key, country, ratio]) AS owners
}
CALL {
  WITH a
  MATCH (a)-[r:ASSOCIATED_WITH|WAS_ASSOCIATED_WITH]->(u:Actor)
  WITH u, r.type AS kind, r.ratio AS ratio, r.since AS since, r.until AS until
  WHERE (since IS NULL OR since <= $knownUpTo) AND (until IS NULL OR until > $knownUpTo)
    AND (coalesce(ratio, 0.0) > 0.0 OR kind IN ['INVESTOR', 'OWNER', 'SHAREHOLDER', 'PARENT', 'UBO', 'BENEFICIAL_OWNER'])
  WITH u.id AS key, ratio ORDER BY key, ratio LIMIT 1000
  RETURN collect([key, ratio]) AS owned
}
CALL {
  WITH a
  MATCH (a)-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID]->(n)
  WITH DISTINCT n LIMIT 100
  CALL {
    WITH n
    MATCH (n)<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID]-(q:Actor)
    WITH DISTINCT q LIMIT 11
    RETURN collect(q.id) AS ring
  }
  RETURN collect(ring) AS shared
}
CALL {
  WITH a
  MATCH (a)-[:HAS_ROLE]->(k:Account)
  WITH DISTINCT k
  MATCH (k)-[r:TRANSFERRED_TO]->(:Account)
  RETURN collect(CASE WHEN r.sentStandardUnits > r.receivedStandardUnits THEN r.sentStandardUnits ELSE r.receivedStandardUnits END) AS sent
}
CALL {
  WITH a
  MATCH (a)-[:HAS_ROLE]->(k:Account)
  WITH DISTINCT k
  MATCH (k)<-[r:TRANSFERRED_TO]-(:Account)
  RETURN collect(CASE WHEN r.sentStandardUnits > r.receivedStandardUnits THEN r.sentStandardUnits ELSE r.receivedStandardUnits END) AS received
}
RETURN a.id AS id, a.record IS NOT NULL AS recorded, CASE WHEN a:Placeholder THEN null ELSE a.type END AS type, a.status AS status, a.customerSince AS customerSince,
  a.nationality AS nationality, a.domicile AS domicile, a.taxResidency AS taxResidency, a.subType AS subTypes, a.legalEntityType AS legalForm,
  a.customData AS customData, CASE WHEN a:LegalEntity THEN a.record ELSE null END AS record, exclusions[0] AS exclusion, groups, assessments, accounts, findings,
  owners, owned, sent, received, paid, paidBy, shared
