import { expect, test } from 'vitest';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { parseAllDocuments } from 'yaml';
import { bootstrapChannel } from '../bootstrap-channel.ts';
import { awsFacts, GROUPS } from '../testdata/aws-facts.ts';

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

test('the termination handler reads the queue of the cluster, whose account is filled in by the machine that applies it', () => {
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

test('components take roles of their own where the spec says so', () => {
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
  expect(text).toContain('cluster-autoscaler:v1.31.0');
  expect(text).toContain(String.raw`^nodes\\.demo\\.example\\.com$`);
});

test('external-dns keeps to the zone of the cluster', () => {
  const text = (dnsZone: string) =>
    manifest('external-dns.addons.k8s.io', { dnsZone, externalDns: { provider: 'external-dns' } });
  expect(text('example.com')).toContain('--domain-filter=example.com');
  expect(text('Z123')).toContain('--zone-id-filter=Z123');
});
