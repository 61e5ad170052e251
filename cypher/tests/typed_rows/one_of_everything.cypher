CREATE (person:Actor {id: $id, name: 'Person', asOfDate: '2020-01-01', record: '{}'})
CREATE (:ActorVersion {id: $id, name: 'Version', record: '{}'})
CREATE (account:Account:ExternalAccount {id: $id, name: 'Account', asOfDate: '2020-01-01', record: '{}'})
CREATE (other:Account {id: $id + '-other', name: 'Other', record: '{}'})
CREATE (:AccountVersion {id: $id, name: 'Version', record: '{}'})
CREATE (person)-[:HAS_ROLE {role: 'HOLDER', asOfDate: '2020-01-01'}]->(account)
CREATE (number:AccountIdentifier {id: $id, name: 'Number'})
CREATE (another:AccountIdentifier {id: $id + '-another', name: 'Another'})
CREATE (other)-[:IDENTIFIED_BY {source: 'RECORD'}]->(number)
CREATE (number)-[:NAMED_WITH]->(another)
CREATE (move:PaymentMove {id: $id, name: 'Move', createdAt: 1})
CREATE (move)-[:FROM]->(account)
CREATE (move)-[:BY]->(number)
CREATE (payment:Transaction {id: $id, name: 'Payment', record: '{}', counted: true, direction: 'OUTBOUND', currency: 'EUR', amountUnits: 1,
  amountNanos: 0, standardUnits: 1, standardNanos: 0, createdAt: 1, counterpartyNumbers: [$id], accountId: $id + '-other', accountOwnerId: $id,
  status: 'COMPLETED', recordedAt: 1, logicalTime: 1})
CREATE (payment)-[:HAD_VERSION]->(:TransactionVersion {id: $id, name: 'Payment', record: '{}', knownFrom: 0, knownUntil: 2, createdAt: 1,
  status: 'COMPLETED', accountId: $id, amountUnits: 1, amountNanos: 0, standardUnits: 1, standardNanos: 0, currency: 'EUR',
  direction: 'OUTBOUND'})
CREATE (other)-[:SENT]->(payment)
CREATE (payment)-[:RECEIVED_BY]->(account)
CREATE (answer:Transaction {id: $id + '-answer', name: 'Payment', record: '{}', counted: true, direction: 'OUTBOUND', currency: 'EUR', amountUnits: 1,
  amountNanos: 0, standardUnits: 1, standardNanos: 0, createdAt: 1, accountId: $id, accountOwnerId: $id, status: 'COMPLETED', recordedAt: 1, logicalTime: 1})
CREATE (account)-[:SENT]->(answer)
CREATE (answer)-[:RECEIVED_BY]->(other)
CREATE (account)-[:TRANSFERRED_TO {currency: 'EUR', sentCount: 1, sentUnits: 1, sentNanos: 0, sentCarry: 0, sentStandardUnits: 1, sentStandardNanos: 0,
  sentStandardCarry: 0, receivedCount: 0, receivedUnits: 0, receivedNanos: 0, receivedCarry: 0, receivedStandardUnits: 0, receivedStandardNanos: 0,
  receivedStandardCarry: 0, first: 1, last: 1, largerTally: 'SENT', count: 1, totalUnits: 1, totalNanos: 0, totalCarry: 0, total: 1.0}]->(other)
CREATE (workflow:Workflow {id: $id, name: 'Workflow', type: 'ANALYSIS', version: 1})
CREATE (first:WorkflowStep {id: $id, name: 'First', position: 0, stepId: 'first', status: 'NEW', state: 'OPEN'})
CREATE (last:WorkflowStep {id: $id + '-last', name: 'Last', position: 1, stepId: 'last', status: 'DONE', state: 'CLOSED'})
CREATE (workflow)-[:HAS_STEP]->(first)
CREATE (workflow)-[:HAS_STEP]->(last)
CREATE (first)-[:MAY_MOVE_TO {action: 'CLOSE'}]->(last)
CREATE (matter:`Case`:UncountedCase {id: $id, name: 'Case', type: 'ANALYSIS', workflowId: $id, version: 1, eventSequence: 1, createdAt: 1, updatedAt: 1, record: '{}',
  state: 'OPEN', gatheredBy: 'ACTOR'})
CREATE (matter)-[:AT_STEP]->(first)
CREATE (matter)-[:FOCUSES_ON]->(person)
CREATE (:`Case` {id: $id + '-earlier', name: 'Earlier', type: 'ANALYSIS', workflowId: $id, version: 1, eventSequence: 0, createdAt: 0, updatedAt: 0,
  record: '{}'})-[:FOCUSES_ON]->(person)
