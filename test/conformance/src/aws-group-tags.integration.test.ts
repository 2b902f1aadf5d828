import {
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANYBODY, type AwsAccount, IMAGE, openAccount, REGION } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();
const CLUSTER = 'demo.example.com';
const GROUP = `nodes-us-east-1a.${CLUSTER}`;
const TEMPLATE = 'k8s.io/cluster-autoscaler/node-template';

describe.skipIf(moto === undefined)('tags of auto-scaling groups in AWS', () => {
  if (moto === undefined) return;
  let account: AwsAccount;
  let autoScaling: AutoScalingClient;

  beforeAll(async () => {
    account = await openAccount(moto);
    autoScaling = new AutoScalingClient({ endpoint: moto.endpoint, region: REGION, credentials: ANYBODY });
  });
  afterAll(async () => {
    autoScaling.destroy();
    await account.close();
    await moto.stop();
  });

  const succeeds = async (...argv: readonly string[]): Promise<string> => {
    const ran = await account.kopsctl(argv);
    expect(ran).toMatchObject({ exitCode: 0 });
    return ran.stdout;
  };
  const keys = async (): Promise<readonly string[]> => {
    const { AutoScalingGroups = [] } = await autoScaling.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [GROUP] }),
    );
    return (AutoScalingGroups[0]?.Tags ?? []).map(({ Key = '' }) => Key).toSorted();
  };

  test('are those of the spec: what it no longer says, and what others add, goes with the next update', async () => {
    const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--image', IMAGE, '--networking', 'cni', '--dns', 'none'];
    const sizes = ['--node-size', 't3.medium', '--control-plane-size', 't3.medium'];
    await succeeds('create', 'cluster', '--name', CLUSTER, ...place, ...sizes, '--offline');
    // Before the first update, because moto never shows new tags of a launch template.
    const edit = ['edit', 'instancegroup', 'nodes-us-east-1a', '--name', CLUSTER];
    await succeeds(...edit, '--set', 'spec.taints=dedicated=gpu:NoSchedule', '--set', 'spec.nodeLabels.pool=gpu');
    await succeeds('update', 'cluster', CLUSTER, '--yes');
    const marks = [`${TEMPLATE}/label/pool`, `${TEMPLATE}/taint/dedicated`];
    const marked = await keys();
    expect(marked).toEqual(expect.arrayContaining(marks));

    const mine = { ResourceId: GROUP, ResourceType: 'auto-scaling-group', PropagateAtLaunch: true };
    await autoScaling.send(new CreateOrUpdateTagsCommand({ Tags: [{ ...mine, Key: 'mine', Value: 'too' }] }));
    await succeeds(...edit, '--unset', 'spec.taints', '--unset', 'spec.nodeLabels.pool');
    const plan = await succeeds('update', 'cluster', CLUSTER);
    for (const mark of marks) expect(plan).toContain(mark);
    await succeeds('update', 'cluster', CLUSTER, '--yes');
    expect(await keys()).toEqual(marked.filter((key) => !marks.includes(key)));
    expect(await succeeds('update', 'cluster', CLUSTER)).toContain('No changes');
  });
});
