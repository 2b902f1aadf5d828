import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { gce } from '../gce.ts';
import type { GceKind, GceKinds } from '../kinds/gce-kinds.ts';
import { gceCluster } from '../model/gce-cluster.ts';

export interface Wish {
  readonly name?: string;
  readonly spec?: ClusterSpec;
  /** What seals keysets and secrets. */
  readonly stateKey?: string;
  /** By name, laid over a control plane and two workers. */
  readonly groups?: Readonly<Record<string, InstanceGroupSpec>>;
}

const USUAL: Readonly<Record<string, InstanceGroupSpec>> = {
  'control-plane-us-east1-b': { role: 'ControlPlane', minSize: 1, maxSize: 1, zones: ['us-east1-b'] },
  nodes: { role: 'Node', minSize: 2, maxSize: 4, zones: ['us-east1-c', 'us-east1-b'] },
};

/** A small cluster in GCE, completed. */
export function gceCompleted({ name = 'demo.example.com', spec = {}, stateKey, groups = {} }: Wish = {}) {
  const cluster: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name, ...(stateKey !== undefined && { annotations: { 'kopsctl.io/state-key': stateKey } }) },
    spec: {
      cloudProvider: 'gce',
      configBase: `memfs://state/${name}`,
      kubernetesVersion: '1.32.0',
      networking: { cni: {} },
      project: 'p',
      subnets: [{ name: 'us-east1', region: 'us-east1', type: 'Public' }],
      topology: { dns: { type: 'Public' } },
      etcdClusters: ['main', 'events'].map((etcd) => ({
        name: etcd,
        etcdMembers: [{ name: 'b', instanceGroup: 'control-plane-us-east1-b' }],
      })),
      ...spec,
    },
  };
  const instanceGroups = Object.entries({ ...USUAL, ...groups }).map(([group, wish]): InstanceGroup => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: group },
    spec: { machineType: 'e2-medium', image: 'ubuntu-os-cloud/ubuntu-2404', subnets: ['us-east1'], ...wish },
  }));
  return completeCluster({ cluster, instanceGroups }, { stateStoreUrl: 'memfs://state' }, gce);
}

/** Its tasks. */
export function gceTasks(wish: Wish = {}): readonly Task[] {
  const { cluster, instanceGroups } = gceCompleted(wish);
  return gceCluster({
    cluster,
    instanceGroups,
    assets: { assets: [] },
    storeUrl: 'memfs://state',
    assetsDir: '/assets',
    sshPublicKeys: [{ text: 'ssh-ed25519 AAAA a\n', fingerprint: '00' }],
    agents: { version: '0.1.0', baseUrl: 'https://example.com' },
    sha256Of: () => '0'.repeat(64),
  });
}

/** A file that the plan of a group writes on its machines. */
export function plannedFile(wish: Wish, group: string, path: string): string {
  // A plan is stored as text, and a file of a plan has its own (`managedFile`, `textFile`).
  const stored = gceTasks(wish).find(({ name }) => name === `node-plan-${group}`)?.props as { readonly content: string };
  const { tasks }: { readonly tasks: readonly Task[] } = JSON.parse(stored.content);
  const file = tasks.find(({ props }) => props['path'] === path)?.props as { readonly content: { readonly text: string } };
  return file.content.text;
}

/** The props of the tasks of one kind, by name. */
export const propsOf = <Kind extends GceKind>(
  tasks: readonly Task[],
  kind: Kind,
): Readonly<Record<string, GceKinds[Kind]>> =>
  // The model makes tasks of a kind with the props of that kind (`gceTask`).
  Object.fromEntries(tasks.filter((task) => task.kind === kind).map(({ name, props }) => [name, props as never]));
