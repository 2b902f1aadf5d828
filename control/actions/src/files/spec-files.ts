import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { parseObjects, type ParsedObject } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findCluster, type ObjectChange } from '../store/cluster-store.ts';
import { InvalidSpecError } from '../spec/complete.ts';
import { refuseFaultyFiles } from '../spec/refuse-faulty-files.ts';
import { readInputText } from './read-input.ts';
import { planSubmissions, type Submission } from '../store/submit-objects.ts';

/** What the files of `-f` hold, checked, and how it differs from the store. */
export interface Submitted {
  readonly name: string;
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
  readonly changes: readonly ObjectChange[];
  /** As they stand in the files, so that later faults can say where. */
  readonly objects: readonly ParsedObject[];
}

/**
 * Reads the objects of the given files (`-` is standard input), refuses them with every fault at once, and lays them
 * over what the store already holds of that cluster: groups that are not in the files stay as they are.
 */
export async function readSubmitted(
  files: readonly string[],
  store: StateStore,
  env: NodeJS.ProcessEnv,
): Promise<Submitted> {
  const parsed = await Promise.all(files.map(async (file) => parseObjects(await readInputText(file, env), file)));
  refuseFaultyFiles(files, parsed);
  const additional = parsed.flatMap((one) => one.additional);
  if (additional.length > 0) {
    throw new InvalidSpecError(
      `use the objects of ${files.join(', ')}`,
      additional.map(({ apiVersion, kind, name, positionOf }) => ({
        ...positionOf(''),
        path: '',
        message: `${apiVersion} ${kind} ${name} is not an object of kops`,
        hint: 'store it with `kopsctl create -f FILE`: the cluster applies it as an addon of its own',
      })),
    );
  }
  const objects = parsed.flatMap((one) => one.objects);
  const name = clusterOf(objects, files);
  const stored = await findCluster(store, name);
  const clusterObject = objects.find(({ kind }) => kind === 'Cluster');
  const cluster = (clusterObject?.value as Cluster | undefined) ?? stored?.cluster;
  if (cluster === undefined) {
    throw new ActionableError({
      what: `read the cluster ${name}`,
      why: `neither ${files.join(', ')} nor ${store.url} holds its Cluster object`,
      next: 'add the object of kind Cluster to the file',
    });
  }
  const groupObjects = objects.filter(({ kind }) => kind === 'InstanceGroup');
  const given = groupObjects.map(({ value }) => value as InstanceGroup);
  const givenNames = new Set(given.map(({ metadata }) => metadata.name));
  const kept = (stored?.instanceGroups ?? []).filter(({ metadata }) => !givenNames.has(metadata.name));
  const changes = (await planSubmissions(store, [{ cluster: name, objects, additional: [] }])).map(changeOf);
  return { name, cluster, instanceGroups: [...kept, ...given], changes, objects };
}

function changeOf({ path, text, stored }: Submission): ObjectChange {
  const change = stored === undefined ? 'create' : stored.text === text ? 'none' : 'replace';
  return { path, change, text, ...(stored === undefined ? {} : { previous: stored }) };
}

function clusterOf(objects: readonly ParsedObject[], files: readonly string[]): string {
  const names = new Set(
    objects
      .map((object) => (object.kind === 'Cluster' ? object.name : object.cluster))
      .filter((name) => name !== undefined),
  );
  const [only] = names;
  if (names.size === 1 && only !== undefined) return only;
  throw new ActionableError({
    what: `find the cluster that ${files.join(', ')} is about`,
    why: names.size === 0 ? 'no object names one' : `the objects name several: ${[...names].join(', ')}`,
    next: 'give every InstanceGroup the label kops.k8s.io/cluster with the name of the one Cluster',
  });
}
