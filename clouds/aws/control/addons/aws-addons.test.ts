import { expect, test } from 'vitest';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { parseAllDocuments } from 'yaml';
import { awsContext } from '../model/aws-context.ts';
import { components, serviceAccountRoles } from '../model/iam/service-accounts.ts';
import { bootstrapChannel } from '@kopsctl/model/addons/bootstrap-channel.ts';
import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { EVERY_ADDON, OWN_ROLES } from '@kopsctl/model/addons/testdata/specs.ts';

function manifest(name: string, spec: ClusterSpec): string {
  return fileOf(`addon-${name}`, spec);
}

function fileOf(name: string, spec: ClusterSpec): string {
  const task = bootstrapChannel(awsFacts(spec), GROUPS, undefined).find((one) => one.name === name);
  const content = task?.props['content'];
  if (typeof content !== 'string') throw new Error(`no file ${name}`);
  return content;
}

/** The entry of an addon in the channel. */
function entryOf(name: string, spec: ClusterSpec): unknown {
  const [document] = parseAllDocuments(fileOf('bootstrap-channel', spec));
  const addons: unknown = document?.toJS().spec.addons;
  return Array.isArray(addons) ? addons.find((one: { readonly name: string }) => one.name === name) : undefined;
}

test('the termination handler reads the queue of the cluster; the machine that applies the addon fills in the account', () => {
  const name = 'node-termination-handler.aws';
  const spec = { nodeTerminationHandler: { enabled: true } };
  expect(manifest(name, spec)).toContain('value: https://sqs.us-east-1.amazonaws.com/@{account}/demo-example-com-nth');
  expect(entryOf(name, spec)).toMatchObject({ needsFacts: ['account'] });
});

test('without a queue each machine asks its own metadata service, and nothing is left to fill in', () => {
  const name = 'node-termination-handler.aws';
  const spec = { nodeTerminationHandler: { enabled: true, enableSQSTerminationDraining: false } };
  expect(manifest(name, spec)).toContain('kind: DaemonSet');
  expect(manifest(name, spec)).not.toContain('QUEUE_URL');
  expect(entryOf(name, spec)).not.toHaveProperty('needsFacts');
});

test('components assume roles of their own where the spec says so', () => {
  const addon = 'aws-ebs-csi-driver.addons.k8s.io';
  const own = { iam: { useServiceAccountExternalPermissions: true } };
  expect(manifest(addon, {})).not.toContain('AWS_ROLE_ARN');
  expect(manifest(addon, own)).toContain(
    'arn:aws:iam::@{account}:role/ebs-csi-controller-sa.kube-system.sa.demo.example.com',
  );
});

test('the autoscaler knows the groups that scale, by the names of their auto-scaling groups', () => {
  const text = manifest('cluster-autoscaler.addons.k8s.io', {
    clusterAutoscaler: { enabled: true, expander: 'priority' },
    kubernetesVersion: '1.31.4',
  });
  expect(text).toContain('--nodes=1:4:nodes.demo.example.com');
  expect(text).not.toContain('masters.demo.example.com');
  expect(text).toContain('cluster-autoscaler:v1.31.5');
  expect(text).toContain(String.raw`^nodes\\.demo\\.example\\.com$`);
});

test('external-dns manages no zone but the one of the cluster', () => {
  const text = (dnsZone: string) =>
    manifest('external-dns.addons.k8s.io', { dnsZone, externalDns: { provider: 'external-dns' } });
  expect(text('example.com')).toContain('--domain-filter=example.com');
  expect(text('Z123')).toContain('--zone-id-filter=Z123');
});

test('pods run under the service accounts that have roles', () => {
  const facts = awsFacts({ ...OWN_ROLES, nodeTerminationHandler: { enabled: true } });
  const accounts = builtInAddons(facts, GROUPS)
    .flatMap(({ objects }) => objects)
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ metadata }) => JSON.stringify([metadata['namespace'], metadata['name']]));
  const withRoles = components(awsContext(facts, GROUPS)).map(({ account }) =>
    JSON.stringify([account.namespace, account.name]),
  );
  expect(withRoles.length).toBeGreaterThan(4);
  expect(withRoles.filter((account) => !accounts.includes(account))).toEqual([]);
});

