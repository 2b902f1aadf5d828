import { RECOMMENDED_KUBERNETES } from '../kubernetes-versions.ts';
import type { ClusterRule } from './rule.ts';

/** The channel of a cluster that names none. */
export const DEFAULT_CHANNEL = 'stable';

export const identityRules: readonly ClusterRule[] = [
  {
    name: 'recommended by the channel',
    infer: ({ traits }) => ({
      channel: traits.bringsImages ? undefined : DEFAULT_CHANNEL,
      kubernetesVersion: RECOMMENDED_KUBERNETES,
    }),
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
      iam: { legacy: false },
      externalDns: spec.topology?.dns?.type === 'None' ? undefined : { provider: 'dns-controller' },
    }),
  },
];
