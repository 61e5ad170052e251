#!/usr/bin/env bash
# neo4j-driver 6.3.0 for JavaScript: its moments and durations compare as texts, and its integers wrap around or are cut, without an error.
# `<` works for its integers, so one expects it to work here. Of two payments in one second of UTC the later one is less: a fraction sorts before the Z.
# A number beyond 64 bits becomes another number, and an integer equals the fraction behind it.
# Expected: moments by their point in time, and an error for what does not fit, as in Cypher; the same from `<` and `lessThan`.
# Needs Node 20 or later and npm. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save neo4j-driver@6.3.0
cat > finding.cjs << 'JAVASCRIPT'
const { readFileSync } = require("node:fs");
const neo4j = require("neo4j-driver");
const { int } = neo4j;
const { Date: Day, DateTime, Duration } = neo4j.types;

const at = (hour, second, nanosecond, offset) => new DateTime(2024, 1, 1, hour, 0, second, nanosecond, offset);
const noon = at(12, 0, 0, 0);
const payments = [noon, at(12, 0, 500_000_000, 0), at(12, 1, 0, 0)];
const sorted = [...payments].sort((one, other) => (one < other ? -1 : 1)).map((moment) => payments.indexOf(moment));
const LARGEST = 9223372036854775807n;

const CASES = [  // what is asked; what comes; what came; what one expects
  ["12:00:01Z > 12:00:00Z", at(12, 1, 0, 0) > noon, true, "the same"],
  ["12:00:00.5Z > 12:00:00Z", at(12, 0, 500_000_000, 0) > noon, false, "true"],
  ["12:00:00.5+02:00 > 12:00:00+02:00", at(12, 0, 500_000_000, 7200) > at(12, 0, 0, 7200), true, "the same"],
  ["payments at 12:00:00Z, 12:00:00.5Z and 12:00:01Z, sorted by <", sorted, [1, 0, 2], "[0,1,2]"],
  ["12:00:00+02:00 < 11:00:00Z", at(12, 0, 0, 7200) < at(11, 0, 0, 0), false, "true: it is an hour earlier"],
  ["9999-12-31 < 10000-01-01", new Day(9999, 12, 31) < new Day(10000, 1, 1), false, "true"],
  ["10 seconds > 9 seconds", new Duration(0, 0, 10, 0) > new Duration(0, 0, 9, 0), false, "true, or an error"],
  ["int(10) > int(9)", int(10) > int(9), true, "the same"],
  ["int of the text 18446744073709551616", int("18446744073709551616").toString(), "0", "an error: it is 2 to the 64"],
  ["int of the BigInt of an account number of 20 digits", int(12345678901234567890n).toString(), "-6101065172474983726", "an error: it does not fit"],
  ["int of the largest integer, plus 1", int(LARGEST).add(1).toString(), "-9223372036854775808", "an error, as of + in Cypher"],
  ["int(7).equals(7.9)", int(7).equals(7.9), true, "false"],
  ["int(7) < 7.9", int(7) < 7.9, true, "the same"],
  ["int(7).lessThan(7.9)", int(7).lessThan(7.9), false, "true, as by <"],
];
let changed = 0;
console.log("neo4j-driver", JSON.parse(readFileSync("node_modules/neo4j-driver/package.json", "utf8")).version);
for (const [asked, found, known, expected] of CASES) {
  console.log(`\n  ${asked}\n    comes:    ${JSON.stringify(found)}\n    expected: ${expected}`);
  if (JSON.stringify(found) !== JSON.stringify(known)) {
    console.log(`    CHANGED:  it was ${JSON.stringify(known)}`);
    changed++;
  }
}
process.exit(changed ? 1 : 0);
JAVASCRIPT
node finding.cjs
