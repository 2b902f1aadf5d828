import { writeObject, planObject } from '@kopsctl/apply/cluster-store.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

export interface CreateClusterOptions {
  readonly cloud: 'local';
  readonly controlPlaneCount: string;
  readonly nodeCount: string;
  readonly kubernetesVersion?: string;
  readonly dryRun?: boolean;
  readonly output: 'yaml' | 'json';
}

/** Writes the shortest spec that says what the flags say; everything else is inferred when it is applied. */
export async function createCluster(
  global: GlobalOptions,
  argument: string | undefined,
  options: CreateClusterOptions,
): Promise<number> {
  const name = argument ?? global.name;
  if (name === undefined) {
    throw new ActionableError({
      what: 'create a cluster',
      why: 'it has no name',
      next: 'name it: `kopsctl create cluster NAME`, e.g. demo.example.com',
    });
  }
  const objects = clusterObjects(name, options);
  if (options.dryRun === true) {
    process.stdout.write(
      options.output === 'json'
        ? `${JSON.stringify(objects, null, 2)}\n`
        : objects.map((object) => printObject(object)).join('---\n'),
    );
    return 0;
  }
  const store = await openStateStore(global);
  const changes = await Promise.all(
    objects.map((object) =>
      planObject(store, name, { kind: object.kind, name: object.metadata.name, text: printObject(object) }),
    ),
  );
  if (changes.some(({ change }) => change !== 'create')) {
    throw new ActionableError({
      what: `create the cluster ${name}`,
      why: `${store.url} holds a cluster of that name`,
      next: `choose another name, or change that one: \`kopsctl get all --name ${name} -o yaml\``,
    });
  }
  for (const change of changes) await writeObject(store, change);
  process.stdout.write(`Created ${name}. Next: kopsctl apply --name ${name} --state ${store.url} --yes\n`);
  return 0;
}

function count(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new ActionableError({
    what: `read ${flag}`,
    why: `'${text}' is not a whole number of at least ${least}`,
    next: `give ${flag} such a number`,
  });
}

function clusterObjects(name: string, options: CreateClusterOptions): readonly (Cluster | InstanceGroup)[] {
  const controlPlanes = count('--control-plane-count', options.controlPlaneCount, 1);
  const nodes = count('--node-count', options.nodeCount, 0);
  const group = (groupName: string, role: 'Master' | 'Node', size: number): InstanceGroup => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: groupName, labels: { 'kops.k8s.io/cluster': name } },
    spec: { role, minSize: size, maxSize: size },
  });
  return [
    {
      apiVersion: 'kops.k8s.io/v1alpha2',
      kind: 'Cluster',
      metadata: { name },
      spec: {
        cloudProvider: options.cloud,
        ...(options.kubernetesVersion === undefined ? {} : { kubernetesVersion: options.kubernetesVersion }),
      },
    },
    group('control-plane', 'Master', controlPlanes),
    group('nodes', 'Node', nodes),
  ];
}
