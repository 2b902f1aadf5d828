import { enrolmentPath, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import type { Enrolments } from '../enrolment/enrol.ts';

/** What the broker does with enrolments, without its checks. */
export function storedEnrolments(cluster: string, store: StateStore): Enrolments {
  return {
    async read(node) {
      const stored = await store.read(enrolmentPath(cluster, node));
      return stored && { text: Buffer.from(stored.bytes).toString('utf8'), version: stored.version };
    },
    async write(enrolment, version) {
      const condition = ifUnchanged(version);
      try {
        await store.write(enrolmentPath(cluster, enrolment.node), Buffer.from(printEnrolment(enrolment)), condition);
        return true;
      } catch (error) {
        if (error instanceof ConflictError) return false;
        throw error;
      }
    },
  };
}
