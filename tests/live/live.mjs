// What a page sees of subscriptions with the clients that pages use. Each check prints a line; the first that fails ends the process.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient as createStreams } from "graphql-sse";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import { answer, ask, changesOf, follow, key, now, send, told, until, url } from "./following.mjs";

const CASE_CHANGES = "subscription($id: ID, $after: ID) { caseChanges(id: $id, after: $after) { position at action case { id version } } }";
const NEW_OBSERVATIONS = "subscription($after: ID) { newObservations(after: $after) { position observation { id type } } }";
const BULK_PROGRESS = "subscription($requestId: ID!) { bulkProgress(requestId: $requestId) { pending deferred failed done } }";

/** A client over a socket, and what it has seen of its connection. */
function socketClient(options = {}) {
  const seen = { connected: 0, retries: 0, closes: [] };
  const client = createClient({
    url: `${url.replace(/^http/, "ws")}/graphql/ws`,
    webSocketImpl: WebSocket,
    connectionParams: { "x-api-key": key },
    retryAttempts: 1000,
    retryWait: () => sleep(100),
    // Without it the client gives up where nobody listens: it takes that for no close of a connection.
    shouldRetry: () => true,
    on: {
      connected: () => seen.connected++,
      connecting: (isRetry) => (seen.retries += isRetry ? 1 : 0),
      closed: (event) => seen.closes.push(event.code),
    },
    ...options,
  });
  return { client, seen };
}

async function newCase() {
  const id = randomUUID();
  await send("POST", "/api/cases", { id, actors: [{ id: `actor-of-${id}` }] });
  return id;
}

/** Changes a case so many times, one after another. */
async function change(id, from, times) {
  for (let number = from; number < from + times; number++) {
    await send("PATCH", `/api/cases/${id}`, { c__n: number });
  }
}

/** That a subscription has told each change of a case once and in order. */
async function hasToldAll(followed, id, after, wanted) {
  await until(`${wanted} events come`, () => followed.events.length >= wanted);
  const changes = await changesOf(id, after);
  assert.equal(changes.length, wanted);
  assert.deepEqual(followed.events.map(told), changes);
  assert.ok(followed.events.every((event) => event.case.id === id));
  assert.deepEqual(followed.refused, []);
}

async function operations() {
  const { client, seen } = socketClient();
  const id = await newCase();
  const query = "query($id: ID!) { case(id: $id) { id version } }";
  assert.deepEqual(await answer(client, query, { id }), { data: await ask(query, { id }) });
  const mutation = "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { userErrors { code } case { version } } }";
  const commented = await answer(client, mutation, { input: { caseId: id, text: "Looks odd." } });
  assert.deepEqual(commented, { data: { commentOnCase: { userErrors: [], case: { version: 2 } } } });
  await assert.rejects(answer(client, "{ nothing }"), (errors) => errors[0].message.includes("nothing"));
  assert.ok(seen.connected >= 1 && seen.retries === 0, JSON.stringify(seen));
  await client.dispose();
}

async function wrongKey() {
  const seen = { connecting: 0 };
  const client = createClient({
    url: `${url.replace(/^http/, "ws")}/graphql/ws`,
    webSocketImpl: WebSocket,
    connectionParams: { "x-api-key": "wrong" },
    on: { connecting: () => seen.connecting++ },
  });
  await assert.rejects(answer(client, "{ __typename }"), (closed) => closed.code === 4401 && closed.reason.length > 0);
  // Longer than the client waits before its first retry.
  await sleep(4_500);
  assert.equal(seen.connecting, 1);
  await client.dispose();
}

async function changesInOrder() {
  const { client } = socketClient();
  const after = await now();
  const id = await newCase();
  const followed = follow(client, "caseChanges", CASE_CHANGES, { id, after });
  const other = await newCase();
  await Promise.all([change(id, 0, 25), change(other, 0, 25)]);
  await hasToldAll(followed, id, after, 26);
  const { case: stored } = await ask("query($id: ID!) { case(id: $id) { id version } }", { id });
  assert.deepEqual(followed.events.at(-1).case, stored);
  followed.leave();
  await until("the client knows that it is over", () => followed.isComplete);
  await client.dispose();
}

