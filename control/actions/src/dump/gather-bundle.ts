import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** What a bundle holds: texts by their paths. Nothing in it has been made safe yet. */
export type Bundle = Map<string, string>;

/** What is read of the store: these are the files that hold no secret. */
const OF_STORE =
  /^(?:config|instancegroup\/[^/]+|cluster(?:-completed)?\.spec|nodes\/[^/]+\/(?:boot-report|machine-report|host|enrolment)\.json|(?:node|worker)-plans\/[^/]+|addons\/(?:kopsctl\/)?bootstrap-channel\.yaml|manifests\/kopsctl\/(?:adopted\.json|cluster\.spec|version\.txt|create-cluster\.json|(?:rolling-update|upgrade)\.(?:json|lock))|kops-version\.txt|node-marks\.json|keypair-rotation\.json|lock|backups\/etcd\/[^/]+\/control\/(?:status\/[^/]+|etcd-cluster-spec|restore\.json))$/;
const LARGEST_OBJECT = 4 * 1024 ** 2;

/** The cluster's own objects, never Secrets; of ConfigMaps only ours, as others may hold what is secret. */
const OF_API = [
  '/version',
  '/api/v1/nodes',
  '/api/v1/namespaces',
  '/api/v1/pods',
  '/api/v1/services',
  '/api/v1/endpoints',
  '/api/v1/events',
  '/api/v1/persistentvolumes',
  '/apis/apps/v1/daemonsets',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/statefulsets',
  '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases',
] as const;

/** Adds what the state store says of a cluster, and a list of all that it holds. */
export async function gatherStore(
  bundle: Bundle,
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  const entries = await store.list(cluster, signal);
  const listing = entries.map(
    ({ path, size, modifiedMs }) => `${new Date(modifiedMs).toISOString()}\t${size}\t${path}\n`,
  );
  bundle.set('store/listing.tsv', listing.join(''));
  for (const { path, size } of entries) {
    const below = path.slice(cluster.length + 1);
    if (!OF_STORE.test(below) || size > LARGEST_OBJECT) continue;
    const stored = await store.read(path, signal);
    if (stored !== undefined) bundle.set(`store/${below}`, new TextDecoder().decode(stored.bytes));
  }
}

/** Adds the objects of a running cluster. A kind that it does not have is left out. */
export async function gatherObjects(bundle: Bundle, kube: KubeClient, signal: AbortSignal): Promise<void> {
  for (const path of OF_API) {
    const file = `cluster/${path.split('/').at(-1) ?? ''}.json`;
    if (path === '/version') {
      bundle.set(file, `${JSON.stringify(withoutEnvironment(await kube.get(path, signal)), undefined, 2)}\n`);
      continue;
    }
    const objects: unknown[] = [];
    await listObjects(kube, path, signal, (object) => objects.push(withoutEnvironment(object)));
    bundle.set(file, `${JSON.stringify(objects, undefined, 2)}\n`);
  }
}

/** Values of environment variables of containers, and annotations that repeat them, may be secret, and explain little. */
function withoutEnvironment(object: unknown): unknown {
  return JSON.parse(
    JSON.stringify(object, (key, value: unknown) => {
      if (key === 'kubectl.kubernetes.io/last-applied-configuration') return undefined;
      if (key !== 'env' || !Array.isArray(value)) return value;
      return value.map((one) => ({ name: asRecord(one)['name'] }));
    }),
  );
}

/** Does a part of a bundle; a part that fails is a file that says why, and the others are gathered all the same. */
export async function part(bundle: Bundle, name: string, gather: () => Promise<void>): Promise<void> {
  try {
    await gather();
  } catch (error) {
    bundle.set(`${name}.failed.txt`, `${messageOf(error)}\n`);
  }
}
