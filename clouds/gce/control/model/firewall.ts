import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { GOSSIP_PORT, isIpv6Only, usesGossip } from '@kopsctl/model/discovery.ts';
import { etcdPorts } from '@kopsctl/model/etcd-clusters.ts';
import { nodePortsOf } from '@kopsctl/spec/node-ports.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { usesAliasRanges } from '../alias-ranges.ts';
import type { Allowed } from '../kinds/network.ts';
import { ports, rule, ruleOfEachFamily } from './firewall-rule.ts';
import { balancesKopsController, type GceContext, hasCiliumEtcd, hasLoadBalancer, hasRole } from './gce-context.ts';
import { apiTags, controlPlaneTags, tagsOf } from './role-tags.ts';

/** The port of kops-controller, from which nodes of kops get their identity. */
export const KOPS_CONTROLLER_PORT = 3988;

/** Where Google's health checks come from (Google, "Health checks", and "Target pools" for the last two). */
const HEALTH_CHECKERS = ['35.191.0.0/16', '130.211.0.0/22', '209.85.204.0/22', '209.85.152.0/22'];

const FAMILIES = ['', '-ipv6'] as const;

/** Prefixes of the names of rules, for finding the rules that are no longer wanted. */
export const FIREWALL_IDS: readonly string[] = [
  'lb-health-checks',
  'node-to-node',
  'master-to-master',
  'master-to-node',
  'node-to-master',
  'pod-cidrs-to-https-api',
  ...[
    'pod-cidrs-to-node',
    'ssh-external-to-master',
    'ssh-external-to-node',
    'ssh-external-to-bastion',
    'bastion-to-master-ssh',
    'bastion-to-node-ssh',
    'nodeport-external-to-node',
    'kubernetes-master-https',
    'https-api',
    'kops-controller',
    'cilium-etcd',
  ].flatMap((id) => FAMILIES.map((family) => id + family)),
];

/** What is open between the machines, and to them (kops pkg/model/gcemodel/firewall.go, external_access.go). */
export function firewall(context: GceContext): readonly Task[] {
  return [...betweenMachines(context), ...fromPods(context), ...fromOutside(context)];
}

function everything({ facts }: GceContext): readonly Allowed[] {
  const protocols = ['tcp', 'udp', 'icmp', 'esp', 'ah', 'sctp'];
  const all = routesByBgp(facts) ? [...protocols, 'ipip'] : protocols;
  return all.map((protocol) => ({ protocol }));
}

/**
 * Whether machines tell each other routes to pods, and put packets of pods into packets of their own. For kube-router kops opens
 * neither, and machines in GCE, each of which is in a subnet of its own, would not reach each other's pods.
 */
const routesByBgp = ({ spec: { networking } }: ClusterFacts): boolean =>
  networking?.calico !== undefined || networking?.kuberouter !== undefined;

function betweenMachines(context: GceContext): readonly Task[] {
  const controlPlanes = controlPlaneTags(context);
  const nodes = tagsOf(context, 'Node');
  const allow = everything(context);
  return [
    rule(context, { id: 'node-to-node', from: { tags: nodes }, to: nodes, allow }),
    rule(context, { id: 'master-to-master', from: { tags: controlPlanes }, to: controlPlanes, allow }),
    rule(context, { id: 'master-to-node', from: { tags: controlPlanes }, to: nodes, allow }),
    rule(context, {
      id: 'node-to-master',
      from: { tags: nodes },
      to: controlPlanes,
      allow: fromNodes(context),
    }),
  ];
}

/** The API, kubelet, the controllers' metrics, and what pod networks need. Not etcd, where every secret is. */
function fromNodes(context: GceContext): readonly Allowed[] {
  const { facts } = context;
  const { networking } = facts.spec;
  return [
    ...ports('tcp', 443, 10250, KOPS_CONTROLLER_PORT, 10257, 10259, 10249, 2382, 2384, 9100),
    ...(routesByBgp(facts) ? [{ protocol: 'ipip' }, ...ports('tcp', 179)] : []),
    ...(networking?.cilium === undefined && networking?.flannel === undefined ? [] : ports('udp', 8472)),
    ...(hasCiliumEtcd(context) ? ports('tcp', etcdPorts('cilium').client) : []),
    ...(usesGossip(facts) ? ['tcp', 'udp'].flatMap((protocol) => ports(protocol, ...gossipPorts(facts))) : []),
  ];
}

