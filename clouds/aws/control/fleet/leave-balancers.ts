import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeregisterInstancesFromLoadBalancerCommand,
  DescribeInstanceHealthCommand,
  DescribeLoadBalancerAttributesCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  DeregisterTargetsCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetHealthCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { errorName, isForbidden } from '../error-name.ts';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { unlessGone } from '../handlers/unless-gone.ts';

/** What sends connections to the machines of an auto-scaling group. */
export interface Balancers {
  /** Their ARNs. */
  readonly targetGroups: readonly string[];
  /** The names of classic load balancers. */
  readonly classicLoadBalancers: readonly string[];
}

/** AWS sends no event when a machine has left. */
const LOOK_AGAIN_MS = 2_000;
/** What AWS may need beyond the delay that a balancer keeps to. */
const MARGIN_MS = 60_000;

export interface LeavingEnv {
  readonly nowMs: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Tells the person why a machine is not waited for. */
  readonly note: (line: string) => void;
}

export const leavingEnv = (note: LeavingEnv['note']): LeavingEnv => ({
  nowMs: () => Date.now(),
  pause: (ms, signal) => sleep(ms, undefined, { signal }),
  note,
});

/**
 * Takes a machine out of load balancers, and resolves when none of them sends it connections any more: after the deregistration
 * delay of target groups, and after the connection draining of classic load balancers. Those that are gone are not waited for,
 * and neither are those that need much longer or that the account may not look at: the person is told so.
 */
export async function leaveBalancers(
  aws: Pick<AwsCloud, 'loadBalancing' | 'classicLoadBalancing'>,
  { targetGroups, classicLoadBalancers }: Balancers,
  machine: string,
  env: LeavingEnv,
  signal: AbortSignal,
): Promise<void> {
  const leaving = [
    ...targetGroups.map((arn) => targetGroup(aws, arn, machine)),
    ...classicLoadBalancers.map((name) => classicLoadBalancer(aws, name, machine)),
  ];
  // From all before any is waited for: they drain at the same time.
  for (const { deregister } of leaving) await deregister(signal);
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  try {
    await Promise.all(leaving.map((one) => waitUntilLeft(one, machine, env, either)));
  } finally {
    // The others end with the first one that fails.
    failed.abort();
  }
}

/** One balancer that a machine leaves. */
interface Leaving {
  readonly balancer: string;
  /** The permissions that it takes to look at it. */
  readonly permissions: readonly string[];
  readonly deregister: (signal: AbortSignal) => Promise<unknown>;
  readonly isLeft: (signal: AbortSignal) => Promise<boolean>;
  /** How long connections may stay. */
  readonly delayMs: (signal: AbortSignal) => Promise<number>;
}

async function waitUntilLeft(one: Leaving, machine: string, env: LeavingEnv, signal: AbortSignal): Promise<void> {
  try {
    await waitWithin(one, machine, env, signal);
  } catch (thrown) {
    if (!isForbidden(thrown)) throw thrown;
    const permissions = one.permissions.map((action) => `elasticloadbalancing:${action}`).join(' and ');
    // The same text for every machine, so that it is printed once.
    env.note(
      `Note: machines are terminated without waiting until load balancers stop sending them connections: waiting requires the permissions ${permissions}`,
    );
  }
}

async function waitWithin(
  { balancer, isLeft, delayMs }: Leaving,
  machine: string,
  { nowMs, pause, note }: LeavingEnv,
  signal: AbortSignal,
): Promise<void> {
  const sinceMs = nowMs();
  if (await isLeft(signal)) return;
  const limitMs = (await delayMs(signal)) + MARGIN_MS;
  while (!(await isLeft(signal))) {
    const waitedMs = nowMs() - sinceMs;
    if (waitedMs > limitMs) {
      note(
        `Note: ${balancer} may still send ${machine} connections ${Math.round(waitedMs / 1000)} s after it was removed, a minute more than its configured delay; kopsctl no longer waits for it`,
      );
      return;
    }
    await pause(LOOK_AGAIN_MS, signal);
  }
}

function targetGroup({ loadBalancing }: Pick<AwsCloud, 'loadBalancing'>, arn: string, machine: string): Leaving {
  const asked = { TargetGroupArn: arn, Targets: [{ Id: machine }] };
  return {
    balancer: `the target group ${arn}`,
    permissions: ['DescribeTargetHealth', 'DescribeTargetGroupAttributes'],
    deregister: (abortSignal) => unlessGone(loadBalancing.send(new DeregisterTargetsCommand(asked), { abortSignal })),
    isLeft: async (abortSignal) => {
      const health = await unlessInvalid(loadBalancing.send(new DescribeTargetHealthCommand(asked), { abortSignal }));
      return (health?.TargetHealthDescriptions ?? []).every(({ TargetHealth }) => TargetHealth?.State === 'unused');
    },
    delayMs: async (abortSignal) => {
      const command = new DescribeTargetGroupAttributesCommand({ TargetGroupArn: arn });
      const found = await unlessGone(loadBalancing.send(command, { abortSignal }));
      const delay = found?.Attributes?.find(({ Key }) => Key === 'deregistration_delay.timeout_seconds');
      return Number(delay?.Value ?? DEFAULT_DELAY_SECONDS) * 1000;
    },
  };
}

/** Elastic Load Balancing: the default of deregistration delay and of connection draining. */
const DEFAULT_DELAY_SECONDS = 300;

function classicLoadBalancer(
  { classicLoadBalancing }: Pick<AwsCloud, 'classicLoadBalancing'>,
  name: string,
  machine: string,
): Leaving {
  const asked = { LoadBalancerName: name, Instances: [{ InstanceId: machine }] };
  return {
    balancer: `the load balancer ${name}`,
    permissions: ['DescribeInstanceHealth', 'DescribeLoadBalancerAttributes'],
    deregister: (abortSignal) =>
      unlessGone(classicLoadBalancing.send(new DeregisterInstancesFromLoadBalancerCommand(asked), { abortSignal })),
    isLeft: async (abortSignal) => {
      const command = new DescribeInstanceHealthCommand(asked);
      const health = await unlessInvalid(classicLoadBalancing.send(command, { abortSignal }));
      return (health?.InstanceStates ?? []).every(({ State }) => State !== 'InService');
    },
    delayMs: async (abortSignal) => {
      const command = new DescribeLoadBalancerAttributesCommand({ LoadBalancerName: name });
      const found = await unlessGone(classicLoadBalancing.send(command, { abortSignal }));
      const draining = found?.LoadBalancerAttributes?.ConnectionDraining;
      return draining?.Enabled === true ? (draining.Timeout ?? DEFAULT_DELAY_SECONDS) * 1000 : 0;
    },
  };
}

/** The answer, or undefined where the balancer or the machine is gone, or the machine is not registered. */
async function unlessInvalid<Answer>(question: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await unlessGone(question);
  } catch (thrown) {
    if (/InvalidTarget|InvalidInstance|InvalidEndPoint/.test(errorName(thrown))) return undefined;
    throw thrown;
  }
}
