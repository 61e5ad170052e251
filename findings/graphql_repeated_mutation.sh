#!/usr/bin/env bash
# Four GraphQL clients send a mutation again when its connection is lost, so it is done twice and reported once as done.
# graphql-ws 6.4.2 and graphql-sse 2.6.1 do so with their defaults, though they read as clients of subscriptions: what they subscribe to is sent anew.
# Even an answer that has arrived does not stop them: they wait for its `complete`, and the sink gets two results. The retries of @apollo/client 4.3.8
# (`RetryLink`) and @urql/exchange-retry 2.0.0 do not look at the kind of operation either, unless they are told to.
# Expected: an error, as from the same clients without retries. RFC 9110, 9.2.2: a client should not repeat by itself a request that is not idempotent.
# Needs Node 20 or later and npm; takes half a minute. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save graphql@16.15.0 graphql-ws@6.4.2 graphql-sse@2.6.1 ws@8.23.0 rxjs@7.8.2 @apollo/client@4.3.8 @urql/core@6.0.3 \
  @urql/exchange-retry@2.0.0
cat > finding.cjs << 'JAVASCRIPT'
const http = require("http");
const { WebSocket, WebSocketServer } = require("ws");
const { buildSchema, graphql } = require("graphql");
const { createClient: createWs } = require("graphql-ws");
const { useServer } = require("graphql-ws/use/ws");
const { createClient: createSse } = require("graphql-sse");
const { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } = require("@apollo/client");
const { RetryLink } = require("@apollo/client/link/retry");
const { createClient: createUrql, fetchExchange } = require("@urql/core");
const { retryExchange } = require("@urql/exchange-retry");

const TEXT = "mutation Pay { pay }";
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** How often was paid; whether the first connection is lost "before" the answer, "behind" it, or not at all (null); how to lose it. */
let paid, lost, lose;

const schema = buildSchema("type Query { ok: Boolean } type Mutation { pay: Int! }");
schema.getMutationType().getFields().pay.resolve = async () => {
  paid++;
  if (paid === 1 && lost === "before") {
    lose();
    await pause(100);
  }
  return paid;
};

/** Loses the connection when the answer is sent, and what ends the operation is not. */
async function onComplete() {
  if (paid === 1 && lost === "behind") {
    await pause(200);
    lose();
  }
}

/** One server: WebSocket, a stream at /stream, and plain HTTP. */
async function serve() {
  const server = http.createServer(async (request, response) => {
    lose = () => request.socket.destroy();
    let body = "";
    for await (const part of request) body += part;
    const result = await graphql({ schema, source: JSON.parse(body).query });
    if (request.url === "/") return response.setHeader("content-type", "application/json").end(JSON.stringify(result));
    response.setHeader("content-type", "text/event-stream").write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
    await onComplete();
    response.end("event: complete\ndata:\n\n");
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => { lose = () => socket.terminate(); });
  useServer({ schema, onComplete }, sockets);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server.address().port;
}

/** The results that a sink gets, and its end. */
function sink(subscribe) {
  const found = [];
  return new Promise((done) => subscribe({
    next: ({ data }) => found.push(data.pay),
    error: () => done([...found, "error"]),
    complete: () => done(found),
  }));
}

/** The same of a client that gives a promise of one result. */
async function once(promise) {
  const { data, error } = await promise.catch((error) => ({ error }));
  return error ? ["error"] : [data.pay];
}

const apollo = (...links) => once(new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from(links) }).mutate({ mutation: gql(TEXT) }));
const urql = (url, ...exchanges) => once(createUrql({ url, preferGetMethod: false, exchanges }).mutation(TEXT, {}).toPromise());

const CLIENTS = {
  "graphql-ws": (port) => sink((one) => createWs({ url: `ws://127.0.0.1:${port}`, webSocketImpl: WebSocket }).subscribe({ query: TEXT }, one)),
  "graphql-sse": (port) => sink((one) => createSse({ url: `http://127.0.0.1:${port}/stream` }).subscribe({ query: TEXT }, one)),
  "Apollo, HttpLink": (port) => apollo(new HttpLink({ uri: `http://127.0.0.1:${port}/` })),
  "Apollo, RetryLink and HttpLink": (port) => apollo(new RetryLink(), new HttpLink({ uri: `http://127.0.0.1:${port}/` })),
  "urql, fetchExchange": (port) => urql(`http://127.0.0.1:${port}/`, fetchExchange),
  "urql, retryExchange and fetchExchange": (port) => urql(`http://127.0.0.1:${port}/`, retryExchange({}), fetchExchange),
};

const CASES = [  // the client; when the connection is lost; how often is paid, and what the client is given; what is expected
  ["graphql-ws", null, "1, [1]", "1, [1]"],
  ["graphql-ws", "before", "2, [2]", '1, ["error"]'],
  ["graphql-ws", "behind", "2, [1,2]", "1, [1]"],
  ["graphql-sse", null, "1, [1]", "1, [1]"],
  ["graphql-sse", "before", "2, [2]", '1, ["error"]'],
  ["graphql-sse", "behind", "2, [1,2]", "1, [1]"],
  ["Apollo, HttpLink", "before", '1, ["error"]', '1, ["error"]'],
  ["Apollo, RetryLink and HttpLink", "before", "2, [2]", '1, ["error"]'],
  ["urql, fetchExchange", "before", '1, ["error"]', '1, ["error"]'],
  ["urql, retryExchange and fetchExchange", "before", "2, [2]", '1, ["error"]'],
];

(async () => {
  const port = await serve();
  let changed = 0;
  for (const name of ["graphql-ws", "graphql-sse", "@apollo/client", "@urql/core", "@urql/exchange-retry"]) {
    console.log(name, JSON.parse(require("fs").readFileSync(`node_modules/${name}/package.json`)).version);
  }
  console.log("How often is paid, and the results:");
  for (const [name, when, known, expected] of CASES) {
    [paid, lost] = [0, when];
    const given = await CLIENTS[name](port);
    const found = `${paid}, ${JSON.stringify(given)}`;
    console.log(`\n  ${name}, ${when ? `the connection is lost ${when} the answer` : "no connection is lost"}\n    comes:    ${found}\n    expected: ${expected}`);
    if (found !== known) {
      console.log(`    CHANGED:  it was ${known}`);
      changed++;
    }
  }
  process.exit(changed ? 1 : 0);
})();
JAVASCRIPT
node finding.cjs
