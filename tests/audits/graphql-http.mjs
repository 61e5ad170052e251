// The audits of GraphQL over HTTP that the npm package graphql-http brings, against a running server:
//
//   AMLGRAPH_URL=http://… AMLGRAPH_KEY=… node graphql-http.mjs
//
// Each must be met, those that say MAY or SHOULD too. Exit code 1 when one is not, or when there are fewer than there were.

import { serverAudits } from 'graphql-http';

// So many are in the version that package.json names.
const AUDITS = 61;

const { AMLGRAPH_URL: server, AMLGRAPH_KEY: key } = process.env;
if (!server || !key) {
  console.error('AMLGRAPH_URL and AMLGRAPH_KEY say which server, and with which key');
  process.exit(2);
}

// What every request here needs: a key, and for a query in the address a header that no form can send.
function fetchAsClient(url, options = {}) {
  const headers = new Headers(options.headers);
  headers.set('x-api-key', key);
  if ((options.method ?? 'GET') === 'GET') {
    headers.set('graphql-require-preflight', '1');
  }
  return fetch(url, { ...options, headers });
}

const audits = serverAudits({ url: `${server}/graphql`, fetchFn: fetchAsClient });
const notMet = [];
for (const audit of audits) {
  const { status, reason, response } = await audit.fn();
  if (status !== 'ok') {
    notMet.push(audit);
    console.log(`${audit.id} ${audit.name}: ${status}: ${reason}`);
  }
  // A connection whose answer is not read is not used again.
  if (response && !response.bodyUsed) {
    await response.arrayBuffer();
  }
}
console.log(`graphql-http: ${audits.length - notMet.length} of ${audits.length} audits are ok`);
process.exitCode = notMet.length === 0 && audits.length === AUDITS ? 0 : 1;
