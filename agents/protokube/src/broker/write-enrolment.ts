import { type Enrolment, enrolmentPath, parseEnrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { BrokerRefusal } from './refusal.ts';
import { whyNotEnrolled } from './why-not-enrolled.ts';

interface EnrolmentWrite {
  readonly cluster: string;
  readonly enrolment: Enrolment;
  /** The version that it replaces; undefined if there must be none. */
  readonly version: string | undefined;
  readonly machines: readonly CloudMachine[];
}

/**
 * Writes an enrolment if the stored one is still as it was read; false if it is not, and nothing was written.
 *
 * @throws BrokerRefusal if no authority may write that
 */
export async function writeEnrolment(
  { cluster, enrolment, version, machines }: EnrolmentWrite,
  store: StateStore,
  signal: AbortSignal,
): Promise<boolean> {
  const path = enrolmentPath(cluster, enrolment.node);
  const stored = await store.read(path, signal);
  if (stored?.version !== version) return false;
  const before = stored && parseEnrolment(Buffer.from(stored.bytes).toString('utf8'));
  const whyNot = whyNotEnrolled(enrolment, before, machines, Date.now());
  if (whyNot !== undefined) throw new BrokerRefusal(403, whyNot);
  const condition = ifUnchanged(version);
  try {
    await store.write(path, Buffer.from(printEnrolment(enrolment)), condition, signal);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}
