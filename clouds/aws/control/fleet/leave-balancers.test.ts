import { expect, test } from 'vitest';
import { leaveBalancers } from './leave-balancers.ts';

const ARN = 'arn:aws:elasticloadbalancing:us-east-1:1:targetgroup/tcp-demo/1';
const { signal } = new AbortController();

/** Load balancers that drain a machine for some time from when it was deregistered. */
function draining({
  forMs,
  delaySeconds = 30,
  isGone = false,
}: {
  forMs: number;
  delaySeconds?: number;
  isGone?: boolean;
}) {
  let now = 0;
  const sent: string[] = [];
  const notThere = (name: string) => Object.assign(new Error(name), { name });
  const send = async ({ constructor: { name } }: object) => {
    const asked = name.replace('Command', '');
    if (!asked.startsWith('Describe')) sent.push(asked);
    const isDraining = now < forMs;
    switch (asked) {
      case 'DescribeTargetHealth':
        if (isGone) throw notThere('InvalidTargetException');
        return { TargetHealthDescriptions: [{ TargetHealth: { State: isDraining ? 'draining' : 'unused' } }] };
      case 'DescribeInstanceHealth':
        if (isGone) throw notThere('InvalidEndPointException');
        return { InstanceStates: [{ State: isDraining ? 'InService' : 'OutOfService' }] };
      case 'DescribeTargetGroupAttributes':
        return { Attributes: [{ Key: 'deregistration_delay.timeout_seconds', Value: String(delaySeconds) }] };
      case 'DescribeLoadBalancerAttributes':
        return { LoadBalancerAttributes: { ConnectionDraining: { Enabled: true, Timeout: delaySeconds } } };
      default:
        return {};
    }
  };
  const client = { send } as never;
  const leave = (balancers: { targetGroups?: readonly string[]; classicLoadBalancers?: readonly string[] }) =>
    leaveBalancers(
      { loadBalancing: client, classicLoadBalancing: client },
      { targetGroups: [], classicLoadBalancers: [], ...balancers },
      'i-1',
      signal,
      { nowMs: () => now, pause: async (ms) => void (now += ms) },
    );
  return { leave, sent, waitedMs: () => now };
}

test.each([
  ['a target group', { targetGroups: [ARN] }, ['DeregisterTargets']],
  ['a classic load balancer', { classicLoadBalancers: ['api-demo'] }, ['DeregisterInstancesFromLoadBalancer']],
  [
    'both',
    { targetGroups: [ARN], classicLoadBalancers: ['api-demo'] },
    ['DeregisterTargets', 'DeregisterInstancesFromLoadBalancer'],
  ],
])('a machine has left %s only when that sends it no connections any more', async (_what, balancers, requests) => {
  const { leave, sent, waitedMs } = draining({ forMs: 30_000 });
  await leave(balancers);
  expect(waitedMs()).toBeGreaterThanOrEqual(30_000);
  expect(sent).toEqual(requests);
});

test('what has no such machine any more is not waited for', async () => {
  const { leave, waitedMs } = draining({ forMs: 30_000, isGone: true });
  await leave({ targetGroups: [ARN], classicLoadBalancers: ['api-demo'] });
  expect(waitedMs()).toBe(0);
});

test('a target group that drains for long because it is set to is waited for', async () => {
  const { leave, waitedMs } = draining({ forMs: 600_000, delaySeconds: 600 });
  await leave({ targetGroups: [ARN] });
  expect(waitedMs()).toBeGreaterThanOrEqual(600_000);
});

test.each([
  ['target group', { targetGroups: [ARN] }],
  ['load balancer', { classicLoadBalancers: ['api-demo'] }],
])('a %s that keeps the machine for much longer than its delay is named', async (what, balancers) => {
  const { leave, waitedMs } = draining({ forMs: Infinity });
  await expect(leave(balancers)).rejects.toThrow(`cannot take i-1 out of the ${what}`);
  expect(waitedMs()).toBeLessThan(120_000);
});
