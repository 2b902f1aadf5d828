import { completedValue } from '@kopsctl/model/completed-value.ts';
import { findsApiByLoadBalancer, usesGossip } from '@kopsctl/model/discovery.ts';
import { etcdPorts } from '@kopsctl/model/etcd-clusters.ts';
import type { Output } from '@kopsctl/model/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { loadBalancerName, targetGroupName, type TargetGroupPurpose } from '../own-names.ts';
import { type AwsContext, subnetId } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { isDualStack, loadBalancerSubnets } from './load-balancer-subnets.ts';
import {
  allowAllEgress,
  allowIngress,
  isIpv6,
  isPrefixList,
  PATH_MTU,
  PATH_MTU_V6,
  type Traffic,
} from './security-group-rule.ts';
import { type SecurityGroup, securityGroup, securityGroupsOf } from './security-groups.ts';
import { resourceTags } from './tags.ts';
import { hashedName } from '@kopsctl/model/truncated-name.ts';

/** The port of kops-controller, from which nodes of kops get their identity. */
const KOPS_CONTROLLER_PORT = 3988;
/** The API with TLS passed through, next to a listener that terminates TLS. */
const PLAIN_API_PORT = 8443;

export const hasApiLoadBalancer = ({ facts }: AwsContext): boolean => facts.spec.api?.loadBalancer !== undefined;

/**
 * Without DNS, machines know the control plane only by the address of the load balancer. kops lets machines that use gossip use
 * it too (pkg/apis/kops cluster.go UsesLoadBalancerForKopsController).
 */
const nodesUseLoadBalancer = ({ facts }: AwsContext): boolean =>
  facts.spec.topology?.dns?.type === 'None' || (usesGossip(facts) && facts.spec.api?.loadBalancer?.class === 'Network');

/** Whether Cilium on the nodes keeps its state in an etcd of the control planes. */
const hasCiliumEtcd = ({ facts }: AwsContext): boolean => facts.spec.networking?.cilium?.etcdManaged === true;

export const apiLoadBalancerName = ({ facts }: AwsContext): string => loadBalancerName('api', facts.clusterName);

/** What leads machines to the API. The name of an internal load balancer leads to private addresses already. */
export const apiForMachines = (context: AwsContext): Output =>
  outputOf(
    'aws/LoadBalancer',
    apiLoadBalancerName(context),
    context.facts.spec.api?.loadBalancer?.type === 'Internal' ? 'dnsName' : 'addresses',
  );

interface Target {
  readonly name: string;
  readonly protocol: 'TCP' | 'TLS';
  readonly port: number;
}

interface Listener {
  readonly port: number;
  readonly target: Target;
}

/** The listeners of the load balancer and their targets. */
function listeners(context: AwsContext): readonly Listener[] {
  const { facts } = context;
  const target = (purpose: TargetGroupPurpose, protocol: Target['protocol'], port: number): Target => ({
    name: targetGroupName(purpose, facts.clusterName),
    protocol,
    port,
  });
  const api = target('tcp', 'TCP', 443);
  const terminated = hasCertificate(context);
  return [
    ...(terminated
      ? [
          { port: 443, target: target('tls', 'TLS', 443) },
          { port: PLAIN_API_PORT, target: api },
        ]
      : [{ port: 443, target: api }]),
    ...ofControlPlanes(context).map(({ prefix, port }) => ({ port, target: target(prefix, 'TCP', port) })),
  ];
}

interface ControlPlaneService {
  readonly prefix: TargetGroupPurpose;
  readonly port: number;
}

/** The services that the load balancer passes on to control planes alone: a machine with only an API server has none of them. */
const ofControlPlanes = (context: AwsContext): readonly ControlPlaneService[] =>
  nodesUseLoadBalancer(context)
    ? [
        { prefix: 'kops-controller', port: KOPS_CONTROLLER_PORT },
        ...(hasCiliumEtcd(context) ? [{ prefix: 'etcd-cilium' as const, port: etcdPorts('cilium').client }] : []),
      ]
    : [];

const hasCertificate = ({ facts }: AwsContext): boolean => {
  const certificate = facts.spec.api?.loadBalancer?.sslCertificate;
  return certificate !== undefined && certificate !== '';
};

/** The target groups that machines with an API server register with. */
export function apiTargetGroups(context: AwsContext, role: 'ControlPlane' | 'APIServer'): readonly Output[] {
  const apart = role === 'ControlPlane' ? [] : ofControlPlanes(context).map(({ port }) => port);
  return hasApiLoadBalancer(context)
    ? listeners(context)
        .filter(({ port }) => !apart.includes(port))
        .map(({ target }) => outputOf('aws/TargetGroup', target.name, 'arn'))
        .toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
    : [];
}