test('the webhook gets the roles of the service accounts in the spec', () => {
  const text = manifest('eks-pod-identity-webhook.addons.k8s.io', { ...EVERY_ADDON, ...OWN_ROLES });
  expect(text).toContain('"shop/app":{"RoleARN":"arn:aws:iam::@{account}:role/app.shop.sa.demo.example.com"');
});

test('the cluster DNS is scaled by the image in the spec', () => {
  const image = (kubeDNS: NonNullable<ClusterSpec['kubeDNS']>) =>
    /image: (\S+proportional\S+)/.exec(manifest('coredns.addons.k8s.io', { kubeDNS }))?.[1];
  expect(image({})).toBe('registry.k8s.io/cpa/cluster-proportional-autoscaler:v1.9.0');
  expect(image({ cpaImage: 'example.com/proportional:1' })).toBe('example.com/proportional:1');
});

test('users are AWS identities as the spec maps them, and without a mapping as a ConfigMap of a person does', () => {
  const addon = 'authentication.aws';
  const arn = 'arn:aws:iam::1:role/dev';
  const mapped = manifest(addon, {
    authentication: { aws: { backendMode: 'CRD', identityMappings: [{ arn, username: 'dev', groups: ['team'] }] } },
  });
  expect(mapped).toContain(`arn: ${arn}`);
  expect(mapped).toContain('--cluster-id=demo.example.com');
  expect(mapped).not.toContain('--config=');
  const filed = manifest(addon, { authentication: { aws: {} } });
  expect(filed).toContain('--config=/etc/aws-iam-authenticator/config.yaml');
  expect(filed).not.toContain('IAMIdentityMapping\nmetadata:\n  name: iam-identity');
  expect(filed).not.toContain('--cluster-id');
});

test('cert-manager answers challenges in the hosted zones of the spec by a role of its own', () => {
  const certManager = { enabled: true, hostedZoneIDs: ['Z1', 'Z2'] };
  const iam = { useServiceAccountExternalPermissions: true };
  const role = 'role/cert-manager.kube-system.sa.demo.example.com';
  expect(manifest('certmanager.io', { certManager, iam }).split(role)).toHaveLength(2);
  expect(manifest('certmanager.io', { certManager })).not.toContain(role);
  const facts = awsFacts({ certManager, iam, kubeAPIServer: { serviceAccountIssuer: 'https://issuer' } });
  const policies = serviceAccountRoles(awsContext(facts, GROUPS)).filter(({ kind }) => kind === 'aws/IamRolePolicy');
  const policy = policies.find(({ name }) => name.startsWith('cert-manager.'))?.props['policy'];
  expect(JSON.stringify(policy)).toContain('["arn:aws:route53:::hostedzone/Z1","arn:aws:route53:::hostedzone/Z2"]');
});

test('Karpenter is what the spec says, and otherwise what it is in kops', () => {
  const usual = manifest('karpenter.sh', { ...OWN_ROLES, karpenter: { enabled: true } });
  expect(usual).toContain('image: public.ecr.aws/karpenter/controller:1.13.0');
  expect(usual).toContain('StaticCapacity=true');
  expect(usual).toContain('role/karpenter.kube-system.sa.demo.example.com');
  const karpenter = {
    cpuRequest: '2',
    featureGates: 'A=true',
    image: 'example.com/k:1',
    logLevel: 'info',
    memoryLimit: '3Gi',
  };
  const own = manifest('karpenter.sh', {
    ...OWN_ROLES,
    karpenter: { enabled: true, memoryRequest: '2Gi', ...karpenter },
  });
  for (const part of ['image: example.com/k:1', 'value: A=true', 'value: info', 'memory: 3Gi', 'memory: 2Gi']) {
    expect(own).toContain(part);
  }
});
