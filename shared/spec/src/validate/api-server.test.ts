import { expect, test } from 'vitest';
import type { ClusterSpec, KubeAPIServerConfig } from '../cluster.ts';
import { validateApiServer } from './api-server.ts';

const faultsOf = (kubeAPIServer: KubeAPIServerConfig, spec: ClusterSpec = {}) =>
  [...validateApiServer({ ...spec, kubeAPIServer })].map(
    ({ path, message, hint = '' }) => `${path.replace('spec.kubeAPIServer.', '')}: ${message} (${hint})`,
  );

test.each<readonly [KubeAPIServerConfig, ClusterSpec]>([
  [{}, {}],
  [{ authorizationMode: 'RBAC' }, {}],
  [{ authorizationMode: 'Node,Webhook,RBAC', authorizationWebhookConfigFile: '/etc/webhook.yaml' }, {}],
  [{ serviceNodePortRange: '28000-32767' }, {}],
  [{ serviceNodePortRange: '30000+100' }, {}],
  [{ proxyClientCertFile: '/a', proxyClientKeyFile: '/b' }, {}],
  [{ auditPolicyFile: '/etc/a/policy.yaml', auditWebhookConfigFile: '/etc/b/webhook.yaml' }, {}],
  [{ serviceClusterIPRange: '100.64.0.0/13' }, { serviceClusterIPRange: '100.64.0.0/13' }],
  [{ authenticationConfigFile: '/etc/authentication.yaml' }, { kubernetesVersion: '1.30.0' }],
  [
    {
      authenticationConfigFile: '/etc/authentication.yaml',
      featureGates: { StructuredAuthenticationConfiguration: 'true' },
    },
    { kubernetesVersion: '1.29.15' },
  ],
  // That the version does not have the setting is told elsewhere.
  [{ authenticationConfigFile: '/etc/authentication.yaml' }, { kubernetesVersion: '1.28.15' }],
])('an API server starts with %j in a cluster with %j', (config, spec) => {
  expect(faultsOf(config, spec)).toEqual([]);
});

test.each<readonly [KubeAPIServerConfig, ClusterSpec, string]>([
  [
    { authorizationMode: 'Node,rbac' },
    {},
    "authorizationMode: expected some of ABAC, Webhook, Node, RBAC, AlwaysAllow, AlwaysDeny, found 'rbac' (did you mean RBAC?)",
  ],
  [
    { authorizationMode: 'Webhook' },
    {},
    'authorizationWebhookConfigFile: must be set, because authorizationMode has Webhook (name a file)',
  ],
  [
    { admissionControl: ['AlwaysPullImages'] },
    {},
    'admissionControl: the API server does not start with both this field and enableAdmissionPlugins, which is always set (use appendAdmissionPlugins)',
  ],
  [
    { authenticationConfigFile: '/etc/authentication.yaml', oidcIssuerURL: 'https://issuer.example.com' },
    {},
    'authenticationConfigFile: the API server does not start with both this field and oidcIssuerURL (write what oidcIssuerURL says into the file)',
  ],
  [
    { authenticationConfigFile: '/etc/authentication.yaml' },
    { kubernetesVersion: '1.29.15' },
    'authenticationConfigFile: kube-apiserver 1.29.15 does not start with it while the feature gate StructuredAuthenticationConfiguration is off (set StructuredAuthenticationConfiguration: "true" in featureGates beside it, or remove this field)',
  ],
  [
    {
      authenticationConfigFile: '/etc/authentication.yaml',
      featureGates: { StructuredAuthenticationConfiguration: 'false' },
    },
    { kubernetesVersion: '1.30.0' },
    'authenticationConfigFile: kube-apiserver 1.30.0 does not start with it while the feature gate StructuredAuthenticationConfiguration is off (set StructuredAuthenticationConfiguration: "true" in featureGates beside it, or remove this field)',
  ],
  [
    { serviceNodePortRange: '32767-30000' },
    {},
    "serviceNodePortRange: '32767-30000' is not a range of ports (such as 30000-32767)",
  ],
  [
    { serviceNodePortRange: '30000-70000' },
    {},
    "serviceNodePortRange: '30000-70000' is not a range of ports (such as 30000-32767)",
  ],
  [{ proxyClientCertFile: '/a' }, {}, 'proxyClientCertFile: proxyClientKeyFile is not set (set both, or none)'],
  [{ proxyClientKeyFile: '/a' }, {}, 'proxyClientKeyFile: proxyClientCertFile is not set (set both, or none)'],
  [
    { auditWebhookConfigFile: '/etc/webhook.yaml' },
    {},
    'auditWebhookConfigFile: nothing is audited without a policy (set auditPolicyFile)',
  ],
  [
    { serviceClusterIPRange: '10.0.0.0/16' },
    { serviceClusterIPRange: '100.64.0.0/13' },
    'serviceClusterIPRange: 10.0.0.0/16 differs from spec.serviceClusterIPRange (100.64.0.0/13) (remove this field)',
  ],
])('an API server with %j is refused in a cluster with %j', (config, spec, expected) => {
  expect(faultsOf(config, spec)).toEqual([expected]);
});
