import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import type { FleetMachine } from '@kopsctl/model/fleet.ts';
import { expect, test } from 'vitest';
import { autoScalingGroups } from './auto-scaling-groups.ts';
import { endMachine } from './end-machine.ts';

type Answers = (command: string, input: Readonly<Record<string, unknown>>) => object;

/** Clients that send nothing, and get these answers. */
function clients(answer: Answers) {
  const [autoScaling, ec2] = [new AutoScalingClient({ region: 'us-east-1' }), new EC2Client({ region: 'us-east-1' })];
  autoScaling.middlewareStack.add(
    (_next, { commandName = '' }) =>
      async ({ input }) => ({ output: { $metadata: {}, ...answer(commandName, { ...input }) }, response: undefined }),
    { step: 'initialize' },
  );
  ec2.middlewareStack.add(
    (_next, { commandName = '' }) =>
      async ({ input }) => ({ output: { $metadata: {}, ...answer(commandName, { ...input }) }, response: undefined }),
    { step: 'initialize' },
  );
  return { autoScaling, ec2, clusterName: 'demo' };
}

test('machines of a warm pool, which AWS lists apart and in pages, are among those of their group', async () => {
  const asked: string[] = [];
  const aws = clients((command, { AutoScalingGroupName, NextToken }) => {
    if (command === 'DescribeAutoScalingGroupsCommand') {
      const WarmPoolConfiguration = { MinSize: 1 };
      return {
        AutoScalingGroups: [
          { AutoScalingGroupName: 'nodes.demo', WarmPoolConfiguration, Instances: [{ InstanceId: 'i-1' }] },
          { AutoScalingGroupName: 'masters.demo', Instances: [{ InstanceId: 'i-2' }] },
        ],
      };
    }
    asked.push(`${command} ${String(AutoScalingGroupName)}`);
    return NextToken === undefined
      ? { Instances: [{ InstanceId: 'i-1' }, { InstanceId: 'i-3' }], NextToken: 'more' }
      : { Instances: [{ InstanceId: 'i-4' }] };
  });
  const found = await autoScalingGroups(aws);
  expect(found.map(({ Instances = [] }) => Instances.map(({ InstanceId }) => InstanceId))).toEqual([
    ['i-1', 'i-3', 'i-4'],
    ['i-2'],
  ]);
  expect(asked).toEqual(['DescribeWarmPoolCommand nodes.demo', 'DescribeWarmPoolCommand nodes.demo']);
});

test.each([
  ['counted', 'TerminateInstanceInAutoScalingGroupCommand'],
  ['warm', 'TerminateInstancesCommand'],
  ['detached', 'TerminateInstancesCommand'],
] as const)('a machine that is %s is ended by %s', async (standing, expected) => {
  const sent: string[] = [];
  const aws = clients((command) => {
    sent.push(command);
    return {};
  });
  const machine: FleetMachine = {
    id: 'i-1',
    name: 'i-1',
    nodeName: '',
    instanceGroup: 'nodes',
    role: 'Node',
    address: '',
    running: false,
    isCurrent: false,
    standing,
  };
  await endMachine(aws, { machines: [machine] }, 'i-1');
  expect(sent).toEqual([expected]);
});
