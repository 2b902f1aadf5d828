import { roleIn } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';

/**
 * The namespace of certificates for Envoy, by Cilium's name. In kops it is kube-system: there the agent of every worker could
 * read every Secret of the system.
 */
export const ENVOY_SECRETS = 'cilium-secrets';

/** The namespace. Agents read there what the operator copies from the namespaces of Ingresses and Gateways. */
export const envoySecrets = (): readonly AddonObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ENVOY_SECRETS } },
  ...roleIn(
    'cilium-envoy-secrets',
    'cilium',
    [{ group: '', resources: ['secrets'], verbs: ['get', 'list', 'watch'] }],
    {
      namespace: ENVOY_SECRETS,
      holderNamespace: 'kube-system',
    },
  ),
  ...roleIn(
    'cilium-operator-envoy-secrets',
    'cilium-operator',
    [{ group: '', resources: ['secrets'], verbs: ['create', 'delete', 'patch', 'update'] }],
    { namespace: ENVOY_SECRETS, holderNamespace: 'kube-system' },
  ),
];
