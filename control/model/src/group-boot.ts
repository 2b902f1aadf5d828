import { bootstrapScript } from '@kopsctl/cloud-init/bootstrap-script.ts';
import { MACHINE_PORT } from '@kopsctl/node-identity/addresses.ts';
import { API_LOAD_BALANCER, AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import { planFolderOf } from '@kopsctl/node-plan/node-plan.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { type Arch, assetCatalog, type AssetSource } from './assets/asset-catalog.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { findsApiByLoadBalancer } from './discovery.ts';
import { proxyEnvironment } from './egress-proxy.ts';
import { managedFile } from './store/keysets.ts';
import { buildNodePlan } from './node/node-plan.ts';
import { MACHINE_KEY } from './node/paths.ts';
import { placesIfAny, storePlaces } from './store/store-places.ts';
import { givesPlansThroughAuthorities } from './store/worker-plans.ts';

/** What the machines of a group boot with: a script that pins the hash of their plan, and the plan in the state store. */
export interface NodeBoot {
  /** What nodeup does there. */
  readonly nodeTasks: readonly Task[];
  readonly planFile: Task;
  readonly userData: string;
}

/** @param assetBaseUrls the URLs from which the assets can be downloaded, tried in this order */
export function nodeBoot(
  facts: ClusterFacts,
  group: InstanceGroup,
  assets: AssetSource,
  assetBaseUrls: readonly string[],
  arch: Arch = 'amd64',
): NodeBoot {
  const plan = buildNodePlan(
    {
      cloud: facts.cloud,
      cluster: facts.cluster,
      instanceGroup: group,
      nodeStoreUrl: facts.nodeStoreUrl,
      arch,
      secrets: facts.secrets,
      keysets: facts.keysets,
      schedulerConfiguration: facts.schedulerConfiguration,
      isOfKops: facts.isOfKops,
    },
    assets,
    assetBaseUrls,
  );
  const bytes = serializePlan(plan);
  const hash = planHash(bytes);
  const planFolder = planFolderOf(plan.role);
  const path = planPath(facts.clusterName, planFolder, hash).slice(facts.clusterName.length + 1);
  const catalog = assetCatalog(assets, arch, assetBaseUrls);
  const agents = catalog.find(`agents-${arch}`);
  const proxy = proxyEnvironment(facts);
  const userData = bootstrapScript({
    ...(proxy && { proxy }),
    agents: { urls: catalog.urls(agents), sha256: catalog.sha256(agents) },
    bootConfig: {
      cloud: facts.cloud.name,
      stateStore: facts.nodeStoreUrl,
      ...placesIfAny(storePlaces(facts)),
      cluster: facts.clusterName,
      instanceGroup: group.metadata.name,
      planFolder,
      planHash: hash,
      ...(findsApiByLoadBalancer(facts) && { apiLoadBalancer: API_LOAD_BALANCER }),
      ...(plan.role === 'Node' &&
        (givesPlansThroughAuthorities(facts.cluster) || !facts.cloud.traits.givesStoreRights) && {
          planThroughAuthority: { port: MACHINE_PORT, machineKey: MACHINE_KEY },
        }),
      ...(plan.role !== 'ControlPlane' && { authorityCa: AUTHORITY_CA }),
    },
  });
  return {
    nodeTasks: plan.tasks,
    planFile: managedFile(`node-plan-${group.metadata.name}`, path, new TextDecoder().decode(bytes)),
    userData,
  };
}
