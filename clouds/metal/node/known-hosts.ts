import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { nodesFolder } from '@kopsctl/node-identity/enrolment.ts';
import { type HostRecord, isHostPath, parseHost } from '@kopsctl/node-identity/host-record.ts';
import { KnownObjects } from '@kopsctl/state-store/known-objects.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** The machines that people enrolled, as the state store lists them. */
export function knownHosts(cluster: string, store: StateStore): KnownObjects<HostRecord> {
  const isHost = (path: string): boolean => isHostPath(cluster, path);
  return new KnownObjects(store, nodesFolder(cluster), isHost, (text, path) => {
    try {
      return parseHost(text);
    } catch (cause) {
      throw new ActionableError({
        what: `list the machines of ${cluster}`,
        why: `${path} in ${store.url}: ${messageOf(cause)}`,
        next: 'enroll that machine again with `kopsctl toolbox enroll`, or delete the file if it is gone',
        cause,
      });
    }
  });
}