/** The load balancer of the API, its security group and the rules for its clients. */
export function apiLoadBalancer(context: AwsContext): readonly Task[] {
  const { facts } = context;
  const wish = facts.spec.api?.loadBalancer;
  if (wish === undefined) return [];
  const isInternal = wish.type === 'Internal';
  const subnets = loadBalancerSubnets(context, isInternal);
  const name = apiLoadBalancerName(context);
  const group = apiSecurityGroup(context);
  const placed = wish.subnets?.length
    ? wish.subnets.flatMap((one) => {
        const subnet = context.subnets.find((known) => known.name === one.name);
        return subnet === undefined ? [] : [{ subnet, one }];
      })
    : subnets.map((subnet) => ({ subnet, one: undefined }));
  return [
    group.task,
    ...allowAllEgress(group),
    ...access(context, group),
    awsTask('aws/LoadBalancer', name, {
      name: hashedName(`api-${facts.clusterName.replaceAll('.', '-')}`, 32),
      internal: isInternal,
      leadsMachines: findsApiByLoadBalancer(facts) && !isInternal,
      dualStack: isDualStack(placed.map(({ subnet }) => subnet)),
      crossZone: nodesUseLoadBalancer(context) || wish.crossZoneLoadBalancing === true,
      securityGroups: [group.id, ...(wish.additionalSecurityGroups ?? [])],
      subnets: placed.map(({ subnet, one }) => ({
        subnet: subnetId(context, subnet),
        ...(one?.allocationId === undefined ? {} : { allocationId: one.allocationId }),
        ...(one?.privateIPv4Address === undefined ? {} : { privateAddress: one.privateIPv4Address }),
      })),
      ...(wish.accessLog?.bucket === undefined
        ? {}
        : {
            accessLog: {
              bucket: wish.accessLog.bucket,
              ...(wish.accessLog.bucketPrefix === undefined ? {} : { prefix: wish.accessLog.bucketPrefix }),
            },
          }),
      tags: resourceTags(facts, name),
    }),
    ...listeners(context).flatMap((listener) => listenerTasks(context, name, listener)),
  ];
}

function listenerTasks(context: AwsContext, loadBalancer: string, { port, target }: Listener): readonly Task[] {
  const wish = context.facts.spec.api?.loadBalancer;
  const isTls = target.protocol === 'TLS';
  return [
    awsTask('aws/TargetGroup', target.name, {
      name: target.name,
      vpc: context.vpc,
      protocol: target.protocol,
      port: target.port,
      ...(target.port === KOPS_CONTROLLER_PORT ? { healthPath: '/healthz' } : {}),
      tags: resourceTags(context.facts, target.name),
    }),
    awsTask('aws/Listener', `${loadBalancer}-${port}`, {
      loadBalancer: outputOf('aws/LoadBalancer', loadBalancer, 'arn'),
      port,
      protocol: target.protocol,
      ...(isTls && wish?.sslCertificate !== undefined ? { certificate: wish.sslCertificate } : {}),
      ...(isTls ? { sslPolicy: completedValue('spec.api.loadBalancer.sslPolicy', wish?.sslPolicy) } : {}),
      targetGroup: outputOf('aws/TargetGroup', target.name, 'arn'),
    }),
  ];
}

function apiSecurityGroup(context: AwsContext): SecurityGroup {
  const { facts } = context;
  const override = facts.spec.api?.loadBalancer?.securityGroupOverride;
  const group = securityGroup(context, 'api-elb');
  return override === undefined
    ? group
    : { ...group, task: awsTask('aws/SecurityGroup', group.name, { sharedId: override }) };
}

const HTTPS: Traffic = { protocol: 'tcp', ports: [443, 443] };
const PLAIN_API: Traffic = { protocol: 'tcp', ports: [PLAIN_API_PORT, PLAIN_API_PORT] };

function access(context: AwsContext, group: SecurityGroup): readonly Task[] {
  const from = context.facts.spec.kubernetesApiAccess ?? [];
  const controlPlane = securityGroupsOf(context, 'ControlPlane');
  const nodes = securityGroupsOf(context, 'Node');
  return [
    ...from.flatMap((peer) => [
      allowIngress(peer, group, HTTPS),
      ...(hasCertificate(context) ? [allowIngress(peer, group, PLAIN_API)] : []),
      ...pathMtu(peer, group, 'api-elb'),
    ]),
    ...controlPlane.flatMap((to) => [
      allowIngress(group, to, HTTPS, `https-elb-to-master${to.suffix}`),
      ...(hasCertificate(context) ? [allowIngress(group, to, PLAIN_API, `tcp-api-cp${to.suffix}`)] : []),
      allowIngress(group, to, PATH_MTU, `icmp-pmtu-elb-to-cp${to.suffix}`),
      allowIngress(to, group, PATH_MTU, `icmp-pmtu-cp${to.suffix}-to-elb`),
    ]),
    ...(nodesUseLoadBalancer(context)
      ? [
          ...nodes.map((node) => allowIngress(node, group, undefined, `node${node.suffix}-to-elb`)),
          ...controlPlane.flatMap((to) =>
            ofControlPlanes(context).map(({ prefix, port }) =>
              allowIngress(group, to, { protocol: 'tcp', ports: [port, port] }, `${prefix}-elb-to-cp${to.suffix}`),
            ),
          ),
        ]
      : []),
  ];
}

/** Allows path MTU messages; without them large packets are lost where a path has a smaller MTU than its ends. */
export function pathMtu(peer: string, group: SecurityGroup, label: string): readonly Task[] {
  return [
    ...(isIpv6(peer) ? [] : [allowIngress(peer, group, PATH_MTU, `icmp-pmtu-${label}-${peer}`)]),
    ...(isIpv6(peer) || isPrefixList(peer)
      ? [allowIngress(peer, group, PATH_MTU_V6, `icmpv6-pmtu-${label}-${peer}`)]
      : []),
  ];
}
