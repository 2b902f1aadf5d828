/**
 * Where things lie below an etcd cluster's folder in the store. Names are those of kops's etcd-manager
 * (pkg/commands/vfs.go), so that either side can read the other's; `control/members` is our own. What backups and
 * commands look like is in shared/state-store/src/etcd, because control reads and writes them as well.
 */
export const CREATED = 'control/etcd-cluster-created';
export const SPEC = 'control/etcd-cluster-spec';

/** Below it a folder for each cluster that there ever was, by its token. */
export const STARTED = 'control/members';

/** Where the members are named that have served at some time. */
export function startedFolder(token: string): string {
  return `${STARTED}/${token}`;
}

/** Written once a member has served: from then on its empty disk means lost data, not a first start. */
export function startedPath(token: string, member: string): string {
  return `${startedFolder(token)}/${member}.json`;
}

/** The marker that an etcd cluster exists. Whoever creates it has formed the cluster, and nobody ever forms another. */
export interface Marker {
  /** Absent in a marker that kops wrote, which holds the time alone. */
  readonly token?: string;
  readonly members: readonly string[];
}

/** Undefined of a file that is torn. */
export function parseMarker(text: string): Marker | undefined {
  const fields = objectIn(text);
  if (fields === undefined) return undefined;
  const { token, members } = fields;
  return {
    ...(typeof token === 'string' && token !== '' && { token }),
    members: Array.isArray(members) ? members.filter((member) => typeof member === 'string') : [],
  };
}

/** The time is in nanoseconds, which no number of JavaScript holds exactly. */
export function printMarker({ token, members }: Marker, nowMs: number): string {
  return `{"timestamp":${nowMs}000000,${JSON.stringify({ token, members }).slice(1)}\n`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
