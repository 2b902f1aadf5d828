import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { runtimeClasses } from './runtime-classes.ts';
import { awsFacts, GROUPS } from './testdata/aws-facts.ts';

const CONTAINERD = { gvisor: { enabled: true }, nvidiaGPU: { enabled: true } };

const classes = (own: InstanceGroupSpec, containerd = {}) =>
  runtimeClasses(
    awsFacts({ containerd }),
    GROUPS.map((group) => ({ ...group, spec: { ...group.spec, ...own } })),
  );

test('pods can choose the runtimes that machines of a group have', () => {
  const addons = classes({ nodeLabels: { 'kops.k8s.io/gpu': '1' } }, CONTAINERD);
  expect(addons.map(({ name }) => name)).toEqual(['nvidia.addons.k8s.io', 'gvisor.addons.k8s.io']);
  const [nvidia, plugin, gvisor] = addons.flatMap(({ objects }) => objects);
  expect(nvidia).toMatchObject({ handler: 'nvidia', scheduling: { nodeSelector: { 'kops.k8s.io/gpu': '1' } } });
  expect(plugin).toMatchObject({ kind: 'DaemonSet', metadata: { name: 'nvidia-device-plugin-daemonset' } });
  expect(gvisor).toMatchObject({ kind: 'RuntimeClass', metadata: { name: 'gvisor' }, handler: 'runsc' });
  // The label that completion gives to the groups that have it.
  expect(gvisor).toMatchObject({ scheduling: { nodeSelector: { 'kops.k8s.io/gvisor': '1' } } });
});

test('a runtime that no machine has is not a choice', () => {
  expect(classes({}, CONTAINERD).map(({ name }) => name)).toEqual(['gvisor.addons.k8s.io']);
  expect(classes({ role: 'Master' }, CONTAINERD)).toEqual([]);
  expect(classes({})).toEqual([]);
});

test('the plugin of GPUs has the image of the spec, and their metrics are served where the spec wants them', () => {
  const gpu = { nodeLabels: { 'kops.k8s.io/gpu': '1' } };
  const of = (nvidiaGPU: object) =>
    JSON.stringify(classes(gpu, { nvidiaGPU: { enabled: true, ...nvidiaGPU } }).flatMap(({ objects }) => objects));
  expect(of({})).toContain('"image":"nvcr.io/nvidia/k8s-device-plugin:');
  expect(of({ image: 'mirror.example.com/plugin:v1' })).toContain('"image":"mirror.example.com/plugin:v1"');
  expect(of({})).not.toContain('dcgm');
  expect(of({ dcgmExporter: { enabled: true } })).toContain('"containerPort":9400');
});
