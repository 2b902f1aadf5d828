import { expect, test } from 'vitest';
import { withoutKubelet } from './without-kubelet.ts';

test('a machine that is prepared for later gets all of its plan but a running kubelet', () => {
  const service = (name: string) => ({
    kind: 'Service',
    name,
    props: { unit: name, enabled: true, running: true, after: [{ ref: 'File/x' as const }] },
  });
  const file = { kind: 'File', name: 'kubelet.service', props: { path: '/etc/systemd/system/kubelet.service' } };
  const [kept, kubelet, other] = withoutKubelet([file, service('kubelet.service'), service('protokube.service')]);
  expect(kept).toBe(file);
  expect(kubelet?.props).toEqual({
    unit: 'kubelet.service',
    enabled: false,
    running: false,
    after: [{ ref: 'File/x' }],
  });
  expect(other?.props).toMatchObject({ enabled: true, running: true });
});
