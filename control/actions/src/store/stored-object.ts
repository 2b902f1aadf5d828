import { specCloud } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { FieldError } from '@kopsctl/spec/field-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { parseObjects, type ParsedObject } from '@kopsctl/spec/parse.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { unifiedDiff } from '@kopsctl/tasks/unified-diff.ts';
import { readCluster } from './cluster-store.ts';
import { instanceGroupFolder, objectPath, titleOf, type OwnKind } from './object-paths.ts';

/** An object of a person, with the version it was read at, so that it is written back over nothing else. */
export interface StoredObject<Value extends Cluster | InstanceGroup = Cluster | InstanceGroup> {
  readonly cluster: string;
  readonly path: string;
  readonly text: string;
  readonly version: string;
  readonly value: Value;
}

/** Reads a Cluster or an instance group. @throws ActionableError that says which there are. */
export async function readStoredObject(
  store: StateStore,
  cluster: string,
  kind: OwnKind,
  name: string,
): Promise<StoredObject> {
  const path = objectPath(cluster, kind, name);
  const stored = await store.read(path);
  if (stored === undefined) {
    // Says which clusters there are where the cluster itself does not exist.
    const { instanceGroups } = await readCluster(store, cluster);
    const names = instanceGroups.map((group) => group.metadata.name);
    throw new ActionableError({
      what: `read ${titleOf(kind, name)} of ${cluster}`,
      why: `not found in ${store.url}`,
      next: `${instanceGroupFolder(cluster)} holds ${names.join(', ') || 'none'}`,
    });
  }
  const text = new TextDecoder().decode(stored.bytes);
  const { objects, errors } = parseObjects(text, `${store.url}/${path}`);
  const [object] = objects;
  if (errors.length > 0 || object === undefined || (object.kind !== 'Cluster' && object.kind !== 'InstanceGroup')) {
    throw new ActionableError({
      what: `read ${path} of ${store.url}`,
      why: errors.map((error) => `line ${error.line}: ${error.path} ${error.message}`).join('; ') || 'it is empty',
      next: 'write it again with `kopsctl replace -f FILE`',
    });
  }
  return { cluster, path, text, version: stored.version, value: object.value };
}

/**
 * What is wrong with an object in the place of the one that is stored, beside the other objects of its cluster. What was
 * wrong before keeps nobody from fixing one object after the other.
 */
export async function faultsOfChange(
  store: StateStore,
  { cluster, value }: StoredObject,
  changed: Cluster | InstanceGroup,
  positions: readonly ParsedObject[] = [],
): Promise<readonly FieldError[]> {
  const stored = await readCluster(store, cluster);
  const own = value.metadata.name;
  const whole = changed.kind === 'Cluster' ? changed : stored.cluster;
  const groups = stored.instanceGroups.map((group) =>
    changed.kind === 'InstanceGroup' && group.metadata.name === own ? changed : group,
  );
  const cloud = specCloud(whole);
  const told = validateCluster(whole, groups, cloud, positions);
  if (told.length === 0) return told;
  const before = new Set(validateCluster(stored.cluster, stored.instanceGroups, cloud).map(textOf));
  // Compared without positions, which only the file of a person has; both are in the same order.
  const plain = validateCluster(whole, groups, cloud);
  return told.filter((_, index) => !before.has(textOf(plain[index])));
}

const textOf = (one: FieldError | undefined): string => `${one?.path ?? ''}: ${one?.message ?? ''}`;

/** What became of an object that was to be changed. */
export interface WrittenObject {
  readonly outcome: 'changed' | 'unchanged';
  /** What was changed, as `diff -u` prints it. Another layout of the file by another tool does not show in it. */
  readonly patch: string;
}

/** Writes an object over exactly the one that was read; the same text is left alone. @param dryRun the same without writing it */
export async function writeStoredObject(
  store: StateStore,
  stored: StoredObject,
  changed: Cluster | InstanceGroup,
  dryRun = false,
): Promise<WrittenObject> {
  const [before, text] = [printObject(stored.value), printObject(changed)];
  if (text === stored.text || text === before) return { outcome: 'unchanged', patch: '' };
  try {
    if (!dryRun) await store.write(stored.path, new TextEncoder().encode(text), { ifVersion: stored.version });
    return { outcome: 'changed', patch: unifiedDiff(stored.path, before, text) };
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    throw await conflictOf(store, stored, error);
  }
}

/** Says what somebody else made of the object in the meantime. */
async function conflictOf(store: StateStore, stored: StoredObject, cause: ConflictError): Promise<ActionableError> {
  const now = await store.read(stored.path);
  const { linesOfDifference } = await import('./lines-of-difference.ts');
  const theirs =
    now === undefined
      ? 'somebody deleted it'
      : `somebody else changed it meanwhile:\n${linesOfDifference(stored.text, new TextDecoder().decode(now.bytes))}`;
  return new ActionableError({
    what: `write ${stored.path} in ${store.url}`,
    why: theirs,
    next: 'nothing was overwritten; look at their change and repeat the command',
    cause,
  });
}
