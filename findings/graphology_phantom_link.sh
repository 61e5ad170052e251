#!/usr/bin/env bash
# graphology-metrics 2.4.2 invents a link where payments are parallel or to oneself: from the account added last to the one added first.
# Its index of neighbours has room for each payment, but holds each neighbour once. The rest is zeros, and reads as the account of place 0.
# Betweenness and closeness go through that link, so they differ by the order of adding. No error comes, as it does of HITS for a multigraph.
# Expected: what the same graph gives without the second payment or the loop, as neither is on a shorter path.
# Needs Node 20 or later and npm. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save graphology@0.26.0 graphology-types@0.24.8 graphology-metrics@2.4.2 graphology-indices@0.17.0
cat > finding.cjs << 'JAVASCRIPT'
const { readFileSync } = require("node:fs");
const { Graph } = require("graphology");
const { NeighborhoodIndex } = require("graphology-indices/neighborhood");
const metrics = require("graphology-metrics");

const MEASURES = {
  neighbours: (graph) => new NeighborhoodIndex(graph).project(),
  betweenness: (graph) => metrics.centrality.betweenness(graph, { normalized: false, getEdgeWeight: null }),
  "betweenness by weights of 1": (graph) => metrics.centrality.betweenness(graph, { normalized: false }),
  closeness: (graph) => metrics.centrality.closeness(graph),
};

function measured(measure, type, accounts, payments) {
  const graph = new Graph({ type, multi: true });
  for (const account of accounts) graph.addNode(account);
  for (const [source, target] of payments) graph.addEdge(source, target, { weight: 1 });
  const found = MEASURES[measure](graph);
  const value = (account) => (Array.isArray(found[account]) ? found[account].join("") : Number(found[account].toFixed(3)));
  return JSON.stringify(Object.fromEntries([...accounts].sort().map((account) => [account, value(account)])));
}

const TWICE = ["ab", "ab", "bc"];
const LOOP = ["ab", "bb", "bc", "cd"];
const CASES = [  // the measure; directed or not; the accounts in the order of adding; the payments; what comes; those without what makes it differ
  ["neighbours", "directed", "abc", TWICE, '{"a":"b","b":"c","c":"a"}', ["ab", "bc"]],
  ["betweenness", "directed", "abc", TWICE, '{"a":1,"b":1,"c":1}', ["ab", "bc"]],
  ["betweenness", "directed", "cba", TWICE, '{"a":0,"b":0,"c":0}', ["ab", "bc"]],
  ["betweenness by weights of 1", "directed", "abc", TWICE, '{"a":0,"b":1,"c":0}', ["ab", "bc"]],
  ["closeness", "directed", "abc", TWICE, '{"a":0,"b":1,"c":1}', ["ab", "bc"]],
  ["closeness", "directed", "cba", TWICE, '{"a":0.667,"b":0.667,"c":0.667}', ["ab", "bc"]],
  ["neighbours", "undirected", "abcd", LOOP, '{"a":"b","b":"abc","c":"bd","d":"ca"}', ["ab", "bc", "cd"]],
  ["betweenness", "undirected", "abcd", LOOP, '{"a":0.25,"b":1.25,"c":1.25,"d":0.25}', ["ab", "bc", "cd"]],
  ["betweenness by weights of 1", "undirected", "abcd", LOOP, '{"a":0.5,"b":1,"c":1,"d":0.5}', ["ab", "bc", "cd"]],
  ["closeness", "undirected", "abcd", LOOP, '{"a":0.5,"b":0.75,"c":0.75,"d":0.75}', ["ab", "bc", "cd"]],
];

let changed = 0;
for (const name of ["graphology", "graphology-indices", "graphology-metrics"]) console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version);
for (const [measure, type, accounts, payments, known, plain] of CASES) {
  const found = measured(measure, type, [...accounts], payments);
  console.log(`\n  ${measure}, ${type}, accounts ${accounts}, payments ${payments}\n    comes:    ${found}\n    expected: ${measured(measure, type, [...accounts], plain)}`);
  if (found !== known) {
    console.log(`    CHANGED:  it was ${known}`);
    changed++;
  }
}
process.exit(changed ? 1 : 0);
JAVASCRIPT
node finding.cjs
