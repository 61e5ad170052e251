// What the checks of live.mjs have in common: the service by REST and by query, and subscriptions that note what comes.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

export const url = process.env.AMLGRAPH_URL;
export const key = process.env.AMLGRAPH_KEY;
/** Far longer than anything takes, on a busy machine. */
const SOON = 120_000;

/** Waits until something is so. */
export async function until(what, isSo) {
  const deadline = Date.now() + SOON;
  for (;;) {
    const value = await isSo();
    if (value) return value;
    assert.ok(Date.now() < deadline, `not in time: ${what}`);
    await sleep(20);
  }
}

/** A request that must succeed. */
export async function send(method, path, body, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  // Some operations answer with the word OK.
  return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
}

/** The data of a query by POST. */
export async function ask(query, variables = {}) {
  const { data, errors } = await send("POST", "/graphql", { query, variables });
  assert.equal(errors, undefined, `${query}: ${JSON.stringify(errors)}`);
  return data;
}

/** The position of the last change that there is. */
export async function now() {
  return (await ask("{ changes(first: 1) { last } }")).changes.last;
}

/** The changes of a case behind a position, as the change feed has them. */
export async function changesOf(caseId, after) {
  const query = "query($after: ID) { changes(after: $after, first: 200) { position last sets { position changes { action caseId } } } }";
  const found = [];
  for (;;) {
    const { changes } = await ask(query, { after });
    for (const set of changes.sets) {
      for (const change of set.changes) {
        if (change.caseId === caseId) found.push(`${set.position} ${change.action}`);
      }
    }
    if (changes.position === changes.last) return found;
    after = changes.position;
  }
}

/** An event as changesOf tells it: the position of its set, and what was done. */
export function told(event) {
  return `${event.position.split(".")[0]} ${event.action}`;
}

/**
 * Subscribes by either client. What comes is noted; `after` is the position of the last event: a client that connects again sends the payload as it is then.
 */
export function follow(client, field, query, variables = {}) {
  const payload = { query, variables };
  const followed = { events: [], refused: [], isComplete: false, error: null };
  followed.leave = client.subscribe(payload, {
    next(result) {
      if (result.errors || !result.data) {
        followed.refused.push(result);
        return;
      }
      const event = result.data[field];
      if (event.position) payload.variables = { ...payload.variables, after: event.position };
      followed.events.push(event);
    },
    error(error) {
      followed.error = error;
    },
    complete() {
      followed.isComplete = true;
    },
  });
  return followed;
}

/** The only result of a query or a mutation, by either client. */
export function answer(client, query, variables = {}) {
  return new Promise((resolve, reject) => {
    let result;
    client.subscribe({ query, variables }, { next: (value) => (result = value), error: reject, complete: () => resolve(result) });
  });
}
