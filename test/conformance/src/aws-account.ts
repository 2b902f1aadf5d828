import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateSubnetCommand,
  CreateSecurityGroupCommand,
  CreateTransitGatewayCommand,
  CreateVolumeCommand,
  CreateVpcCommand,
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeInstancesCommand,
  DescribeInternetGatewaysCommand,
  DescribeKeyPairsCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcsCommand,
  EC2Client,
  type Tag,
} from '@aws-sdk/client-ec2';
import {
  CreateLoadBalancerCommand,
  DescribeLoadBalancersCommand as DescribeClassicLoadBalancersCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  CreateLoadBalancerCommand as CreateNetworkLoadBalancerCommand,
  CreateTargetGroupCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { IAMClient, ListInstanceProfilesCommand, ListRolesCommand } from '@aws-sdk/client-iam';
import {
  CreateHostedZoneCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { execa } from 'execa';
import type { MotoServer } from './moto.ts';
import { recordedFolder } from './recorded-cases.ts';
import { type Ran, runCli } from './warm-cli.ts';

export const REGION = 'us-east-1';
const BUCKET = 'kops-state';
/** An image that exists at the server. */
export const IMAGE = 'ami-785db401';
/** Names of what the cloud controller makes for a Service. */
const NETWORK_BALANCER = 'a1';
const SERVICE_TARGETS = 'k8s-default-web';

/** The credentials for signing requests. */
export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export const ANYBODY: Keys = { accessKeyId: 'test', secretAccessKey: 'test' };

/** An account at a test server for AWS, with a bucket, a domain and everything that specs refer to. */
export interface AwsAccount {
  /** Records made-up hashes of what the machines of a stored cluster download; anybody's update does that as well. */
  makeUpHashes(cluster: string): Promise<void>;
  /** Runs the program against the account. The endpoint may be a proxy of the same server. */
  kopsctl(argv: readonly string[], endpoint?: string, keys?: Keys): Promise<Ran>;
  /** A recorded spec, copied so that it can be applied. */
  spec(name: string): string;
  /** An existing VPC of another owner, with a subnet and a gateway. */
  makeVpc(): Promise<{ readonly vpc: string; readonly subnet: string }>;
  hasVpc(vpc: string): Promise<boolean>;
  /**
   * Creates what a running cluster creates: load balancers of Services, with a security group and a target group, and the
   * volume of a pod.
   */
  makeLeftovers(cluster: string): Promise<void>;
  /** All existing resources of a cluster, by kind. */
  remains(cluster: string): Promise<Readonly<Record<string, number>>>;
  /** The user-data of the machines of a launch template. */
  userData(launchTemplate: string): Promise<string>;
  close(): Promise<void>;
}

export async function openAccount(moto: MotoServer): Promise<AwsAccount> {
  await moto.reset();
  const settings = {
    endpoint: moto.endpoint,
    region: REGION,
    credentials: ANYBODY,
  };
  const s3 = new S3Client({ ...settings, forcePathStyle: true });
  const ec2 = new EC2Client(settings);
  const route53 = new Route53Client(settings);
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  await route53.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: 'test' }));
  const { TransitGateway } = await ec2.send(new CreateTransitGatewayCommand({}));
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-aws-'));
  await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);

  const store = createS3Store(`s3://${BUCKET}`, { endpoint: moto.endpoint, credentials: ANYBODY, region: REGION });
  const hashesOf = (cluster: string) => makeUpHashes(store, cluster);

  return {
    makeUpHashes: hashesOf,
    spec: (name) => {
      const text = readFileSync(join(recordedFolder, 'update_cluster', name, 'in-v1alpha2.yaml'), 'utf8')
        .replaceAll('us-test-1', REGION)
        .replaceAll('aws-test', 'aws')
        .replaceAll(/image: ubuntu.*/g, `image: ${IMAGE}`)
        .replaceAll(/configBase: memfs:\/\/[^/]+\//g, `configBase: s3://${BUCKET}/`)
        .replaceAll(/tgw-\d+/g, TransitGateway?.TransitGatewayId ?? '')
        // The certificate of a listener must exist in the account.
        .replaceAll(/\n.*(?:sslCertificate|sslPolicy): .*/g, '');
      const path = join(folder, `${name}.yaml`);
      writeFileSync(path, text);
      return path;
    },
    async kopsctl(argv, endpoint = moto.endpoint, keys = ANYBODY) {
      const [verb, kind, cluster] = argv;
      if (verb === 'update' && kind === 'cluster' && cluster !== undefined && keys === ANYBODY) await hashesOf(cluster);
      return runCli(argv, {
        AWS_ENDPOINT_URL: endpoint,
        AWS_ENDPOINT_URL_S3: moto.endpoint,
        AWS_REGION: REGION,
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
        KOPS_STATE_STORE: `s3://${BUCKET}`,
        KUBECONFIG: join(folder, 'kubeconfig'),
      });
    },
    async makeVpc() {
      const vpc = (await ec2.send(new CreateVpcCommand({ CidrBlock: '10.9.0.0/16' }))).Vpc?.VpcId ?? '';
      const at = { VpcId: vpc, CidrBlock: '10.9.1.0/24', AvailabilityZone: `${REGION}a` };
      const subnet = (await ec2.send(new CreateSubnetCommand(at))).Subnet?.SubnetId ?? '';
      const gateway = (await ec2.send(new CreateInternetGatewayCommand({}))).InternetGateway?.InternetGatewayId;
      await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId: gateway, VpcId: vpc }));
      return { vpc, subnet };
    },
    async hasVpc(vpc) {
      const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
      return Vpcs.some(({ VpcId }) => VpcId === vpc);
    },
    async makeLeftovers(cluster) {
      const Tags = [
        { Key: `kubernetes.io/cluster/${cluster}`, Value: 'owned' },
        // Machines of kops have it, and then the cloud controller gives it to what it makes
        // (cloud-provider-aws pkg/providers/v1/tags.go).
        { Key: 'KubernetesCluster', Value: cluster },
      ];
      const ofService = [
        ...Tags,
        { Key: 'kubernetes.io/service-name', Value: 'default/web' },
        // Of the annotation service.beta.kubernetes.io/aws-load-balancer-additional-resource-tags.
        { Key: 'Name', Value: 'web' },
      ];
      const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
      const vpc = Vpcs.find((one) => one.Tags?.some(({ Value }) => Value === cluster))?.VpcId;
      for (const [GroupName, tags] of [
        ['k8s-elb-a0', Tags],
        ['k8s-elb-a1', ofService],
      ] as const) {
        await ec2.send(
          new CreateSecurityGroupCommand({
            GroupName,
            Description: 'of a Service',
            VpcId: vpc,
            TagSpecifications: [{ ResourceType: 'security-group', Tags: [...tags] }],
          }),
        );
      }
      await ec2.send(
        new CreateVolumeCommand({
          AvailabilityZone: `${REGION}a`,
          Size: 1,
          TagSpecifications: [{ ResourceType: 'volume', Tags }],
        }),
      );
      await new ElasticLoadBalancingClient(settings).send(
        new CreateLoadBalancerCommand({
          LoadBalancerName: 'a0',
          Listeners: [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 30080 }],
          AvailabilityZones: [`${REGION}a`],
          Tags,
        }),
      );
      const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
      const subnets = Subnets.flatMap(({ VpcId, SubnetId = '' }) => (VpcId === vpc ? [SubnetId] : []));
      const balancing = new ElasticLoadBalancingV2Client(settings);
      const balancer = {
        Name: NETWORK_BALANCER,
        Type: 'network',
        Subnets: subnets.slice(0, 1),
        Tags: ofService,
      } as const;
      await balancing.send(new CreateNetworkLoadBalancerCommand(balancer));
      const targets = { Name: SERVICE_TARGETS, Protocol: 'TCP', Port: 30080, VpcId: vpc, Tags: ofService } as const;
      await balancing.send(new CreateTargetGroupCommand(targets));
    },
    async userData(LaunchTemplateName) {
      const { LaunchTemplateVersions: [version] = [] } = await ec2.send(
        new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName, Versions: ['$Latest'] }),
      );
      return Buffer.from(version?.LaunchTemplateData?.UserData ?? '', 'base64').toString('utf8');
    },
    async remains(cluster) {
      const counts: Record<string, number> = {};
      const count = (kind: string, number: number) => {
        if (number > 0) counts[kind] = (counts[kind] ?? 0) + number;
      };
      const owned = `kubernetes.io/cluster/${cluster}`;
      const tagged = (kind: string, found: readonly { Tags?: Tag[] | undefined }[] | undefined) =>
        count(kind, (found ?? []).filter(({ Tags = [] }) => Tags.some(({ Key }) => Key === owned)).length);
      tagged('VPC', (await ec2.send(new DescribeVpcsCommand({}))).Vpcs);
      tagged('subnet', (await ec2.send(new DescribeSubnetsCommand({}))).Subnets);
      tagged('internet gateway', (await ec2.send(new DescribeInternetGatewaysCommand({}))).InternetGateways);
      tagged('route table', (await ec2.send(new DescribeRouteTablesCommand({}))).RouteTables);
      tagged('security group', (await ec2.send(new DescribeSecurityGroupsCommand({}))).SecurityGroups);
      tagged('volume', (await ec2.send(new DescribeVolumesCommand({}))).Volumes);
      tagged('elastic IP', (await ec2.send(new DescribeAddressesCommand({}))).Addresses);
      tagged('DHCP options', (await ec2.send(new DescribeDhcpOptionsCommand({}))).DhcpOptions);
      tagged('launch template', (await ec2.send(new DescribeLaunchTemplatesCommand({}))).LaunchTemplates);
      tagged('key pair', (await ec2.send(new DescribeKeyPairsCommand({}))).KeyPairs);
      const { NatGateways = [] } = await ec2.send(new DescribeNatGatewaysCommand({}));
      tagged(
        'NAT gateway',
        NatGateways.filter(({ State }) => State !== 'deleted'),
      );
      const machines = (await ec2.send(new DescribeInstancesCommand({}))).Reservations ?? [];
      tagged(
        'machine',
        machines.flatMap(({ Instances = [] }) => Instances).filter(({ State }) => State?.Name !== 'terminated'),
      );
      const named = (names: readonly (string | undefined)[]) => names.filter((name) => name?.includes(cluster)).length;
      const dashed = cluster.replaceAll('.', '-');
      const iam = new IAMClient(settings);
      count('role', named(((await iam.send(new ListRolesCommand({}))).Roles ?? []).map((role) => role.RoleName)));
      const profiles = (await iam.send(new ListInstanceProfilesCommand({}))).InstanceProfiles ?? [];
      count('instance profile', named(profiles.map((profile) => profile.InstanceProfileName)));
      const balancing = new ElasticLoadBalancingV2Client(settings);
      const { LoadBalancers = [] } = await balancing.send(new DescribeLoadBalancersCommand({}));
      count(
        'load balancer',
        LoadBalancers.filter(
          ({ LoadBalancerName: name }) => name?.includes(dashed.slice(0, 8)) === true || name === NETWORK_BALANCER,
        ).length,
      );
      const { TargetGroups = [] } = await balancing.send(new DescribeTargetGroupsCommand({}));
      count(
        'target group',
        TargetGroups.filter(
          ({ TargetGroupName: name }) => name?.includes(dashed.slice(0, 8)) === true || name === SERVICE_TARGETS,
        ).length,
      );
      const classic = new ElasticLoadBalancingClient(settings);
      const { LoadBalancerDescriptions = [] } = await classic.send(new DescribeClassicLoadBalancersCommand({}));
      count('classic load balancer', LoadBalancerDescriptions.length);
      const scaling = new AutoScalingClient(settings);
      const groups = (await scaling.send(new DescribeAutoScalingGroupsCommand({}))).AutoScalingGroups ?? [];
      count('auto-scaling group', named(groups.map((group) => group.AutoScalingGroupName)));
      const rules = (await new EventBridgeClient(settings).send(new ListRulesCommand({}))).Rules ?? [];
      count('event rule', named(rules.map((rule) => rule.Name)));
      const { QueueUrls = [] } = await new SQSClient(settings).send(new ListQueuesCommand({}));
      count('queue', QueueUrls.filter((url) => url.includes(dashed)).length);
      for (const { Id } of (await route53.send(new ListHostedZonesCommand({}))).HostedZones ?? []) {
        const { ResourceRecordSets = [] } = await route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: Id }));
        count('record', named(ResourceRecordSets.map(({ Name }) => Name)));
      }
      return counts;
    },
    close: () => rm(folder, { recursive: true }),
  };
}