/** Machines that kops made gossip on ports of their own (kops pkg/wellknownports) until the last of them is replaced. */
const gossipPorts = ({ isOfKops }: ClusterFacts): readonly number[] =>
  isOfKops ? [GOSSIP_PORT, 3993, 4000] : [GOSSIP_PORT];

/** Traffic from pods whose addresses are routed has the addresses of the pods, which no tag covers. */
function fromPods(context: GceContext): readonly Task[] {
  const { spec } = context.facts;
  const aliases = usesAliasRanges(spec);
  if (isIpv6Only(context.facts) || (!aliases && spec.networking?.kubenet === undefined)) return [];
  const from = { ranges: spec.podCIDR === undefined ? [] : [spec.podCIDR] };
  return [
    ...ruleOfEachFamily(context, {
      id: 'pod-cidrs-to-node',
      from,
      to: tagsOf(context, 'Node'),
      allow: everything(context),
    }),
    ...(aliases
      ? [rule(context, { id: 'pod-cidrs-to-https-api', from, to: apiTags(context), allow: ports('tcp', 443) })]
      : []),
  ];
}

function fromOutside(context: GceContext): readonly Task[] {
  const { spec } = context.facts;
  const range = nodePortsOf(spec);
  return [
    ...ssh(context),
    ...ruleOfEachFamily(context, {
      id: 'nodeport-external-to-node',
      from: { ranges: spec.nodePortAccess ?? [] },
      to: tagsOf(context, 'Node'),
      allow: ['tcp', 'udp'].flatMap((protocol) => ports(protocol, range)),
    }),
    ...api(context),
  ];
}

/** With a bastion, SSH is only allowed through it. */
function ssh(context: GceContext): readonly Task[] {
  const allow = ports('tcp', 22);
  const from = { ranges: context.facts.spec.sshAccess ?? [] };
  const [controlPlanes, nodes] = [controlPlaneTags(context), tagsOf(context, 'Node')];
  if (!hasRole(context, 'Bastion')) {
    return [
      ...ruleOfEachFamily(context, { id: 'ssh-external-to-master', from, to: controlPlanes, allow }),
      ...ruleOfEachFamily(context, { id: 'ssh-external-to-node', from, to: nodes, allow }),
    ];
  }
  const bastions = tagsOf(context, 'Bastion');
  return [
    ...ruleOfEachFamily(context, { id: 'ssh-external-to-bastion', from, to: bastions, allow }),
    ...ruleOfEachFamily(context, { id: 'bastion-to-master-ssh', from: { tags: bastions }, to: controlPlanes, allow }),
    ...ruleOfEachFamily(context, { id: 'bastion-to-node-ssh', from: { tags: bastions }, to: nodes, allow }),
  ];
}

function api(context: GceContext): readonly Task[] {
  const from = { ranges: context.facts.spec.kubernetesApiAccess ?? [] };
  const https = ports('tcp', 443);
  if (!hasLoadBalancer(context)) {
    return ruleOfEachFamily(context, {
      id: 'kubernetes-master-https',
      from,
      to: controlPlaneTags(context),
      allow: https,
    });
  }
  const controlPlanes = tagsOf(context, 'ControlPlane').slice(0, 1);
  return [
    rule(context, {
      id: 'lb-health-checks',
      from: { ranges: HEALTH_CHECKERS },
      to: apiTags(context),
      allow: [{ protocol: 'tcp' }],
    }),
    ...ruleOfEachFamily(context, { id: 'https-api', from, to: apiTags(context), allow: https }),
    ...(balancesKopsController(context)
      ? ruleOfEachFamily(context, {
          id: 'kops-controller',
          from,
          to: controlPlanes,
          allow: ports('tcp', KOPS_CONTROLLER_PORT),
        })
      : []),
    ...(hasCiliumEtcd(context)
      ? ruleOfEachFamily(context, {
          id: 'cilium-etcd',
          from,
          to: controlPlanes,
          allow: ports('tcp', etcdPorts('cilium').client),
        })
      : []),
  ];
}
