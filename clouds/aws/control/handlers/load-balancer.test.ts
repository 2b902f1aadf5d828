import { expect, test } from 'vitest';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { loadBalancerHandler } from './load-balancer.ts';
import { answeredAccount } from './testdata/answered-account.ts';

const ARN = 'arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/api-demo/0123456789abcdef';
const PROPS: PropsOf<'aws/LoadBalancer'> = {
  name: 'api-demo',
  internal: false,
  leadsMachines: true,
  dualStack: false,
  crossZone: true,
  securityGroups: [],
  subnets: [{ subnet: 'subnet-a' }, { subnet: 'subnet-b' }],
  tags: {},
};

/** An account with the load balancer, which has these private addresses. */
const account = (state: string, ...addresses: readonly string[]) =>
  answeredAccount({ clusterName: 'demo.example.com' }, (command, input) => {
    switch (command) {
      case 'DescribeLoadBalancersCommand':
        return {
          LoadBalancers: [
            {
              LoadBalancerName: 'api-demo',
              LoadBalancerArn: ARN,
              DNSName: 'api-demo-1.elb.amazonaws.com',
              Scheme: 'internet-facing',
              State: { Code: state },
              AvailabilityZones: [{ SubnetId: 'subnet-a' }, { SubnetId: 'subnet-b' }],
            },
          ],
        };
      case 'DescribeLoadBalancerAttributesCommand':
        return { Attributes: [{ Key: 'load_balancing.cross_zone.enabled', Value: 'true' }] };
      case 'DescribeTagsCommand':
        return { TagDescriptions: [{ ResourceArn: ARN, Tags: [] }] };
      case 'DescribeNetworkInterfacesCommand': {
        const isIts = JSON.stringify(input).includes('"ELB net/api-demo/0123456789abcdef"');
        // One text may be the addresses of both families of an interface.
        const interfaces = addresses.map((one) => {
          const [PrivateIpAddress, ...others] = one.split(' ');
          return { PrivateIpAddress, Ipv6Addresses: others.map((Ipv6Address) => ({ Ipv6Address })) };
        });
        return { NetworkInterfaces: isIts ? interfaces : [] };
      }
      default:
        throw new Error(`${command} was not expected`);
    }
  });

async function seen(state: string, ...addresses: readonly string[]) {
  const found = await loadBalancerHandler.find(
    'api',
    PROPS,
    { aws: account(state, ...addresses) },
    AbortSignal.any([]),
  );
  if (found === undefined) throw new Error('it was not found');
  const { addresses: told } = loadBalancerHandler.outputs?.('api', PROPS, found) ?? {};
  const changes = loadBalancerHandler.plan('api', PROPS, found).flatMap((step) => step.changes ?? []);
  return { told, changes: changes.map(({ path }) => path) };
}

test('machines are told the private addresses of a public load balancer: its name leads them outside', async () => {
  expect(await seen('active', '10.0.1.5', '10.0.0.5')).toEqual({ told: '10.0.0.5 10.0.1.5', changes: [] });
});

test('a load balancer that is being made is waited for until it has an address in each subnet', async () => {
  expect(await seen('provisioning', '10.0.0.5')).toMatchObject({ changes: ['addresses'] });
  expect(await seen('provisioning', '10.0.0.5 2001:db8::5')).toMatchObject({ changes: ['addresses'] });
  expect(await seen('provisioning', '10.0.1.5', '10.0.0.5')).toMatchObject({ changes: [] });
});
