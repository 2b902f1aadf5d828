import { expect, test } from 'vitest';
import { DETACHED_TAG } from '../fleet/fleet-groups.ts';
import { autoscalingGroupHandler } from './autoscaling-group.ts';
import { answeredAccount } from './testdata/answered-account.ts';

const CLUSTER = 'demo.example.com';
const GROUP = `nodes.${CLUSTER}`;

interface Instance {
  readonly id: string;
  readonly state: string;
  readonly detachedFrom?: string;
}

/** An account with one group, which is gone once it is deleted. `sent` are the changes in their order. */
function account(instances: readonly Instance[]) {
  const sent: string[] = [];
  let isThere = true;
  const answer = (command: string, input: object): object => {
    switch (command) {
      case 'DescribeAutoScalingGroupsCommand':
        return { AutoScalingGroups: isThere ? [{ AutoScalingGroupName: GROUP }] : [] };
      case 'DescribeInstancesCommand':
        return { Reservations: [{ Instances: instances.map((one) => described(one)) }] };
      case 'TerminateInstancesCommand':
        sent.push(`end ${String(Reflect.get(input, 'InstanceIds'))}`);
        return {};
      case 'DeleteAutoScalingGroupCommand':
        isThere = false;
        sent.push(`delete ${String(Reflect.get(input, 'AutoScalingGroupName'))}`);
        return {};
      default:
        throw new Error(`${command} was not expected`);
    }
  };
  const aws = answeredAccount({ clusterName: CLUSTER }, answer);
  const owned = { name: GROUP, description: `auto-scaling group ${GROUP}`, handle: GROUP };
  return { sent, remove: () => autoscalingGroupHandler.remove?.(owned, { aws }, AbortSignal.any([])) };
}

const described = ({ id, state, detachedFrom }: Instance) => ({
  InstanceId: id,
  State: { Name: state },
  Tags: detachedFrom === undefined ? [] : [{ Key: DETACHED_TAG, Value: detachedFrom }],
});

test('with a group, the machines go that a rolling update took out of it, and no others', async () => {
  const { sent, remove } = account([
    { id: 'i-in', state: 'running' },
    { id: 'i-out', state: 'running', detachedFrom: GROUP },
    { id: 'i-ended', state: 'terminated', detachedFrom: GROUP },
    { id: 'i-other', state: 'running', detachedFrom: `other.${CLUSTER}` },
  ]);
  await remove();
  expect(sent).toEqual(['end i-out', `delete ${GROUP}`]);
});
