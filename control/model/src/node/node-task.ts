import type { NodeTaskProps } from '@kopsctl/node-plan/node-tasks.ts';
import { taskId, type JsonObject, type Ref, type Task, type TaskId } from '@kopsctl/tasks/task.ts';
import type { Asset } from '../assets/asset-catalog.ts';
import type { NodeContext } from './node-context.ts';

/** Makes a task of a node plan, its props checked against the kind's contract. */
export function nodeTask<Kind extends keyof NodeTaskProps>(kind: Kind, name: string, props: NodeTaskProps[Kind]): Task {
  // JSON through and through; only the interfaces of props lack the index signature that a copy has.
  const json: JsonObject = Object.fromEntries(Object.entries(props));
  return { kind, name, props: json };
}

/** Says only that another task comes first. */
export function after(...ids: readonly TaskId[]): readonly Ref[] {
  return ids.map((ref) => ({ ref }));
}

export interface FileOptions {
  readonly mode?: string;
  readonly after?: readonly Ref[];
}

/** A text file; the task's name is its path without the leading slash. */
export function textFile(path: string, text: string, { mode = '0644', after: needs }: FileOptions = {}): Task {
  return nodeTask('File', fileName(path), { path, content: { text }, mode, ...(needs && { after: needs }) });
}

/** A secret of the cluster as a file for root alone. The plan names it, and holds nothing of it. */
export function secretFile(path: string, secret: string): Task {
  return nodeTask('File', fileName(path), { path, content: { secret }, mode: '0600', sensitive: true });
}

/** The task that writes a path with one of the functions here. */
export function fileId(path: string): TaskId {
  return `File/${fileName(path)}`;
}

export function fileName(path: string): string {
  return path.replace(/^\//, '');
}

/** Downloads an asset. */
export function assetTask(node: NodeContext, entry: Asset): Task {
  return nodeTask('Asset', entry.name, { urls: node.assets.urls(entry), sha256: node.assets.sha256(entry) });
}

/** A downloaded program, placed as it is. */
export function programFile(path: string, asset: Task): Task {
  return nodeTask('File', fileName(path), {
    path,
    content: { assetPath: { ref: taskId(asset), output: 'path' }, sha256: hashOf(asset) },
    mode: '0755',
  });
}

/** An asset, unpacked. */
export function archiveTask(entry: Asset, asset: Task, into: string, strip?: number): Task {
  return nodeTask('Archive', entry.name, {
    assetPath: { ref: taskId(asset), output: 'path' },
    identity: hashOf(asset),
    into,
    ...(strip === undefined ? {} : { strip }),
  });
}

function hashOf(asset: Task): string {
  const { sha256 } = asset.props;
  if (typeof sha256 !== 'string') throw new Error(`${taskId(asset)} is not a download`);
  return sha256;
}

/** A unit file in /etc/systemd/system. */
export function unitFile(unit: string, text: string): Task {
  return textFile(unitPath(unit), text);
}

export function unitPath(unit: string): string {
  return `/etc/systemd/system/${unit}`;
}
