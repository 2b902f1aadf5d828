import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { GoogleRequest } from '@kopsctl/google/google-api.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { answerFields, type Compute } from './compute.ts';

/** What an operation is, and how long it may take. */
export interface Started {
  readonly place: Place;
  readonly request: GoogleRequest;
  /** By default five minutes: attaching takes seconds; after this long, the zone has a problem. */
  readonly doneWithinMs?: number;
}

const DONE_WITHIN_MS = 5 * 60_000;
/** A wait returns after two minutes at most. */
const ANSWER_WITHIN_MS = 130_000;
/** A server under load may return from a wait immediately. */
const PAUSE_MS = 500;

/** Where a resource is: `global`, `regions/us-east1`, `zones/us-east1-b`. */
export type Place = 'global' | `regions/${string}` | `zones/${string}`;

/**
 * Starts an operation on resources of a place and waits until it is done
 * (https://cloud.google.com/compute/docs/reference/rest/v1/zoneOperations and beside it).
 *
 * @throws GoogleRefusal if the operation is refused or fails
 */
export async function change(
  compute: Compute,
  { place, request, doneWithinMs = DONE_WITHIN_MS }: Started,
  signal: AbortSignal,
): Promise<void> {
  let operation = answerFields(await compute.api.call(request, signal));
  const name = operation.text('name');
  const deadline = performance.now() + doneWithinMs;
  for (let waits = 0; operation.text('status') !== 'DONE'; waits += 1) {
    if (performance.now() > deadline) throw tooLong(place, name, doneWithinMs);
    if (waits > 0) await sleep(PAUSE_MS, undefined, { signal });
    const url = `${compute.endpoint}/projects/${compute.project}/${place}/operations/${name}/wait`;
    const wait = { method: 'POST', url, withinMs: ANSWER_WITHIN_MS } as const;
    operation = answerFields(await compute.api.call(wait, signal));
  }
  const [error] = operation.has('error') ? operation.object('error').list('errors') : [];
  if (error === undefined) return;
  const code = error.text('code', '');
  throw new GoogleRefusal(`the operation ${name}`, {
    status: operation.count('httpErrorStatusCode') || 400,
    reasons: code === '' ? [] : [code],
    said: error.text('message', ''),
  });
}

const tooLong = (place: Place, name: string, withinMs: number): ActionableError =>
  new ActionableError({
    what: `wait for the operation ${name} in ${place}`,
    why: `it is not done after ${withinMs / 60_000} minutes`,
    next: `see https://status.cloud.google.com, and: gcloud compute operations list --filter name=${name}`,
  });
