import type { SpecCloud } from './cloud.ts';
import type { Cluster, ClusterSpec } from './cluster.ts';
import { addonRules } from './complete/addons.ts';
import { asKopsReplaces } from './complete/as-kops-replaces.ts';
import { componentRules } from './complete/components.ts';
import { etcdRules } from './complete/etcd.ts';
import { identityRules } from './complete/identity.ts';
import { fileAssetGroupRules, fileAssetRules } from './complete/file-assets.ts';
import { fillIn, mapOrSame, type Origins } from './complete/infer.ts';
import { instanceGroupRules } from './complete/instance-group.ts';
import { kubeletRules } from './complete/kubelet.ts';
import { leftToNodes } from './complete/left-to-nodes.ts';
import { networkRules } from './complete/network.ts';
import { otherRuntimeGroupRules, otherRuntimeRules } from './complete/other-runtimes.ts';
import { podNetworkRules } from './complete/pod-network.ts';
import type { CompletionFacts, Known } from './complete/rule.ts';
import { withoutEmptyValues } from './complete/without-empty-values.ts';
import { changedPaths } from './leaves.ts';
import { kubernetesFacts } from './kubernetes-versions.ts';
import type { InstanceGroup } from './instance-group.ts';
import { bareVersion } from './names.ts';

export type { Origins } from './complete/infer.ts';
export type { CompletionFacts } from './complete/rule.ts';

/** The rules for every cloud. */
const CLUSTER_RULES = [
  ...identityRules,
  ...networkRules,
  ...podNetworkRules,
  ...addonRules,
  ...etcdRules,
  ...componentRules,
  ...kubeletRules,
  ...otherRuntimeRules,
  ...fileAssetRules,
];

/** Rules depend on each other in a few steps. If more rounds than this are needed, a rule contradicts itself. */
const MAX_ROUNDS = 20;

/** A cluster in which every value that nodes need is set. */
export interface Completed {
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
  /** The rule that set each inferred value. */
  readonly origins: {
    readonly cluster: Origins;
    /** By name of the instance group. */
    readonly instanceGroups: Readonly<Record<string, Origins>>;
  };
  /** By path, why fields have no value here: most of them because each node has its own. */
  readonly withoutValue: {
    readonly cluster: Readonly<Record<string, string>>;
    /** By name of the instance group. */
    readonly instanceGroups: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/**
 * Infers the values that a person has not set. Values that a person has set win, unless they have to be corrected. The
 * objects passed in are not changed, and completing a completed cluster changes nothing.
 */
export function completeCluster(
  input: { readonly cluster: Cluster; readonly instanceGroups: readonly InstanceGroup[] },
  facts: CompletionFacts,
  cloud: SpecCloud,
): Completed {
  const clusterRules = [...cloud.clusterRules, ...CLUSTER_RULES];
  const groupRules = [
    ...cloud.instanceGroupRules,
    ...instanceGroupRules,
    ...otherRuntimeGroupRules,
    ...fileAssetGroupRules,
  ];
  const clusterOrigins: Record<string, string> = {};
  const groupOrigins = Object.fromEntries(
    input.instanceGroups.map(({ metadata }): [string, Record<string, string>] => [metadata.name, {}]),
  );
  let spec = withoutEmptyValues(withBareVersions(input.cluster.spec), 'cluster', cloud.words);
  let instanceGroups: readonly InstanceGroup[] = input.instanceGroups.map((group) => ({
    ...group,
    spec: withoutEmptyValues(group.spec, 'group', cloud.words),
  }));
  const inGroups = (change: (group: InstanceGroup) => InstanceGroup['spec']): void => {
    instanceGroups = mapOrSame(instanceGroups, (group) => {
      const changed = change(group);
      return changed === group.spec ? group : { ...group, spec: changed };
    });
  };

  const known = (): Known => ({
    clusterName: input.cluster.metadata.name,
    spec,
    instanceGroups,
    facts,
    traits: cloud.traits,
    defaults: spec.kubernetesVersion === undefined ? undefined : kubernetesFacts(spec.kubernetesVersion),
  });

  for (let round = 0, changed = true; changed; round++) {
    if (round === MAX_ROUNDS) throw new Error(`completion did not settle within ${MAX_ROUNDS} rounds`);
    changed = false;
    for (const rule of clusterRules) {
      const note = (path: string) => {
        clusterOrigins[path] = rule.name;
        changed = true;
      };
      spec = fillIn(spec, rule.infer(known()), 'spec', note, new Set(Object.keys(cloud.leftOpen?.(spec) ?? {})));
    }
    for (const rule of groupRules) {
      const seen = known();
      inGroups((group) => {
        const note = (path: string) => {
          (groupOrigins[group.metadata.name] ??= {})[path] = rule.name;
          changed = true;
        };
        const leftOpen = new Set(Object.keys(cloud.leftOpenOfGroup?.(spec, group) ?? {}));
        return fillIn(group.spec, rule.infer(group, seen), 'spec', note, leftOpen);
      });
    }
  }
  for (const { name, cluster, instanceGroup } of [asKopsReplaces, ...(cloud.corrections ?? [])]) {
    spec = corrected(spec, cluster(spec), clusterOrigins, name);
    inGroups((group) =>
      corrected(group.spec, instanceGroup(group.spec, spec), (groupOrigins[group.metadata.name] ??= {}), name),
    );
  }
  return {
    cluster: { ...input.cluster, spec },
    instanceGroups,
    origins: { cluster: clusterOrigins, instanceGroups: groupOrigins },
    withoutValue: {
      cluster: { ...leftToNodes(known()), ...cloud.leftOpen?.(spec) },
      instanceGroups: Object.fromEntries(
        instanceGroups.map((group) => [group.metadata.name, cloud.leftOpenOfGroup?.(spec, group) ?? {}]),
      ),
    },
  };
}

/** Records the rule that replaced values. */
function corrected<T>(before: T, after: T, origins: Record<string, string>, rule: string): T {
  for (const path of changedPaths(before, after, 'spec')) origins[path] = rule;
  return after;
}

/** Versions may be written with a leading v; a completed spec has none, as with kops. */
function withBareVersions(spec: ClusterSpec): ClusterSpec {
  return {
    ...spec,
    ...(spec.kubernetesVersion === undefined ? {} : { kubernetesVersion: bareVersion(spec.kubernetesVersion) }),
  };
}