CREATE (observation:Observation {id: $id, name: 'Observation', record: '{}', recordedAt: 1, internalId: $id, submittedBy: $id, observedAt: 1,
  behaviorId: $id, dataSource: 'Service - Detection'})
CREATE (observation)-[:CITES {evidence: 'NECESSARY'}]->(payment)
CREATE (payment)-[:OWNED_BY]->(person)
CREATE (observation)<-[:DISMISSES]-(:ObservationDismissal {id: $id, name: 'Dismissal', reason: 'known', userId: $id, createdAt: 1, observationId: $id})
CREATE (matter)-[:RAISED_FROM {linkedAt: 1, linkedBy: $id, feedback: 'TRUE_POSITIVE', action: 'WHITELIST'}]->(observation)
SET observation += {businessDate: '2020-01-01'}
CREATE (feedback:ObservationFeedback {id: $id, name: 'TRUE_POSITIVE'})
SET feedback += {feedback: 'TRUE_POSITIVE', userId: $id, createdAt: 1, caseId: $id, observationId: $id}
CREATE (matter)-[:HAS_FEEDBACK]->(feedback)
CREATE (feedback)-[:GIVEN_ON]->(observation)
CREATE (matter)-[:DECIDED_ON {decision: 'BLOCK'}]->(payment)
CREATE (observation)-[:ABOUT {primary: true, recorded: true}]->(person)
CREATE (awaited:Transaction:Placeholder:AwaitedTransaction {id: $id + '-awaited', name: 'Awaited'})
CREATE (observation)-[:CITES]->(awaited)
CREATE (tag:Tag {id: $id, name: 'Tag', label: 'Tag'})
CREATE (matter)-[:HAS_TAG]->(tag)
CREATE (request:RequestForData {id: $id, name: 'Request', type: 'KYC', caseId: $id, status: 'REQUESTED', request: '{}', createdAt: 1,
  dueAt: 1, overdueAt: 1, stepBefore: $id, waitsAt: $id})
CREATE (request)-[:ABOUT]->(matter)
CREATE (letter:Communication {id: $id, name: 'Letter', communicationType: 'email', subject: 'Letter', senderId: $id, receiverId: $id})
CREATE (matter)-[:HAS_COMMUNICATION]->(letter)
CREATE (letter)-[:SENT_BY]->(person)
CREATE (request)-[:ANSWERED_BY]->(letter)
CREATE (request)-[:ANSWERED_BY]->(person)
CREATE (file:File {id: $id, name: 'report.pdf', mediaType: 'application/pdf', size: 1, sha256: $id, key: $id, uploadedAt: 1, uploadedBy: $id})
CREATE (matter)-[:HAS_FILE]->(file)
CREATE (:RequestForDataSchema {id: $id, name: 'KYC', schema: '{}', createdAt: 1})
CREATE (:CustomProperty {id: $id, name: 'c__x', entity: 'case', schema: '{}', createdAt: 1})
CREATE (:ChannelLocation {id: $id, name: 'Branch', record: '{}'})
CREATE (information:ExtendedInformation {id: $id, name: 'Information', asOfDate: '2020-01-01', recordedAt: 1, record: '{}'})
CREATE (person)-[:HAS_EXTENDED_INFORMATION]->(information)
CREATE (:ApiKey {id: $id, name: 'Key', role: 'ADMIN', hash: $id, createdAt: 1})
CREATE (:Client {id: $id, name: 'Client', role: 'ADMIN', hash: $id, createdAt: 1})
CREATE (:IdempotencyKey {id: $id, name: 'Idempotency key', bodyHash: $id, answer: '{}', createdAt: 1})
CREATE (:Job {id: $id, name: 'Job', holder: $id, createdAt: 1, dueAt: 1, restUntil: 0, leaseUntil: 0, runs: 0, failures: 0})
CREATE (:AuditEntry {id: $id, name: 'Entry', timestamp: 1, action: 'case.created', domain: 'case_management', logType: 'UPDATE', objectType: 'Case',
  means: 'key', actionResult: 'SUCCESS'})
CREATE (sending:BulkRequest {id: $id, name: 'Bulk request', requestId: $id, bodyHash: $id, receivedAt: 1, userId: $id, userName: 'Key',
  userRole: 'INGEST', means: 'API_KEY', sizes: ['cases 1']})
