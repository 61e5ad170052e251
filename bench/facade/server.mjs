// @neo4j/graphql on GraphQL Yoga, with the settings that both have: the part of the graph that the benchmark asks for, to read.
import { createServer } from 'node:http';
import { Neo4jGraphQL } from '@neo4j/graphql';
import { createYoga } from 'graphql-yoga';
import neo4j from 'neo4j-driver';

const typeDefs = `
  type Account @node {
    id: ID!
    name: String
    actors: [Actor!]! @relationship(type: "HAS_ROLE", direction: IN, properties: "Role")
    sent: [Transaction!]! @relationship(type: "SENT", direction: OUT)
    transferredTo: [Account!]! @relationship(type: "TRANSFERRED_TO", direction: OUT, properties: "Transfers")
  }
  type Actor @node {
    id: ID!
    name: String
    accounts: [Account!]! @relationship(type: "HAS_ROLE", direction: OUT, properties: "Role")
  }
  # Epoch milliseconds are more than an Int holds.
  type Transaction @node { id: ID! name: String amount: Float currency: String createdAt: Float }
  type Role @relationshipProperties { role: String }
  type Transfers @relationshipProperties { currency: String count: Int total: Float first: Float last: Float }
  extend schema @mutation(operations: []) @subscription(events: [])
`;
const { NEO4J_URL, NEO4J_USER, NEO4J_PASSWORD } = process.env;
const driver = neo4j.driver(NEO4J_URL, neo4j.auth.basic(NEO4J_USER, NEO4J_PASSWORD));
const schema = await new Neo4jGraphQL({ typeDefs, driver }).getSchema();
const server = createServer(createYoga({ schema, logging: false, graphiql: false, landingPage: false }));
server.listen(0, '127.0.0.1', () => console.log(`ready ${server.address().port}`));
// Whoever started this is gone when its input ends.
process.stdin.on('end', () => process.exit()).resume();
