#!/usr/bin/env bash
# graphql-ws 6.4.2, the client: its five attempts are one where the server is away, and have no end where it is back.
# Its text names the refusal of a connection as fatal, so the first one ends all subscriptions; only `shouldRetry` makes it go on. The wait before it is 4 s
# at most, so a restart that takes longer is not survived. A 503 to the upgrade, from a full or a starting server, counts as a refusal.
# Each `connection_ack` sets the count to 0, and with it the wait. So a server that takes connections and closes them with "try again later" (1013) sees each
# client every 1.3 to 4 s for ever. Behind 1000 the client comes at once, without a wait or a count, and even where `retryAttempts` is 0.
# It gives up behind 1008 (policy), 1011 (unexpected condition) and 4401 (unauthorized), and comes again behind 4403 (forbidden) and any code it does not know.
# Expected: `retryAttempts` is how often one tries, as its name says, and waits grow while nothing comes (RFC 6455, 7.2.3).
# Needs Node 20 or later and npm. Waits are noted instead of waited. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save graphql@16.15.0 graphql-ws@6.4.2 ws@8.23.0
cat > finding.cjs << 'JAVASCRIPT'
const http = require("http");
const { WebSocket, WebSocketServer } = require("ws");
const { createClient } = require("graphql-ws");

/** From this connection on the server serves, so that each case has an end. */
const SERVES = 20;

/** Ends a connection as the case says. */
function end(socket, code) {
  if (code === 1006) socket.terminate();
  else if (code === 1005) socket.close();
  else socket.close(code);
}

/**
 * What one subscription does: the retries, the numbers that `retryWait` was asked with, and its end.
 * The server ends the first connections with `code`, as many as `ends`, "behind" the acknowledgement or "before" it; then it is "away", "full" (503) or serves.
 */
async function subscribe({ code, ends = SERVES, when = "behind", then = "serves", options = {} }) {
  let connections = 0;
  const server = http.createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, raw, head) => {
    connections++;
    if (connections > ends && then === "full") return raw.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    if (connections === ends && then === "away") server.close();
    const ending = connections <= ends && connections < SERVES;
    sockets.handleUpgrade(request, raw, head, (socket) => socket.on("message", (data) => {
      const { type, id } = JSON.parse(data);
      if (type === "connection_init") ending && when === "before" ? end(socket, code) : socket.send('{"type":"connection_ack"}');
      else if (type === "subscribe") ending ? end(socket, code) : socket.send(JSON.stringify({ type: "complete", id }));
    }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  let tries = 0;
  const waits = [];
  const client = createClient({
    url: `ws://127.0.0.1:${server.address().port}`,
    webSocketImpl: WebSocket,
    retryWait: async (retries) => { waits.push(retries); },
    on: { connecting: () => { tries++; } },
    ...options,
  });
  const ended = await new Promise((done) => client.subscribe({ query: "subscription { ok }" }, { next() {}, error: () => done("error"), complete: () => done("complete") }));
  server.close();
  return { retries: tries - 1, waits, ended };
}

const always = { shouldRetry: () => true };
const endless = (wait) => `retries 19, waits ${JSON.stringify(Array(wait ? 19 : 0).fill(0))}, complete`;
const CASES = [  // what happens; how; what comes; what is expected
  ["lost once, then the server is back", { code: 1006, ends: 1 }, "retries 1, waits [0], complete", "retries 1, waits [0], complete"],
  ["lost once, then connections are refused", { code: 1006, ends: 1, then: "away" }, "retries 1, waits [0], error", "retries 5, waits [0,1,2,3,4], error"],
  ["the same with `shouldRetry: () => true`", { code: 1006, ends: 1, then: "away", options: always }, "retries 5, waits [0,1,2,3,4], error", "retries 5, waits [0,1,2,3,4], error"],
  ["lost once, then 503", { code: 1006, ends: 1, then: "full" }, "retries 1, waits [0], error", "retries 5, waits [0,1,2,3,4], error"],
  ["closed with 1013 before each acknowledgement", { code: 1013, when: "before" }, "retries 5, waits [0,1,2,3,4], error", "retries 5, waits [0,1,2,3,4], error"],
  ["closed with 1013 behind each acknowledgement", { code: 1013 }, endless(true), "retries 5, waits [0,1,2,3,4], error"],
  ["closed with 1000 behind each acknowledgement", { code: 1000 }, endless(false), "retries 5, waits [0,1,2,3,4], error"],
  ["the same with `retryAttempts: 0`", { code: 1000, options: { retryAttempts: 0 } }, endless(false), "retries 0, waits [], error"],
];

const AGAIN = [1000, 1001, 1005, 1006, 1012, 1013, 1014, 3000, 4000, 4403, 4408, 4499, 4504];
const GIVES_UP = [1002, 1003, 1007, 1008, 1009, 1010, 1011, 4004, 4005, 4400, 4401, 4406, 4409, 4429, 4500];

(async () => {
  let changed = 0;
  const compare = (found, known) => {
    if (found === known) return;
    console.log(`    CHANGED:  it was ${known}`);
    changed++;
  };
  console.log("graphql-ws", JSON.parse(require("fs").readFileSync("node_modules/graphql-ws/package.json")).version);
  for (const [what, how, known, expected] of CASES) {
    const { retries, waits, ended } = await subscribe(how);
    const found = `retries ${retries}, waits ${JSON.stringify(waits)}, ${ended}`;
    console.log(`\n  ${what}\n    comes:    ${found}\n    expected: ${expected}`);
    compare(found, known);
  }
  const again = [];
  const givesUp = [];
  for (const code of [...AGAIN, ...GIVES_UP]) {
    const { ended } = await subscribe({ code, ends: 1 });
    (ended === "complete" ? again : givesUp).push(code);
  }
  console.log(`\n  codes behind which it comes again: ${again.join(" ")}`);
  compare(again.join(" "), AGAIN.join(" "));
  console.log(`  codes behind which it gives up:    ${givesUp.join(" ")}`);
  compare(givesUp.join(" "), GIVES_UP.join(" "));
  process.exit(changed ? 1 : 0);
})();
JAVASCRIPT
node finding.cjs