CREATE (piece:BulkPart {id: $id, name: 'cases[0..1]', list: 'CASES', body: '[]', first: 0, size: 1, subjects: [$id]})
CREATE (piece)-[:PART_OF]->(sending)
CREATE (thing:BulkItem:DeferredItem {id: $id, name: 'cases[0]', list: 'CASES', subject: $id, state: 'DEFERRED', body: '{}', missing: ['Actor/x'],
  faults: [], attempts: 1, createdAt: 1, dueAt: 1})
CREATE (thing)-[:PART_OF]->(sending)
CREATE (category:SegmentationCategory {id: $id, name: 'Category', type: 'COMPUTED_BY_CUSTOMER', createdAt: 1, changedAt: 1, createdBy: 'me', changedBy: 'me'})
CREATE (group:SegmentationGroup {id: $id, name: 'Group', categoryId: $id, createdAt: 1, changedAt: 1, createdBy: 'me', changedBy: 'me'})
CREATE (group)-[:IN_CATEGORY]->(category)
CREATE (person)-[:MEMBER_OF {since: 1, by: 'me'}]->(group)
CREATE (:User {id: $id, name: 'User', username: 'user', enabled: false, groups: ['analysts'], createdAt: 1})
CREATE (hook:Webhook:WakingWebhook {id: $id, name: 'Webhook', url: 'https://x.example', events: ['*'], status: 'ACTIVE', createdAt: 1, tenant: 'default',
  secret: 'sealed', secretShown: false})
CREATE (told:Event {id: $id, name: 'case.updated', caseId: $id, sequence: 1, createdAt: 1, data: '{}'})
CREATE (lane:DeliveryLane {id: $id, name: 'Lane', webhookId: $id, holder: '', dueAt: 0})
CREATE (delivery:Delivery {id: $id, name: 'Delivery', webhookId: $id, eventId: $id, eventName: 'case.updated', caseId: $id, sequence: 1,
  state: 'FAILED', createdAt: 1, finishedAt: 1, attempts: 1, attemptLog: ['{}']})
CREATE (delivery)-[:TELLS]->(told)
CREATE (delivery)-[:GOES_TO]->(hook)
CREATE (:Event:Pending {id: 'waits', name: 'case.updated', caseId: $id, sequence: 2, createdAt: 1, data: '{}'})
CREATE (next:Delivery {id: 'waits', name: 'Delivery', webhookId: $id, eventId: $id, eventName: 'case.updated', caseId: $id, sequence: 1,
  state: 'WAITING', createdAt: 1, attempts: 0, failures: 0, attemptLog: []})
CREATE (next)-[:TELLS]->(told)
CREATE (next)-[:GOES_TO]->(hook)
CREATE (next)-[:WAITS_IN]->(lane)
CREATE (:UniqueName {id: $id, name: 'Name', holder: $id})
MERGE (feed:ChangeFeed {id: 'changes'})
SET feed.position = 0, feed.forgotten = 0
CREATE (:CacheWriter {id: $id, name: 'Writer', renewal: 1, standing: '1 1 0 0 quiet 0 0'})
CREATE (:CacheNote {id: $id, name: 'Note', content: '1|1||||'})
MERGE (counting:CaseCounting {id: 'cases'})
SET counting.number = 0
CREATE (:ChangeSet:Unsequenced {id: $id, name: 'Change set', stamp: -1, createdAt: 1, entries: $id, events: $id, position: 1})
CREATE (:JobKind {id: $id, name: $id})
CREATE (:JobInstance:OpenJob {id: $id, kind: $id, name: 'Job', status: 'QUEUED', payload: '{}', checkpoint: null, done: 0, total: null, priority: 0,
  createdAt: 1, createdBy: $id, createdByName: 'Key', dueAt: 0, leaseUntil: 0, holder: $id, runs: 0, failures: 0, cancelRequestedAt: 1})
CREATE (person)-[:OWNS_GROUP {since: 1, by: 'me'}]->(group)
CREATE (person)-[:HAS_EXCLUSION]->(:ActorExclusion {id: $id, name: 'Exclusion', exclusionType: 'SUPPRESSED', storedAt: 1, recordedAt: 1})
CREATE (score:RiskScore {id: $id, name: 'Score', riskRuleId: $id, asOfDate: '2020-01-01', finalScore: 1.0, calculatedScore: 1.0,
  override: true, overrideReason: 'known', dataSource: 'Service - Risk Engine', riskBand: 'low_risk', ingestedAt: 1, ingestedBy: $id, record: '{}'})
