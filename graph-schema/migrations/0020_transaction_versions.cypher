// What payments said before another record took its place, and when that was known. By account, owner and day, as their present records are asked for.
CREATE CONSTRAINT transaction_version_id IF NOT EXISTS FOR (n:TransactionVersion) REQUIRE n.id IS UNIQUE;
CREATE INDEX transaction_version_account_id IF NOT EXISTS FOR (n:TransactionVersion) ON (n.accountId);
CREATE INDEX transaction_version_account_owner_id IF NOT EXISTS FOR (n:TransactionVersion) ON (n.accountOwnerId);
CREATE INDEX transaction_version_created_at IF NOT EXISTS FOR (n:TransactionVersion) ON (n.createdAt);
// A role that an older program took away and gave again says only until when it was there before: it is there again since then.
MATCH (a:Actor)-[former:HAD_ROLE]->(n:Account)
WITH a, n, former.role AS role, max(former.until) AS ended
MATCH (a)-[held:HAS_ROLE]->(n)
WHERE held.role = role AND held.since IS NULL
SET held.since = ended;
