#!/usr/bin/env bash
# @apollo/client 4.3.8 and @urql/core 6.0.3: who subscribes to what another part of the page has subscribed to already gets no first result.
# Both share one subscription of the server among all that ask for the same text and variables, and hand on only what comes from then on. So a subscription
# that begins with a snapshot, and goes on with changes, works in the part that is shown first and not in the second; which is which depends on the page.
# Apollo's `queryDeduplication: false`, in the context of the subscription, gives each its own; urql needs another text or other variables.
# Expected: what relay-runtime 21.0.1 and graphql-ws 6.4.2 do. A subscription is a stream of its own (GraphQL, October 2021, 6.2.3), with its first result.
# Needs Node 20 or later and npm. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save graphql@16.15.0 graphql-ws@6.4.2 ws@8.23.0 rxjs@7.8.2 @apollo/client@4.3.8 @urql/core@6.0.3 relay-runtime@21.0.1
cat > finding.cjs << 'JAVASCRIPT'
const { WebSocket, WebSocketServer } = require("ws");
const { buildSchema } = require("graphql");
const { createClient } = require("graphql-ws");
const { useServer } = require("graphql-ws/use/ws");
const apolloClient = require("@apollo/client");
const { GraphQLWsLink } = require("@apollo/client/link/subscriptions");
const urqlCore = require("@urql/core");
const relay = require("relay-runtime");

const TEXT = "subscription Balance { balance }";

/** Those that wait for a change of the balance. */
let waiting = [];
let subscriptions = 0;

/** A server of graphql-js: a subscription begins with the balance, and goes on with each change. */
function serve() {
  const schema = buildSchema("type Query { ok: Boolean } type Subscription { balance: String! }");
  schema.getSubscriptionType().getFields().balance.subscribe = async function* () {
    subscriptions++;
    yield { balance: "snapshot" };
    for (;;) yield { balance: await new Promise((change) => waiting.push(change)) };
  };
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  useServer({ schema }, server);
  return new Promise((done) => server.on("listening", () => done(server)));
}

/** The balance changes, for all that wait for it. */
function change() {
  for (const one of waiting.splice(0)) one("change");
}

// Each client gives what subscribes once more.
function plain(socket) {
  return (show) => socket.subscribe({ query: TEXT }, { next: ({ data }) => show(data.balance), error() {}, complete() {} });
}

const apollo = (context) => (socket) => {
  const client = new apolloClient.ApolloClient({ cache: new apolloClient.InMemoryCache(), link: new GraphQLWsLink(socket) });
  return (show) => client.subscribe({ query: apolloClient.gql(TEXT), context }).subscribe(({ data }) => show(data.balance));
};

function urql(socket) {
  const forwardSubscription = ({ query, variables }) => ({ subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }) });
  const client = urqlCore.createClient({ url: "http://127.0.0.1/", preferGetMethod: false, exchanges: [urqlCore.subscriptionExchange({ forwardSubscription })] });
  return (show) => client.subscription(TEXT, {}).subscribe(({ data }) => show(data.balance));
}

function relayRuntime(socket) {
  const subscribe = ({ text, name }, variables) => relay.Observable.create((sink) => socket.subscribe({ query: text, operationName: name, variables }, sink));
  const network = relay.Network.create(() => relay.Observable.create(() => {}), subscribe);
  const environment = new relay.Environment({ network, store: new relay.Store(new relay.RecordSource()) });
  // What the compiler of Relay makes of the text.
  const selections = [{ kind: "ScalarField", alias: null, args: null, name: "balance", storageKey: null }];
  const subscription = {
    kind: "Request",
    fragment: { kind: "Fragment", name: "Balance", type: "Subscription", argumentDefinitions: [], metadata: null, abstractKey: null, selections },
    operation: { kind: "Operation", name: "Balance", argumentDefinitions: [], selections },
    params: { id: null, cacheID: "balance", metadata: {}, name: "Balance", operationKind: "subscription", text: TEXT },
  };
  return (show) => relay.requestSubscription(environment, { subscription, variables: {}, onNext: ({ balance }) => show(balance) });
}

const BOTH = "snapshot, change";
const CASES = [  // the client; what the second gets
  ["graphql-ws", "", plain, BOTH],
  ["relay-runtime", "", relayRuntime, BOTH],
  ["@apollo/client", "", apollo({}), "change"],
  ["@apollo/client", ", queryDeduplication: false", apollo({ queryDeduplication: false }), BOTH],
  ["@urql/core", "", urql, "change"],
];

(async () => {
  const server = await serve();
  let changed = 0;
  for (const [name, option, client, known] of CASES) {
    [waiting, subscriptions] = [[], 0];
    const socket = createClient({ url: `ws://127.0.0.1:${server.address().port}`, webSocketImpl: WebSocket });
    const subscribe = client(socket);
    const second = [];
    await new Promise((done) => subscribe(done));
    const changes = setInterval(change, 500);
    await new Promise((done) => subscribe((balance) => {
      second.push(balance);
      if (balance === "change") done();
    }));
    clearInterval(changes);
    const found = second.join(", ");
    console.log(`\n  ${name} ${require(`${name}/package.json`).version}${option}: the second of one page, ${subscriptions} at the server`);
    console.log(`    comes:    ${found}\n    expected: ${BOTH}`);
    if (found !== known) {
      console.log(`    CHANGED:  it was ${known}`);
      changed++;
    }
    await socket.dispose();
  }
  process.exit(changed ? 1 : 0);
})();
JAVASCRIPT
node finding.cjs
