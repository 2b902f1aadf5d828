import type { ClusterRule } from './rule.ts';

const DEFAULT_LOCAL_KUBERNETES = '1.20.2';

export const identityRules: readonly ClusterRule[] = [
  {
    name: 'default of the local cloud',
    infer: ({ spec }) => (spec.cloudProvider === 'local' ? { kubernetesVersion: DEFAULT_LOCAL_KUBERNETES } : {}),
  },
  {
    name: 'recommended by the channel',
    infer: ({ spec, facts }) =>
      spec.cloudProvider === 'local'
        ? {}
        : { channel: 'stable', kubernetesVersion: facts.recommendedKubernetesVersion },
  },
  {
    name: "the cluster's place in the state store",
    infer: ({ clusterName, spec, facts }) => {
      const configBase = spec.configBase ?? `${facts.stateStoreUrl.replace(/\/$/, '')}/${clusterName}`;
      return { configBase, keyStore: `${configBase}/pki`, secretStore: `${configBase}/secrets` };
    },
  },
  {
    name: "the cluster's name",
    infer: ({ clusterName }) => ({
      masterPublicName: `api.${clusterName}`,
      masterInternalName: `api.internal.${clusterName}`,
    }),
  },
  {
    name: 'kops default',
    infer: ({ spec }) => ({
      authorization: spec.authorization === undefined ? { rbac: {} } : undefined,
      iam: spec.cloudProvider === 'local' ? undefined : { legacy: false },
      externalDns:
        spec.cloudProvider === 'local' || spec.topology?.dns?.type === 'None'
          ? undefined
          : { provider: 'dns-controller' },
      cloudConfig:
        spec.cloudProvider === 'aws' || spec.cloudProvider === 'gce' ? { manageStorageClasses: true } : undefined,
    }),
  },
];
