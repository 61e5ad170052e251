#!/usr/bin/env bash
# Three caches of GraphQL clients lose payments of one connection, when the same account is paid again or `node` is not asked for.
# relay-runtime 21.0.1 keeps one edge for each node as soon as a second page comes; @urql/exchange-graphcache 9.0.2 (`relayPagination`) even on one page.
# @apollo/client 4.3.8 (`relayStylePagination`) keeps them all. But without `node` it has no edges, and neither has urql.
# Expected: all edges that the server sent. The specification of cursor connections has a cursor for each edge; it nowhere says that a node comes once.
# Needs Node 20 or later and npm. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save graphql@16.15.0 rxjs@7.8.2 @apollo/client@4.3.8 @urql/core@6.0.3 @urql/exchange-graphcache@9.0.2 relay-runtime@21.0.1
cat > finding.cjs << 'JAVASCRIPT'
const { ApolloClient, ApolloLink, InMemoryCache, Observable, gql } = require("@apollo/client");
const { relayStylePagination } = require("@apollo/client/utilities");
const { createClient, fetchExchange } = require("@urql/core");
const { cacheExchange } = require("@urql/exchange-graphcache");
const { relayPagination } = require("@urql/exchange-graphcache/extras");
const relay = require("relay-runtime");

/** The payments of account a: to b, to b again, to c, and to b once more. */
const PAYMENTS = [["b", 100], ["b", 250], ["c", 30], ["b", 999]];

const text = (node) => `query ($first: Int!, $after: String) { account { __typename id payments(first: $first, after: $after) { __typename
  edges { __typename cursor amount ${node ? "node { __typename id }" : ""} } pageInfo { __typename hasNextPage endCursor hasPreviousPage startCursor } } } }`;

/** What a server answers to it. */
function answer({ first, after }, node) {
  const from = Number(after ?? 0);
  const to = Math.min(from + first, PAYMENTS.length);
  const edges = PAYMENTS.slice(from, to).map(([id, amount], place) => {
    const edge = { __typename: "PaymentEdge", cursor: String(from + place + 1), amount };
    return node ? { ...edge, node: { __typename: "Account", id } } : edge;
  });
  const pageInfo = { __typename: "PageInfo", hasNextPage: to < PAYMENTS.length, endCursor: String(to), hasPreviousPage: from > 0, startCursor: String(from + 1) };
  return { data: { account: { __typename: "Account", id: "a", payments: { __typename: "PaymentConnection", edges, pageInfo } } } };
}

async function apollo(pages, node) {
  const cache = new InMemoryCache({ typePolicies: { Account: { fields: { payments: relayStylePagination() } } } });
  const link = new ApolloLink(({ variables }) => new Observable((observer) => {
    observer.next(answer(variables, node));
    observer.complete();
  }));
  const client = new ApolloClient({ cache, link });
  for (const variables of pages) await client.query({ query: gql(text(node)), variables, fetchPolicy: "network-only" });
  return client.readQuery({ query: gql(text(node)), variables: pages[0] }).account.payments.edges.map((edge) => edge.amount);
}

async function urql(pages, node) {
  const unnamed = () => null;
  const keys = { PaymentConnection: unnamed, PaymentEdge: unnamed, PageInfo: unnamed };
  const client = createClient({
    url: "http://localhost/",
    preferGetMethod: false,
    fetch: async (_, { body }) => new Response(JSON.stringify(answer(JSON.parse(body).variables, node)), { headers: { "content-type": "application/json" } }),
    exchanges: [cacheExchange({ keys, resolvers: { Account: { payments: relayPagination() } } }), fetchExchange],
  });
  let result;
  for (const variables of pages) result = await client.query(text(node), variables).toPromise();
  return result.data.account.payments.edges.map((edge) => edge.amount);
}

async function relayRuntime(pages, node) {
  // What the compiler of Relay makes of the text with @connection(key: "Account_payments").
  const scalars = (...names) => names.map((name) => ({ kind: "ScalarField", alias: null, args: null, name, storageKey: null }));
  const object = (name, concreteType, plural, selections, args = null) => ({ kind: "LinkedField", alias: null, args, concreteType, name, plural, selections, storageKey: null });
  const args = ["after", "first"].map((name) => ({ kind: "Variable", name, variableName: name }));
  const edge = [...scalars("cursor", "amount"), ...(node ? [object("node", "Account", false, scalars("__typename", "id"))] : [])];
  const connection = [object("edges", "PaymentEdge", true, edge), object("pageInfo", "PageInfo", false, scalars("hasNextPage", "endCursor", "hasPreviousPage", "startCursor"))];
  const handle = { kind: "LinkedHandle", alias: null, args, filters: null, handle: "connection", key: "Account_payments", name: "payments" };
  const selections = [object("account", "Account", false, [...scalars("__typename", "id"), object("payments", "PaymentConnection", false, connection, args), handle])];
  const argumentDefinitions = ["after", "first"].map((name) => ({ kind: "LocalArgument", name, defaultValue: null }));
  const request = {
    kind: "Request",
    fragment: { kind: "Fragment", name: "Asked", type: "Query", argumentDefinitions, metadata: null, abstractKey: null, selections },
    operation: { kind: "Operation", name: "Asked", argumentDefinitions, selections },
    params: { id: null, cacheID: "asked", metadata: {}, name: "Asked", operationKind: "query", text: text(node) },
  };
  const environment = new relay.Environment({ network: relay.Network.create(() => relay.Observable.create(() => {})), store: new relay.Store(new relay.RecordSource()) });
  for (const variables of pages) environment.commitPayload(relay.createOperationDescriptor(request, variables), answer(variables, node).data);
  let found;
  relay.commitLocalUpdate(environment, (store) => {
    const kept = relay.ConnectionHandler.getConnection(store.getRoot().getLinkedRecord("account"), "Account_payments");
    found = kept.getLinkedRecords("edges").map((one) => one.getValue("amount"));
  });
  return found;
}

const ALL = [100, 250, 30, 999];
const ONE = [{ first: 4, after: null }];
const TWO = [{ first: 2, after: null }, { first: 2, after: "2" }];
const CASES = [  // what is asked; the client; whether `node` is; the pages; what comes
  ["one page", "apollo", true, ONE, ALL],
  ["one page", "relay", true, ONE, ALL],
  ["one page", "urql", true, ONE, [100, 30]],
  ["two pages", "apollo", true, TWO, ALL],
  ["two pages", "relay", true, TWO, [100, 30]],
  ["two pages", "urql", true, TWO, [100, 30]],
  ["two pages without `node`", "apollo", false, TWO, []],
  ["two pages without `node`", "relay", false, TWO, ALL],
  ["two pages without `node`", "urql", false, TWO, []],
];

(async () => {
  const clients = { apollo, relay: relayRuntime, urql };
  let changed = 0;
  for (const name of ["@apollo/client", "relay-runtime", "@urql/exchange-graphcache"]) console.log(name, require(`${name}/package.json`).version);
  for (const [asked, client, node, pages, known] of CASES) {
    const found = await clients[client](pages, node);
    console.log(`\n  ${asked}, ${client}\n    comes:    ${JSON.stringify(found)}\n    expected: ${JSON.stringify(ALL)}`);
    if (JSON.stringify(found) !== JSON.stringify(known)) {
      console.log(`    CHANGED:  it was ${JSON.stringify(known)}`);
      changed++;
    }
  }
  process.exit(changed ? 1 : 0);
})();
JAVASCRIPT
node finding.cjs
