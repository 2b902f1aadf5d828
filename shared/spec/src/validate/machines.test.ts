import { expect, test } from 'vitest';
import type { HookSpec } from '../schema/machines.ts';
import { validateMachines } from './machines.ts';

const faultsOf = (hook: HookSpec) => {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: { hooks: [hook] } } as const;
  return [...validateMachines(cluster, [])].map(({ path, message }) => `${path.replace('spec.', '')}: ${message}`);
};
const UNIT = '[Service]\nExecStart=/bin/true\n';

test.each<HookSpec>([
  { manifest: 'Type=oneshot', before: ['kubelet.service'] },
  { manifest: UNIT, useRawManifest: true },
  { execContainer: { image: 'busybox', command: ['true'] } },
  { disabled: true, execContainer: {} },
])('the hook %j is accepted', (hook) => {
  expect(faultsOf(hook)).toEqual([]);
});

test.each<readonly [HookSpec, string]>([
  [{ name: 'a.service' }, 'hooks[0]: does nothing'],
  [{ name: 'a.service', manifest: '' }, 'hooks[0]: does nothing'],
  [{ manifest: UNIT, roles: ['node', 'Worker'] }, "hooks[0].roles[1]: 'Worker' is not a role of machines"],
  [{ execContainer: { command: ['true'] } }, 'hooks[0].execContainer.image: must be set'],
  [
    { manifest: UNIT, useRawManifest: true, before: ['kubelet.service'] },
    'hooks[0].before: has no effect with useRawManifest, which takes the manifest unchanged',
  ],
  [
    { manifest: UNIT, useRawManifest: true, requires: ['kubelet.service'] },
    'hooks[0].requires: has no effect with useRawManifest, which takes the manifest unchanged',
  ],
])('the hook %j is refused', (hook, expected) => {
  expect(faultsOf(hook)).toEqual([expected]);
});

test('a kernel parameter that no machine accepts is refused: kubelet would wait for it', () => {
  const sysctlParameters = ['# a=b', '', 'net/ipv4/ip_forward=1', 'net.ipv4.conf.eth0/100.rp_filter = 0', 'net.ipv4'];
  const spec = { sysctlParameters: [...sysctlParameters, 'net..a=1', 'kernel=1', 'a b=1'] };
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec } as const;
  expect([...validateMachines(cluster, [])].map(({ path }) => path)).toEqual(
    [4, 5, 6, 7].map((index) => `spec.sysctlParameters[${index}]`),
  );
});
