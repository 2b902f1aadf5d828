/**
 * Where things lie below an etcd cluster's folder in the store. Names are those of kops's etcd-manager
 * (pkg/backup/vfs.go, pkg/commands/vfs.go), so that either side can read the other's; `control/members` is our own.
 */
export const CREATED = 'control/etcd-cluster-created';
export const SPEC = 'control/etcd-cluster-spec';
export const BACKUP_DATA = 'etcd.backup.gz';
/** Written last: a backup without it was not finished. */
export const BACKUP_META = '_etcd_backup.meta';

/** Written once a member has served: from then on its empty disk means lost data, not a first start. */
export function startedPath(token: string, member: string): string {
  return `control/members/${token}/${member}.json`;
}

/** kops's name of a backup: `2018-01-30T01:02:03Z-000009`. */
export function backupName(nowMs: number, sequence: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z-${String(sequence).padStart(6, '0')}`;
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
export function printMarker(marker: Marker, nowMs: number): string {
  return `{"timestamp":${nowMs}000000,${JSON.stringify(marker).slice(1)}\n`;
}

/** What control wants of the etcd cluster. */
export interface ClusterSpec {
  readonly memberCount: number;
  readonly etcdVersion: string;
}

/** kops refuses fields it does not know here, so there are none of ours. Its time is in seconds, as a
 * string: so protobuf's JSON form has 64-bit numbers. */
export function printBackupMeta(spec: ClusterSpec, nowMs: number): string {
  const timestamp = String(Math.floor(nowMs / 1000));
  return JSON.stringify({ etcdVersion: spec.etcdVersion, timestamp, clusterSpec: spec }, undefined, 2);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
