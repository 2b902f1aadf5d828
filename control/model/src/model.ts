import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import { bootstrapScript } from '@kopsctl/cloud-init/bootstrap-script.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { bootstrapChannel } from './addons/bootstrap-channel.ts';
import { assetCatalog, type AssetCatalog } from './asset-catalog.ts';
import { localMachines } from './cloud/local/machines.ts';
import { LOCAL_ASSETS_URLS, LOCAL_STORE_URL, localNetwork } from './cloud/local/network.ts';
import { localVolumes } from './cloud/local/volumes.ts';
import { clusterFacts, type ClusterFacts } from './cluster-facts.ts';
import { etcdAsset } from './etcd-version.ts';
import { keysets, managedFile, secrets } from './keysets.ts';
import { nodeMarks } from './node-marks.ts';
import { buildNodePlan } from './node/node-plan.ts';

export interface ModelInput {
  /** Completed. */
  readonly cluster: Cluster;
  /** Completed, all of the cluster's. */
  readonly instanceGroups: readonly InstanceGroup[];
  readonly assets: AssetIndex;
  /** The state store as the operator's machine reaches it. */
  readonly storeUrl: string;
  /** Local machines: the folder that holds the files of the asset index. */
  readonly assetsDir: string;
}

/**
 * A completed cluster as tasks: what lies in the state store, and the cloud's things. Deterministic: equal input
 * gives equal tasks in equal order.
 */
export function buildModel(input: ModelInput): readonly Task[] {
  const { cluster } = input;
  if (cluster.spec.cloudProvider !== 'local') {
    throw new ActionableError({
      what: `compute the cluster ${cluster.metadata.name}`,
      why: `cloud provider ${cluster.spec.cloudProvider ?? '(none)'} is not supported`,
      next: 'set spec.cloudProvider to local',
    });
  }
  const facts = clusterFacts(cluster, LOCAL_STORE_URL);
  const assetUrls = assetBaseUrls(facts);
  const assets = assetCatalog(input.assets, 'amd64', assetUrls);
  const identity = [...keysets(facts), ...secrets()];
  const files = [...storedSpecs(facts, assets), nodeMarks(facts, input.instanceGroups), ...bootstrapChannel()];
  return [
    localNetwork(facts, { storeUrl: input.storeUrl, assetsDir: input.assetsDir }),
    ...identity,
    ...files,
    ...localVolumes(facts, input.instanceGroups),
    ...input.instanceGroups.flatMap((group) => instanceGroup(input, facts, assets, group, [...identity, ...files])),
  ];
}

/** A mirror the spec names comes first (kops's spec.assets.fileRepository). */
function assetBaseUrls(facts: ClusterFacts): readonly string[] {
  const mirror = facts.spec.assets?.fileRepository;
  return mirror === undefined ? LOCAL_ASSETS_URLS : [mirror, ...LOCAL_ASSETS_URLS];
}

function storedSpecs(facts: ClusterFacts, assets: AssetCatalog): readonly Task[] {
  return [
    managedFile('cluster-completed', 'cluster.spec', printObject(facts.cluster)),
    // etcd-manager's wish for each etcd cluster, in its own format.
    ...facts.etcdClusters.map((etcdCluster) => {
      const wish = {
        memberCount: etcdCluster.etcdMembers?.length ?? 0,
        etcdVersion: etcdAsset(etcdCluster, assets).version,
      };
      return managedFile(
        `etcd-cluster-spec-${etcdCluster.name}`,
        `backups/etcd/${etcdCluster.name}/control/etcd-cluster-spec`,
        `${JSON.stringify(wish, null, 2)}\n`,
      );
    }),
  ];
}

/** The plan of an instance group's machines, and the machines whose user-data pins it. */
function instanceGroup(
  input: ModelInput,
  facts: ClusterFacts,
  assets: AssetCatalog,
  group: InstanceGroup,
  needs: readonly Task[],
): readonly Task[] {
  const plan = buildNodePlan(
    { cluster: facts.cluster, instanceGroup: group, nodeStoreUrl: facts.nodeStoreUrl },
    input.assets,
    assetBaseUrls(facts),
  );
  const bytes = serializePlan(plan);
  const hash = planHash(bytes);
  const path = planPath(facts.clusterName, hash).slice(facts.clusterName.length + 1);
  const planFile = managedFile(`node-plan-${group.metadata.name}`, path, new TextDecoder().decode(bytes));
  const agents = assets.find('agents-amd64');
  const userData = bootstrapScript({
    agents: { urls: assets.urls(agents), sha256: agents.sha256 },
    bootConfig: {
      cloud: facts.cloud,
      stateStore: facts.nodeStoreUrl,
      cluster: facts.clusterName,
      instanceGroup: group.metadata.name,
      planHash: hash,
    },
  });
  return [planFile, ...localMachines(facts, group, userData, [planFile, ...needs].map(taskId))];
}
