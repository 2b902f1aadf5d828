import type { Task } from '@kopsctl/tasks/task.ts';
import { nodePorts } from '@kopsctl/spec/node-ports.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { hasApiLoadBalancer } from './api-load-balancer.ts';
import type { AwsContext } from './aws-context.ts';
import { allowIngress, type Traffic } from './security-group-rule.ts';
import { securityGroupsOf } from './security-groups.ts';

const SSH: Traffic = { protocol: 'tcp', ports: [22, 22] };
const HTTPS: Traffic = { protocol: 'tcp', ports: [443, 443] };

/** Access from outside: SSH, node ports, and the API if it has no load balancer. */
export function externalAccess(context: AwsContext): readonly Task[] {
  const { facts, groups } = context;
  const { sshAccess = [], kubernetesApiAccess = [], nodePortAccess = [] } = facts.spec;
  const nodes = securityGroupsOf(context, 'Node');
  const controlPlane = securityGroupsOf(context, 'ControlPlane');
  // With a bastion, SSH is only allowed through it.
  const hasBastion = groups.some((group) => roleOf(group) === 'Bastion');
  return [
    ...(hasBastion
      ? []
      : sshAccess.flatMap((from) => [...controlPlane, ...nodes].map((to) => allowIngress(from, to, SSH)))),
    ...nodePortAccess.flatMap((from) => nodes.flatMap((to) => allowNodePorts(context, from, to))),
    ...(hasApiLoadBalancer(context)
      ? []
      : kubernetesApiAccess.flatMap((from) => controlPlane.map((to) => allowIngress(from, to, HTTPS)))),
  ];
}

function allowNodePorts({ facts }: AwsContext, from: string, to: Parameters<typeof allowIngress>[1]): readonly Task[] {
  const { first, last } = nodePorts(facts.spec);
  return (['tcp', 'udp'] as const).map((protocol) =>
    allowIngress(
      from,
      to,
      { protocol, ports: [first, last] },
      `nodeport-${protocol}-external-to-node-${from}${to.suffix}`,
    ),
  );
}