SET score += {breakdown: 'none', overriddenBy: $id, exposure: '0.5', volumeAgainstSegment: '1'}
CREATE (person)-[:HAS_RISK_SCORE]->(score)
CREATE (assessment:RiskAssessment {id: $id, name: 'Assessment'})
SET assessment += {type: 'PEP', value: 'yes', asOfDate: '2020-01-01', recordedAt: 1}
CREATE (person)-[:HAS_RISK_ASSESSMENT]->(assessment)
CREATE (person)<-[:SNOOZED_FOR]-(:Snooze {id: $id, name: 'Snooze', actorId: $id, ruleId: $id, until: 1, reason: 'Known', snoozedAt: 1, snoozedBy: $id})
CREATE (:DetectionRun {id: $id, name: 'Run', closeOfBusinessDate: '2020-01-01', lineOfBusiness: 'INDIVIDUAL', processType: 'AML', requestedAt: 1,
  requestedBy: $id, requestedByName: 'Key', jobId: $id, knownUpTo: 1})
CREATE (:DetectionRuleVersion {id: $id, name: 'Rule', ruleId: $id, version: '1.0.0', rule: 'id = 1', tests: '{}', addedAt: 1, addedBy: $id,
  addedByName: 'Key'})
CREATE (:DetectionRuleTuning {id: $id, name: 'Tuning', ruleId: $id, version: '1.0.0', versions: ['1.0.0'], parameters: '{}', reason: 'Known', tunedAt: 1,
  tunedBy: $id, tunedByName: 'Key'})
CREATE (:RiskRuleVersion {id: $id, name: 'Rule', ruleId: $id, version: '1.0.0', rule: 'id = 1', tests: '{}', addedAt: 1, addedBy: $id,
  addedByName: 'Key'})
CREATE (:RiskRuleTuning {id: $id, name: 'Tuning', ruleId: $id, version: '1.0.0', versions: ['1.0.0'], parameters: '{}', reason: 'Known', tunedAt: 1,
  tunedBy: $id, tunedByName: 'Key'})
CREATE (watchlist:Watchlist:ImportingWatchlist {id: $id, name: 'List'})
SET watchlist += {version: 1, format: 'SIMPLE_CSV', entries: 1, importedAt: 1, createdAt: 1, importId: $id, uploads: [$id], publishedBy: $id, sha256: 'none'}
CREATE (watchlist)-[:HAS_VERSION]->(:WatchlistVersion {id: $id, name: 'List, version 1', number: 1, publishedAt: 1, publishedBy: $id, publishedByName: 'Key',
  jobId: $id, format: 'SIMPLE_CSV', sha256: 'none', entries: 1, added: 1, changed: 0, ended: 0, notes: 0})
CREATE (entry:WatchlistEntry {id: $id, key: $id, entryId: $id, name: 'Entry', schema: 'Person', names: 'Entry', birthDates: '1952', countries: 'mt',
  sex: 'FEMALE', identifiers: 'PASSPORT:1', fingerprint: 'none', since: 0, addedIn: $id, change: $id, stagedBy: $id, endedIn: $id, endedAs: $id, endedBy: $id})
CREATE (entry)-[:LISTED_ON]->(watchlist)
CREATE (:Screening {id: $id, name: 'Screening', operation: 'SANCTIONS', providerName: 'watchlists', response: 'MISS', screenedAt: 1})
CREATE (waiting:PendingScreening {id: $id})
SET waiting += {name: 'Actor', actorId: $id, submission: $id, tries: 0, dueAt: 0}
CREATE (single:PendingPaymentScreening {id: $id})
SET single += {name: 'Payment', payments: '[]', operations: 'SANCTIONS', tries: 0, dueAt: 0}
CREATE (several:PendingPaymentScreening {id: 'waits'})
SET several += {name: '2 payments', payments: '[]', operations: 'SANCTIONS', tries: 0, bulkDueAt: 0}
CREATE (cleared:ClearedMatch {id: $id})
SET cleared += {name: 'Entry for a person', actorId: $id, pair: $id, facts: 'none', fingerprint: 'none', until: 1, clearedAt: 1}
CREATE (cleared)-[:CLEARED_FOR]->(person)
CREATE (:WatchlistUpload {id: $id, name: 'Upload', key: $id, size: 1, sha256: 'none', uploadedAt: 1, uploadedBy: $id})
