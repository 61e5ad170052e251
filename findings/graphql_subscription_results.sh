#!/usr/bin/env bash
# Three clients, one subscription: what a result shows depends on the results before it, or there are no more once one has failed.
# @urql/core 6.0.3 merges each result into the one before. A failed one shows the data of the last; its error, and any extensions, stay on all later ones;
# and the end shows the last payment once more.
# relay-runtime 21.0.1 ends the subscription at the first result without data. @apollo/client 4.3.8 shows each as it is, and graphql-ws 6.4.2 alone as well.
# Expected: GraphQL (October 2021), 6.2.3.2: each event is executed for itself, and one that fails is no end of the stream.
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

const TEXT = "subscription Paid { payment { id } }";

/** What the server does for each event: a payment, or an error in its stead. */
const EVENTS = [() => ({ id: "1" }), () => { throw new Error("unreadable"); }, () => ({ id: "3" }), () => ({ id: "4" }), () => ({ id: "5" })];

/** A server of graphql-js, which adds extensions to the result of payment 4, and completes. */
function serve() {
  const schema = buildSchema("type Payment { id: ID! } type Query { ok: Boolean } type Subscription { payment: Payment! }");
  schema.getSubscriptionType().getFields().payment.subscribe = async function* () {
    for (const event of EVENTS) yield { payment: event };
  };
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const onNext = (_context, _id, _payload, _args, result) => (result.data?.payment.id === "4" ? { ...result, extensions: { late: true } } : undefined);
  useServer({ schema, onNext }, server);
  return new Promise((done) => server.on("listening", () => done(server)));
}

/** One result as a line: the payment, the error, the extensions. */
function line(data, error, extensions) {
  return [data ? `payment ${data.payment.id}` : "no data", error && "error", extensions && `extensions ${JSON.stringify(extensions)}`].filter(Boolean).join(", ");
}

function plain(socket, show, done) {
  const next = ({ data, errors, extensions }) => show(line(data, errors, extensions));
  socket.subscribe({ query: TEXT }, { next, error: () => done("ended by an error"), complete: () => done("complete") });
}

function apollo(socket, show, done) {
  const client = new apolloClient.ApolloClient({ cache: new apolloClient.InMemoryCache(), link: new GraphQLWsLink(socket) });
  const next = ({ data, error, extensions }) => show(line(data, error, extensions));
  client.subscribe({ query: apolloClient.gql(TEXT) }).subscribe({ next, error: () => done("ended by an error"), complete: () => done("complete") });
}

function urql(socket, show, done) {
  const forwardSubscription = ({ query, variables }) => ({ subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }) });
  const client = urqlCore.createClient({ url: "http://127.0.0.1/", preferGetMethod: false, exchanges: [urqlCore.subscriptionExchange({ forwardSubscription })] });
  client.subscription(TEXT, {}).subscribe(({ data, error, extensions, hasNext }) => {
    show(line(data, error, extensions));
    if (!hasNext) done("complete");
  });
}

function relayRuntime(socket, show, done) {
  const subscribe = ({ text, name }, variables) => relay.Observable.create((sink) => socket.subscribe({ query: text, operationName: name, variables }, sink));
  const network = relay.Network.create(() => relay.Observable.create(() => {}), subscribe);
  const environment = new relay.Environment({ network, store: new relay.Store(new relay.RecordSource()) });
  // What the compiler of Relay makes of the text.
  const id = { kind: "ScalarField", alias: null, args: null, name: "id", storageKey: null };
  const selections = [{ kind: "LinkedField", alias: null, args: null, concreteType: "Payment", name: "payment", plural: false, selections: [id], storageKey: null }];
  const subscription = {
    kind: "Request",
    fragment: { kind: "Fragment", name: "Paid", type: "Subscription", argumentDefinitions: [], metadata: null, abstractKey: null, selections },
    operation: { kind: "Operation", name: "Paid", argumentDefinitions: [], selections },
    params: { id: null, cacheID: "paid", metadata: {}, name: "Paid", operationKind: "subscription", text: TEXT },
  };
  const onNext = (data) => show(line(data));
  relay.requestSubscription(environment, { subscription, variables: {}, onNext, onError: () => done("ended by an error"), onCompleted: () => done("complete") });
}

const LATE = 'extensions {"late":true}';
const EACH = ["payment 1", "no data, error", "payment 3", `payment 4, ${LATE}`, "payment 5", "complete"];
const CASES = [  // the client; what comes
  ["graphql-ws", plain, EACH],
  ["@apollo/client", apollo, EACH],
  ["@urql/core", urql, ["payment 1", "payment 1, error", "payment 3, error", `payment 4, error, ${LATE}`, `payment 5, error, ${LATE}`, `payment 5, error, ${LATE}`, "complete"]],
  ["relay-runtime", relayRuntime, ["payment 1", "ended by an error"]],
];

(async () => {
  const server = await serve();
  let changed = 0;
  for (const [name, client, known] of CASES) {
    const socket = createClient({ url: `ws://127.0.0.1:${server.address().port}`, webSocketImpl: WebSocket });
    const found = [];
    const end = await new Promise((done) => client(socket, (shown) => found.push(shown), done));
    found.push(end);
    console.log(`\n  ${name} ${require(`${name}/package.json`).version}\n    comes:    ${found.join(" | ")}\n    expected: ${EACH.join(" | ")}`);
    if (JSON.stringify(found) !== JSON.stringify(known)) {
      console.log(`    CHANGED:  it was ${known.join(" | ")}`);
      changed++;
    }
    await socket.dispose();
  }
  process.exit(changed ? 1 : 0);
})();
JAVASCRIPT
node finding.cjs
