// Business ids are unique per label. Every look-up and MERGE by id uses the index behind its constraint.
// A statement ends with a semicolon at the end of its line. All may run again: a migration that was interrupted is repeated.
CREATE CONSTRAINT migration_id IF NOT EXISTS FOR (n:Migration) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT actor_id IF NOT EXISTS FOR (n:Actor) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT actor_version_id IF NOT EXISTS FOR (n:ActorVersion) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT account_id IF NOT EXISTS FOR (n:Account) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT account_version_id IF NOT EXISTS FOR (n:AccountVersion) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT account_identifier_id IF NOT EXISTS FOR (n:AccountIdentifier) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT account_balance_id IF NOT EXISTS FOR (n:AccountBalance) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT transaction_id IF NOT EXISTS FOR (n:Transaction) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT channel_location_id IF NOT EXISTS FOR (n:ChannelLocation) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT phone_id IF NOT EXISTS FOR (n:Phone) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT email_id IF NOT EXISTS FOR (n:Email) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT address_id IF NOT EXISTS FOR (n:Address) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT government_id_id IF NOT EXISTS FOR (n:GovernmentId) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT reference_id IF NOT EXISTS FOR (n:Reference) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT device_id IF NOT EXISTS FOR (n:Device) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT ip_address_id IF NOT EXISTS FOR (n:IpAddress) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT risk_score_id IF NOT EXISTS FOR (n:RiskScore) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT risk_assessment_id IF NOT EXISTS FOR (n:RiskAssessment) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT actor_exclusion_id IF NOT EXISTS FOR (n:ActorExclusion) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT extended_information_id IF NOT EXISTS FOR (n:ExtendedInformation) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT audit_entry_id IF NOT EXISTS FOR (n:AuditEntry) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT event_id IF NOT EXISTS FOR (n:Event) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT idempotency_key_id IF NOT EXISTS FOR (n:IdempotencyKey) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT api_key_id IF NOT EXISTS FOR (n:ApiKey) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT client_id IF NOT EXISTS FOR (n:Client) REQUIRE n.id IS UNIQUE;
