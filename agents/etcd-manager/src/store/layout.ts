/**
 * Where things lie below an etcd cluster's folder in the store. Names are those of kops's etcd-manager
 * (pkg/commands/vfs.go), so that either side can read the other's; `control/members` is our own. What backups and
 * commands look like is in shared/state-store/src/etcd, because control reads and writes them as well.
 */
export const CREATED = 'control/etcd-cluster-created';
export const SPEC = 'control/etcd-cluster-spec';

/** Written once a member has served: from then on its empty disk means lost data, not a first start. */
export function startedPath(token: string, member: string): string {
  return `control/members/${token}/${member}.json`;
}

/** The marker that an etcd cluster exists. Whoever creates it has formed the cluster, and nobody ever forms another. */
export interface Marker {
  /** Absent in a marker that kops wrote, which holds the time alone. */
  readonly token?: string;
  readonly members: readonly string[];
  /** When it was written; absent where that cannot be read. */
  readonly createdMs?: number;
}

export function parseMarker(text: string): Marker {
  const { token, members } = parseObject(text);
  // Nanoseconds lose their last digits in a number; milliseconds are kept.
  const nanoseconds = /"timestamp"\s*:\s*"?(\d+)/.exec(text)?.[1];
  return {
    ...(typeof token === 'string' && token !== '' && { token }),
    members: Array.isArray(members) ? members.filter((member) => typeof member === 'string') : [],
    ...(nanoseconds !== undefined && { createdMs: Number(nanoseconds.slice(0, -6)) }),
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
