import type { Log } from '@kopsctl/agent/log.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { nodeOfEnrolmentPath, nodesFolder, parseEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { KnownObjects } from '@kopsctl/state-store/known-objects.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RevokedNode } from './plan-revocation.ts';

/** The revoked nodes, as the state store has them. */
export function revokedMarks(cluster: string, store: StateStore, log: Log): KnownObjects<RevokedNode> {
  const isEnrolment = (path: string): boolean => nodeOfEnrolmentPath(cluster, path) !== undefined;
  return new KnownObjects(store, nodesFolder(cluster), isEnrolment, (text, path): RevokedNode | undefined => {
    try {
      const { node, revokedAt } = parseEnrolment(text);
      return revokedAt === undefined ? undefined : { node, revokedAt };
    } catch (error) {
      // Authorities give nothing to a machine whose enrolment they cannot read. The others are looked after.
      log.error('enrolment is not readable', { path, error: messageOf(error) });
      return undefined;
    }
  });
}
