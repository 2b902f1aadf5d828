import { completeAndValidate, InvalidSpecError } from '@kopsctl/actions/spec/complete.ts';
import { remarksOn } from '@kopsctl/actions/spec/remarks.ts';
import { findCloud } from '@kopsctl/clouds/control.ts';
import type { ModelInput } from '@kopsctl/model/model-input.ts';
import { ASSETS } from '@kopsctl/model/testdata/asset-index.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { FieldError } from '@kopsctl/spec/field-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { resolveRefs } from '@kopsctl/tasks/references.ts';
import type { Json, Ref, Task } from '@kopsctl/tasks/task.ts';
import type { Fault } from '@kopsctl/spec/validate/fault.ts';

/** The objects of a cluster as a person writes them. */
export interface WrittenCluster {
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
}

export type Outcome =
  | { readonly is: 'refused'; readonly faults: readonly FieldError[] }
  | {
      readonly is: 'planned';
      /** All that is made of the cluster: node plans, user-data, addons, resources of the cloud. */
      readonly outputs: string;
      readonly told: readonly Fault[];
    };

const STORES: Readonly<Record<string, string>> = {
  aws: 's3://state',
  gce: 'gs://state',
  metal: 's3://state',
  local: 'file:///var/lib/state',
};

/**
 * Plans a cluster as `kopsctl update cluster` does, with no hash looked up. Terraform's files are made of the tasks and
 * of spec.target alone, so that they differ only where those do.
 */
export async function planOutputs(written: WrittenCluster): Promise<Outcome> {
  const outcome = await planTasks(written);
  if (outcome.is === 'refused') return outcome;
  // The completed spec holds every field, so that it would differ even where nothing reads the field.
  const tasks = outcome.tasks.filter(({ name }) => name !== 'cluster-completed');
  return { is: 'planned', outputs: JSON.stringify([tasks, outcome.cluster.spec.target]), told: outcome.told };
}

/** Everything that is written of a cluster: its tasks, with the completed spec, and what tools are given. */
export async function writtenOutputs(written: WrittenCluster): Promise<readonly string[] | 'refused'> {
  const outcome = await planTasks(written);
  if (outcome.is === 'refused') return 'refused';
  const { cluster } = outcome;
  const tasks = outcome.tasks.map((task) => ({ ...task, props: resolveRefs(task.props, asIfStored) }));
  const driver = findCloud(cluster.spec.cloudProvider)?.driver;
  const [terraform, cloudFormation] = [await driver?.terraform?.(), await driver?.cloudFormation?.()];
  return [
    JSON.stringify(tasks),
    ...(terraform === undefined ? [] : [JSON.stringify([...terraform.render(cluster, tasks, () => true)])]),
    ...(cloudFormation === undefined ? [] : [JSON.stringify(cloudFormation(tasks, () => true, 'of a test'))]),
  ];
}

/** What tools find in the state store is there; all else is only known once they have made it. */
const asIfStored = (ref: Required<Ref>): Json =>
  ref.ref.startsWith('Keyset/') ? `the ${ref.output} of ${ref.ref}` : { ...ref };

type PlannedTasks =
  | Extract<Outcome, { is: 'refused' }>
  | {
      readonly is: 'planned';
      /** Completed. */
      readonly cluster: Cluster;
      readonly tasks: readonly Task[];
      readonly told: readonly Fault[];
    };

async function planTasks({ cluster, instanceGroups }: WrittenCluster): Promise<PlannedTasks> {
  const storeUrl = STORES[cluster.spec.cloudProvider ?? ''] ?? '';
  let completed;
  try {
    completed = completeAndValidate(cluster, instanceGroups, storeUrl);
  } catch (thrown) {
    if (thrown instanceof InvalidSpecError) return { is: 'refused', faults: thrown.errors };
    throw thrown;
  }
  const told = remarksOn(cluster, instanceGroups, completed.cluster).map(({ fault }) => fault);
  const driver = findCloud(cluster.spec.cloudProvider)?.driver;
  if (driver === undefined) throw new Error(`no driver for ${cluster.spec.cloudProvider}`);
  const input: ModelInput = {
    ...completed,
    assets: ASSETS,
    storeUrl,
    assetsDir: '/var/cache/assets',
    sshPublicKeys: [],
    agents: { version: '0.1.0', baseUrl: 'https://releases.example.com' },
    // The hash of what a person pins is the one that the person gave.
    sha256Of: (asset) => ('sha256' in asset ? String(asset.sha256) : '0'.repeat(64)),
  };
  return { is: 'planned', cluster: completed.cluster, tasks: (await driver.model())(input), told };
}
