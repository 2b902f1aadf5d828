import { readFileSync, writeFileSync } from 'node:fs';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { filesOf } from '../testdata/planned-files.ts';

const VERSION = '1.36.3';
const IPV4: ClusterSpec = { networking: { cilium: {} } };
const IPV6: ClusterSpec = {
  ...IPV4,
  nonMasqueradeCIDR: '::/0',
  subnets: [{ name: 'a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19', ipv6CIDR: '/64#0' }],
};

/** What IPv6 alone changes in the plan of a machine: the lines that go, and those that come, file by file. */
function differences(role: 'Master' | 'Node'): string {
  const [before, after] = [IPV4, IPV6].map((spec) => filesOf(VERSION, spec, 'aws', role));
  const linesOf = (files: typeof before, path: string): readonly string[] => files?.get(path)?.split('\n') ?? [];
  return [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
    .toSorted()
    .flatMap((path) => {
      const [old, wanted] = [linesOf(before, path), linesOf(after, path)];
      const changes = [
        ...old.filter((line) => !wanted.includes(line)).map((line) => `- ${line}`),
        ...wanted.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
      ];
      return changes.length === 0 ? [] : [path, ...changes, ''];
    })
    .join('\n');
}

/** The content of a golden file. UPDATE=1 writes it first. */
function golden(name: string, text: string): string {
  const path = new URL(`../testdata/golden/${name}`, import.meta.url);
  if (process.env['UPDATE'] === '1') writeFileSync(path, text);
  return readFileSync(path, 'utf8');
}

test.each([
  ['a control plane', 'Master', 'ipv6-control-plane.txt'],
  ['a worker', 'Node', 'ipv6-nodes.txt'],
] as const)('what IPv6 alone changes on %s is what the golden shows', (_, role, name) => {
  const text = differences(role);
  expect(text).toBe(golden(name, text));
});

test('an API server advertises the address of its machine, unless the spec has another', () => {
  const advertised = (kubeAPIServer: ClusterSpec['kubeAPIServer'] = {}, spec = IPV6): readonly string[] => {
    const manifest = filesOf(VERSION, { ...spec, kubeAPIServer }).get(
      '/etc/kubernetes/manifests/kube-apiserver.manifest',
    );
    const args: readonly string[] = parse(manifest ?? '').spec.containers[0].args;
    return args.filter((arg) => arg.startsWith('--advertise-address'));
  };
  expect(advertised()).toEqual(['--advertise-address=@{address}']);
  expect(advertised({ advertiseAddress: '2001:db8::1' })).toEqual(['--advertise-address=2001:db8::1']);
  expect(advertised({}, IPV4)).toEqual([]);
});

test('nothing is masqueraded, since no network of a cluster with IPv6 alone leaves that to the machine', () => {
  expect(filesOf(VERSION, { ...IPV6, networking: { calico: {} } }).has('/opt/kops/bin/cni-iptables-setup')).toBe(false);
});
