/**
 * The paths below an etcd cluster's folder in the store. The names are those of kops's etcd-manager
 * (pkg/commands/vfs.go), so that each can read what the other wrote; only `control/members` is new. The format of backups
 * and commands is in shared/state-store/src/etcd, because control reads and writes them as well.
 */
export const CREATED = 'control/etcd-cluster-created';
export const SPEC = 'control/etcd-cluster-spec';

/** Holds a folder for each cluster that ever existed, named by the cluster's token. */
export const STARTED = 'control/members';

/** Holds a file for each member that has ever started as one of the first, or has served the cluster. */
export function startedFolder(token: string): string {
  return `${STARTED}/${token}`;
}

/** Exists once a member has begun its first start, or has served. From then on another volume without data means lost data. */
export function startedPath(token: string, member: string): string {
  return `${startedFolder(token)}/${member}.json`;
}

/** What `startedPath` holds for a first member. */
export interface FirstStart {
  /** Random; the volume on which the start was begun has it as well. */
  readonly id: string;
  /** The first members of the cluster. */
  readonly founders: readonly string[];
}

/** Undefined if the text is that of a member that did not start as one of the first, or is damaged. */
export function parseFirstStart(text: string): FirstStart | undefined {
  const { firstStart, founders } = objectIn(text) ?? {};
  if (typeof firstStart !== 'string' || !Array.isArray(founders)) return undefined;
  return { id: firstStart, founders: founders.filter((member) => typeof member === 'string') };
}

export function printFirstStart({ id, founders }: FirstStart): string {
  return `${JSON.stringify({ firstStart: id, founders })}\n`;
}

/** Marks that an etcd cluster exists. The machine that creates the marker has formed the cluster; no other is ever formed. */
export interface Marker {
  /** Absent from a marker that kops wrote, which holds only a time. */
  readonly token?: string;
  readonly members: readonly string[];
}

/** Undefined if the text is damaged. */
export function parseMarker(text: string): Marker | undefined {
  const fields = objectIn(text);
  if (fields === undefined) return undefined;
  const { token, members } = fields;
  return {
    ...(typeof token === 'string' && token !== '' && { token }),
    members: Array.isArray(members) ? members.filter((member) => typeof member === 'string') : [],
  };
}

/** The time is in nanoseconds, which a JavaScript number cannot hold exactly, so it is printed as text. */
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
