import type { Json, Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { inPlace, parseWantedPlan, printWantedPlan } from './in-place.ts';
import type { NodePlan } from './node-plan.ts';

const task = (kind: string, name: string, props: { readonly [key: string]: Json } = {}): Task => ({
  kind,
  name,
  props,
});
const file = (path: string, text = 'old'): Task =>
  task('File', path.slice(1), { path, content: { text }, mode: '0644' });
const service = (unit: string, ...paths: readonly string[]): Task =>
  task('Service', unit, { unit, enabled: true, running: true, restartOnPaths: paths });
const plan = (tasks: readonly Task[], more: Partial<NodePlan> = {}): NodePlan => ({
  apiVersion: 'kopsctl.io/v1',
  kind: 'NodePlan',
  cluster: 'demo.example.com',
  instanceGroup: 'nodes',
  role: 'Node',
  kubernetesVersion: '1.36.3',
  tasks,
  ...more,
});

const UNITS = [
  service('kubelet.service', '/etc/kubelet.yaml'),
  service('protokube.service', '/etc/kops/protokube.json'),
  service('containerd.service', '/etc/systemd/system/containerd.service'),
];

test.each([
  ['a file of nobody', [file('/etc/motd')], [file('/etc/motd', 'new')], false],
  [
    'the configuration of an agent',
    [file('/etc/kops/protokube.json')],
    [file('/etc/kops/protokube.json', 'new')],
    false,
  ],
  ['the manifest of a static pod', [], [file('/etc/kubernetes/manifests/kube-proxy.yaml')], false],
  ['the configuration of kubelet', [file('/etc/kubelet.yaml')], [file('/etc/kubelet.yaml', 'new')], true],
  [
    'a kernel setting',
    [task('Sysctls', 'a', { values: { 'net.a': '1' } })],
    [task('Sysctls', 'a', { values: { 'net.a': '2' } })],
    true,
  ],
  ['an image that is no longer wanted', [task('Image', 'old')], [], false],
])('%s is changed in place', (_what, before, after, drains) => {
  expect(inPlace(plan([...UNITS, ...before]), plan([...UNITS, ...after]))).toEqual({ faults: [], drains });
});

test('a patch of Kubernetes is changed in place, and a minor version is not', () => {
  expect(inPlace(plan([]), plan([], { kubernetesVersion: '1.36.4' })).faults).toEqual([]);
  expect(inPlace(plan([]), plan([], { kubernetesVersion: '1.37.0' })).faults).toEqual([
    'Kubernetes 1.37.0 is another minor version',
  ]);
});

test.each([
  [
    'the runtime, which holds the containers',
    [file('/etc/systemd/system/containerd.service')],
    [file('/etc/systemd/system/containerd.service', 'new')],
  ],
  ['the storage of containers', [file('/etc/containerd/config.toml')], [file('/etc/containerd/config.toml', 'new')]],
  ['an archive', [task('Archive', 'cni', { identity: 'a' })], [task('Archive', 'cni', { identity: 'b' })]],
  ['a mount', [], [task('BindMount', 'a', { source: '/a' })]],
  ['a kernel module', [], [task('KernelModule', 'a', { name: 'a' })]],
  ['a certificate', [], [task('Certificate', 'a', { signer: 'kubernetes-ca' })]],
  [
    'a file of a keyset',
    [],
    [task('File', 'ca', { path: '/ca.crt', content: { keyset: 'kubernetes-ca', part: 'certificates' } })],
  ],
  ['a unit that is no longer wanted', [service('hook.service')], []],
  ['a static pod that is no longer wanted', [file('/etc/kubernetes/manifests/kube-proxy.yaml')], []],
])('%s is only changed with the machine', (_what, before, after) => {
  expect(inPlace(plan([...UNITS, ...before]), plan([...UNITS, ...after])).faults).toHaveLength(1);
});

test.each<[string, Partial<NodePlan>]>([
  ['of another cluster', { cluster: 'other.example.com' }],
  ['of another group', { instanceGroup: 'gpus' }],
  ['for other key pairs', { keysets: { 'kubernetes-ca': 'abc' } }],
])('a plan %s is refused', (_what, more) => {
  expect(inPlace(plan([]), plan([], more)).faults).toHaveLength(1);
});

test('a wish for a plan is read as it was written, and anything else is none', () => {
  const wish = { from: 'a'.repeat(64), to: 'b'.repeat(64) };
  expect(parseWantedPlan(printWantedPlan(wish))).toEqual(wish);
  for (const text of ['', 'a'.repeat(64), `${printWantedPlan(wish)}; reboot`])
    expect(parseWantedPlan(text)).toBeUndefined();
});
