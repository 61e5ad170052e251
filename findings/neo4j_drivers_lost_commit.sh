#!/usr/bin/env bash
# neo4j-driver 6.3.0 for JavaScript: when the connection is lost between a commit and its answer, `executeWrite` and `executeQuery` do the work once more,
# and report it once as done. The driver for Python, neo4j 6.4.1, has an error of its own for it (IncompleteCommit), which is not tried again.
# The JavaScript one says ServiceUnavailable, as where no server was found, and that is tried again, also by one's own loop on `isRetryableError`. Its text
# says that some failures of the commit are tried again; not that one of them may have been none. `beginTransaction` and `session.run` do it once, and say
# the error. What helps: an id of the payment that is merged or unique, so that the second is no second one.
# Seen also of Neo4j 5.26.24, with a proxy that loses the answer to the first commit: two nodes of one `executeWrite`.
# Expected: an error, as from the other driver. Who does not know whether it was done has to look.
# Needs Node 20 or later, npm, and Python 3.10 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check neo4j==6.4.1
npm install --silent --no-audit --no-fund --no-save neo4j-driver@6.3.0
cat > pay.py << 'PYTHON'
import logging
import sys

import neo4j

logging.disable()


def pay(way, driver):
    if way == "execute_query":
        return driver.execute_query("CREATE (:Payment)")
    with driver.session() as session:
        if way == "execute_write":
            return session.execute_write(lambda transaction: transaction.run("CREATE (:Payment)").consume())
        with session.begin_transaction() as transaction:
            transaction.run("CREATE (:Payment)").consume()
            transaction.commit()


with neo4j.GraphDatabase.driver(sys.argv[1], auth=("name", "word")) as driver:
    try:
        pay(sys.argv[2], driver)
        print("well")
    except neo4j.exceptions.DriverError as error:
        print(f"{type(error).__name__}, retryable: {str(error.is_retryable()).lower()}")
PYTHON
cat > finding.cjs << 'JAVASCRIPT'
const { execFile } = require("node:child_process");
const { readFileSync } = require("node:fs");
const net = require("node:net");
const { promisify } = require("node:util");
const neo4j = require("neo4j-driver");

/** One message of Bolt that has one map of texts. */
function message(tag, map) {
  const texts = Object.entries(map).flat().map((text) => Buffer.concat([Buffer.from([0xd0, text.length]), Buffer.from(text)]));
  const body = Buffer.concat([Buffer.from([0xb1, tag, 0xa0 | Object.keys(map).length]), ...texts]);
  return Buffer.concat([Buffer.from([body.length >> 8, body.length & 255]), body, Buffer.from([0, 0])]);
}
const [HELLO, GOODBYE, RUN, BEGIN, COMMIT, PULL] = [0x01, 0x02, 0x10, 0x11, 0x12, 0x3f];
const FIELDS = Buffer.concat([Buffer.from([0, 11, 0xb1, 0x70, 0xa1, 0x86]), Buffer.from("fields"), Buffer.from([0x90, 0, 0])]);

/** A server of Bolt 5.4 that keeps what is committed. The first commit is kept, and the connection is lost before that is said. */
async function serve() {
  const state = { asked: 0, kept: 0 };
  state.server = net.createServer((socket) => {
    let [bytes, body, greeted, open] = [Buffer.alloc(0), [], false, false];
    socket.on("error", () => {});
    const answer = (tag) => {
      if (tag === GOODBYE) return socket.end();
      if (tag === RUN) state.asked++;
      if (tag === BEGIN) open = true;
      if (tag === COMMIT || (tag === PULL && !open)) {
        open = false;
        if (++state.kept === 1) return socket.destroy();
      }
      const done = { [HELLO]: { server: "Neo4j/5.26.24", connection_id: "bolt-1" }, [PULL]: { type: "w", db: "neo4j" }, [COMMIT]: { bookmark: "b" } };
      socket.write(tag === RUN ? FIELDS : message(0x70, done[tag] ?? {}));
    };
    socket.on("data", (part) => {
      bytes = Buffer.concat([bytes, part]);
      if (!greeted && bytes.length >= 20) {
        greeted = true;
        bytes = bytes.subarray(20);
        socket.write(Buffer.from([0, 0, 4, 5]));
      }
      while (greeted && bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
        const length = bytes.readUInt16BE(0);
        if (length) body.push(bytes.subarray(2, 2 + length));
        bytes = bytes.subarray(2 + length);
        if (length || !body.length) continue;
        const tag = Buffer.concat(body)[1];
        body = [];
        answer(tag);
      }
    });
  });
  await new Promise((done) => state.server.listen(0, "127.0.0.1", done));
  state.url = `bolt://127.0.0.1:${state.server.address().port}`;
  return state;
}

const JAVASCRIPT = {
  executeWrite: (session) => session.executeWrite((transaction) => transaction.run("CREATE (:Payment)")),
  executeQuery: (_, driver) => driver.executeQuery("CREATE (:Payment)"),
  beginTransaction: async (session) => {
    const transaction = await session.beginTransaction();
    await transaction.run("CREATE (:Payment)");
    await transaction.commit();
  },
  run: (session) => session.run("CREATE (:Payment)"),
};

async function pay(language, way, url) {
  if (language === "Python") return (await promisify(execFile)("env/bin/python", ["pay.py", url, way])).stdout.trim();
  const driver = neo4j.driver(url, neo4j.auth.basic("name", "word"));
  try {
    await JAVASCRIPT[way](driver.session(), driver);
    return "well";
  } catch (error) {
    return `${error.code}, retryable: ${neo4j.isRetryableError(error)}`;
  } finally {
    await driver.close();
  }
}

const ERROR = "1 asked, 1 kept: ServiceUnavailable, retryable: true";
const INCOMPLETE = "1 asked, 1 kept: IncompleteCommit, retryable: false";
const CASES = [  // the driver; the way; what comes; what one expects
  ["JavaScript", "executeWrite", "2 asked, 2 kept: well", "1 asked, 1 kept, and an error"],
  ["JavaScript", "executeQuery", "2 asked, 2 kept: well", "1 asked, 1 kept, and an error"],
  ["JavaScript", "beginTransaction", ERROR, "an error that is not retryable"],
  ["JavaScript", "run", ERROR, "an error that is not retryable"],
  ["Python", "execute_write", INCOMPLETE, "the same"],
  ["Python", "execute_query", INCOMPLETE, "the same"],
  ["Python", "begin_transaction", INCOMPLETE, "the same"],
];

(async () => {
  console.log(`neo4j-driver ${JSON.parse(readFileSync("node_modules/neo4j-driver/package.json")).version}, neo4j 6.4.1 (Python)`);
  let changed = 0;
  for (const [language, way, known, expected] of CASES) {
    const state = await serve();
    const end = await pay(language, way, state.url);
    state.server.close();
    const found = `${state.asked} asked, ${state.kept} kept: ${end}`;
    console.log(`\n  ${language}, ${way}\n    comes:    ${found}\n    expected: ${expected}`);
    if (found !== known) {
      console.log(`    CHANGED:  it was ${known}`);
      changed++;
    }
  }
  process.exit(changed ? 1 : 0);
})();
JAVASCRIPT
node finding.cjs
