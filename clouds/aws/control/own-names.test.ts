import { expect, test } from 'vitest';
import { isOwnLoadBalancer, isOwnSecurityGroup, isOwnTargetGroup, targetGroupName } from './own-names.ts';

const CLUSTER = 'demo.example.com';

test('what the cloud controller made for a Service is not of the model, whatever its name', () => {
  const named = (Name: string) => ({ Name, KubernetesCluster: CLUSTER, [`kubernetes.io/cluster/${CLUSTER}`]: 'owned' });
  const ofService = { 'kubernetes.io/service-name': 'default/web' };
  for (const [isOwn, name] of [
    [isOwnSecurityGroup, `api-elb.${CLUSTER}`],
    [isOwnLoadBalancer, `api.${CLUSTER}`],
    [isOwnTargetGroup, targetGroupName('tcp', CLUSTER)],
  ] as const) {
    expect(isOwn(named(name), CLUSTER)).toBe(true);
    expect(isOwn({ ...named(name), ...ofService }, CLUSTER)).toBe(false);
    expect(isOwn(named(name), 'example.com')).toBe(false);
    expect(isOwn(named('web'), CLUSTER)).toBe(false);
    expect(isOwn({ KubernetesCluster: CLUSTER }, CLUSTER)).toBe(false);
  }
});
