import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { escapeFacts } from '@kopsctl/node-plan/escape.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { SecretHashes } from '../store/brought-secrets.ts';
import { type Arch, assetCatalog, type AssetCatalog, type AssetSource } from '../assets/asset-catalog.ts';
import { clusterFacts, type ClusterFacts } from '../cluster-facts.ts';
import type { ModelCloud } from '../cluster-facts.ts';

/** What every builder of a node plan is given: the wishes, and the few facts derived from them. */
export interface NodeContext extends ClusterFacts {
  readonly instanceGroup: InstanceGroup;
  readonly role: NodeRole;
  readonly isControlPlane: boolean;
  readonly assets: AssetCatalog;
}

export interface NodePlanInput {
  readonly cloud: ModelCloud;
  readonly cluster: Cluster;
  readonly instanceGroup: InstanceGroup;
  /** Where the cluster's machines find its state store. */
  readonly nodeStoreUrl: string;
  /** The machines' processors; amd64 unless said otherwise. */
  readonly arch?: Arch;
  /** The hashes of the secrets that people brought. */
  readonly secrets?: SecretHashes;
  /** The states of the keysets that were changed since they were created, by name. */
  readonly keysets?: Readonly<Record<string, string>>;
  /** What a person configured for the scheduler, in its own format. */
  readonly schedulerConfiguration?: JsonObject | undefined;
  /** kops made the cluster. */
  readonly isOfKops?: boolean;
}

/**
 * Everything a person wrote is escaped here, once: whatever part of it a builder puts into a plan is taken literally,
 * even where it looks like a fact.
 */
export function nodeContext(input: NodePlanInput, index: AssetSource, assetBaseUrls: readonly string[]): NodeContext {
  const cluster = escapeDeep(input.cluster);
  const instanceGroup = escapeDeep(input.instanceGroup);
  const role = roleOf(instanceGroup);
  return {
    ...clusterFacts(cluster, input.nodeStoreUrl, input.cloud, {
      assets: index.assets,
      secrets: input.secrets,
      keysets: input.keysets,
      schedulerConfiguration: input.schedulerConfiguration && escapeDeep(input.schedulerConfiguration),
      isOfKops: input.isOfKops,
    }),
    instanceGroup,
    role,
    isControlPlane: role === 'ControlPlane',
    assets: assetCatalog(index, input.arch ?? 'amd64', assetBaseUrls.map(escapeFacts)),
  };
}

function escapeDeep<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
    if (typeof part === 'string') return escapeFacts(part);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [escapeFacts(key), one]));
  });
  return copy;
}
