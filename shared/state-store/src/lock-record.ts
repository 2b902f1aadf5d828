import { asRecord } from '@kopsctl/tasks/record.ts';

/** The content of a lock object. It is kept when released, so that a release never deletes a lock of another holder. */
export interface LockRecord {
  /** Unique to this acquisition. */
  readonly id: string;
  /** The holder, for people: user, host, process. */
  readonly owner: string;
  /** The purpose, e.g. `apply`. */
  readonly purpose: string;
  readonly acquiredMs: number;
  readonly expiresMs: number;
  readonly isReleased: boolean;
  /** Which process holds it, in the words of the holder (`LockRequest.process`). */
  readonly process?: string;
}

/** Whether the lock may be taken over. Pure. */
export function isFree(record: LockRecord, nowMs: number): boolean {
  return record.isReleased || nowMs >= record.expiresMs;
}

export function printLock(record: LockRecord): Uint8Array {
  const { acquiredMs, expiresMs, ...rest } = record;
  const times = { acquired: new Date(acquiredMs).toISOString(), expires: new Date(expiresMs).toISOString() };
  return Buffer.from(`${JSON.stringify({ ...rest, ...times }, undefined, 2)}\n`);
}

/** `undefined` when the object is not a lock of ours. */
export function parseLock(bytes: Uint8Array): LockRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
  const id = textOf(value, 'id');
  const owner = textOf(value, 'owner');
  const purpose = textOf(value, 'purpose');
  const acquiredMs = Date.parse(textOf(value, 'acquired') ?? '');
  const expiresMs = Date.parse(textOf(value, 'expires') ?? '');
  if (id === undefined || owner === undefined || purpose === undefined) return undefined;
  if (Number.isNaN(acquiredMs) || Number.isNaN(expiresMs)) return undefined;
  const isReleased = asRecord(value)['isReleased'] === true;
  const process = textOf(value, 'process');
  return { id, owner, purpose, acquiredMs, expiresMs, isReleased, ...(process !== undefined && { process }) };
}

function textOf(value: unknown, name: string): string | undefined {
  const found = asRecord(value)[name];
  return typeof found === 'string' ? found : undefined;
}
