import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import type { Rule } from '../access.ts';
import { type Addon, addonIf } from '../addon.ts';
import { ENVOY_SECRETS } from './cilium-secrets.ts';

const GATEWAY = 'gateway.networking.k8s.io';
const READ = ['get', 'list', 'watch'];
const ROUTES = ['grpcroutes', 'httproutes', 'tlsroutes'];

export const usesGateway = ({ gatewayAPI }: CiliumNetworking): boolean => gatewayAPI?.enabled === true;

/** Settings of the controller for Gateways. */
export const gatewaySettings = ({ gatewayAPI }: CiliumNetworking) => ({
  'enable-gateway-api': true,
  'enable-gateway-api-secrets-sync': gatewayAPI?.enableSecretsSync,
  'gateway-api-secrets-namespace': ENVOY_SECRETS,
});

/** What the operator needs for Gateways, of all supported releases. */
export const GATEWAY_RULES: readonly Rule[] = [
  {
    group: GATEWAY,
    resources: ['gatewayclasses', 'gateways', 'referencegrants', 'referencepolicies', ...ROUTES],
    verbs: READ,
  },
  { group: GATEWAY, resources: ['gatewayclasses'], verbs: ['patch'] },
  {
    group: GATEWAY,
    resources: ['gatewayclasses', 'gateways', ...ROUTES].map((resource) => `${resource}/status`),
    verbs: ['patch', 'update'],
  },
  { group: 'multicluster.x-k8s.io', resources: ['serviceimports'], verbs: READ },
];

/**
 * The class of Gateways that Cilium serves. As in kops, people bring the kinds of the Gateway API in the release that they want,
 * and until then it cannot be applied: an addon of its own, so that the pod network does not count as failing.
 */
export const gatewayClass = ({ spec }: ClusterFacts): readonly Addon[] =>
  addonIf(
    usesGateway(spec.networking?.cilium ?? {}),
    'gateway.networking.cilium.io',
    'v1',
    () => [
      {
        apiVersion: `${GATEWAY}/v1`,
        kind: 'GatewayClass',
        metadata: { name: 'cilium' },
        spec: { controllerName: 'io.cilium/gateway-controller' },
      },
    ],
    { askedBy: 'spec.networking.cilium.gatewayAPI.enabled' },
  );
