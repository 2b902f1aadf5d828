/**
 * Where things lie below an etcd cluster's folder in the store. Names are those of kops's etcd-manager
 * (pkg/commands/vfs.go), so that either side can read the other's; `control/members` is our own. What backups and
 * commands look like is in shared/state-store/src/etcd, because control reads and writes them as well.
 */
export const CREATED = 'control/etcd-cluster-created';
export const SPEC = 'control/etcd-cluster-spec';

/** Where the members are named that have served at some time. */
export function startedFolder(token: string): string {
  return `control/members/${token}`;
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

export function parseMarker(text: string): Marker {
  const { token, members } = parseObject(text);
  return {
    ...(typeof token === 'string' && token !== '' && { token }),
    members: Array.isArray(members) ? members.filter((member) => typeof member === 'string') : [],
  };
}

/** The time is in nanoseconds, which no number of JavaScript holds exactly. */
export function printMarker({ token, members }: Marker, nowMs: number): string {
  return `{"timestamp":${nowMs}000000,${JSON.stringify({ token, members }).slice(1)}\n`;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
