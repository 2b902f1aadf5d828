import { EC2Client, paginateDescribeInstanceTypes } from '@aws-sdk/client-ec2';
import { instanceStore } from '@kopsctl/clouds/aws/control/model/instance-store.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { ANYBODY, REGION } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();

/** moto answers with what EC2 said of its machine types. */
describe.skipIf(moto === undefined)('instance store volumes of machines in AWS', () => {
  if (moto === undefined) return;
  const client = new EC2Client({ endpoint: moto.endpoint, region: REGION, credentials: ANYBODY });
  afterAll(async () => {
    client.destroy();
    await moto.stop();
  });

  test('are as many as EC2 says of each type', async () => {
    const said = new Map<string, number>();
    const Filters = [{ Name: 'instance-storage-supported', Values: ['true'] }];
    for await (const { InstanceTypes = [] } of paginateDescribeInstanceTypes({ client }, { Filters })) {
      for (const { InstanceType, InstanceStorageInfo } of InstanceTypes) {
        // Machines of macOS run no Kubernetes.
        if (InstanceType === undefined || InstanceType.startsWith('mac')) continue;
        const disks = InstanceStorageInfo?.Disks ?? [];
        said.set(
          InstanceType,
          disks.reduce((sum, { Count = 0 }) => sum + Count, 0),
        );
      }
    }
    expect(said.size).toBeGreaterThan(500);
    const known = [...said.keys()].map((type) => [type, instanceStore(type).length] as const);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(said));
  });
});