async function cutOff() {
  const { client, seen } = socketClient();
  const after = await now();
  const id = await newCase();
  const followed = follow(client, "caseChanges", CASE_CHANGES, { id, after });
  await until("the client is there", () => seen.connected === 1);
  for (let turn = 0; turn < 5; turn++) {
    const connected = seen.connected;
    await change(id, turn * 10, 5);
    client.terminate();
    // Nobody is there to be told of these.
    await change(id, turn * 10 + 5, 5);
    await until("the client is back", () => seen.connected > connected);
  }
  await hasToldAll(followed, id, after, 51);
  assert.ok(seen.connected === 6 && followed.error === null, JSON.stringify(seen));
  await client.dispose();
}

async function observations() {
  const { client } = socketClient();
  const followed = follow(client, "newObservations", NEW_OBSERVATIONS, { after: await now() });
  const ids = Array.from({ length: 5 }, () => randomUUID());
  for (const id of ids) {
    await send("POST", "/api/observations", { id, type: "ALERT_RULE", behaviorId: "structuring", behaviorName: "Structuring", date: 1_718_280_000 });
  }
  await until("observations come", () => followed.events.length >= ids.length);
  assert.deepEqual(followed.events.map((event) => event.observation), ids.map((id) => ({ id, type: "ALERT_RULE" })));
  await client.dispose();
}

async function bulk() {
  const { client } = socketClient();
  const requestId = randomUUID();
  const actors = Array.from({ length: 400 }, (_, number) => ({ id: `${requestId}-${number}`, type: "INDIVIDUAL", as_of_date: "2024-01-01" }));
  await send("POST", "/api/bulk", { actors }, { "x-request-id": requestId });
  const followed = follow(client, "bulkProgress", BULK_PROGRESS, { requestId });
  await until("the request is done", () => followed.isComplete);
  const left = followed.events.map((event) => event.pending + event.deferred);
  assert.ok(left.every((count, at) => at === 0 || count <= left[at - 1]), `it goes on: ${left}`);
  assert.deepEqual(followed.events.at(-1), { pending: 0, deferred: 0, failed: 0, done: true });
  assert.deepEqual(followed.events.map((event) => event.done).indexOf(true), followed.events.length - 1);
  await client.dispose();
}

async function streams() {
  const options = { url: `${url}/graphql/stream`, headers: { "x-api-key": key }, retryAttempts: 0 };
  const seen = { connecting: 0 };
  const client = createStreams({ ...options, on: { connecting: () => seen.connecting++ } });
  const after = await now();
  const id = await newCase();
  const followed = follow(client, "caseChanges", CASE_CHANGES, { id, after });
  await change(id, 0, 10);
  await hasToldAll(followed, id, after, 11);
  followed.leave();
  const query = "query($id: ID!) { case(id: $id) { id version } }";
  assert.deepEqual(await answer(client, query, { id }), { data: await ask(query, { id }) });
  const before = seen.connecting;
  const refused = follow(client, "nothing", "subscription { nothing }");
  await until("the refusal has come", () => refused.isComplete || refused.error);
  assert.equal(refused.error, null);
  assert.match(refused.refused[0].errors[0].message, /nothing/);
  assert.deepEqual([refused.refused.length, refused.events.length, seen.connecting], [1, 0, before + 1]);
  client.dispose();
}

async function restart() {
  const { client, seen } = socketClient();
  const after = await now();
  const id = await newCase();
  const followed = follow(client, "caseChanges", CASE_CHANGES, { id, after });
  await change(id, 0, 10);
  await until("the client is told", () => followed.events.length > 0);
  writeFileSync("restart", "");
  await until("the program is there again", () => existsSync("restarted"));
  assert.equal(seen.closes[0], 1001, "a stop says that it is one");
  await change(id, 10, 10);
  await hasToldAll(followed, id, after, 21);
  assert.ok(seen.connected >= 2 && seen.retries >= 1 && followed.error === null && !followed.isComplete, JSON.stringify(seen));
  await client.dispose();
}

// The last one stops the program and starts it.
for (const check of [operations, wrongKey, changesInOrder, cutOff, observations, bulk, streams, restart]) {
  await check();
  console.log(`live: ${check.name}`);
}
process.exit(0);
