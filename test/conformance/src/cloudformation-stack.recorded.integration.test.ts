import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssociateVpcCidrBlockCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANYBODY, type AwsAccount, openAccount, REGION } from './aws-account.ts';
import { startMoto } from './moto.ts';
import { createStack, forMoto, type Template } from './moto-stack.ts';
import { clusterIn } from './recorded-templates.ts';

interface PlannedTask {
  readonly id: string;
  readonly steps: readonly { readonly action: string; readonly changes?: readonly { readonly path: string }[] }[];
}

const NO_TYPE = "moto's CloudFormation has no such type of resource";
const DROPPED = "moto's CloudFormation drops the property";
const NO_BALANCER = 'load balancers are kept from moto, which makes another type of them';

/** Everything that a direct update finds to do after the stack was created, and why. */
const LEFT = {
  'create DhcpOptions': NO_TYPE,
  'update DhcpOptionsAssociation dhcpOptions': NO_TYPE,
  'create IamRolePolicy': NO_TYPE,
  'create LifecycleHook': NO_TYPE,
  'update Queue policy': NO_TYPE,
  'create SecurityGroupRule ::/0': `${NO_TYPE} for egress; new groups of moto allow all of IPv4`,
  'create Route ::/0': `${DROPPED} DestinationIpv6CidrBlock`,
  'create RouteTableAssociation': 'moto keeps those of stacks apart from route tables',
  'update Volume iops throughput type': `${DROPPED} VolumeType, and what depends on it`,
  'update Vpc enableDnsHostnames': DROPPED,
  'update Subnet resourceNames': DROPPED,
  'update AutoscalingGroup launchTemplate metrics mixedInstances': `${DROPPED} MetricsCollection, and adds an empty policy`,
  'update InstanceProfile tags': 'CloudFormation has none, which is told when the template is written',
  'create ReservedNames': 'no template has them: machines create their names',
};

const LEFT_OF_BALANCERS = {
  'create LoadBalancer': NO_BALANCER,
  'create TargetGroup': NO_BALANCER,
  'create Listener': NO_BALANCER,
  'create DnsRecord': NO_BALANCER,
  'update AutoscalingGroup launchTemplate metrics mixedInstances targetGroups': NO_BALANCER,
};

/** The kinds of which a direct update finds at least one as it should be. */
const AS_WANTED = words(`EventRule EventTarget HostedZone IamRole InternetGateway LaunchTemplate Route RouteTable
  SecurityGroup SecurityGroupRule`);

const CASES = casesOf(
  [
    {
      name: 'privatecilium',
      left: { ...LEFT, ...LEFT_OF_BALANCERS },
      wanted: [...AS_WANTED, 'ElasticIp', 'NatGateway'],
    },
  ],
  [{ name: 'minimal-aws', left: LEFT, wanted: AS_WANTED }],
);

const moto = await startMoto();

describe.skipIf(moto === undefined)('a cluster that CloudFormation made', () => {
  let account: AwsAccount;
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-stack-'));

  beforeAll(async () => {
    if (moto !== undefined) account = await openAccount(moto);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await account?.close();
    await moto?.stop();
  });

  /** Stands for AWS::EC2::VPCCidrBlock, without which moto's VPC cannot be compared at all. */
  async function giveIpv6(cluster: string): Promise<void> {
    const ec2 = new EC2Client({ endpoint: moto?.endpoint ?? '', region: REGION, credentials: ANYBODY });
    const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
    const VpcId = Vpcs.find(({ Tags = [] }) => Tags.some(({ Value }) => Value === cluster))?.VpcId;
    await ec2.send(new AssociateVpcCidrBlockCommand({ VpcId, AmazonProvidedIpv6CidrBlock: true }));
  }

  /** A task that is not as wanted, without the names of its cluster. */
  function summary({ id, steps }: PlannedTask): string {
    const [kind, ...name] = id.split('/').slice(1);
    const paths = steps.flatMap(({ changes = [] }) => changes.map(({ path }) => path.replace(/[.[].*/, '')));
    const what = [...new Set(paths)].toSorted().join(' ');
    const isNamed = kind === 'Route' || kind === 'SecurityGroupRule';
    const peer = isNamed ? (/::\/0/.exec(name.join('/'))?.[0] ?? name.join('/')) : '';
    return [steps[0]?.action ?? '', kind, peer, what].filter((word) => word !== '').join(' ');
  }

  test.each(CASES)(
    '$name: lacks only what moto does not make, which a direct update makes',
    async ({ name, left, wanted }) => {
      const spec = account.spec(name);
      expect(await account.kopsctl(['create', '-f', spec])).toMatchObject({ exitCode: 0 });
      const cluster = clusterIn(readFileSync(spec, 'utf8'));
      const out = join(folder, name);
      const argv = ['update', 'cluster', cluster, '--target', 'cloudformation', '--out', out];
      expect(await account.kopsctl(argv)).toMatchObject({ exitCode: 0 });
      const template: Template = JSON.parse(readFileSync(join(out, 'kubernetes.json'), 'utf8'));
      // The only parameters are ids of hosted zones, in which moto's CloudFormation makes no record here.
      const parameters = Object.fromEntries(Object.keys(template.Parameters ?? {}).map((id) => [id, 'Z1']));
      if (moto !== undefined) await createStack(moto, { name, template: forMoto(template), parameters });
      await giveIpv6(cluster);
      const { stdout } = await account.kopsctl(['update', 'cluster', cluster, '-o', 'json']);
      const { tasks }: { tasks: readonly PlannedTask[] } = JSON.parse(stdout);
      const acting = tasks.filter(({ steps }) => steps.length > 0);
      expect(new Set(acting.map(summary))).toEqual(new Set(Object.keys(left)));
      const ready = tasks.filter((task) => task.id.startsWith('aws/') && !acting.includes(task));
      expect(new Set(ready.map(kindOf))).toEqual(new Set(wanted));

      expect(await account.kopsctl(['update', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });
      expect((await account.kopsctl(['update', 'cluster', cluster])).stdout).toContain('No changes');
    },
  );
});

function kindOf({ id }: PlannedTask): string {
  return id.split('/')[1] ?? '';
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
