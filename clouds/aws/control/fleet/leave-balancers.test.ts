import { expect, test } from 'vitest';
import { leaveBalancers } from './leave-balancers.ts';

const ARN = 'arn:aws:elasticloadbalancing:us-east-1:1:targetgroup/tcp-demo/1';
const { signal } = new AbortController();

/** Load balancers that drain a machine for some time from when it was deregistered. */
function draining({
  forMs,
  delaySeconds = 30,
  isGone = false,
  denied,
  fails,
}: {
  forMs: number;
  delaySeconds?: number;
  isGone?: boolean;
  /** What the account may not do. */
  denied?: string;
  /** What fails from the second time on. */
  fails?: string;
}) {
  let now = 0;
  const sent: string[] = [];
  const notes: string[] = [];
  let answered = 0;
  let looks = 0;
  const notThere = (name: string) => Object.assign(new Error(name), { name });
  const send = async ({ constructor: { name } }: object) => {
    const asked = name.replace('Command', '');
    if (!asked.startsWith('Describe')) sent.push(asked);
    else looks += 1;
    if (asked === denied) throw notThere('AccessDenied');
    if (asked === fails && (answered += 1) > 1) throw notThere('InternalFailure');
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
      {
        nowMs: () => now,
        pause: async (ms, ended) => {
          ended.throwIfAborted();
          now += ms;
        },
        note: (line) => void notes.push(line),
      },
      signal,
    );
  return { leave, sent, notes, waitedMs: () => now, looks: () => looks };
}

test.each([
  ['a target group', { targetGroups: [ARN] }, ['DeregisterTargets']],
  ['a classic load balancer', { classicLoadBalancers: ['api-demo'] }, ['DeregisterInstancesFromLoadBalancer']],
  [
    'both',
    { targetGroups: [ARN], classicLoadBalancers: ['api-demo'] },
    ['DeregisterTargets', 'DeregisterInstancesFromLoadBalancer'],
  ],
])('a machine has left %s only when that no longer sends it connections', async (_what, balancers, requests) => {
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

test('a target group that is set to drain for a long time is waited for', async () => {
  const { leave, waitedMs } = draining({ forMs: 600_000, delaySeconds: 600 });
  await leave({ targetGroups: [ARN] });
  expect(waitedMs()).toBeGreaterThanOrEqual(600_000);
});

test.each([
  ['target group', { targetGroups: [ARN] }],
  ['load balancer', { classicLoadBalancers: ['api-demo'] }],
])(
  'a %s that keeps the machine for much longer than its delay is named, and not waited for',
  async (what, balancers) => {
    const { leave, notes, waitedMs } = draining({ forMs: Infinity });
    await leave(balancers);
    expect(notes).toEqual([expect.stringContaining(`the ${what}`)]);
    expect(notes).toEqual([expect.stringContaining('may still send i-1 connections')]);
    expect(waitedMs()).toBeGreaterThanOrEqual(90_000);
    expect(waitedMs()).toBeLessThan(120_000);
  },
);

test.each([
  ['DescribeTargetHealth', { targetGroups: [ARN] }],
  ['DescribeTargetGroupAttributes', { targetGroups: [ARN] }],
  ['DescribeInstanceHealth', { classicLoadBalancers: ['api-demo'] }],
  ['DescribeLoadBalancerAttributes', { classicLoadBalancers: ['api-demo'] }],
])('without the permission %s, a machine leaves without a wait, and the person is told', async (denied, balancers) => {
  const { leave, sent, notes, waitedMs } = draining({ forMs: 30_000, denied });
  await leave(balancers);
  expect(sent).toHaveLength(1);
  expect(notes).toEqual([expect.stringContaining(`elasticloadbalancing:${denied}`)]);
  expect(waitedMs()).toBe(0);
});

test('where one balancer cannot be asked any more, the others are not waited for either', async () => {
  const { leave, waitedMs, looks } = draining({ forMs: Infinity, fails: 'DescribeInstanceHealth' });
  const left = leave({ targetGroups: [ARN], classicLoadBalancers: ['api-demo'] });
  await expect(left).rejects.toThrow('InternalFailure');
  const [before, now] = [looks(), waitedMs()];
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(looks()).toBeLessThanOrEqual(before + 1);
  expect(waitedMs()).toBe(now);
});
