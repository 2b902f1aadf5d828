import { expect, it } from 'vitest';
import { kubernetesFacts } from './kubernetes-versions.ts';

it.each([
  ['v1.20.2', true, 'node-role.kubernetes.io/master', 'v1beta1', 10252],
  ['1.23.17', true, 'node-role.kubernetes.io/master', 'v1beta2', 10257],
  ['1.24.0-rc.1', false, 'node-role.kubernetes.io/control-plane', 'v1beta2', 10257],
  ['1.33.0', false, 'node-role.kubernetes.io/control-plane', 'v1', 10257],
])('Kubernetes %s has the facts of its minor', (version, dockershim, taint, scheduler, port) => {
  const facts = kubernetesFacts(version);
  expect(facts?.dockershim).toBe(dockershim);
  expect(facts?.controlPlaneTaint).toBe(taint);
  expect(facts?.schedulerConfigVersion).toBe(`kubescheduler.config.k8s.io/${scheduler}`);
  expect(facts?.controllerManagerProbe.port).toBe(port);
});
