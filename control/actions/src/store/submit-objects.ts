import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { FieldError } from '@kopsctl/spec/field-error.ts';
import { type ParsedObject, parseObjects } from '@kopsctl/spec/parse.ts';
import { printObject, printObjects } from '@kopsctl/spec/print.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { unifiedDiff } from '@kopsctl/tasks/unified-diff.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { inParallel } from './in-parallel.ts';
import { InvalidSpecError } from '../spec/invalid-spec-error.ts';
import { checkObjects } from '../spec/check-objects.ts';
import type { ClusterObjects } from '../files/object-files.ts';
import { additionalObjectsPath, objectPath, titleOf } from './object-paths.ts';
import { parseSshPublicKey, publicKeyOf, sshPublicKeyPath } from '../keys/ssh-public-key.ts';

/** One object as it is to be stored. */
export interface Submission {
  /** As people name it, e.g. `instancegroup/nodes`. */
  readonly title: string;
  readonly path: string;
  readonly text: string;
  /** What is there now. */
  readonly stored?: { readonly text: string; readonly version: string };
}

/** What storing it changes, as `diff -u` prints it. Another layout of the file by another tool does not show in it. */
export function patchOf({ path, text, stored }: Submission): string {
  const [before] = stored === undefined ? [] : parseObjects(stored.text, path).objects;
  const isOwn = before?.kind === 'Cluster' || before?.kind === 'InstanceGroup';
  return unifiedDiff(path, isOwn ? printObject(before.value) : (stored?.text ?? ''), text);
}

/** Lays objects beside what the store holds of them. Changes nothing. */
export async function planSubmissions(
  store: StateStore,
  clusters: readonly ClusterObjects[],
): Promise<readonly Submission[]> {
  return Promise.all(
    clusters.flatMap(submissionsOf).map(async (wanted) => {
      const stored = await store.read(wanted.path);
      if (stored === undefined) return wanted;
      return { ...wanted, stored: { text: new TextDecoder().decode(stored.bytes), version: stored.version } };
    }),
  );
}

/** Writes what differs, over exactly what was read before. @throws ConflictError when somebody wrote in between. */
async function writeSubmission(store: StateStore, { path, text, stored }: Submission): Promise<void> {
  if (stored?.text === text) return;
  const condition = ifUnchanged(stored?.version);
  await store.write(path, new TextEncoder().encode(text), condition);
}

/** Stores objects, the Clusters first, so that nothing is stored without its Cluster. */
export async function writeSubmissions(store: StateStore, submissions: readonly Submission[]): Promise<void> {
  const isCluster = ({ path }: Submission) => path.endsWith('/config');
  await inParallel(submissions.filter(isCluster), (one) => writeSubmission(store, one));
  await inParallel(
    submissions.filter((one) => !isCluster(one)),
    (one) => writeSubmission(store, one),
  );
}

/** New objects only, checked; where one exists, all are refused. Changes nothing. */
export async function planNewObjects(
  store: StateStore,
  clusters: readonly ClusterObjects[],
): Promise<readonly Submission[]> {
  const submissions = await planSubmissions(store, clusters);
  const existing = submissions.filter(({ stored }) => stored !== undefined);
  if (existing.length > 0) {
    throw new ActionableError({
      what: `create ${submissions.length} objects`,
      why: `${store.url} already holds ${existing.map(({ title }) => title).join(', ')}`,
      next: 'change what exists with `kopsctl replace -f FILE`',
    });
  }
  await requireClusters(store, clusters);
  await checkObjects(store, clusters);
  return submissions;
}

/**
 * Objects over existing ones, checked. Changes nothing.
 *
 * @param how.force objects that do not exist are created. Otherwise they are refused
 */
export async function planOverObjects(
  store: StateStore,
  clusters: readonly ClusterObjects[],
  { force }: { readonly force: boolean },
): Promise<readonly Submission[]> {
  const submissions = await planSubmissions(store, clusters);
  const missing = submissions.filter(({ stored }) => stored === undefined);
  if (missing.length > 0 && !force) {
    throw new ActionableError({
      what: `replace ${submissions.length} objects`,
      why: `${store.url} does not hold ${missing.map(({ title }) => title).join(', ')}`,
      next: 'add --force to create these, or use `kopsctl create -f FILE`',
    });
  }
  await requireClusters(store, clusters);
  await checkObjects(store, clusters);
  return submissions;
}

/** An object of a cluster needs its Cluster, in the files or in the store. */
async function requireClusters(store: StateStore, clusters: readonly ClusterObjects[]): Promise<void> {
  const faults: FieldError[] = [];
  for (const { cluster, objects } of clusters) {
    if (objects.some(({ kind }) => kind === 'Cluster')) continue;
    if ((await store.read(`${cluster}/config`)) !== undefined) continue;
    const message = `there is no Cluster ${cluster}, neither in the file nor in ${store.url}`;
    faults.push(
      ...objects.map((object) => ({ ...object.positionOf('metadata.labels'), path: 'metadata.labels', message })),
    );
  }
  if (faults.length > 0) throw new InvalidSpecError('create objects', faults);
}

/** The Cluster first, so that no group is stored without one; extra objects last. */
function submissionsOf({ cluster, objects, additional }: ClusterObjects): readonly Submission[] {
  const ordered = objects.toSorted((left, right) => rank(left) - rank(right));
  const extra =
    additional.length === 0
      ? []
      : [
          {
            title: `${additional.length} further objects of ${cluster}`,
            path: additionalObjectsPath(cluster),
            text: printObjects(additional.map(({ value }) => value)),
          },
        ];
  return [...ordered.map((object) => placeOf(cluster, object)), ...extra];
}

const rank = ({ kind }: ParsedObject): number => (kind === 'Cluster' ? 0 : 1);

function placeOf(cluster: string, object: ParsedObject): Submission {
  switch (object.kind) {
    case 'Cluster':
    case 'InstanceGroup':
      return {
        title: titleOf(object.kind, object.name),
        path: objectPath(cluster, object.kind, object.name),
        text: printObject(object.value),
      };
    case 'SSHCredential': {
      const key = parseSshPublicKey(publicKeyOf(object), `of ${object.positionOf('spec.publicKey').file}`);
      return { title: `sshcredential/${key.fingerprint}`, path: sshPublicKeyPath(cluster, key), text: key.text };
    }
    case 'Host':
      return {
        title: `host/${object.name}`,
        path: `${cluster}/host/${object.name}`,
        text: printObject(object.value),
      };
    case 'Keyset':
      throw new InvalidSpecError('store objects', [
        {
          ...object.positionOf('kind'),
          path: 'kind',
          message: 'a Keyset cannot be stored from a file, because it holds private keys',
          hint: 'remove it; keysets are created with the cluster',
        },
      ]);
  }
}
