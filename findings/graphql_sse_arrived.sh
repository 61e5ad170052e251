#!/usr/bin/env bash
# graphql-sse 2.6.1, the client: events that have arrived whole are shown late, or never, when the part of the next one arrives together with them.
# It hands on what it has parsed only when what it has read so far ends with a line. So a large or slow event holds back the small ones before it, and where
# the connection is lost within it, these are gone: the client comes again, and the server cannot know. It keeps no `id` and sends no `Last-Event-ID` either.
# Refusals count as lost connections: 401 or 400 is asked for six times, and the error comes when the five waits are over, half a minute or more.
# Expected: an event is complete with its empty line (HTML, 9.2.6), whatever follows; and who comes again says which was the last (9.2.3). A refusal
# is the fault of the request (RFC 9110, 15.5), and is said at once.
# Needs Node 20 or later and npm. Waits are noted instead of waited. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save graphql@16.15.0 graphql-sse@2.6.1
cat > finding.cjs << 'JAVASCRIPT'
const http = require("http");
const { createClient } = require("graphql-sse");

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const event = (payment) => `id: ${payment}\nevent: next\ndata: {"data":{"payment":${payment}}}\n\n`;
const COMPLETE = "event: complete\ndata:\n\n";

/** A server that does this for each request, which has a number from 1 on, and says how it goes: each payment, "later" when half a second is over, the end. */
async function subscribe(answer) {
  const found = [];
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests++;
    if (requests > 1) found.push(`again, behind ${request.headers["last-event-id"] ?? "nothing"}`);
    answer(requests, response, async () => {
      await pause(500);
      found.push("later");
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const client = createClient({ url: `http://127.0.0.1:${server.address().port}/`, retry: async () => {} });
  await new Promise((done) => client.subscribe({ query: "subscription { payment }" }, {
    next: ({ data }) => found.push(data.payment),
    error: (error) => done(found.push(error.message)),
    complete: () => done(found.push("complete")),
  }));
  server.closeAllConnections();
  server.close();
  return found.join(", ");
}

function begin(response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return response;
}

/** Sends `first`, and half a second later `second` and the end. */
const inTwo = (first, second) => async (_, response, later) => {
  begin(response).write(first);
  await later();
  response.end(second + COMPLETE);
};

/** Sends this, and loses the connection half a second later; the second request gets payment 4 and the end. */
const lost = (text) => async (number, response, later) => {
  if (number > 1) return begin(response).end(event(4) + COMPLETE);
  begin(response).write(text);
  await later();
  response.destroy();
};

const refuse = (status) => (_, response) => response.writeHead(status, { "content-type": "application/json" }).end('{"errors":[{"message":"refused"}]}');

const [WHOLE, PART, REST] = [event(1) + event(2), event(3).slice(0, 20), event(3).slice(20)];
const again = (count) => Array(count).fill("again, behind nothing, ").join("");
const CASES = [  // what the server sends; how; what comes; what is expected
  ["two events, later a third", inTwo(WHOLE, PART + REST), "1, 2, later, 3, complete", "1, 2, later, 3, complete"],
  ["two events and a part of the third, later its rest", inTwo(WHOLE + PART, REST), "later, 1, 2, 3, complete", "1, 2, later, 3, complete"],
  ["two events, then the connection is lost", lost(WHOLE), "1, 2, later, again, behind nothing, 4, complete", "1, 2, later, again, behind 2, 4, complete"],
  ["two events and a part of the third, then the connection is lost", lost(WHOLE + PART), "later, again, behind nothing, 4, complete",
    "1, 2, later, again, behind 2, 4, complete"],
  ["401", refuse(401), `${again(5)}Server responded with 401: Unauthorized`, "Server responded with 401: Unauthorized"],
  ["400", refuse(400), `${again(5)}Server responded with 400: Bad Request`, "Server responded with 400: Bad Request"],
];

(async () => {
  let changed = 0;
  console.log("graphql-sse", JSON.parse(require("fs").readFileSync("node_modules/graphql-sse/package.json")).version);
  for (const [what, answer, known, expected] of CASES) {
    const found = await subscribe(answer);
    console.log(`\n  ${what}\n    comes:    ${found}\n    expected: ${expected}`);
    if (found !== known) {
      console.log(`    CHANGED:  it was ${known}`);
      changed++;
    }
  }
  process.exit(changed ? 1 : 0);
})();
JAVASCRIPT
node finding.cjs
